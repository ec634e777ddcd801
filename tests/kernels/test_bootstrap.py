"""Sampling, enumeration and statistics of the bootstrap against the oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.kernels import bootstrap as kernel
from tests.oracles import bootstrap as oracle

LEVELS = 4
stocks = st.lists(st.integers(0, 3), min_size=LEVELS, max_size=LEVELS)
weights = st.lists(st.integers(0, 5), min_size=LEVELS, max_size=LEVELS).filter(any)


@given(
    queries=st.lists(st.tuples(stocks, weights), min_size=1, max_size=3),
    unjudged=st.integers(1, 5),
    seed=st.integers(0, 99),
)
def test_every_sample_is_the_algorithms(queries, unjudged, seed):
    left = np.array([stock for stock, _ in queries])
    prior = kernel.shares(np.array([weight for _, weight in queries]))
    draws = np.random.default_rng(seed).random((len(queries), unjudged, 7), np.float32)
    got = kernel.sample_levels(prior, left, draws)
    top = [f"unjudged{number}" for number in range(unjudged)]
    for query, (stock, _) in enumerate(queries):
        qrels = {f"{g}-{i}": g for g, count in enumerate(stock) for i in range(count)}
        chances = dict(enumerate(prior[query].tolist()))
        for sample in range(7):
            expected = oracle.one_sample(qrels, top, chances, draws[query, :, sample].tolist())
            assert got[query, :, sample].tolist() == expected


@given(stock=stocks, weight=weights, unjudged=st.integers(1, 4))
def test_probabilities_are_those_of_the_algorithm(stock, weight, unjudged):
    prior = kernel.shares(np.array([weight]))
    got = kernel.assignment_probability(prior, np.array([stock]), unjudged)[0]
    qrels = {f"{g}-{i}": g for g, count in enumerate(stock) for i in range(count)}
    chances = dict(enumerate(prior[0].tolist()))
    expected = dict.fromkeys(map(tuple, kernel.all_assignments(LEVELS, unjudged).T.tolist()), 0.0)
    for grades, probability in oracle.distribution(qrels, ["?"] * unjudged, chances):
        expected[grades] += probability
    assert_allclose(got, list(expected.values()), rtol=1e-12, atol=1e-15)
    assert got.sum() == pytest.approx(1)


def test_levels_beyond_a_byte_do_not_overflow():
    prior = np.zeros((1, 300))
    prior[0, 299] = 1.0
    levels = kernel.sample_levels(prior, np.full((1, 300), 200), np.zeros((1, 2, 3), np.float32))
    assert (levels == 299).all()
    assert np.issubdtype(levels.dtype, np.signedinteger)


@given(
    st.lists(
        st.sampled_from([0.0, 0.1, 0.12, 0.5, 0.50001, 0.9, 1.0]) | st.floats(0, 1), min_size=1
    )
)
def test_mode_is_the_authors(samples):
    assert kernel.mode(np.array([samples]), None) == [oracle.mode(samples)]


@given(
    values=st.lists(st.floats(0, 1), min_size=1, max_size=8, unique=True),
    counts=st.data(),
)
def test_statistics_of_a_distribution_are_those_of_samples_in_its_proportions(values, counts):
    times = [counts.draw(st.integers(0, 4)) for _ in values]
    times[0] += 1
    samples = np.repeat(values, times)[np.newaxis]
    exact = np.array([values]), np.array([times]) / sum(times)
    assert kernel.mode(*exact) == kernel.mode(samples, None)
    assert_allclose(kernel.mean(*exact), samples.mean(axis=1), rtol=1e-12, atol=1e-15)
    assert_allclose(kernel.deviation(*exact), samples.std(axis=1), rtol=1e-7, atol=1e-9)
    for share in (0.05, 0.5, 0.95, 1.0):
        expected = np.quantile(samples, share, axis=1, method="inverted_cdf")
        assert_array_equal(kernel.quantile(*exact, share), expected)


def test_samples_of_several_queries_have_statistics_of_their_own():
    samples = np.random.default_rng(1).beta(2, 5, (4, 200)).round(2)
    assert_array_equal(kernel.mode(samples, None), [oracle.mode(row) for row in samples])
    assert_allclose(kernel.mean(samples, None), samples.mean(axis=1), rtol=1e-12)
    assert_allclose(kernel.deviation(samples, None), samples.std(axis=1), rtol=1e-12)
    for share in (0.25, 0.9):
        expected = np.quantile(samples, share, axis=1)
        assert_allclose(kernel.quantile(samples, None, share), expected, rtol=1e-12)


def test_unjudged_ranks_by_hand():
    rank = np.array([[2, 0, 4], [0, 0, 0], [1, 2, 3]])
    got = kernel.unjudged_ranks(rank, np.array([9, 2, 3]), cutoff=5)
    assert got.tolist() == [[1, 3, 5], [1, 2, 0], [0, 0, 0]]
    # Every judged document is in the first ranking, none in the second.
    got = kernel.unjudged_ranks(np.array([[2, 1], [0, 0]]), np.array([3, 1]), cutoff=5)
    assert got.tolist() == [[3], [1]]
    got = kernel.unjudged_ranks(np.array([[2, 1]]), np.array([3]), cutoff=2)
    assert got.shape == (1, 0)


def test_no_counts_share_as_if_all_were_not_relevant():
    shares = kernel.shares(np.array([[0, 0], [1, 3], [0, 1]]))
    assert shares.tolist() == [[1, 0], [0.25, 0.75], [0, 1]]


@pytest.mark.parametrize(
    ("values", "probabilities", "expected"),
    [
        # With 19 bins, 0 and 0.051 would share a bin. With 21, every sample would have its own.
        ([0.0, 0.051, 0.099, 1.0], None, 0.099),
        # Bin 19 is not bin 20, so that only the first bin holds two.
        ([0.0, 0.0, 0.92, 1.0], None, 0.0),
        # Samples that differ by at most 1e-4 are one bin. Beyond, the two least share a bin.
        ([0.0, 1e-6, 0.9e-4], None, 0.9e-4),
        ([0.0, 1e-6, 1e-4], None, 1e-4),
        ([0.0, 1e-6, 1.1e-4], None, 1e-6),
        # Of the first bins, to .05, all but 1 are left; of the second, to .002, .04 is not.
        ([0.0, 0.0, 0.0015, 0.04, 1.0], None, 0.0015),
        # Probabilities that are equal but for rounding are both the fullest.
        ([0.0, 0.0, 1.0], [0.1, 0.2, 0.3], 1.0),
        ([0.0, 0.0, 1.0], [0.15, 0.15, 0.1 + 0.2], 1.0),
        ([0.0, 0.0, 1.0], [0.15, 0.151, 0.3], 0.0),
        # Of 0 to 1, .04 shares a bin with 0. What cannot happen does not widen the bins.
        ([0.0, 0.04, 1.0, 100.0], [0.4, 0.3, 0.3, 0.0], 0.0),
    ],
)
def test_modes_by_hand(values, probabilities, expected):
    weights = None if probabilities is None else np.array([probabilities])
    assert kernel.mode(np.array([values]), weights) == [expected]


def test_statistics_of_a_distribution_by_hand():
    values, tenths = np.arange(10, 0, -1.0)[np.newaxis], np.full((1, 10), 0.1)
    assert_allclose(kernel.mean(values, tenths), [5.5], rtol=1e-12)
    assert_allclose(kernel.deviation(values, tenths), [np.sqrt(8.25)], rtol=1e-12)
    # 0.1 summed eight times is less than 0.8.
    expected = {0.05: 1, 0.1: 1, 0.11: 2, 0.3: 3, 0.8: 8, 0.95: 10, 1.0: 10}
    got = {share: kernel.quantile(values, tenths, share)[0] for share in expected}
    assert got == expected


def test_the_score_of_the_judged_documents_is_that_of_the_query_alone_to_the_last_bit():
    rng = np.random.default_rng(2)
    rank = np.array([rng.permutation(12)[:9] for _ in range(6)])
    gain, weights = rng.random((6, 9)), np.concatenate(([0.0], rng.random(11)))
    together = kernel.score_of_judged(rank, gain, weights)
    for row in range(6):
        one = slice(row, row + 1)
        assert kernel.score_of_judged(rank[one], gain[one], weights)[0] == together[row]
    assert_allclose(together, (weights[rank] * gain).sum(axis=1), rtol=1e-12)


def test_deeper_weights_change_no_bit_of_the_score_of_the_judged_documents():
    rng = np.random.default_rng(5)
    rank = rng.permutation(np.arange(1, 301))[np.newaxis]
    gain, weights = rng.random(rank.shape), np.append(0.0, rng.random(1000))
    short = kernel.score_of_judged(rank, gain, weights[:301])
    assert kernel.score_of_judged(rank, gain, weights).tolist() == short.tolist()


def test_counts_by_level_by_hand():
    level = np.array([[0, 2, 2, 1], [1, 1, 0, 2]])
    counted = np.array([[True, True, True, False], [True, True, True, True]])
    assert kernel.counts_by_level(level, counted, 3).tolist() == [[1, 0, 2], [1, 2, 1]]


@given(
    tops=st.lists(
        st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=1, max_size=6),
        min_size=1,
        max_size=3,
    ),
    dcg=st.sampled_from(["log2", "exp-log2"]),
    rel=st.integers(1, 3),
)
def test_scores_of_judged_and_of_sampled_documents_make_the_whole(tops, dcg, rel):
    """A ranking lists, per document, whether it is judged, and its (sampled) level."""
    depth, samples = max(map(len, tops)), 3
    most = max(sum(not judged for judged, _ in top) for top in tops)
    rank, grade = np.zeros((2, len(tops), depth), np.int64)
    unjudged_rank = np.zeros((len(tops), most), np.int64)
    levels = np.zeros((len(tops), most, samples), np.int8)
    relevant_at = np.zeros((len(tops), depth + 1), bool)
    for row, top in enumerate(tops):
        sampled = [(at, level) for at, (judged, level) in enumerate(top, 1) if not judged]
        for column, (at, level) in enumerate(sampled):
            unjudged_rank[row, column] = at
            levels[row, column] = [level, (level + 1) % 4, 0]
        for at, (judged, level) in enumerate(top, 1):
            if judged:
                rank[row, at - 1], grade[row, at - 1] = at, level
                relevant_at[row, at] = level >= rel
    gain = np.array([oracle.gain(level, dcg) for level in range(4)], float)
    weights = np.concatenate(([0.0], 1 / np.log2(np.arange(2, depth + 2))))
    judged = kernel.score_of_judged(rank, gain[grade], weights)
    sums = kernel.additive_scores(levels, weights[unjudged_rank], gain, judged)
    precisions = kernel.precision_sums(levels, unjudged_rank, np.arange(4) >= rel, relevant_at)
    for row, top in enumerate(tops):
        for sample, moved in enumerate((lambda g: g, lambda g: (g + 1) % 4, lambda g: 0)):
            grades = [level if judged else moved(level) for judged, level in top]
            assert sums[row, sample] == pytest.approx(oracle.dcg_of(grades, dcg, depth))
            total = oracle.base_score(grades, [3], "AP", depth, rel=rel)
            assert precisions[row, sample] == pytest.approx(total)
