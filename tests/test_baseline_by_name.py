"""Runs under comparison that measures name: the baseline as prior, systems or reference."""

import ir_measures
import pandas as pd
import pytest

import irx_measures
from irx_measures import (
    RunSet,
    evaluate,
    parse_measure,
    register_runs,
    scope,
)
from irx_measures.cli.main import main
from irx_measures.simulate import simulate_campaign
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


def frame(run):
    rows = [(query, doc, score) for query, docs in run.items() for doc, score in docs.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


def by_bm25(measure=irx_measures.NRG):
    """The score of `mine` with the run bm25 as its prior."""
    return (measure(prior=[RUNS["bm25"]]) @ 10).calc_aggregate(QRELS, RUNS["mine"])


@pytest.mark.parametrize("text", MEASURES)
def test_a_run_is_the_prior_by_its_name(text):
    register_runs("kept", {"bm25": RUNS["bm25"]})
    matrix = evaluate(RUNS, QRELS, [text.format("bm25"), text.format("kept")])
    assert str(matrix.measures[0]) == text.format("bm25")
    assert matrix.scores[0, 1].tolist() == matrix.scores[1, 1].tolist()


def test_names_join_and_a_whole_name_comes_before_its_parts():
    register_runs("kept", {"bm25": RUNS["bm25"]})
    register_runs("both", {"bm25": RUNS["bm25"], "yours": RUNS["yours"]})
    register_runs("whole", {"a+b": RUNS["a+b"]})
    register_runs("a", {"a": RUNS["mine"]})
    register_runs("b", {"b": RUNS["yours"]})
    priors = ["bm25+yours", "both", "kept+yours", "a+b", "whole"]
    scores = evaluate(RUNS, QRELS, [f"NRG(prior={prior})@10" for prior in priors]).scores
    assert scores[0].tolist() == scores[1].tolist() == scores[2].tolist()
    assert scores[3, :3].tolist() == scores[4, :3].tolist()


@pytest.mark.parametrize("host", ["calc_aggregate", "pt.Experiment"])
@pytest.mark.parametrize("name", ["others", "bm25"])
def test_names_are_known_in_scope_only(host, name):
    text = f"NRG(prior={name})@10"
    arguments = [parse_measure(text)], QRELS, RUNS["mine"]
    evaluated = ir_measures.calc_aggregate
    if host == "pt.Experiment":
        evaluated = pytest.importorskip("pyterrier").Experiment
        topics = pd.DataFrame({"qid": list(QRELS), "query": "x"})
        qrels = frame(QRELS).rename(columns={"score": "label"})
        arguments = [frame(RUNS["mine"])], topics, qrels, [text]
    with pytest.raises(ValueError, match=rf"called '{name}'.*irx_measures\.Experiment"):
        evaluated(*arguments)
    with scope(RUNS):
        inside = parse_measure("NRG(prior=bm25)@10").calc_aggregate(QRELS, RUNS["mine"])
    assert inside == by_bm25()


def test_a_run_is_the_reference_without_qrels():
    scores = evaluate(RUNS, {}, "RBO(reference=bm25)").scores[0]
    assert scores[0] == pytest.approx(scores[0].max())
    assert (scores[1] < scores[0]).all()


def test_one_name_means_one_set():
    """Two measures of equal repr are the same measure."""
    kept = RunSet({"bm25": RUNS["mine"]}, name="bm25")
    by_set, by_name = irx_measures.NRG(prior=kept) @ 10, parse_measure("NRG(prior=bm25)@10")
    assert str(by_name) == "NRG(prior=bm25)@10" != str(by_set)
    assert by_set != by_name


# The command line


@pytest.fixture
def irx(tmp_path, monkeypatch, capsys):
    """Run irx in a folder with the runs: status, rows of output, stderr."""
    monkeypatch.chdir(tmp_path)
    CAMPAIGN.write(tmp_path)
    (tmp_path / "old").mkdir()
    files = {f"{name}.run": run for name, run in RUNS.items()} | {"old/mine.run": RUNS["bm25"]}
    for name, run in files.items():
        rows = frame(run).itertuples(index=False)
        lines = [f"{row.qid} Q0 {row.docno} 1 {row.score!r} tag\n" for row in rows]
        (tmp_path / name).write_text("".join(lines))

    def run(arguments):
        command, _, rest = arguments.partition(": ")
        status = main([*command.split(), "qrels.txt", *rest.split()])
        printed = capsys.readouterr()
        return status, printed.out.splitlines(), printed.err

    return run


@pytest.mark.parametrize("files", ["", " --no-files"])
@pytest.mark.parametrize(
    ("given", "systems"),
    [
        ("mine.run --prior bm25.run -m NRG@10", 1),
        ("mine.run --prior bm25.run -m NRG(prior=bm25)@10", 1),
        ("bm25.run mine.run -m NRG(prior=bm25)@10", 2),
    ],
)
def test_the_command_line_knows_runs_by_name(irx, given, systems, files):
    status, rows, _ = irx(f"evaluate: {given} -o csv -p -1{files}")
    assert (status, len(rows)) == (0, 1 + systems)
    assert "NRG(prior=bm25)@10" in rows[0]
    assert float(rows[-1].split(",")[-1]) == pytest.approx(by_bm25())


@pytest.mark.parametrize(
    ("command", "more", "status", "fact"),
    [
        ("evaluate: mine.run", "bm25.run --prior yours.run", 0, "NRG(prior=bm25+yours)@10"),
        ("meta systems: mine.run yours.run a+b.run", "bm25.run", 0, "NRG(prior=bm25)@10"),
        ("evaluate: bm25.run mine.run", "mine.run", 0, "NRG(prior=mine)@10"),
        ("evaluate: mine.run", "old/mine.run", 2, "would both be called 'mine'"),
        ("evaluate: mine.run", "nobody.run", 2, "nobody.run"),
    ],
)
def test_priors_of_the_command_line(irx, command, more, status, fact):
    trials = " --trials 5" * command.startswith("meta")
    found, rows, err = irx(f"{command} -m NRG@10{trials} --prior {more}")
    assert (found, fact in (err if status else "\n".join(rows))) == (status, True)
