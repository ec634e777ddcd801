"""RBR, RBA, RBO and RBPBound as users call them: the paper's tables, ties, references, bounds."""

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irx_measures
from irx_measures import RBA, RBO, RBR, RBPBound, evaluate, parse_measure
from irx_measures.persistence import phi_for, rba_range
from tests.campaigns import campaigns
from tests.doubts import MISSED_QUERIES, NOT_IN_REFERENCE, OWN_PRIOR
from tests.examples import examples
from tests.oracles import rank_biased as oracle

pytestmark = [MISSED_QUERIES, OWN_PRIOR, NOT_IN_REFERENCE]

REFERENCE = ["D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28"]
OBSERVED = ["D06", "D23", "D10", "D07", "D04"]
HALF = 0.0005


def run(docs):
    return {"q": {str(doc): -float(rank) for rank, doc in enumerate(docs)}}


def score(text, observed, qrels=None):
    return parse_measure(text).calc_aggregate(qrels or {}, observed)


@pytest.fixture(autouse=True)
def reference():
    irx_measures.register_runs("table1", {"R": run(REFERENCE)}, replace=True)
    irx_measures.register_runs("identity", {"R": run(range(1, 11))}, replace=True)


def test_table_1():
    assert score("RBR(phi=0.6, reference=table1)", run(OBSERVED)) == pytest.approx(0.711, abs=HALF)
    upper = score("RBR(phi=0.6, reference=table1, bound=upper)", run(OBSERVED))
    assert upper == pytest.approx(0.713, abs=HALF)


def test_table_1_with_ties():
    groups = [REFERENCE[:3], REFERENCE[3:4], REFERENCE[4:6], REFERENCE[6:7], REFERENCE[7:]]
    tied = {"q": {doc: -float(level) for level, group in enumerate(groups) for doc in group}}
    irx_measures.register_runs("tied", {"R": tied}, replace=True)
    assert score("RBR(phi=0.6, reference=tied)", run(OBSERVED)) == pytest.approx(0.583, abs=HALF)
    broken = score("RBR(phi=0.6, reference=tied, ties=break)", run(OBSERVED))
    in_order = [doc for group in groups for doc in sorted(group, reverse=True)]
    untied = oracle.rbr([[doc] for doc in OBSERVED], [[doc] for doc in in_order], 0.6)
    assert broken == pytest.approx(untied)
    grades = {doc: 9 - level for level, group in enumerate(groups) for doc in group}
    assert score("RBR(phi=0.6)", run(OBSERVED), {"q": grades}) == pytest.approx(0.583, abs=HALF)


TABLE_2 = {
    "B1": ([1, 2, 3], 0.500, 0.700),
    "B2": ([2, 3, 4], 0.397, 0.469),
    "B3": ([3, 4, 5], 0.315, 0.314),
    "B4": ([4, 5, 6], 0.250, 0.210),
    "B5": ([2, 4, 5, 6], 0.414, 0.431),
    "B6": ([1, 2, 5, 7, 10], 0.529, 0.657),
}


@pytest.mark.parametrize("name", TABLE_2)
def test_table_2(name):
    members, half, third = TABLE_2[name]
    for fraction, expected in ((0.5, half), (0.3, third)):
        measure = RBR(phi=phi_for(3, fraction), reference="identity")
        assert measure.calc_aggregate({}, run(members)) == pytest.approx(expected, abs=HALF)
        assert measure(bound="residual").calc_aggregate({}, run(members)) == pytest.approx(0.0)


TABLE_3 = {
    "identity": ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1.00, 0.99, 0.97], [0.99, 0.97, 0.89]),
    "pairs": ([2, 1, 4, 3, 6, 5, 8, 7, 10, 9], [0.54, 0.62, 0.70], [0.96, 0.96, 0.89]),
    "fives": ([5, 4, 3, 2, 1, 10, 9, 8, 7, 6], [0.23, 0.33, 0.46], [0.78, 0.86, 0.85]),
    "halves": ([6, 7, 8, 9, 10, 1, 2, 3, 4, 5], [0.04, 0.10, 0.22], [0.51, 0.68, 0.77]),
    "reverse": ([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [0.04, 0.10, 0.22], [0.40, 0.60, 0.73]),
}


@pytest.mark.parametrize("row", TABLE_3)
def test_table_3(row):
    order, overlaps, alignments = TABLE_3[row]
    for place, phi in enumerate((0.6, 0.7, 0.8)):
        overlap = score(f"RBO(phi={phi}, bound=lower, reference=identity)", run(order))
        alignment = score(f"RBA(phi={phi}, reference=identity)", run(order))
        assert overlap == pytest.approx(overlaps[place], abs=0.005)
        assert alignment == pytest.approx(alignments[place], abs=0.005)


def test_the_range_of_alignment_is_reached_by_the_reverse_and_the_identity():
    for phi in (0.6, 0.9):
        least, greatest = rba_range(10, phi)
        reverse = score(f"RBA(phi={phi}, reference=identity)", run(range(10, 0, -1)))
        identity = score(f"RBA(phi={phi}, reference=identity)", run(range(1, 11)))
        assert (reverse, identity) == pytest.approx((least, greatest), rel=1e-12)


def tie_groups(scores, cutoff=None):
    """A query's tie groups by float32 score, truncated in trec_eval's order."""
    order = sorted(scores, key=lambda doc: (np.float32(scores[doc]), doc), reverse=True)[:cutoff]
    levels = dict.fromkeys(np.float32(scores[doc]) for doc in order)
    return [[doc for doc in order if np.float32(scores[doc]) == level] for level in levels]


EXPECTED = {
    "RBR": {
        "lower": oracle.rbr,
        "residual": oracle.rbr_residual,
    },
    "RBA": {"lower": oracle.rba, "upper": oracle.rba_upper},
}


@settings(max_examples=examples(15))
@given(campaign=campaigns(), phi=st.floats(0.05, 0.95), cutoff=st.none() | st.integers(1, 5))
def test_measures_equal_the_oracle_on_campaigns_with_ties(campaign, phi, cutoff):
    names = campaign.names
    ideal = {"ideal": campaign.runs[names[0]]}
    reference = irx_measures.RunSet(ideal)
    measures = {
        (name, bound, against): getattr(irx_measures, name)(
            phi=phi, bound=bound, cutoff=cutoff, reference=reference if against == "run" else None
        )
        for name, functions in EXPECTED.items()
        for bound in functions
        for against in ("run", "qrels")
    }
    for name in names:
        for (kind, bound, against), measure in measures.items():
            for metric in measure.iter_calc(campaign.qrels, campaign.runs[name]):
                found = tie_groups(campaign.runs[name].get(metric.query_id, {}), cutoff)
                grades = campaign.qrels[metric.query_id]
                relevant = {doc: grade for doc, grade in grades.items() if grade > 0}
                truth = campaign.runs[names[0]].get(metric.query_id, {})
                other = tie_groups(truth if against == "run" else relevant)
                expected = EXPECTED[kind][bound](found, other, phi)
                assert metric.value == pytest.approx(expected, rel=1e-11, abs=1e-14)


@settings(max_examples=examples(10))
@given(campaign=campaigns(), phi=st.floats(0.05, 0.95), cutoff=st.none() | st.integers(1, 5))
def test_bounds_are_in_order_and_their_difference_is_the_residual(campaign, phi, cutoff):
    for measure in (RBR, RBA, RBO, RBPBound):
        bounds = [measure(phi=phi, bound=b)(cutoff=cutoff) for b in ("lower", "upper", "residual")]
        matrix = evaluate(campaign.runs, campaign.qrels, bounds)
        lower, upper, residual = matrix.scores
        assert (lower >= 0).all()
        assert (lower <= upper + 1e-12).all()
        assert (upper <= 1 + 1e-12).all()
        assert upper - lower == pytest.approx(residual, abs=1e-12)


def test_recall_of_a_reference_is_its_precision_with_the_roles_exchanged():
    observed = run(OBSERVED)
    relevant = {"q": dict.fromkeys(OBSERVED, 1)}
    precision = (RBPBound(phi=0.6)).calc_aggregate(relevant, run(REFERENCE))
    assert score("RBR(phi=0.6, reference=table1)", observed) == pytest.approx(precision, rel=1e-12)


def test_long_disjoint_empty_and_single_rankings():
    long = run([f"x{number}" for number in range(3000)])
    irx_measures.register_runs("long", {"R": long}, replace=True)
    for name in ("RBR", "RBA", "RBO"):
        text = f"{name}(phi=0.9, reference=long)"
        assert score(text, long) == pytest.approx(1.0, abs=1e-12)
        with pytest.warns(irx_measures.EvaluationWarning, match="no document is in the reference"):
            assert score(text, run(OBSERVED)) == 0.0
        assert 0 < score(text.replace("long", "long, bound=lower"), run(["x0"])) < 1
        empty = parse_measure(text).calc_aggregate({}, {"q": {}})
        assert empty == 0.0
        assert score(f"{name}(phi=0.9, reference=table1, bound=upper)", run(OBSERVED)) < 1.0
    assert score("RBO(phi=0.9, reference=table1, bound=upper)", {"q": {}}) == pytest.approx(1.0)
    assert score("RBO(phi=0.9, reference=table1, bound=ext)", {"q": {}}) == 0.0


def test_a_reference_by_name_path_and_object_is_the_same(tmp_path):
    path = tmp_path / "reference.run"
    docs = run(REFERENCE)["q"].items()
    path.write_text("".join(f"q Q0 {doc} 1 {score} R\n" for doc, score in docs))
    expected = score("RBO(reference=table1)", run(OBSERVED))
    for given_as in (str(path), run(REFERENCE), irx_measures.RunSet({"R": run(REFERENCE)})):
        assert RBO(reference=given_as).calc_aggregate({}, run(OBSERVED)) == expected


def test_the_queries_are_those_of_the_qrels_where_there_are_any():
    both = {"q": run(REFERENCE)["q"], "p": run(REFERENCE)["q"]}
    irx_measures.register_runs("two", {"R": both}, replace=True)
    measure = parse_measure("RBR(reference=two)")
    with_qrels = list(measure.iter_calc({"p": {"x": 0}, "other": {"x": 1}}, both))
    assert {(metric.query_id, metric.value > 0) for metric in with_qrels} == {
        ("p", True),
        ("other", False),
    }
    without = list(measure.iter_calc({}, run(OBSERVED)))
    assert {(metric.query_id, metric.value > 0) for metric in without} == {
        ("q", True),
        ("p", False),
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("RBR(phi=1)", r"RBR: `phi` must lie in \(0, 1\); got 1"),
        ("RBA(ties=keep)", "RBA: `ties` must be one of 'share', 'break', 'least', 'greatest'; got"),
        ("RBR(bound=ext)", "RBR: `bound` must be one of"),
        ("RBO(reference=nobody)", "RBO: `reference`: no set of runs is called 'nobody'"),
        ("RBO(reference=several)", "must be one run; the set 'several' has 2"),
        ("RBA(reference=others)", "must be one run; got 'others'"),
    ],
)
def test_errors_name_measure_and_parameter(text, told):
    irx_measures.register_runs("several", {"a": run("AB"), "b": run("BA")}, replace=True)
    with pytest.raises(ValueError, match=told):
        score(text, run(OBSERVED))


def test_measures_that_need_qrels_say_so_where_there_are_none():
    with pytest.raises(ValueError, match="no judgments; needed by nDCG@10, RBR"):
        evaluate({"a": run(OBSERVED)}, {}, ["RBA(reference=table1)", "nDCG@10", "RBR"])


def test_rbp_of_ir_measures_needs_no_cwl_eval():
    qrels = {"q": {"A": 2, "B": 1, "C": 0}}
    observed = run("ACB")
    scores = ir_measures.calc_aggregate(
        [ir_measures.RBP(p=0.5), ir_measures.RBP(p=0.5, rel=2) @ 1, ir_measures.P @ 2],
        qrels,
        observed,
    )
    assert scores == {
        ir_measures.RBP(p=0.5): 0.5 + 0.125,
        ir_measures.RBP(p=0.5, rel=2) @ 1: 0.5,
        ir_measures.P @ 2: 0.5,
    }


def untied(docs, cutoff=None):
    """A query's ranking with ties broken as in trec_eval; cwl-eval does not break ties."""
    order = sorted(docs, key=lambda doc: (np.float32(docs[doc]), doc), reverse=True)
    return {doc: -float(rank) for rank, doc in enumerate(order[:cutoff])}


@pytest.mark.slow
def test_rbp_equals_cwl_eval_on_real_runs(data):
    pytest.importorskip("cwl")
    folder = data / "trec-dl-2019-passage"
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt.gz")))
    paths = sorted((folder / "runs").iterdir())
    assert len(paths) == 37
    cwl_eval = ir_measures.providers.registry["cwl_eval"]
    ours = ir_measures.providers.registry["irx_measures"]
    for path in paths:
        docs = {}
        for row in ir_measures.read_trec_run(str(path)):
            docs.setdefault(row.query_id, {})[row.doc_id] = row.score
        every = {query: untied(scores) for query, scores in docs.items()}
        top = {query: untied(scores, 10) for query, scores in docs.items()}
        for asked, known, seen in (
            (ir_measures.RBP(p=0.8), ir_measures.RBP(p=0.8, rel=1), every),
            (ir_measures.RBP(p=0.8, rel=2) @ 10, ir_measures.RBP(p=0.8, rel=2), top),
        ):
            got = {m.query_id: m.value for m in ours.iter_calc([asked], qrels, docs)}
            peer = {m.query_id: m.value for m in cwl_eval.iter_calc([known], qrels, seen)}
            assert got == pytest.approx(peer, rel=1e-12)


@pytest.mark.slow
def test_every_run_of_dl19_against_one_reference(data):
    folder = data / "trec-dl-2019-passage"
    best = str(folder / "runs" / "idst_bert_p1.run.gz")
    measures = [m(reference=best, bound=b) for m in (RBR, RBA, RBO) for b in ("lower", "upper")]
    matrix = evaluate(str(folder / "runs" / "*.gz"), folder / "qrels.txt.gz", measures)
    assert matrix.scores.shape == (6, 37, 43)
    lower, upper = matrix.scores[::2], matrix.scores[1::2]
    assert (lower <= upper).all()
    itself = matrix.systems.index("idst_bert_p1")
    assert (lower.mean(axis=2).argmax(axis=1) == itself).all()
    # The reference has 100 documents. Only its tail beyond rank 100 is unknown.
    assert lower[0, itself] == pytest.approx(1 - 0.95**100, abs=1e-12)


def test_sets_are_judged_anew_for_the_queries_of_another_reference():
    runs = {"a": {"q": {"x": 1.0}, "p": {"x": 1.0}}}
    irx_measures.register_runs("one", {"R": {"q": {"x": 1.0}}}, replace=True)
    irx_measures.register_runs("two", {"R": {"q": {"x": 1.0}, "p": {"x": 1.0}}}, replace=True)
    beside = irx_measures.NRG(prior=irx_measures.RunSet(runs)) @ 5
    for name, queries in (("one", 1), ("two", 2)):
        found = ir_measures.iter_calc([RBR(reference=name), beside], {}, runs["a"])
        assert len(list(found)) == 2 * queries
