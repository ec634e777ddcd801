"""Runs under comparison that measures name: the baseline as prior, systems or reference."""

import ir_measures
import pandas as pd
import pytest

import irx_measures
from irx_measures import (
    InputError,
    RunSet,
    SubsetScorer,
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


@pytest.fixture(scope="module")
def campaign():
    return simulate_campaign(systems=4, queries=5, depth=30, seed=9)


@pytest.fixture
def runs(campaign):
    """Four runs; the first is called bm25."""
    return dict(zip(["bm25", "mine", "yours", "a+b"], campaign.runs.values(), strict=True))


@pytest.fixture
def folder(campaign, runs, tmp_path):
    campaign.write(tmp_path)
    for name, run in runs.items():
        rows = frame(run).itertuples(index=False)
        lines = [f"{row.qid} Q0 {row.docno} 1 {row.score!r} tag\n" for row in rows]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def frame(run):
    rows = [(query, doc, score) for query, docs in run.items() for doc, score in docs.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


@pytest.mark.parametrize("text", MEASURES)
def test_a_run_is_the_prior_by_its_name(runs, campaign, text):
    by_name = text.format("bm25")
    expected = parse_measure(text.format("kept"))
    register_runs("kept", {"bm25": runs["bm25"]})
    matrix = evaluate(runs, campaign.qrels, [by_name, expected])
    assert str(matrix.measures[0]) == by_name
    mine = matrix.systems.index("mine")
    assert matrix.scores[0, mine].tolist() == matrix.scores[1, mine].tolist()


def test_names_join(runs, campaign):
    register_runs("kept", {"bm25": runs["bm25"]})
    register_runs("both", {"bm25": runs["bm25"], "yours": runs["yours"]})
    texts = ["NRG(prior=bm25+yours)@10", "NRG(prior=both)@10", "NRG(prior=kept+yours)@10"]
    scores = evaluate(runs, campaign.qrels, texts).scores
    assert scores[0].tolist() == scores[1].tolist() == scores[2].tolist()


def test_a_whole_name_comes_before_its_parts(runs, campaign):
    register_runs("a", {"a": runs["mine"]})
    register_runs("b", {"b": runs["yours"]})
    register_runs("kept", {"a+b": runs["a+b"]})
    one, other = evaluate(runs, campaign.qrels, ["NRG(prior=a+b)@10", "NRG(prior=kept)@10"]).scores
    assert one[:3].tolist() == other[:3].tolist()


def test_the_order_of_looking_up(folder, runs, campaign, monkeypatch):
    """Others, runs in scope, registered sets, files."""
    monkeypatch.chdir(folder)
    (folder / "mine").write_text((folder / "yours.run").read_text())
    of = parse_measure("UniqueRel(prior=mine)@10")
    by = {name: irx_measures.UniqueRel(prior=[runs[name]]) @ 10 for name in runs}

    def score(measure):
        return measure.calc_aggregate(campaign.qrels, runs["bm25"])

    assert score(of) == score(by["yours"])
    register_runs("mine", [runs["a+b"]])
    assert score(of) == score(by["a+b"])
    with scope(runs):
        assert score(of) == score(by["mine"])
        assert score(of) != score(by["a+b"])
    with scope({"others": runs["mine"], "bm25": runs["bm25"]}) as both:
        assert parse_measure("NRG(prior=others)@10").runset is both


def test_names_are_known_in_scope_only(runs, campaign):
    measure = parse_measure("NRG(prior=bm25)@10")
    with pytest.raises(InputError, match=r"called 'bm25'; .* irx_measures.Experiment or scope"):
        measure.calc_aggregate(campaign.qrels, runs["mine"])
    with scope(runs):
        inside = measure.calc_aggregate(campaign.qrels, runs["mine"])
    assert inside == (irx_measures.NRG(prior=[runs["bm25"]]) @ 10).calc_aggregate(
        campaign.qrels, runs["mine"]
    )


@pytest.mark.parametrize("host", ["calc_aggregate", "pt.Experiment"])
def test_others_at_a_host_names_what_knows_them(runs, campaign, host):
    text = "NRG(prior=others)@10"
    if host == "calc_aggregate":
        measure = ir_measures.parse_measure(text)
        arguments = [measure], campaign.qrels, runs["mine"]
        evaluated = ir_measures.calc_aggregate
    else:
        evaluated = pytest.importorskip("pyterrier").Experiment
        topics = pd.DataFrame({"qid": list(campaign.qrels), "query": "x"})
        qrels = frame(campaign.qrels).rename(columns={"score": "label"})
        arguments = [frame(runs["mine"])], topics, qrels, [text]
    known_to = r"irx_measures\.evaluate, irx_measures\.Experiment or scope\(runs\)"
    with pytest.raises(ValueError, match=known_to):
        evaluated(*arguments)


def test_a_set_of_a_name_with_groups_keeps_the_group(runs, campaign):
    groups = {"bm25": "A", "mine": "A", "yours": "B", "a+b": "B"}
    with scope(runs, groups):
        assert parse_measure("NRG(prior=mine)@10").runset.groups == ("A",)


def test_a_run_whose_name_has_a_number_sign(runs, campaign):
    renamed = {"bm#25": runs["bm25"], "mine": runs["mine"]}
    named = evaluate(renamed, campaign.qrels, "NRG(prior='bm#25')@10").scores[0, 1]
    expected = evaluate(
        {"bm25": runs["bm25"], "mine": runs["mine"]}, campaign.qrels, "NRG(prior=bm25)@10"
    ).scores[0, 1]
    assert named.tolist() == expected.tolist()


def test_a_run_is_the_reference_without_qrels(runs):
    matrix = evaluate(runs, {}, "RBO(reference=bm25)")
    assert matrix.scores[0, 0] == pytest.approx(matrix.scores[0, 0].max())
    assert (matrix.scores[0, 1] < matrix.scores[0, 0]).all()


def test_experiment(runs, campaign):
    pytest.importorskip("pyterrier")
    compared = {name: runs[name] for name in ("bm25", "mine", "yours")}
    topics = pd.DataFrame({"qid": list(campaign.qrels), "query": "x"})
    qrels = frame(campaign.qrels).rename(columns={"score": "label"})
    text = "NRG(prior=bm25)@10"
    table = irx_measures.Experiment(
        [frame(run) for run in compared.values()], topics, qrels, [text], names=list(compared)
    )
    expected = evaluate(compared, campaign.qrels, text).means()[text]
    assert table[text].tolist()[1:] == pytest.approx(expected.tolist()[1:])


def test_subset_scorer(runs, campaign):
    score = SubsetScorer(runs, campaign.qrels, "ndcg_cut_10")
    assert str(score.measure) == "nDCG@10"
    with pytest.raises(InputError, match="'P_5,10' stands for 2 measures"):
        SubsetScorer(runs, campaign.qrels, "P_5,10")


def test_names_of_trec_eval(runs, campaign):
    matrix = evaluate(runs, campaign.qrels, ["map", "P_5,10", "ndcg_cut_10"])
    assert [str(measure) for measure in matrix.measures] == ["AP", "P@5", "P@10", "nDCG@10"]
    assert matrix["ndcg_cut_10"].tolist() == matrix["nDCG@10"].tolist()
    assert matrix.select("P_5,10").scores.shape[0] == 2


# The command line


@pytest.fixture
def irx(folder, capsys):
    """Run irx in the folder: status, rows of output, stderr."""

    def run(command, *arguments):
        status = main([*command.split(), str(folder / "qrels.txt"), *map(str, arguments)])
        printed = capsys.readouterr()
        return status, [line.split("\t") for line in printed.out.splitlines()], printed.err

    return run


def scores(rows):
    return {row[-2]: float(row[-1]) for row in rows}


def test_the_command_line_knows_runs_by_name(irx, folder):
    given = [folder / "bm25.run", folder / "mine.run"]
    for no_files in ([], ["--no-files"]):
        status, rows, _ = irx(
            "evaluate", *given, "-m", "NRG(prior=bm25)@10", "-o", "csv", *no_files
        )
        assert status == 0
        assert "NRG(prior=bm25)@10" in str(rows[0])


@pytest.mark.parametrize("text", ["NRG@10", "NRG(prior=bm25)@10"])
@pytest.mark.parametrize("files", [[], ["--no-files"]])
def test_a_prior_that_is_not_scored(irx, folder, runs, campaign, text, files):
    status, rows, _ = irx(
        "evaluate",
        folder / "mine.run",
        "--prior",
        folder / "bm25.run",
        "-m",
        text,
        "-o",
        "csv",
        "-p",
        "-1",
        *files,
    )
    assert status == 0
    assert len(rows) == 2
    expected = (irx_measures.NRG(prior=[runs["bm25"]]) @ 10).calc_aggregate(
        campaign.qrels, runs["mine"]
    )
    header, line = (row[0] for row in rows)
    assert "NRG(prior=bm25)@10" in header
    assert "bm25" not in line
    assert float(line.split(",")[-1]) == pytest.approx(expected)


def test_several_priors(irx, folder, runs, campaign):
    status, rows, _ = irx(
        "evaluate",
        folder / "mine.run",
        "--prior",
        folder / "bm25.run",
        "--prior",
        folder / "yours.run",
        "-m",
        "NRG@10 nDCG@10 BootNDCG@10",
        "-o",
        "csv",
    )
    assert status == 0
    assert "NRG(prior=bm25+yours)@10,nDCG@10,BootNDCG@10" in rows[0][0]


def test_a_prior_for_a_study(irx, folder):
    given = [folder / f"{name}.run" for name in ("mine", "yours", "a+b")]
    status, rows, _ = irx(
        "meta systems", *given, "--prior", folder / "bm25.run", "-m", "NRG@10", "--trials", "5"
    )
    assert status == 0
    assert "NRG(prior=bm25)@10" in str(rows)


def test_a_prior_with_the_name_of_another_run(irx, folder):
    (folder / "old").mkdir()
    (folder / "old" / "mine.run").write_text((folder / "bm25.run").read_text())
    given = [folder / "mine.run", "-m", "NRG@10", "--prior"]
    status, _, err = irx("evaluate", *given, folder / "old" / "mine.run")
    assert status == 2
    assert "would both be called 'mine'" in err
    status, rows, _ = irx("evaluate", folder / "bm25.run", *given, folder / "mine.run")
    assert status == 0
    assert "NRG(prior=mine)@10" in str(rows[0])


def test_a_prior_that_is_not_there(irx, folder):
    status, _, err = irx("evaluate", folder / "mine.run", "-m", "NRG@10", "--prior", "nobody.run")
    assert status == 2
    assert "nobody.run" in err


@pytest.mark.filterwarnings("default")
def test_a_lenient_prior(irx, folder):
    with (folder / "bm25.run").open("a") as file:
        file.write("q01 Q0 NEW 1 nan tag\n")
    given = [folder / "mine.run", "--prior", folder / "bm25.run", "-m", "NRG@10"]
    status, _, err = irx("evaluate", *given)
    assert status == 2
    assert "NaN" in err
    status, _, err = irx("evaluate", *given, "--no-strict")
    assert status == 0
    assert "warning: run 'bm25': " in err


def test_one_name_means_one_set(runs):
    """Two measures of equal repr are the same measure."""
    kept = RunSet({"bm25": runs["mine"]}, name="bm25")
    by_set, by_name = irx_measures.NRG(prior=kept) @ 10, parse_measure("NRG(prior=bm25)@10")
    assert str(by_name) == "NRG(prior=bm25)@10"
    assert str(by_set) != str(by_name)
    assert by_set != by_name
