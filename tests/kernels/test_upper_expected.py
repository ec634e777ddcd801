"""Expected values against enumeration, and the laws of both versions."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.kernels import upper_expected as kernel
from irx_measures.kernels.user_models import browsing_weights, graded_gain
from tests.oracles import upper_expected as oracle

cutoffs = st.none() | st.integers(1, 8)
grade_lists = st.lists(st.integers(-1, 3), max_size=6)
queries_of_grades = st.lists(grade_lists, min_size=1, max_size=3)


def as_columns(queries):
    """Grades of the candidates, in descending order, and the number of candidates."""
    width = max(1, *map(len, queries))
    grade = np.zeros((len(queries), width), np.int64)
    for row, grades in enumerate(queries):
        grade[row, : len(grades)] = sorted(grades, reverse=True)
    return grade, np.array([len(grades) for grades in queries])


def err_stop(grade):
    return graded_gain(grade, "exp-log2") / 16


def dcg(grade, size, cutoff):
    depth = int(size.max()) if cutoff is None else cutoff
    weights = browsing_weights("nDCG", depth, 0)
    return kernel.expected_weighted_gain(graded_gain(grade, "exp-log2"), size, weights)


def sum_of_precision(grade, size, cutoff, exact=True):
    return kernel.expected_sum_of_precision((grade >= 2).sum(axis=1), size, cutoff, exact)


EXPECTED = {
    "nDCG": dcg,
    "AP": sum_of_precision,
    "RR": lambda grade, *how: kernel.expected_cascade((grade >= 2).astype(float), *how),
    "ERR": lambda grade, *how: kernel.expected_cascade(err_stop(grade), *how),
}


@pytest.mark.parametrize("base", EXPECTED)
@given(queries=queries_of_grades, cutoff=cutoffs)
def test_an_expected_value_is_the_mean_over_all_orders(base, queries, cutoff):
    got = EXPECTED[base](*as_columns(queries), cutoff)
    settings = oracle.Settings(base, rel=2, cutoff=cutoff)
    expected = [oracle.expected(grades, settings) for grades in queries]
    assert_allclose(got, expected, rtol=1e-12, atol=1e-15)


@given(queries=queries_of_grades, cutoff=cutoffs)
def test_the_independent_expected_sum_of_precision_is_the_papers(queries, cutoff):
    got = sum_of_precision(*as_columns(queries), cutoff, exact=False)
    settings = oracle.Settings("AP", rel=2, cutoff=cutoff)
    assert_allclose(got, [oracle.independent(grades, settings) for grades in queries], rtol=1e-12)


@pytest.mark.parametrize(("relevant", "size"), [(1, 5000), (40, 200)])
def test_an_expected_reciprocal_rank_of_many_documents_stays_exact(relevant, size):
    """The first relevant document has rank i, and the others are below, in comb(n - i, R - 1)."""
    got = kernel.expected_cascade(np.ones((1, relevant)), np.array([size]), None)
    first = [comb(size - rank, relevant - 1) / comb(size, relevant) for rank in range(1, size + 1)]
    assert_allclose(got, [np.sum(first / np.arange(1, size + 1))], rtol=1e-12)


parts = st.floats(0, 1)


@given(upper=st.floats(0, 100), actual=parts, expected=parts)
def test_versions_equal_the_oracle_within_their_ranges(upper, actual, expected):
    a, reb = actual * upper, expected * upper
    one, two = (
        version(*map(np.atleast_1d, (a, upper, reb)))[0]
        for version in (kernel.version_1, kernel.version_2)
    )
    assert one == pytest.approx(oracle.version_1(a, upper, reb), rel=1e-12, abs=1e-300)
    assert two == pytest.approx(oracle.version_2(a, upper, reb), rel=1e-9, abs=1e-12)
    assert 0 <= one <= 1
    assert -1 <= two <= 1


@given(upper=st.floats(0.1, 100), expected=st.floats(0, 0.99))
def test_version_2_is_1_at_the_upper_bound_0_at_the_expected_value_and_minus_1_at_0(
    upper, expected
):
    reb = expected * upper
    scores = kernel.version_2(np.array([upper, reb, 0.0]), np.full(3, upper), np.full(3, reb))
    assert_allclose(scores[:2], [1, 0], atol=1e-12)
    assert scores[2] == (-1 if reb > 1e-12 * upper else 0)


@given(actual=st.lists(parts, min_size=2, max_size=2, unique=True), expected=parts)
def test_more_never_scores_less(actual, expected):
    low, high = sorted(actual)
    for version in (kernel.version_1, kernel.version_2):
        scores = version(np.array([low, high]), np.ones(2), np.full(2, expected))
        assert scores[0] <= scores[1] + 1e-12


ranked_grades = st.lists(
    st.lists(st.sampled_from([None, -1, 0, 1, 2, 3]), max_size=6), min_size=1, max_size=3
)


@given(queries=ranked_grades, missed=st.integers(0, 2), seed=st.integers(0, 9))
def test_raw_measures_equal_the_oracle(queries, missed, seed):
    """A query lists the grades of its ranking (None: unjudged) and of documents not returned."""
    rng = np.random.default_rng(seed)
    width = missed + max(1, *map(len, queries))
    grade = np.full((len(queries), width), 3)
    rank = np.zeros((len(queries), width), np.int64)
    for row, grades in enumerate(queries):
        places = rng.permutation(width)[: len(grades)]
        grade[row, places] = [0 if g is None else g for g in grades]
        rank[row, places] = [0 if g is None else at for at, g in enumerate(grades, 1)]
    orders = [[0 if g is None else g for g in grades] for grades in queries]

    def expected(base):
        return [oracle.raw(order, oracle.Settings(base)) for order in orders]

    assert_allclose(kernel.sum_of_precision(rank, grade >= 1), expected("AP"), rtol=1e-12)
    for stop, base in (((grade >= 1) * 1.0, "RR"), (err_stop(grade), "ERR")):
        assert_allclose(kernel.cascade_parts(rank, stop).sum(axis=1), expected(base), rtol=1e-12)


def test_ideal_ranks_by_hand():
    candidate = np.array([[True, False, True, True], [False, False, False, True]])
    assert kernel.ideal_rank(candidate, None).tolist() == [[1, 0, 2, 3], [0, 0, 0, 1]]
    assert kernel.ideal_rank(candidate, 2).tolist() == [[1, 0, 2, 0], [0, 0, 0, 1]]
