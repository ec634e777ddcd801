"""RBR, RBA, RBO and RBPBound as users call them: the oracle, ties, references."""

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irx_measures
from irx_measures import RBO, RBR, evaluate, parse_measure
from tests.campaigns import campaigns
from tests.doubts import MISSED_QUERIES, NOT_IN_REFERENCE, OWN_PRIOR
from tests.examples import examples
from tests.oracles import rank_biased as oracle

pytestmark = [MISSED_QUERIES, OWN_PRIOR, NOT_IN_REFERENCE]

REFERENCE = ["D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28"]
OBSERVED = ["D06", "D23", "D10", "D07", "D04"]


def run(docs):
    return {"q": {str(doc): -float(rank) for rank, doc in enumerate(docs)}}


def score(text, observed, qrels=None):
    return parse_measure(text).calc_aggregate(qrels or {}, observed)


@pytest.fixture(autouse=True)
def reference():
    irx_measures.register_runs("table1", {"R": run(REFERENCE)}, replace=True)


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


def test_measures_that_need_qrels_say_so_where_there_are_none():
    with pytest.raises(ValueError, match="no judgments; needed by nDCG@10, RBR"):
        evaluate({}, {"a": run(OBSERVED)}, ["RBA(reference=table1)", "nDCG@10", "RBR"])


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


def test_sets_are_judged_anew_for_the_queries_of_another_reference():
    runs = {"a": {"q": {"x": 1.0}, "p": {"x": 1.0}}}
    irx_measures.register_runs("one", {"R": {"q": {"x": 1.0}}}, replace=True)
    irx_measures.register_runs("two", {"R": {"q": {"x": 1.0}, "p": {"x": 1.0}}}, replace=True)
    beside = irx_measures.NRG(prior=irx_measures.RunSet(runs)) @ 5
    for name, queries in (("one", 1), ("two", 2)):
        found = ir_measures.iter_calc([RBR(reference=name), beside], {}, runs["a"])
        assert len(list(found)) == 2 * queries
