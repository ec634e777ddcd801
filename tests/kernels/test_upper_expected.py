"""Expected values against enumeration and simulation, and the laws of both versions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

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


@given(queries=queries_of_grades, cutoff=cutoffs, dcg=st.sampled_from(["log2", "exp-log2"]))
def test_expected_dcg_is_the_mean_over_all_orders(queries, cutoff, dcg):
    grade, size = as_columns(queries)
    depth = int(size.max()) if cutoff is None else cutoff
    got = kernel.expected_weighted_gain(
        graded_gain(grade, dcg), size, browsing_weights("nDCG", depth, 0)
    )
    settings = oracle.Settings("nDCG", dcg=dcg, cutoff=cutoff)
    assert_allclose(got, [oracle.expected(grades, settings) for grades in queries], rtol=1e-12)


@given(queries=queries_of_grades, cutoff=cutoffs, rel=st.integers(1, 3))
def test_the_exact_expected_sum_of_precision_is_the_mean_over_all_orders(queries, cutoff, rel):
    grade, size = as_columns(queries)
    got = kernel.expected_sum_of_precision((grade >= rel).sum(axis=1), size, cutoff, True)
    settings = oracle.Settings("AP", rel=rel, cutoff=cutoff)
    assert_allclose(got, [oracle.expected(grades, settings) for grades in queries], rtol=1e-12)


@given(queries=queries_of_grades, cutoff=cutoffs)
def test_the_independent_expected_sum_of_precision_is_the_papers(queries, cutoff):
    grade, size = as_columns(queries)
    got = kernel.expected_sum_of_precision((grade >= 1).sum(axis=1), size, cutoff, False)
    settings = oracle.Settings("AP", cutoff=cutoff)
    assert_allclose(got, [oracle.independent(grades, settings) for grades in queries], rtol=1e-12)


@given(queries=queries_of_grades, cutoff=cutoffs, base=st.sampled_from(["ERR", "RR"]))
def test_an_expected_cascade_is_the_mean_over_all_orders(queries, cutoff, base):
    grade, size = as_columns(queries)
    stop = err_stop(grade) if base == "ERR" else (grade >= 1).astype(float)
    got = kernel.expected_cascade(stop, size, cutoff)
    settings = oracle.Settings(base, cutoff=cutoff)
    expected = [oracle.expected(grades, settings) for grades in queries]
    assert_allclose(got, expected, rtol=1e-12, atol=1e-15)


def random_orders(grade, orders, rng):
    """Grades in random order: (orders, documents)."""
    return rng.permuted(np.tile(grade, (orders, 1)), axis=1)


@pytest.mark.slow
@pytest.mark.parametrize(("relevant", "documents", "cutoff"), [(9, 60, 10), (40, 200, None)])
def test_expected_values_agree_with_simulation(relevant, documents, cutoff):
    # Each of the eight comparisons fails by chance with a probability of 6e-5.
    rng = np.random.default_rng(11)
    grade = np.zeros(documents, np.int64)
    grade[:relevant] = np.sort(rng.integers(1, 4, relevant))[::-1]
    orders = random_orders(grade, 20_000, rng)[:, :cutoff]
    depth = orders.shape[1]
    ranks = np.arange(1, depth + 1)
    relevance = (orders > 0).astype(float)
    precision = np.cumsum(relevance, axis=1) / ranks

    def cascades(stops):
        reaches = np.cumprod(1 - stops, axis=1)
        before = np.concatenate((np.ones((len(stops), 1)), reaches[:, :-1]), axis=1)
        return (stops * before / ranks).sum(axis=1)

    size, row = np.array([documents]), grade[np.newaxis]
    cases = [
        (
            graded_gain(orders, "exp-log2") @ browsing_weights("nDCG", depth, 0)[1:],
            kernel.expected_weighted_gain(
                graded_gain(row, "exp-log2"), size, browsing_weights("nDCG", depth, 0)
            ),
        ),
        (
            (precision * relevance).sum(axis=1),
            kernel.expected_sum_of_precision(np.array([relevant]), size, cutoff, True),
        ),
        (cascades(err_stop(orders)), kernel.expected_cascade(err_stop(row), size, cutoff)),
        (cascades(relevance), kernel.expected_cascade((row > 0) * 1.0, size, cutoff)),
    ]
    for scores, expected in cases:
        standard_error = scores.std(ddof=1) / np.sqrt(len(scores))
        assert abs(scores.mean() - expected[0]) < 4 * standard_error


def test_an_expected_reciprocal_rank_of_many_documents_stays_exact():
    # One of n documents is relevant; all ranks are equally likely.
    n = 5000
    got = kernel.expected_cascade(np.ones((1, 1)), np.array([n]), None)
    assert_allclose(got, [(1 / np.arange(1, n + 1)).mean()], rtol=1e-12)


def test_independence_understates_the_expected_sum_of_precision():
    relevant, size = np.array([3]), np.array([10])
    for cutoff, exact, independent in ((10, 1.350, 0.9), (5, 0.866, 0.45)):
        got = [
            kernel.expected_sum_of_precision(relevant, size, cutoff, kind)[0]
            for kind in (True, False)
        ]
        assert_allclose(got, [exact, independent], atol=5e-4)


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


def test_fractions_without_a_denominator_are_0():
    zero = np.zeros(1)
    assert_array_equal(kernel.version_1(zero, zero, zero), zero)
    assert_array_equal(kernel.version_2(zero, zero, zero), zero)
    assert_array_equal(kernel.version_2(np.ones(1), np.ones(1), np.ones(1)), zero)


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
