"""p-values of all pairs of systems: the tests themselves, vectorised over the pairs.

Every test takes scores (systems, queries) and returns a two-sided p-value per pair, in the order of
`Pairs.of`. Pairs are handled in blocks so that memory stays bounded. `TESTS` lists them by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..common.arrays import FloatArray
from ..common.division import safe_divide
from .pairs import Pairs
from .ranks import ROUNDING
from .resampling import sample_chunks, topic_counts
from .studentized_range import studentized_range_sf

EXACT_WILCOXON = 50
ALL_SIGNS = 13


def _two_sided_t(difference: FloatArray, error: FloatArray, freedom: float) -> FloatArray:
    """p-values of differences by their standard errors; a difference of 0 is never significant."""
    from scipy.stats import t

    statistic = safe_divide(np.abs(difference), error)
    p_value = np.where(error > 0, 2.0 * t.sf(statistic, freedom), 0.0)
    return np.where(difference == 0, 1.0, p_value)


def _by_block(
    scores: FloatArray, elements_per_pair: int, p_values_of: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """p-values of all pairs, block by block; differences are (pairs, queries)."""
    pairs = Pairs.of(len(scores))
    p_value = np.empty(len(pairs.first))
    for block, in_block in pairs.blocks(elements_per_pair):
        p_value[block] = p_values_of(in_block.differences(scores))
    return p_value


def paired_t(scores: FloatArray) -> FloatArray:
    """Student's paired t test."""
    queries = scores.shape[1]

    def p_values_of(difference: FloatArray) -> FloatArray:
        error = difference.std(axis=1, ddof=1) / np.sqrt(queries)
        return _two_sided_t(difference.mean(axis=1), error, queries - 1)

    return _by_block(scores, queries, p_values_of)


def wilcoxon(scores: FloatArray) -> FloatArray:
    """Wilcoxon's signed-rank test, without the queries on which both score the same.

    As scipy by default: exact for pairs without ties or zeros on at most 50 queries, and for all
    pairs on at most 13; else by the normal approximation.
    """
    queries = scores.shape[1]
    if queries <= ALL_SIGNS:
        return _by_block(scores, 2**queries, _signed_ranks)
    return _by_block(scores, queries, _wilcoxon_of_scipy)


def _wilcoxon_of_scipy(difference: FloatArray) -> FloatArray:
    from scipy.stats import wilcoxon

    size = np.sort(np.abs(difference), axis=1)
    distinct = (size[:, 0] > 0) & (np.diff(size, axis=1) > 0).all(axis=1)
    exact = distinct & (difference.shape[1] <= EXACT_WILCOXON)
    normal = ~exact & (size[:, -1] > 0)
    p_value = np.ones(len(difference))
    if exact.any():
        p_value[exact] = wilcoxon(difference[exact], axis=1, method="exact").pvalue
    if normal.any():
        p_value[normal] = wilcoxon(difference[normal], axis=1, method="approx").pvalue
    return p_value


def _signed_ranks(difference: FloatArray) -> FloatArray:
    """p-values of the signed-rank test over all assignments of signs: (pairs,)."""
    from scipy.stats import rankdata

    zeros = np.count_nonzero(difference == 0, axis=1, keepdims=True)
    rank = np.where(difference == 0, 0.0, rankdata(np.abs(difference), axis=1) - zeros)
    queries = difference.shape[1]
    is_positive = np.arange(2**queries) >> np.arange(queries)[:, np.newaxis] & 1
    observed = (rank * (difference > 0)).sum(axis=1, keepdims=True)
    sums = rank @ is_positive  # multiples of 1/2, so they are exact
    tails = (sums <= observed).mean(axis=1), (sums >= observed).mean(axis=1)
    return np.asarray(np.minimum(2.0 * np.minimum(*tails), 1.0))


def randomisation(scores: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Fisher's paired randomisation test of the mean difference.

    Under the null the sign of each query's difference is arbitrary: signs are drawn, the same for
    all pairs, and samples counted whose mean difference is at least as large.
    """
    pairs = Pairs.of(len(scores))
    reached = np.zeros(len(pairs.first))

    def draw(size: int) -> FloatArray:
        return rng.choice((-1.0, 1.0), size=(scores.shape[1], size))

    for signs in sample_chunks(resamples, scores.shape[1], draw):
        for block, in_block in pairs.blocks(max(signs.shape)):
            difference = in_block.differences(scores)
            slack = ROUNDING * np.abs(difference).sum(axis=1, keepdims=True)
            observed = np.abs(difference.sum(axis=1, keepdims=True))
            reached[block] += np.count_nonzero(
                np.abs(difference @ signs) >= observed - slack, axis=1
            )
    return (reached + 1.0) / (resamples + 1.0)


def bootstrap(scores: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Sakai's paired bootstrap test of the Studentised mean difference (SIGIR 2006, Figure 1).

    Differences are moved to mean 0; topics are drawn with replacement, the same for all pairs, and
    samples counted whose Studentised mean is at least as large as the one observed.
    """
    queries = scores.shape[1]
    largest = np.abs(scores).max()
    pairs = Pairs.of(len(scores))
    reached = np.zeros(len(pairs.first))

    def draw(size: int) -> FloatArray:
        return topic_counts(queries, size, rng).astype(np.float64).T

    for counts in sample_chunks(resamples, queries, draw):
        for block, in_block in pairs.blocks(max(counts.shape)):
            difference = in_block.differences(scores)
            mean = difference.mean(axis=1, keepdims=True)
            moved = difference - mean
            moved[np.abs(moved) <= ROUNDING * largest] = 0.0
            variance = (moved**2).sum(axis=1, keepdims=True) / (queries - 1.0)
            observed = queries * mean**2 / np.where(variance > 0, variance, 1.0)
            total, square = moved @ counts, moved**2 @ counts
            sampled = total**2 / queries
            spread = square - sampled
            spread[spread <= ROUNDING * square] = 0.0
            # |t*| >= |t|, squared and times the sample's variance, which may be 0: t* is then
            # infinite, or 0 where the sample's mean is 0 too.
            as_large = sampled * (queries - 1.0) >= observed * spread * (1.0 - ROUNDING)
            as_large &= (spread > 0) | (sampled > ROUNDING * square) | (observed == 0)
            as_large &= (variance > 0) | (mean == 0)
            reached[block] += np.count_nonzero(as_large, axis=1)
    return (reached + 1.0) / (resamples + 1.0)


def pairwise_hsd(scores: FloatArray) -> FloatArray:
    """Tukey's HSD run on two systems at a time, topics unpaired, no correction for the family.

    With two groups the Studentised range is sqrt(2) |t|: this is Student's unpaired t test.
    """
    queries = scores.shape[1]
    pairs = Pairs.of(len(scores))
    variance = scores.var(axis=1, ddof=1)
    error = np.sqrt((variance[pairs.first] + variance[pairs.second]) / queries)
    return _two_sided_t(pairs.differences(scores.mean(axis=1)), error, 2 * queries - 2)


def tukey_one_way(scores: FloatArray) -> FloatArray:
    """Tukey's HSD over all systems, after a one-way analysis of variance: topics are noise."""
    systems, queries = scores.shape
    error = float(scores.var(axis=1, ddof=1).mean())
    return _studentized(scores, error, systems * (queries - 1))


def tukey_blocks(scores: FloatArray) -> FloatArray:
    """Tukey's HSD over all systems, topics as blocks (two-way analysis, no interaction)."""
    systems, queries = scores.shape
    residual = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    freedom = (systems - 1) * (queries - 1)
    return _studentized(scores, float((residual**2).sum()) / freedom, freedom)


def _studentized(scores: FloatArray, error: float, freedom: int) -> FloatArray:
    """p-values of the range of the means, given the mean square error."""
    systems, queries = scores.shape
    difference = np.abs(Pairs.of(systems).differences(scores.mean(axis=1)))
    variance = error / queries  # of a mean; 0 if tiny errors underflow
    if not variance > 0:
        return np.where(difference == 0, 1.0, 0.0)
    return studentized_range_sf(difference / np.sqrt(variance), systems, freedom)


def tukey_randomised(scores: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Randomised Tukey HSD (Carterette, TOIS 2012; Sakai 2014).

    Under the null that all systems are alike, the scores of each topic are arbitrarily assigned:
    they are permuted among all systems, and samples counted whose range of means is at least as
    large as the pair's difference.
    """
    difference = np.abs(Pairs.of(len(scores)).differences(scores.mean(axis=1)))
    ranges = np.empty(resamples)
    for number in range(resamples):
        mean = rng.permuted(scores, axis=0).mean(axis=1)
        ranges[number] = mean.max() - mean.min()
    ranges.sort()
    slack = ROUNDING * float(np.abs(scores).max())
    reached = (resamples - np.searchsorted(ranges, difference - slack)).astype(np.float64)
    return (reached + 1.0) / (resamples + 1.0)


class SignificanceTest(NamedTuple):
    """A significance test of all pairs of systems.

    Attributes
    ----------
    title
        In words.
    p_values
        The function: of the scores, and of the number of resamples and a generator if it resamples.
    resamples
        Whether it draws random samples.
    family
        Whether it controls the error of the whole family of pairs by itself.
    corrected
        Whether its p-values are corrected for the number of pairs by default.
    """

    title: str
    p_values: Callable[..., FloatArray]
    resamples: bool = False
    family: bool = False
    corrected: bool = False


TESTS: dict[str, SignificanceTest] = {
    "t": SignificanceTest("paired t test", paired_t, corrected=True),
    "wilcoxon": SignificanceTest("Wilcoxon signed-rank test", wilcoxon, corrected=True),
    "randomisation": SignificanceTest("paired randomisation test", randomisation, resamples=True),
    "bootstrap": SignificanceTest("paired bootstrap test", bootstrap, resamples=True),
    "hsd-pairwise": SignificanceTest("Tukey HSD of two systems at a time", pairwise_hsd),
    "tukey": SignificanceTest("one-way Tukey HSD", tukey_one_way, family=True),
    "tukey-blocks": SignificanceTest("Tukey HSD with topics as blocks", tukey_blocks, family=True),
    "tukey-randomised": SignificanceTest(
        "randomised Tukey HSD", tukey_randomised, resamples=True, family=True
    ),
}
