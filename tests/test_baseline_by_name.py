"""Runs under comparison that measures name: the baseline as prior, systems or reference."""

import pytest

import irx_measures
from irx_measures import RunSet, evaluate, parse_measure, register_runs, scope
from irx_measures.simulate import simulate_campaign
from tests import console
from tests.campaigns import trec_files
from tests.doubts import OWN_PRIOR

pytestmark = OWN_PRIOR

MEASURES = [
    "NRG(prior={})@10",
    "TaSC(prior={})@10",
    "UniqueRel(prior={})@10",
    "P_Rareness(systems={})@10",
    "RBO(reference={})",
]
CAMPAIGN = simulate_campaign(systems=4, queries=5, depth=30, seed=9)
QRELS = CAMPAIGN.qrels
RUNS = dict(zip(["bm25", "mine", "yours", "a+b"], CAMPAIGN.runs.values(), strict=True))


def by_bm25(measure=irx_measures.NRG):
    """The score of `mine` with the run bm25 as its prior."""
    return (measure(prior=[RUNS["bm25"]]) @ 10).calc_aggregate(QRELS, RUNS["mine"])


@pytest.mark.parametrize("text", MEASURES)
def test_a_run_is_the_prior_by_its_name(text):
    register_runs("kept", {"bm25": RUNS["bm25"]})
    matrix = evaluate(QRELS, RUNS, [text.format("bm25"), text.format("kept")])
    assert str(matrix.measures[0]) == text.format("bm25")
    assert matrix.scores[0, 1].tolist() == matrix.scores[1, 1].tolist()


def test_names_join_and_a_whole_name_comes_before_its_parts():
    register_runs("kept", {"bm25": RUNS["bm25"]})
    register_runs("both", {"bm25": RUNS["bm25"], "yours": RUNS["yours"]})
    register_runs("whole", {"a+b": RUNS["a+b"]})
    register_runs("a", {"a": RUNS["mine"]})
    register_runs("b", {"b": RUNS["yours"]})
    priors = ["bm25+yours", "both", "kept+yours", "a+b", "whole"]
    scores = evaluate(QRELS, RUNS, [f"NRG(prior={prior})@10" for prior in priors]).scores
    assert scores[0].tolist() == scores[1].tolist() == scores[2].tolist()
    assert scores[3, :3].tolist() == scores[4, :3].tolist()


def test_names_are_known_in_scope():
    with scope(RUNS):
        inside = parse_measure("NRG(prior=bm25)@10").calc_aggregate(QRELS, RUNS["mine"])
    assert inside == by_bm25()


def test_a_run_is_the_reference_without_qrels():
    scores = evaluate({}, RUNS, "RBO(reference=bm25)").scores[0]
    assert scores[0] == pytest.approx(scores[0].max())
    assert (scores[1] < scores[0]).all()


def test_one_name_means_one_set():
    """Two measures of equal repr are the same measure."""
    kept = RunSet({"bm25": RUNS["mine"]}, name="bm25")
    by_set, by_name = irx_measures.NRG(prior=kept) @ 10, parse_measure("NRG(prior=bm25)@10")
    assert str(by_name) == "NRG(prior=bm25)@10" != str(by_set)
    assert by_set != by_name


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the qrels and runs, and another run of the name mine."""
    folder = tmp_path_factory.mktemp("runs")
    folder.joinpath("old").mkdir()
    trec_files(folder, RUNS, QRELS)
    trec_files(folder / "old", {"mine": RUNS["bm25"]})
    return folder


@pytest.mark.parametrize("files", [[], ["--no-files"]])
@pytest.mark.parametrize(
    "given",
    [
        "mine.run --prior bm25.run -m NRG@10",
        "mine.run --prior bm25.run -m NRG(prior=bm25)@10",
        "bm25.run mine.run -m NRG(prior=bm25)@10",
    ],
)
def test_the_command_line_knows_runs_by_name(folder, given, files):
    command = ["evaluate", "qrels.txt", *given.split(), "-o", "csv", "-p", "-1", *files]
    head, *_, mine = console.irx(*command, cwd=folder).stdout.splitlines()
    assert "NRG(prior=bm25)@10" in head
    assert float(mine.split(",")[-1]) == pytest.approx(by_bm25())


@pytest.mark.parametrize(
    ("command", "status", "fact"),
    [
        ("evaluate qrels.txt mine.run --prior bm25.run --prior yours.run", 0,
         "NRG(prior=bm25+yours)@10"),
        ("meta systems qrels.txt mine.run yours.run a+b.run --trials 5 --prior bm25.run", 0,
         "NRG(prior=bm25)@10"),
        ("evaluate qrels.txt bm25.run mine.run --prior mine.run", 0, "NRG(prior=mine)@10"),
        ("evaluate qrels.txt mine.run --prior old/mine.run", 2, "would both be called 'mine'"),
        ("evaluate qrels.txt mine.run --prior nobody.run", 2, "nobody.run"),
    ],
)  # fmt: skip
def test_priors_of_the_command_line(folder, command, status, fact):
    done = console.irx(*command.split(), "-m", "NRG@10", cwd=folder)
    assert (done.returncode, fact in (done.stderr if status else done.stdout)) == (status, True)
