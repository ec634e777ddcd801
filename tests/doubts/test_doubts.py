"""Warnings where scores may not answer the question asked, at every door."""

import json
from functools import partial

import ir_measures
import numpy as np
import pytest
from ir_measures import P

import irx_measures
from irx_measures import (
    AP_UE,
    NRG,
    RBO,
    RBR,
    UE,
    AP_Rareness,
    Boot,
    BootNDCG,
    EvaluationWarning,
    Expected,
    P_Rareness,
    RBPBound,
    RunSet,
    TaSC,
    UniqueRel,
    evaluate,
    nDCG_UE,
    nDCGBound,
    register_runs,
)
from irx_measures.doubts.facts import Facts
from irx_measures.io.containers import qrels_table, run_table
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.judgments.judgments import Judgments
from tests.campaigns import pyterrier_frames
from tests.doubts import told

QRELS = {f"q{number}": {"A": 1, "B": 2, "C": 0} for number in range(5)}
BM25 = {query: {"A": 3.0, "C": 2.0, "X": 1.0} for query in QRELS}
NEW = {query: {"B": 3.0, "X": 2.0, "Y": 1.0} for query in QRELS}
RUNS = {"bm25": BM25, "new": NEW}


def messages(call, uneven=False):
    return told(call, uneven)[1]


def by_evaluate(measure, run, qrels):
    return messages(lambda: evaluate(qrels, {"x": run}, measure))


SPARSE = {query: {"B": 1} for query in QRELS}
ALMOST_SPARSE = {**SPARSE, "q1": {"B": 1, "A": 0}, "q2": {"B": 1, "A": 0}}
MISSING = {query: NEW[query] for query in ("q0", "q4")}
TIED = {query: {"B": 0.75, "X": 0.75, "Y": 0.5} for query in QRELS}
ITSELF = {query: {query: 9.0, **NEW[query]} for query in QRELS}
UNJUDGED = {**NEW, "q0": {"X": 1.0}, "q1": {"Y": 1.0}}

DOUBTS = [
    (NRG @ 10, NEW, QRELS, "NRG@10: without a prior (`prior`) the scores are those of nDCG@10"),
    (NRG(rel=2) @ 10, NEW, QRELS, "; for the other runs as priors write prior=others, as in NRG("),
    (TaSC(base="RR"), NEW, QRELS, "TaSC(base=RR): without a prior (`prior`) the scores are those"),
    (UniqueRel @ 5, NEW, QRELS, "UniqueRel@5: without a prior (`prior`) the scores are the numb"),
    (P_Rareness @ 5, NEW, QRELS, "P_Rareness@5: without other systems (`systems`)"),
    (AP_Rareness, NEW, QRELS, "AP_Rareness: without other systems (`systems`)"),
    (nDCG_UE @ 5, NEW, SPARSE, "nDCG_UE@5: every judged document of 5 of 5 queries is relevant"),
    (AP_UE, NEW, SPARSE, "AP_UE: every judged document of 5 of 5 queries is relevant"),
    (UE(base="RR") @ 5, NEW, SPARSE, "UE(base=RR)@5: every judged document of 5 of 5 queries is"),
    (Expected(base="P") @ 5, NEW, SPARSE, "Expected(base=P)@5: every judged document of 5 of 5"),
    (BootNDCG @ 3, UNJUDGED, QRELS, "2 of 5 queries have no judged document in the top 3"),
    (Boot(prior="run") @ 1, UNJUDGED, QRELS, "2 of 5 queries have no judged document in the top 1"),
    (BootNDCG @ 3, NEW, ALMOST_SPARSE, "every judged document of 3 of 5 queries is relevant"),
    (Boot(base="AP", prior="pool") @ 3, NEW, ALMOST_SPARSE, "are too high; take nDCGBound, which"),
    (RBO(reference=[{"q0": {"Z": 1.0}}]) @ 5, NEW, QRELS, "no document is in the reference"),
    (RBPBound(rel=3), NEW, QRELS, "no document is relevant: all grades"),
    (nDCGBound @ 5, BM25, {query: {"A": 0} for query in QRELS}, "qrels are below 1"),
    (nDCGBound @ 5, {query: {"A": 1.0, "B": 1 + 1e-9} for query in QRELS}, QRELS, "tie as float32"),
    (BootNDCG(prior="pool") @ 3, MISSING, QRELS, "misses 3 of 5 queries ('q1', 'q2', 'q3')"),
    (nDCGBound @ 5, ITSELF, QRELS, "the query's own id in the top 10 of 5 of 5 queries; BEIR "),
    (nDCGBound @ 5, TIED, QRELS, "has mostly equal scores in the top 10 of 5 of 5 que"),
]  # fmt: skip


@pytest.mark.parametrize(("measure", "run", "qrels", "expected"), DOUBTS, ids=str)
def test_a_doubt_is_told_once(measure, run, qrels, expected):
    (message,) = by_evaluate(measure, run, qrels)
    assert expected in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("measure", "run", "qrels", "expected"), [*DOUBTS[::6], *DOUBTS[-2:]], ids=str
)
def test_every_door_tells_a_doubt_as_evaluate_does(measure, run, qrels, expected):
    pt = pytest.importorskip("pyterrier")
    frames = pyterrier_frames([run], qrels)
    for texts in (
        messages(lambda: ir_measures.calc_aggregate([measure], qrels, run)),
        messages(lambda: pt.Experiment(*frames, [measure], names=["x"])),
        messages(lambda: irx_measures.Experiment(*frames, [measure], names=["x"])),
    ):
        (message,) = texts
        assert expected in message


@pytest.mark.parametrize(
    ("measure", "run", "qrels"),
    [
        (P_Rareness(alpha=0) @ 5, NEW, QRELS),
        (nDCG_UE @ 5, NEW, QRELS),
        (nDCG_UE(candidates="union") @ 5, NEW, SPARSE),
        (UE(candidates="run") @ 5, NEW, SPARSE),
        (BootNDCG(prior="pool") @ 3, UNJUDGED, QRELS),
        (BootNDCG @ 3, BM25, QRELS),
        (NRG(prior=[BM25]) @ 10, NEW, QRELS),
    ],
    ids=str,
)
def test_scores_without_doubt_are_given_without_a_word(measure, run, qrels):
    assert by_evaluate(measure, run, qrels) == []


def test_measures_with_the_same_doubt_share_a_line():
    write = "; for the other runs as priors write prior=others, as in NRG(prior=others)@10"
    assert messages(lambda: evaluate(QRELS, RUNS, [NRG @ 10, TaSC @ 10, NRG(base="RR") @ 10])) == [
        f"NRG@10, TaSC@10: without a prior (`prior`) the scores are those of nDCG@10{write}",
        f"NRG(base=RR)@10: without a prior (`prior`) the scores are those of RR@10{write}",
    ]


def test_runs_that_miss_queries_share_a_line():
    runs = {**{f"r{number}": MISSING for number in range(4)}, "good": NEW}
    (message,) = messages(lambda: evaluate(QRELS, runs, "nDCG@10"))
    assert message == (
        "run 'r0' misses 3 of 5 queries ('q1', 'q2', 'q3'); "
        "likewise run 'r1', run 'r2' and 1 more run"
    )


def tied(queries):
    """A run that ties in the first queries."""
    return {**NEW, **{query: TIED[query] for query in [*QRELS][:queries]}}


def test_runs_that_tie_in_most_of_their_queries_share_a_line():
    of_few = {query: TIED[query] for query in ("q0", "q4")}
    runs = {"new": NEW, "a": tied(3), "b": tied(5), "c": tied(2), "few": of_few}
    missing, message = messages(lambda: evaluate(QRELS, runs, "nDCG@10"))
    assert missing.startswith("run 'few' misses 3 of 5 queries")
    assert message == (
        "run 'a' has mostly equal scores in the top 10 of 3 of 5 queries, so that document ids "
        "decide their order; give more digits of the scores, or give ranks as scores; likewise "
        "run 'b', run 'few'"
    )


def itself(queries, place=0):
    """A run that returns the first queries as documents, after some others."""
    others = {f"Z{number}": 8.0 - number / 10 for number in range(place)}
    return {**NEW, **{q: {**others, q: 7.0, **NEW[q]} for q in [*QRELS][:queries]}}


def test_runs_that_return_most_queries_as_documents_share_a_line():
    runs = {"new": NEW, "a": itself(3), "b": itself(5, 9), "c": itself(2), "deep": itself(5, 10)}
    (message,) = messages(lambda: evaluate(QRELS, runs, ["nDCG@10", "AP"]))
    assert message == (
        "run 'a' has the document with the query's own id in the top 10 of 3 of 5 queries; BEIR "
        "leaves these documents out (`ignore_identical_ids=True` does so); likewise run 'b'"
    )
    assert not messages(lambda: evaluate(QRELS, runs, "AP", ignore_identical_ids=True))


def test_queries_with_ties_are_counted_over_parts():
    parts = [{"q0", "q1"}, {"q2", "q3", "q4"}]
    facts = Facts(())
    for part in parts:
        judged_docs = Judgments(qrels_table({query: QRELS[query] for query in part}))
        of_part = Facts(())
        of_part.add(JudgedRun(judged_docs, run_table(tied(3)), "x"))
        facts.join(of_part)
    (message,) = facts.warnings()
    assert "in the top 10 of 3 of 5 queries" in message


@pytest.mark.parametrize(
    ("measure", "is_told"),
    [
        (RBO(reference=[NEW]), False),
        (RBR(reference=[NEW]), False),
        (RBO(reference=[NEW], ties="break"), True),
        (RBR(reference=[NEW]) @ 1, True),  # the order decides what is in the set
    ],
)
def test_ties_are_told_where_a_measure_orders_them(measure, is_told):
    told_of = [text for text in by_evaluate(measure, TIED, QRELS) if "equal scores" in text]
    assert bool(told_of) == is_told


def test_priors_that_tie_are_not_told():
    assert by_evaluate(NRG(prior=[TIED]) @ 10, NEW, QRELS) == []


@pytest.mark.parametrize(
    "run",
    [
        {query: ["X", "B", "A"] for query in QRELS},  # documents in order
        {query: {"X": -1, "B": -2, "A": -3} for query in QRELS},  # ranks as scores
        {query: {"B": 1.0} for query in QRELS},
        {**MISSING, "q0": TIED["q0"]},  # one of its two queries
    ],
)
def test_ties_of_few_queries_are_not_told(run):
    assert not any("equal scores" in message for message in by_evaluate(P @ 5, run, QRELS))


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("B", 1, "1"), ("X", 2, "1")], "has ranks that contradict its scores"),
        ([("B", 1, "1.000000001"), ("X", 1, "1")], "has mostly scores that differ as given"),
    ],
)
def test_nothing_more_is_told_of_ties_whose_reason_is_told(rows, reason, tmp_path):
    lines = [f"{q} Q0 {doc} {rank} {score} x\n" for q in QRELS for doc, rank, score in rows]
    (tmp_path / "x.run").write_text("".join(lines))
    (message,) = messages(lambda: evaluate(QRELS, tmp_path / "x.run", "nDCG@10"))
    assert reason in message


def test_an_evaluator_tells_a_doubt_once_for_all_runs():
    evaluator = ir_measures.evaluator([NRG @ 10, P_Rareness @ 5], QRELS)
    texts = messages(lambda: [evaluator.calc_aggregate(run) for run in (BM25, NEW, BM25)])
    assert len(texts) == len(set(texts)) == 2


def test_the_runs_without_prior_are_named():
    groups = {"bm25": "X", "new": "X"}
    earlier = messages(lambda: evaluate(QRELS, RUNS, "NRG(prior=others,select=earlier)@10"))
    assert earlier == [
        "NRG(prior=others,select=earlier)@10 of run 'bm25': no prior counts, so the scores are "
        "those of nDCG@10"
    ]
    text = "UniqueRel(prior=others,select=other-groups)@10"
    assert messages(lambda: evaluate(QRELS, RUNS, text, groups)) == [
        f"{text} of run 'bm25': no prior counts, so the scores are the numbers of "
        "relevant documents that the run returned; likewise run 'new'"
    ]


# Undefined scores: a run that is its own only prior

OWN = [NRG @ 10, NRG(base="RR", ideal="all") @ 10, UniqueRel @ 5, TaSC(base="P") @ 2]


@pytest.mark.parametrize("measure", OWN, ids=str)
@pytest.mark.parametrize("form", ["set", "registered", "list"])
def test_a_run_that_is_its_own_only_prior_has_no_score(measure, form):
    prior = {"set": RunSet({"bm25": BM25}), "registered": "first", "list": [BM25]}[form]
    register_runs("first", {"bm25": BM25})
    relative = measure(prior=prior)
    with pytest.warns(EvaluationWarning, match="of run 'bm25': it is its own only prior, so it"):
        matrix = evaluate(QRELS, RUNS, ["nDCG@10", relative])
    assert np.isnan(matrix[relative][0]).all()
    assert np.isfinite(matrix[relative][1]).all()
    assert np.isfinite(matrix["nDCG@10"]).all()
    rows = matrix.to_frame().groupby(["measure", "system"], sort=False).size()
    assert (str(relative), "bm25") not in rows.index
    assert rows.tolist() == [5, 5, 5]


@pytest.mark.parametrize("measure", OWN, ids=str)
@pytest.mark.filterwarnings("ignore:.*without a prior:irx_measures.EvaluationWarning")
def test_hosts_are_given_the_base_measure_of_its_own_only_prior(measure):
    relative, got = measure(prior=RunSet({"bm25": BM25})), {}
    texts = messages(lambda: got.update(ir_measures.calc_aggregate([relative], QRELS, BM25)))
    assert texts[0].endswith("it is its own only prior, so it has no score")
    assert "the values given in place of a score are " in texts[1]
    alone = measure(ideal="cutoff") if "ideal" in measure.params else measure
    assert got[relative] == ir_measures.calc_aggregate([alone], QRELS, BM25)[alone]


def test_subsets_of_one_system_have_no_score():
    score = irx_measures.SubsetScorer(QRELS, RUNS, "NRG(prior=others)@10")
    assert np.isnan(score([0])).all()
    assert np.isfinite(score([0, 1])).all()


# Qrels of a judging campaign


@pytest.fixture
def planned(tmp_path):
    """The path of qrels, and a function that writes lines into the log beside them."""
    qrels = tmp_path / "qrels"
    rows = (f"{q} 0 {doc} {grade}\n" for q, of in QRELS.items() for doc, grade in of.items())
    qrels.write_text("".join(rows))

    def log(*events):
        lines = [event if isinstance(event, str) else json.dumps(event) for event in events]
        (tmp_path / "qrels.log.jsonl").write_text("".join(f"{line}\n" for line in lines))

    return qrels, log


def batch(pool):
    return {"event": "batch", "documents": [["q0", "A"]], "state": {"pool": pool, "judged": 0}}


def judgments(*pairs):
    return {"event": "judgments", "judgments": [[query, doc, 1] for query, doc in pairs]}


THREE = judgments(("q0", "A"), ("q1", "B"), ("q1", "B"), ("q4", "C"), ("q4", "other"), ("x", "A"))


@pytest.mark.parametrize("call", [evaluate, irx_measures.compare])
def test_judgments_of_a_log_are_told_once_and_counted(call, planned):
    qrels, log = planned
    log(batch(40), THREE)
    (message,) = messages(lambda: call(qrels, RUNS, "nDCG@2"), uneven=True)
    assert message.startswith(f"{qrels}: 3 of 15 judgments are of the judging log beside it: their")
    assert "absolute scores are biased; take the answer from 'irx judge status'" in message
    assert not messages(lambda: call(qrels, RUNS, RBO(reference="bm25") @ 2))


@pytest.mark.parametrize(("pool", "is_told"), [(9, False), (10, True), (15, True), (16, False)])
def test_figures_are_given_for_the_share_of_the_pool_that_was_studied(planned, pool, is_told):
    qrels, log = planned
    log(batch(99), THREE, batch(pool))
    (message,) = messages(lambda: evaluate(qrels, RUNS, "nDCG@2"))
    assert ("(with 20 to 30% of the pool judged so, 95% intervals of" in message) == is_told


@pytest.mark.parametrize("events", [[], [batch(10)], [batch(10), judgments(("q0", "other"))]])
def test_a_log_without_a_judgment_of_the_qrels_is_not_told(planned, events):
    qrels, log = planned
    log(*events)
    assert messages(lambda: evaluate(qrels, RUNS, "nDCG@2")) == []


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("no log", "qrels.log.jsonl:1: no log: it must begin"),
        ('{"event": "judgments", "judgments": [["q0", ["A"], 1]]}', ":1: not of a judging log"),
        ('{"event": "judgments"}', ":1: not of a judging log"),
        ('{"event": "batch", "state": {"pool": Infinity}}', ":1: not of a judging log"),
        (f'{{"event": "judgments", "x": {"[" * 9999}', ":1: not JSON (nested too deeply)"),
    ],
)
def test_a_log_that_cannot_be_read_is_told(planned, event, reason):
    qrels, log = planned
    log(event)
    (message,) = messages(lambda: evaluate(qrels, RUNS, "nDCG@2"))
    assert message.startswith(f"{qrels} has a judging log beside it that cannot be read, so its")
    assert reason in message


def test_a_log_is_read_within_the_limit_of_memory(planned):
    qrels, log = planned
    log(judgments(*[("q0", "A")] * 9999))
    (message,) = messages(lambda: evaluate(qrels, RUNS, "P@1", limits=1_000_000))
    assert "cannot be read" in message
    assert "of memory; at most 1.0 MB are allowed" in message


def test_experiment_tells_of_a_log(planned):
    pytest.importorskip("pyterrier")
    qrels, log = planned
    log(batch(9), THREE)
    frames, topics, _ = pyterrier_frames(list(RUNS.values()), QRELS)
    call = partial(irx_measures.Experiment, frames, topics, str(qrels), ["BootNDCG@2", "P@2"])
    (message,) = messages(call, uneven=True)
    assert "3 of 15 judgments are of the judging log" in message
