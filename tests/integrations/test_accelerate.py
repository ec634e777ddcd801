"""accelerate(): the results of stock ir_measures, and how it is switched on and off."""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import ir_measures
import pandas as pd
import pytest
from hypothesis import given
from ir_measures import AP, ERR, RR, Judged, NumRel, NumRet, P, Qrel, ScoredDoc, nDCG

import irx_measures
from irx_measures import NRG, accelerate
from irx_measures.integrations.accelerate import PROVIDER, KernelEvaluator
from tests import campaigns
from tests.doubts import MISSED_QUERIES

MEASURES = [AP, nDCG @ 10, nDCG, P @ 5, P @ 10, RR, NumRet, NumRel]
QRELS = {"q1": {"A": 2, "B": 0, "C": 1}, "q2": {"A": 1}, "q3": {"Z": 1}}
RUN = {"q2": {"B": 2.0, "A": 1.0}, "other": {"A": 1.0}, "q1": {"X": 3.0, "A": 2.0, "C": 1.0}}


@pytest.fixture(autouse=True)
def stock():
    """Every test starts and ends with the providers of stock ir_measures."""
    before = list(ir_measures.DefaultPipeline.providers)
    assert PROVIDER not in before
    yield before
    assert ir_measures.DefaultPipeline.providers == before


def rows(of, kind):
    return [kind(*row) for row in campaigns.rows(of)]


def is_on():
    return ir_measures.DefaultPipeline.providers[0] is PROVIDER


FORMS = {
    "dicts": lambda of, kind: of,
    "frames": lambda of, kind: pd.DataFrame(rows(of, kind)),
    "object frames": lambda of, kind: pd.DataFrame(rows(of, kind)).astype({"doc_id": object}),
    "namedtuples": rows,
    "iterators": lambda of, kind: iter(rows(of, kind)),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_metrics_are_those_of_stock_in_the_same_order(form):
    def metrics():
        return list(ir_measures.iter_calc(MEASURES, form(QRELS, Qrel), form(RUN, ScoredDoc)))

    expected = metrics()
    with accelerate():
        evaluator = ir_measures.evaluator(MEASURES, form(QRELS, Qrel))
        assert isinstance(evaluator, KernelEvaluator)
        assert metrics() == expected
        assert list(evaluator.iter_calc(form(RUN, ScoredDoc))) == expected
    assert metrics() == expected
    assert len(expected) == len(MEASURES) * len(QRELS)


@given(campaigns.campaigns(max_runs=1))
def test_results_of_any_campaign_are_those_of_stock(campaign):
    qrels = {query: {**grades, "safe": 0} for query, grades in campaign.qrels.items()}
    run = {query: docs for query, docs in campaign.runs["run0"].items() if docs}
    measures = [*MEASURES, RR @ 3, Judged @ 3]

    def results():
        aggregated, metrics = ir_measures.calc(measures, qrels, run)
        return aggregated, sorted(metrics, key=str)

    expected = results()
    with accelerate():
        assert results() == expected
        assert ir_measures.calc_aggregate(measures, qrels, run) == expected[0]


@MISSED_QUERIES
def test_other_measures_stay_with_their_providers():
    expected = ir_measures.calc_aggregate([ir_measures.Compat(p=0.8), AP], QRELS, RUN)
    own = irx_measures.RBPBound(phi=0.8)
    with accelerate():
        together = ir_measures.calc_aggregate([ir_measures.Compat(p=0.8), own, AP], QRELS, RUN)
        assert not PROVIDER.supports(NRG @ 10)
        assert not PROVIDER.supports(ERR)
        assert not PROVIDER.supports(AP(rel=0))
        with pytest.raises(AssertionError):
            PROVIDER.supports(AP(unknown=1))
    assert {measure: together[measure] for measure in expected} == expected
    assert together[own] == ir_measures.calc_aggregate([own], QRELS, RUN)[own]


GDEVAL = [ERR @ 10, nDCG(dcg="exp-log2") @ 3, AP]


def renamed(of, name):
    return {query.replace("q", name): docs for query, docs in of.items()}


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
def test_what_gdeval_scores_is_as_in_stock_and_right_for_ids_that_are_no_numbers():
    campaign = campaigns.random_campaign(1, ties=True, queries=30)
    qrels, run = (renamed(of, "") for of in (campaign.qrels, campaign.runs["run0"]))
    expected = ir_measures.calc(GDEVAL, qrels, run)
    with accelerate():
        assert isinstance(ir_measures.evaluator(GDEVAL, qrels), KernelEvaluator)
        assert ir_measures.calc(GDEVAL, qrels, run).aggregated == expected.aggregated
        scores = ir_measures.iter_calc(GDEVAL, *(renamed(of, "PLAIN-") for of in (qrels, run)))
        plain = {
            (each.measure, each.query_id.removeprefix("PLAIN-")): each.value for each in scores
        }
        assert plain == {(each.measure, each.query_id): each.value for each in expected.per_query}
        with pytest.raises(subprocess.CalledProcessError):  # as stock refuses it
            ir_measures.calc_aggregate(GDEVAL, {"1": {"A": 5}}, {"1": {"A": 1.0}})


def test_means_of_gdeval_are_summed_in_the_order_of_numbers_and_others_in_that_of_the_run():
    """As stock orders the queries: sums of floats depend on the order."""
    query_ids = ["10", "plain", "9", "2"]
    qrels = {query_id: {"A": 1} for query_id in sorted(query_ids)}
    run = {query_id: {"A": 1.0} for query_id in query_ids}
    with accelerate():
        found = list(ir_measures.iter_calc([AP, ERR @ 10], qrels, run))
    for measure, expected in ((AP, query_ids), (ERR @ 10, ["2", "9", "10", "plain"])):
        assert [each.query_id for each in found if each.measure == measure] == expected


def outcome(qrels, run):
    """The metrics, or the error."""
    try:
        return sorted(ir_measures.iter_calc([AP, NumRel], qrels, run), key=str)
    except Exception as error:
        return type(error), str(error)


FRAME, JUDGED = pd.DataFrame(rows(RUN, ScoredDoc)), pd.DataFrame(rows(QRELS, Qrel))
TWICE = pd.concat([FRAME, FRAME.assign(score=-FRAME.score)])


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (QRELS, TWICE),  # the last row of a document counts
        (pd.concat([JUDGED] * 2), RUN),
        (QRELS, {**RUN, "q3": {}}),
        ({**QRELS, "q4": {}}, RUN),
        (QRELS, FRAME.rename(columns={"query_id": "qid"})),
        (JUDGED.rename(columns={"relevance": "label"}), RUN),
        (QRELS, {"q1": ["A", "B"]}),
        (QRELS, [("q1", "A", 1.0)]),
        (QRELS, {"q1": {1: 1.0}}),
        (QRELS, {"q1": {"A": "high"}}),
        (QRELS, 5),
        (QRELS, {}),
        ([], RUN),
    ],
)
def test_unusual_input_has_the_result_or_error_of_stock(qrels, run):
    expected = outcome(qrels, run)
    with accelerate():
        assert outcome(qrels, run) == expected


def test_it_is_undone_after_an_error():
    with pytest.raises(ZeroDivisionError, match="by zero"), accelerate():
        1 / (not is_on())
    assert not is_on()


def test_it_is_a_switch_and_calls_are_counted(stock):
    accelerate.restore()  # nothing to undo
    accelerate()
    with accelerate():
        accelerate()
    assert is_on()
    assert ir_measures.DefaultPipeline.providers == [PROVIDER, *stock]
    accelerate.restore()
    assert is_on()
    accelerate.restore()
    assert not is_on()
    accelerate.restore()
    with accelerate():
        assert is_on()


def test_a_provider_that_is_added_meanwhile_stays(stock, monkeypatch):
    monkeypatch.setattr(ir_measures.DefaultPipeline, "providers", list(stock))
    added = ir_measures.providers.FallbackProvider([])
    with accelerate():
        ir_measures.DefaultPipeline.providers.append(added)
    assert ir_measures.DefaultPipeline.providers == [*stock, added]
    ir_measures.DefaultPipeline.providers.pop()


def test_threads_may_switch_while_others_score():
    expected = ir_measures.calc_aggregate(MEASURES, QRELS, RUN)
    together, results = Barrier(4), []

    def work(_):
        together.wait()
        for _ in range(50):
            with accelerate():
                results.append(ir_measures.calc_aggregate(MEASURES, QRELS, RUN))
            results.append(ir_measures.calc_aggregate(MEASURES, QRELS, RUN))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert results == [expected] * 400
