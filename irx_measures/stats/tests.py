"""Significance tests of pairs of systems, vectorised over the pairs.

Every test takes scores (systems, queries) and the pairs, and returns a two-sided p-value per pair.
Tests that resample also take the number of resamples, a random generator, and optionally
`progress`, which is called with the number of resamples just done. Pairs are handled in blocks so
that memory stays bounded. `TESTS` lists the tests by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, slices
from .intervals import two_sided_p
from .pairs import ROUNDING, Pairs, join_ties, noise_of
from .resampling import Progress, sample_chunks, topic_counts
from .tukey import pairwise_hsd, tukey_blocks, tukey_one_way, tukey_randomised

# As scipy's method='auto', which takes a second a pair for 2^13 signs of tied differences.
ALL_SIGNS = 13

PRIOR_TOPICS = 4.0
"""How many topics the family's median counts for.

Simulations on TREC collections: with 4, the family-wise error of skewed differences falls from .13
to .30 to .02 to .12, and 1 to 4% fewer pairs are found; with 8 it is .09 where 4 leave .12.
"""


def paired_t(scores: FloatArray, pairs: Pairs, prior_topics: float = 0.0) -> FloatArray:
    """Student's paired t test; with `prior_topics` above 0, of moderated variances.

    Two systems that differ on few topics may have a small variance by chance, and skewed
    differences make it small where the mean is far from 0. `moderated_variance` raises it. One pair
    alone has its own variance.
    """
    queries = scores.shape[1]
    mean, variance = np.empty((2, len(pairs.first)))
    for block, in_block in pairs.blocks(queries):
        difference = in_block.differences(scores)
        mean[block], variance[block] = difference.mean(axis=1), difference.var(axis=1, ddof=1)
    return t_p_values(mean, moderated_variance(variance, queries, prior_topics), queries)


def moderated_variance(
    variance: FloatArray, topics: int, prior_topics: float, family: FloatArray | None = None
) -> FloatArray:
    """Variances, of which those below the median of the family are averaged with it.

    ``max(v, (d0 m + (n - 1) v) / (d0 + n - 1))`` with v the variance of a pair's differences, (...,
    pairs), with ``n - 1`` in its denominator; n the topics, at least 2; and d0 = `prior_topics`, at
    least 0, which leaves the variances as they are. m is the median of the variances of the family,
    (..., hypotheses); by default, of these.
    """
    if family is None:
        family = variance
    median = np.median(family, axis=-1, keepdims=True)
    # Where v exceeds m, the mean is below v: the maximum keeps v, and no p-value falls.
    mean = (prior_topics * median + (topics - 1) * variance) / (prior_topics + topics - 1)
    return np.maximum(variance, mean)


def t_p_values(mean: FloatArray, variance: FloatArray, queries: int) -> FloatArray:
    """p-values of Student's t, given the means and variances of the differences."""
    return two_sided_p(mean, np.sqrt(variance / queries), queries - 1)


def wilcoxon(scores: FloatArray, pairs: Pairs) -> FloatArray:
    """Wilcoxon's signed-rank test, without the queries on which both systems score the same.

    Each pair has the p-value that scipy's default gives for its differences other than 0. If there
    are n of them, the test is exact up to n = 13, and up to n = 50 if they have distinct sizes.
    Otherwise it uses the normal approximation. Equal systems have p = 1.

    Differences that are equal but for float noise are tied (`join_ties`): scores k/n have the
    p-values of the whole numbers k. (scipy takes them as distinct; and given all differences, it
    uses the approximation if one is 0.)
    """
    p_value, noise = np.empty(len(pairs.first)), noise_of(scores)
    for block, in_block in pairs.blocks(scores.shape[1]):
        difference = in_block.differences(scores, noise)
        size = join_ties(np.abs(difference), noise)
        p_value[block] = _wilcoxon_of_differences(np.copysign(size, difference))
    return p_value


def _wilcoxon_of_differences(difference: FloatArray) -> FloatArray:
    """p-values of the differences other than 0: (pairs,)."""
    from scipy.stats import wilcoxon

    queries = difference.shape[1]
    smallest_first = np.argsort(np.abs(difference), axis=1)
    difference = np.take_along_axis(difference, smallest_first, axis=1)
    size = np.abs(difference)
    nonzero = np.count_nonzero(size, axis=1)
    tied = ((size[:, 1:] == size[:, :-1]) & (size[:, 1:] > 0)).any(axis=1)
    p_value = np.ones(len(difference))
    for count, ties in set(zip(nonzero.tolist(), tied.tolist(), strict=True)):
        same = (nonzero == count) & (tied == ties)
        others = difference[same, queries - count :]
        if ties and count <= ALL_SIGNS:
            p_value[same] = _signed_ranks(others)
        elif count:  # scipy chooses one method for all rows of an array
            p_value[same] = wilcoxon(others, axis=1).pvalue
    return p_value


def _signed_ranks(difference: FloatArray) -> FloatArray:
    """p-values of the signed-rank test over all assignments of signs; no difference is 0."""
    from scipy.stats import rankdata

    queries = difference.shape[1]
    rank = rankdata(np.abs(difference), axis=1)
    observed = (rank * (difference > 0)).sum(axis=1, keepdims=True)
    is_positive = np.arange(2**queries) >> np.arange(queries)[:, np.newaxis] & 1
    p_value = np.empty(len(difference))
    for block in slices(len(difference), 2**queries):
        sums = rank[block] @ is_positive  # multiples of 1/2, so they are exact
        lower = (sums <= observed[block]).mean(axis=1)
        upper = (sums >= observed[block]).mean(axis=1)
        p_value[block] = np.minimum(2.0 * np.minimum(lower, upper), 1.0)
    return p_value


def randomisation(
    scores: FloatArray,
    pairs: Pairs,
    resamples: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> FloatArray:
    """Fisher's paired randomisation test of the mean difference.

    Under the null hypothesis, the sign of each query's difference is arbitrary. The test draws
    random signs, the same for all pairs. It counts the samples whose absolute mean difference is at
    least as large as the observed one.
    """
    reached = np.zeros(len(pairs.first))

    def draw(size: int) -> FloatArray:
        return rng.choice((-1.0, 1.0), size=(scores.shape[1], size))

    for signs in sample_chunks(resamples, scores.shape[1], draw, progress):
        for block, in_block in pairs.blocks(max(signs.shape)):
            difference = in_block.differences(scores)
            slack = ROUNDING * np.abs(difference).sum(axis=1, keepdims=True)
            observed = np.abs(difference.sum(axis=1, keepdims=True))
            reached[block] += np.count_nonzero(
                np.abs(difference @ signs) >= observed - slack, axis=1
            )
    return (reached + 1.0) / (resamples + 1.0)


def bootstrap(
    scores: FloatArray,
    pairs: Pairs,
    resamples: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> FloatArray:
    """Sakai's paired bootstrap test of the Studentised mean difference (SIGIR 2006, Figure 1).

    The test shifts the differences to mean 0. It draws topics with replacement, the same for all
    pairs. It counts the samples whose absolute Studentised mean is at least as large as the
    observed one.
    """
    queries = scores.shape[1]
    largest = np.abs(scores).max()
    reached = np.zeros(len(pairs.first))

    def draw(size: int) -> FloatArray:
        return topic_counts(queries, size, rng).astype(np.float64).T

    for counts in sample_chunks(resamples, queries, draw, progress):
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
            # |t*| >= |t|, with both sides squared and multiplied by the sample's variance. If that
            # variance is 0, t* is infinite, or 0 if the sample's mean is also 0.
            as_large = sampled * (queries - 1.0) >= observed * spread * (1.0 - ROUNDING)
            as_large &= (spread > 0) | (sampled > ROUNDING * square) | (observed == 0)
            as_large &= (variance > 0) | (mean == 0)
            reached[block] += np.count_nonzero(as_large, axis=1)
    return (reached + 1.0) / (resamples + 1.0)


class SignificanceTest(NamedTuple):
    """A significance test of pairs of systems."""

    title: str  # its name in messages
    p_values: Callable[..., FloatArray]  # a function of the scores and the pairs
    resamples: bool = False  # whether it also takes a number of samples, a generator and `progress`
    family: bool = False  # whether it adjusts for all pairs of the systems itself
    corrected: bool = False  # whether the p-values are corrected by default
    moderated: bool = False  # whether it also takes `prior_topics`


TESTS: dict[str, SignificanceTest] = {
    "t": SignificanceTest("paired t test", paired_t, corrected=True),
    "moderated-t": SignificanceTest(
        "moderated paired t test", paired_t, corrected=True, moderated=True
    ),
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
