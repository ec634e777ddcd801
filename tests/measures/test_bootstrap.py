"""BootNDCG, Boot, nDCGBound: the oracle, the paper's Table 1, invariants and errors."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ir_measures import AP, RBP, P, nDCG
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare

from irx_measures import Boot, BootNDCG, bootstrap_ndcg, evaluate, nDCGBound
from irx_measures.exceptions import OnlyRelevantError
from irx_measures.measures import bootstrap as declared
from tests.campaigns import one, random_campaign
from tests.doubts import MISSED_QUERIES, NONE_JUDGED
from tests.examples import examples
from tests.oracles import bootstrap as oracle
from tests.oracles.ranking import ranking

pytestmark = [MISSED_QUERIES, NONE_JUDGED]

PRIORS = ["pool", "run", "pool+run"]
POOLS = ["query", "all"]
DOCS = "ABCDEFGH"

any_graded = st.dictionaries(st.sampled_from(DOCS[:6]), st.integers(-1, 3), min_size=1)
graded = any_graded.map(lambda grades: {**grades, "non-relevant": 0})  # grades can be drawn
scored = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([2.0, 1.0, 0.5]), max_size=6)
dcgs = st.sampled_from(["log2", "exp-log2"])


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("base", ["nDCG", "AP", "P", "RBP"])
@settings(max_examples=examples(10))
@given(qrels=graded, run=scored, cutoff=st.integers(1, 5), dcg=dcgs, rel=st.integers(1, 3))
def test_the_exact_mean_is_that_of_all_outcomes(prior, base, qrels, run, cutoff, dcg, rel):
    top, pool = ranking(run, cutoff), oracle.clipped(qrels)
    chances = oracle.prior_of(pool, top, prior)
    params = {"dcg": dcg, "rel": rel, "phi": 0.7}
    expected = sum(
        probability * oracle.base_score(grades, list(pool.values()), base, cutoff, **params)
        for grades, probability in oracle.distribution(pool, top, chances)
    )
    measure = Boot(base=base, prior=prior, b="exact", stat="mean", **params) @ cutoff
    assert one(measure, qrels, run) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("prior", PRIORS)
@settings(max_examples=examples(10))
@given(qrels=st.tuples(any_graded, graded), run=scored, cutoff=st.integers(1, 5))
def test_the_pool_of_all_queries_is_the_prior_of_each(prior, qrels, run, cutoff):
    pools = [oracle.clipped(grades) for grades in qrels]
    top, every = ranking(run, cutoff), [grade for pool in pools for grade in pool.values()]
    chances = oracle.prior_of(pools[0], top, prior, every)
    expected = sum(
        probability * oracle.base_score(grades, list(pools[0].values()), "nDCG", cutoff)
        for grades, probability in oracle.distribution(pools[0], top, chances)
    )
    measure = BootNDCG(prior=prior, pool="all", b="exact", stat="mean") @ cutoff
    got = {
        m.query_id: m.value for m in measure.iter_calc({"a": qrels[0], "b": qrels[1]}, {"a": run})
    }
    assert got["a"] == pytest.approx(expected, rel=1e-12, abs=1e-15)


QRELS = {"A": 3, "B": 0, "C": 2, "D": 1, "E": 0, "F": 1}
RUN = {"A": 9.0, "x": 8.0, "B": 7.0, "y": 6.0, "z": 5.0}


@pytest.mark.parametrize("prior", PRIORS)
def test_samples_have_the_exact_distribution(prior):
    # Fails by chance with a probability of 0.001 for each prior.
    samples = bootstrap_ndcg({"q": QRELS}, {"q": RUN}, 5, prior=prior, b=20_000)["q"]
    top = ranking(RUN, 5)
    exact = Counter()
    for grades, probability in oracle.distribution(QRELS, top, oracle.prior_of(QRELS, top, prior)):
        exact[round(oracle.base_score(grades, list(QRELS.values()), "nDCG", 5), 9)] += probability
    found = Counter(samples.round(9).tolist())
    assert set(found) <= set(exact)
    assert len(exact) > 4
    expected = np.array(list(exact.values())) * len(samples)
    assert expected.min() > 5
    assert chisquare([found[value] for value in exact], expected).pvalue > 0.001


@given(qrels=graded, run=scored, cutoff=st.integers(1, 6), dcg=dcgs, seed=st.integers(0, 9))
def test_samples_lie_between_ndcg_and_the_naive_upper_bound(qrels, run, cutoff, dcg, seed):
    samples = bootstrap_ndcg({"q": qrels}, {"q": run}, cutoff, b=20, dcg=dcg, seed=seed)["q"]
    lower = one(nDCGBound(dcg=dcg) @ cutoff, qrels, run)
    upper = one(nDCGBound(dcg=dcg, bound="upper") @ cutoff, qrels, run)
    assert samples.shape == (20,)
    assert lower - 1e-12 <= samples.min() <= samples.max() <= upper + 1e-12
    if all(doc in qrels for doc in ranking(run, cutoff)):
        assert_allclose(samples, lower, rtol=1e-12)
        assert upper == pytest.approx(lower)


@pytest.mark.parametrize(
    ("base", "peer"),
    [("nDCG", nDCG @ 10), ("P", P @ 10), ("AP", AP @ 10), ("RBP", RBP(p=0.8) @ 10)],
)
def test_with_all_judged_it_is_ir_measures_own(base, peer):
    campaign = random_campaign(4, ties=True)
    qrels = {
        query: {**dict.fromkeys((f"doc{number}" for number in range(40)), 0), **grades}
        for query, grades in campaign.qrels.items()
    }
    boot, own = evaluate(qrels, campaign.runs, [Boot(base=base) @ 10, peer]).scores
    assert_allclose(boot, own, rtol=1e-12)
    assert len(np.unique(own)) > 5


def test_one_bootstrap_serves_all_statistics(monkeypatch):
    campaign = random_campaign(4, ties=False)
    drawn = []
    stream = declared.random_stream
    monkeypatch.setattr(declared, "random_stream", lambda *key: drawn.append(key) or stream(*key))
    asked = [BootNDCG(stat=stat) @ 10 for stat in ("mode", "mean", "q05", "q95")]
    together = evaluate(campaign.qrels, campaign.runs, asked)
    once = len(drawn)
    assert len(set(drawn)) == len(campaign.qrels)
    monkeypatch.setattr(declared, "SHARED_BYTES", 0)
    again = evaluate(campaign.qrels, campaign.runs, asked)
    assert len(drawn) == 5 * once
    assert_array_equal(again.scores, together.scores)


def test_samples_of_bootstrap_ndcg_are_those_of_the_measure():
    campaign = random_campaign(6, ties=False)
    run = campaign.runs["run0"]
    samples = bootstrap_ndcg(campaign.qrels, run, 10, prior="run", seed=7)
    assert list(samples) == list(campaign.qrels)
    measure = BootNDCG(prior="run", seed=7, stat="q25") @ 10
    for metric in measure.iter_calc(campaign.qrels, run):
        assert metric.value == np.quantile(samples[metric.query_id], 0.25)


# Bounds


@pytest.mark.parametrize(
    ("top", "kind", "bound", "expected"),
    [
        ("X1", "naive", "upper", 0.63),
        ("1X", "rbp", "lower", 1.00),
        ("1X", "rbp", "upper", 0.71),
        ("1X", "guaranteed", "lower", 0.09),
        ("1X", "guaranteed", "upper", 1.00),
    ],
)
def test_table_1_of_the_paper(top, kind, bound, expected):
    run = {doc: float(-rank) for rank, doc in enumerate(top)}
    measure = nDCGBound(kind=kind, bound=bound, dcg="exp-log2", max_grade=3) @ 2
    assert one(measure, {"1": 1}, run) == pytest.approx(expected, abs=0.005)


@given(qrels=graded, run=scored, cutoff=st.integers(1, 5), dcg=dcgs, max_grade=st.integers(0, 3))
def test_bounds_equal_the_oracle(qrels, run, cutoff, dcg, max_grade):
    pool, top = oracle.clipped(qrels), ranking(run, cutoff)

    def got(kind, bound, **params):
        return one(nDCGBound(kind=kind, bound=bound, dcg=dcg, **params) @ cutoff, qrels, run)

    def close(value):
        return pytest.approx(value, rel=1e-12, abs=1e-15)

    lowest = oracle.base_score(
        [pool.get(doc, 0) for doc in top], list(pool.values()), "nDCG", cutoff, dcg
    )
    assert got("naive", "lower") == got("rbp", "lower") == close(lowest)
    assert got("naive", "upper") == close(oracle.naive_upper(pool, top, dcg, cutoff))
    for given_grade in (max_grade, None):
        highest = max(pool.values()) if given_grade is None else given_grade
        args = (pool, top, dcg, cutoff, highest)
        kwargs = {"max_grade": given_grade}
        assert got("rbp", "upper", **kwargs) == close(oracle.rbp_upper(*args))
        assert got("guaranteed", "upper", **kwargs) == close(oracle.guaranteed_upper(*args))
        assert got("guaranteed", "lower", **kwargs) == close(oracle.guaranteed_lower(*args))


@given(qrels=graded, truth=graded, run=scored, cutoff=st.integers(1, 6), dcg=dcgs)
def test_guaranteed_bounds_hold_whatever_the_judgments(qrels, truth, run, cutoff, dcg):
    assume(any(grade > 0 for grade in truth.values()))
    complete = {**{doc: truth.get(doc, 0) for doc in run}, **qrels}
    actual = one(
        nDCG(dcg=dcg) @ cutoff if dcg == "log2" else nDCGBound(dcg=dcg) @ cutoff, complete, run
    )
    bounds = [
        one(nDCGBound(kind="guaranteed", bound=bound, dcg=dcg, max_grade=3) @ cutoff, qrels, run)
        for bound in ("lower", "upper")
    ]
    assert bounds[0] - 1e-12 <= actual <= bounds[1] + 1e-12


@pytest.mark.parametrize("prior", [*PRIORS, "learned"])
@pytest.mark.parametrize(
    ("base", "qrels"),
    [("nDCG", {"q": {"A": 1}}), ("P", {"q": {"A": 2}, "p": {"A": 2}})],
)
def test_qrels_of_relevant_documents_only_draw_no_grades(prior, base, qrels):
    measure = Boot(base=base, prior=prior, rel=2) @ 5
    with pytest.raises(OnlyRelevantError, match=r"Boot\(.*no document as non-relevant.*nDCGBound"):
        evaluate(qrels, {"a": {"q": {"A": 2.0, "x": 1.0}}}, measure)


def test_the_exact_distribution_has_no_samples():
    with pytest.raises(ValueError, match="got 'exact', without samples"):
        bootstrap_ndcg({"q": QRELS}, {"q": RUN}, 5, b="exact")


@pytest.mark.parametrize(
    ("kind", "max_grade", "of_all"),
    [
        ("naive", None, False),
        ("naive", 3, False),
        ("rbp", None, True),
        ("rbp", 3, False),
        ("guaranteed", None, True),
        ("guaranteed", 3, False),
    ],
)
def test_the_highest_grade_is_that_of_all_queries_where_it_is_not_given(kind, max_grade, of_all):
    bound = "lower" if kind == "guaranteed" else "upper"
    measure = nDCGBound(kind=kind, bound=bound, max_grade=max_grade) @ 3
    few, many = {"few": {"A": 1, "B": 2}}, {"many": {"C": 3}}
    run = {"few": {"A": 3.0, "x": 2.0}}
    alone, together = (evaluate(of, run, measure).scores[0, 0, 0] for of in (few, few | many))
    assert measure.of_all_queries == (alone != together) == of_all
