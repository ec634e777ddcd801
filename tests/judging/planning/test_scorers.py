"""Scores in many worlds against the oracles, world by world, and against evaluate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.judging.planning.pool import JudgingPool
from irx_measures.judging.planning.scorers import LEAST_IDEAL, scorer_of
from tests.oracles import residual_gain, standard

GRADES = (0, 1, 3)

ORACLES = {
    "nDCG@3": lambda qrels, own: standard.ndcg(own, qrels, 3),
    "nDCG(dcg='exp-log2')@3": lambda qrels, own: residual_gain.nrg(
        qrels, own, base="nDCG", dcg="exp-log2", cutoff=3
    ),
    "P@3": lambda qrels, own: standard.precision(own, qrels, 1, 3),
    "P(rel=2)@4": lambda qrels, own: standard.precision(own, qrels, 2, 4),
    "RBP(p=0.6,rel=1)@3": lambda qrels, own: residual_gain.nrg(
        qrels, own, base="RBP", phi=0.6, cutoff=3
    ),
    "DCG@3": lambda qrels, own: standard.dcg([qrels[doc] for doc in own[:3]]),
}


def random_pool(seed, cutoff):
    """Rankings that share documents, end early, or go on beyond the cutoff; some queries empty."""
    rng = np.random.default_rng(seed)
    systems, queries = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    sizes = rng.integers(0, 12, queries)
    rank = np.zeros((systems, sizes.sum()), np.int16)
    for system in range(systems):
        for size, end in zip(sizes, np.cumsum(sizes), strict=True):
            returned = rng.permutation(size)[: rng.integers(0, size + 1)]
            rank[system, end - size + returned] = np.arange(1, len(returned) + 1)
    return JudgingPool(
        tuple(f"s{system}" for system in range(systems)),
        tuple(f"q{query}" for query in range(queries)),
        np.repeat(np.arange(queries), sizes),
        [f"d{document}" for document in range(sizes.sum())],
        rank,
        cutoff,
        np.array(GRADES),
        [rng.integers(0, len(GRADES), rng.integers(0, 6)) for _ in range(queries)],
    )


def random_grades(pool, seed, worlds=4):
    return np.random.default_rng(seed + 1).integers(0, 3, (len(pool), worlds)).astype(np.uint8)


def rankings(pool, query):
    """The documents of each system, best first."""
    of_query = pool.of_query(query)
    rank = pool.rank[:, of_query]
    return [
        [of_query.start + place for place in np.argsort(row, kind="stable") if row[place]]
        for row in rank
    ]


def oracle_means(pool, grade, oracle):
    """World by world, system by system, query by query."""
    means = np.zeros((len(pool.names), grade.shape[1]))
    for system, world in np.ndindex(means.shape):
        for query in range(len(pool.query_ids)):
            rows = range(len(pool))[pool.of_query(query)]
            qrels = {row: GRADES[grade[row, world]] for row in rows}
            qrels |= {f"other{place}": GRADES[one] for place, one in enumerate(pool.others[query])}
            means[system, world] += oracle(qrels, rankings(pool, query)[system])
    return means / len(pool.query_ids)


@pytest.mark.parametrize("measure", ORACLES)
@given(seed=st.integers(0, 10**6))
def test_means_equal_the_oracle(measure, seed):
    scorer = scorer_of(measure, GRADES, 2)
    pool = random_pool(seed, scorer.cutoff)
    grade = random_grades(pool, seed)
    expected = oracle_means(pool, grade, ORACLES[measure])
    assert_allclose(scorer.means(pool, grade), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("measure", ["P@3", "RBP@3", "nDCG@3"])
@given(seed=st.integers(0, 10**6))
def test_only_documents_that_can_change_the_answer_change_differences(measure, seed):
    scorer = scorer_of(measure, GRADES, 3)
    pool = random_pool(seed, scorer.cutoff)
    grade, can_change = random_grades(pool, seed), scorer.can_change(pool)
    other = np.where(can_change[:, np.newaxis], grade, 2 - grade)
    before, after = (scorer.means(pool, of) for of in (grade, other))
    assert_allclose(before - before[0], after - after[0], atol=1e-12)
    for document in np.flatnonzero(can_change) if not scorer.normalised else ():
        one = np.eye(len(pool), dtype=np.uint8)[:, [document]] * 2
        assert np.ptp(scorer.means(pool, one)) > 0


@given(seed=st.integers(0, 10**6))
def test_the_expected_ideal_of_known_gains_is_the_ideal(seed):
    scorer = scorer_of("nDCG@3", GRADES, 3)
    pool = random_pool(seed, scorer.cutoff)
    gain = scorer.gain[random_grades(pool, seed, 1)[:, 0]]
    for query, ideal in enumerate(scorer.expected_ideal(pool, gain)):
        every = [*gain[pool.of_query(query)], *scorer.gain[pool.others[query]]]
        expected = standard.dcg(sorted(every, reverse=True)[:3])
        assert ideal == pytest.approx(max(expected, LEAST_IDEAL), rel=1e-12)
    linear = scorer_of("RBP@3", GRADES, 3).expected_ideal(pool, gain)
    assert_array_equal(linear, np.ones(len(pool.query_ids)))


@pytest.mark.parametrize("measure", ["P(rel=2)@3", "DCG@3"])
def test_a_priority_is_the_variance_of_the_gain_times_that_of_the_weight(measure):
    scorer = scorer_of(measure, GRADES, 2)
    pool = random_pool(4, 3)
    grade = np.where(np.arange(len(pool)) % 3, -1, 1)
    probability = np.random.default_rng(1).dirichlet(np.ones(3), len(pool))
    probability[1] = 0.5, 0.5, 0.0  # which P(rel=2) does not distinguish
    spread = [np.cov(scorer.gain, aweights=row, ddof=0) for row in probability]
    expected = np.where(grade < 0, spread, 0) * scorer.weight(pool).var(axis=0)
    assert expected.any()
    got = scorer.priorities(pool, grade, probability)
    assert_allclose(got, expected, rtol=1e-9, atol=1e-15)
