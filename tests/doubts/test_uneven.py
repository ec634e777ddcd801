"""Runs of which less is judged than of others are told, at every door, in one line."""

import ir_measures
import pytest

import irx_measures
from irx_measures import RunSet, compare, evaluate, explain, simulate_campaign
from irx_measures.doubts.uneven import counts_unjudged
from irx_measures.measures.naming.strings import parse_measure
from irx_measures.reporting.report import report
from tests.campaigns import pyterrier_frames, trec_files
from tests.doubts import UNEVEN, told

BOUND = (
    "nDCG@10 is a lower bound (if the ideal ranking stays; see nDCGBound(bound=upper), BootNDCG)"
)
JUDGED = [f"d{number}" for number in range(10)]
QRELS = {f"q{number}": {doc: int(doc < "d5") for doc in JUDGED} for number in range(4)}


def run(judged, missed=()):
    """A run of ten documents a query, of which so many are judged."""
    docs = [*JUDGED[:judged], *(f"x{number}" for number in range(10 - judged))]
    return {query: docs for query in QRELS if query not in missed}


def uneven(call):
    """What a call says of runs of which less is judged."""
    return [text for text in told(call, uneven=True)[1] if text.startswith(UNEVEN)]


ROWS = [
    ({"a": run(10), "b": run(5)}, "b has 50% of its top 10 judged, others up to 100%, so its "),
    ({"a": run(10), "b": run(9)}, None),  # less than .9 is told
    ({"a": run(9), "b": run(8)}, "b has 80% of its top 10 judged, others up to 90%, so its "),
    ({"a": run(8), "b": run(8)}, None),  # at least .1 less is told
    ({"b": run(5)}, None),
    ({"a": run(10), "b": run(10, missed=["q0", "q1"])}, None),  # missed queries do not count
    ({"a": run(10), "b": run(5), "c": run(7)}, "b has 50% of its top 10 judged and c 70%, others "),
    (
        {"a": run(10), **{f"b{number}": run(number) for number in range(3, 8)}},
        "b3 has 30% of its top 10 judged, b4 40%, b5 50% and 2 more systems, others up to 100%, "
        "so their ",
    ),
    ({"a": run(10), "b\x1b": run(5)}, r"b\x1b has 50% "),
]  # fmt: skip


@pytest.mark.parametrize(("runs", "expected"), ROWS, ids=[str(n) for n in range(len(ROWS))])
def test_what_is_told_of_runs(runs, expected):
    said = uneven(lambda: evaluate(QRELS, runs, "nDCG@10"))
    deeper = uneven(lambda: evaluate(QRELS, runs, "nDCG@100"))
    assert said == [text.replace("nDCG@100", "nDCG@10") for text in deeper]
    if expected is None:
        assert said == []
    else:
        (text,) = said
        assert text.startswith(UNEVEN + expected)
        assert text.endswith(BOUND)
        assert "\n" not in text


def test_a_run_without_judged_documents_is_told_once():
    runs = {"a": run(10), "b": run(5), "c": {query: ["x", "y"] for query in QRELS}}
    _, texts = told(lambda: evaluate(QRELS, runs, "P@1"), uneven=True)
    assert len(texts) == 2
    assert "run 'c' has no judged document" in texts[0]
    assert texts[1].startswith(f"{UNEVEN}b has 50% of its top 10 judged, others")


TWO = {"a": run(10), "b": run(5)}


@pytest.mark.parametrize(
    ("measures", "end"),
    [
        (["nDCG@10"], f"so its {BOUND}"),
        (
            ["P@5", "nDCG@10"],
            "so its P@5 and nDCG@10 are lower bounds (if the ideal ranking stays; see "
            "nDCGBound(bound=upper), BootNDCG)",
        ),
        (["AP", "RR", "P@5", "R@5", "ERR@9"], "its AP, RR, P@5 and 2 more measures are lower b"),
        (["NRG(prior=others)@10"], "so what it adds is more than NRG(prior=others)@10 says"),
        (
            ["UniqueRel(prior=others)@10", "AP_Rareness(systems=others)"],
            "is more than UniqueRel(prior=others)@10 and AP_Rareness(systems=others) say",
        ),
        (
            ["NRG(prior=others)@10", "nDCG@10"],
            f"so its {BOUND}, and what it adds is more than NRG(prior=others)@10 says",
        ),
        (
            ["BootNDCG@10", "AP"],
            "its AP is a lower bound (if the ideal ranking stays; see nDCGBound(bound=upper), "
            "BootNDCG)",
        ),
    ],
    ids=str,
)
def test_what_follows_for_measures(measures, end):
    (text,) = uneven(lambda: evaluate(QRELS, TWO, measures))
    assert end in text


def test_several_systems_are_told_in_the_plural():
    runs = {**TWO, "c": run(4)}
    (text,) = uneven(lambda: evaluate(QRELS, runs, ["nDCG@10", "NRG(prior=others)@10"]))
    assert f"so their {BOUND}, and what they add is more than" in text


@pytest.mark.parametrize(
    ("measure", "counts"),
    [
        ("BootNDCG@10", False), ("Boot(base=AP)@10", False), ("nDCGBound@10", False),
        ("RBPBound", False), ("nDCG(judged_only=True)@10", False), ("Bpref", False),
        ("infAP", False), ("Judged@10", False), ("NumRet", False), ("NumRel", False),
        ("NumQ", False), ("RBO(reference=a)", False), ("Expected@10", False),
        ("UpperBound@10", False), ("nDCG@10", True), ("AP(judged_only=False)", True),
        ("RBP(p=.8)", True), ("RBR(phi=.8)", True), ("nDCG_UE@10", True), ("TaSC@10", True),
        ("P_Rareness@10", True), ("Expected(candidates=run)@10", True),
    ],
)  # fmt: skip
def test_which_measures_count_unjudged_documents(measure, counts):
    assert counts_unjudged(parse_measure(measure)) == counts


def test_nothing_is_told_of_measures_that_do_not_count_unjudged_documents():
    assert (
        uneven(lambda: evaluate(QRELS, TWO, ["BootNDCG@10", "Bpref", "RBO(reference=a)@3"])) == []
    )


def test_priors_are_not_compared():
    prior = RunSet({"p": run(10)})
    measure = irx_measures.NRG(prior=prior) @ 10
    assert uneven(lambda: evaluate(QRELS, {"a": run(5), "b": run(5)}, measure)) == []


def test_select_drops_it_with_its_measures():
    matrix, _ = told(lambda: evaluate(QRELS, TWO, ["nDCG@10", "AP", "nDCGBound@10"]))
    assert matrix.select("nDCGBound@10").warnings == ()
    (text,) = matrix.select("AP").warnings
    assert text.endswith(
        "its AP is a lower bound (if the ideal ranking stays; see nDCGBound(bound=upper), BootNDCG)"
    )
    (text,) = matrix.queries(["q1", "q2"]).warnings
    assert "its nDCG@10 and AP are" in text
    assert matrix.select(["nDCG@10", "AP"]).queries(["q1"]).warnings == (text,)


EXPECTED = f"{UNEVEN}b has 50% of its top 10 judged, others up to 100%, so its {BOUND}"


def test_every_door_tells_it_once(tmp_path):
    pt = pytest.importorskip("pyterrier")
    groups = {query: query[:1] for query in QRELS}
    scored = {name: _scored(each) for name, each in TWO.items()}
    frames = pyterrier_frames(list(scored.values()), QRELS)
    ours = ["nDCG@10", "BootNDCG@10"]
    paths = trec_files(tmp_path, scored, QRELS)
    for call in (
        lambda: evaluate(QRELS, TWO, "nDCG@10"),
        lambda: compare(QRELS, TWO, "nDCG@10"),
        lambda: evaluate(QRELS, TWO, "nDCG@10").by(groups),
        lambda: evaluate(paths[0], paths[1:], "nDCG@10").compare(),
        lambda: explain(QRELS, "b", "nDCG@10", TWO, "q1"),
        lambda: irx_measures.Experiment(*frames, ours, names=["a", "b"]),
        lambda: irx_measures.Experiment(*frames, ["nDCG@10"], names=["a", "b"]),
    ):
        assert uneven(call) == [EXPECTED]
    assert uneven(lambda: pt.Experiment(*frames, ours, names=["a", "b"])) == []
    assert (
        uneven(lambda: ir_measures.calc_aggregate([parse_measure("NRG@10")], QRELS, TWO["b"])) == []
    )


def _scored(found):
    return {
        query: {doc: float(-place) for place, doc in enumerate(docs)}
        for query, docs in found.items()
    }


def test_a_report_has_it(tmp_path):
    matrix, _ = told(lambda: evaluate(QRELS, TWO, "nDCG@10"))
    page = tmp_path / "report.html"
    assert uneven(lambda: report(matrix, page, qrels=QRELS, runs=TWO)) == []
    assert page.read_text().count("b has 50% of its top 10 judged") == 1


def test_explain_tells_of_its_run_only():
    runs = {**TWO, "c": run(4)}
    assert uneven(lambda: explain(QRELS, "b", "nDCG@10", runs, "q1")) == [EXPECTED]
    assert uneven(lambda: explain(QRELS, "a", "nDCG@10", runs, "q1")) == []
    assert uneven(lambda: explain(QRELS, run(5), "nDCG@10", query_id="q1")) == []
    (text,) = uneven(lambda: explain(QRELS, run(5), "nDCG@10", runs, "q1"))
    assert text.startswith(f"{UNEVEN}the run has 50%")


def test_a_campaign_whose_last_families_were_not_pooled():
    campaign = simulate_campaign(queries=20)
    with pytest.warns(irx_measures.EvaluationWarning, match=f"{UNEVEN}.*of its top 10 judged"):
        evaluate(campaign.qrels, campaign.runs, "nDCG@10")
