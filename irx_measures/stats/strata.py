"""Differences of two systems over several groups of queries, each of the same weight.

The macro mean is the mean of the groups' means. Two questions are asked of a difference D of macro
means. "queries": would it be found with other queries of these groups? "groups": would it be found
with other groups like these? The second one is a t test of the groups' means (`tests.paired_t`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, Int64Array, safe_divide
from .intervals import t_isf, two_sided_p
from .pairs import Pairs, noise_of, without_noise

FEWEST_GROUPS = 2  # with one group, the macro mean is its mean

FEWEST_OF_QUERIES = 5
"""Queries of the smallest group that a test of the macro mean takes.

In simulations of 3 systems beside four groups of 100 queries, the family-wise error at .05 was .07
with 2 queries in the fifth group, and .05 with 3 and with 5. With fewer than 5, hardly any true
difference of many systems is found.
"""

FEWEST_OF_GROUPS = 3  # groups from which other groups are inferred: as topics of a comparison


class Moments(NamedTuple):
    """Means and variances of values in every group, for one row per pair or per system."""

    means: FloatArray  # (groups, rows)
    variances: FloatArray  # (groups, rows), of single queries, n - 1 in the denominator
    queries: Int64Array  # (groups,)

    @property
    def mean(self) -> FloatArray:
        """The macro mean: (rows,)."""
        return np.asarray(self.means.mean(axis=0))

    @property
    def of_means(self) -> FloatArray:
        """The variance of each group's mean: (groups, rows)."""
        return self.variances / self.queries[:, np.newaxis]

    @property
    def error(self) -> FloatArray:
        """The standard error of the macro mean: (rows,).

        ``SE^2 = sum of v_c / C^2``, where v_c is the variance of the mean of group c of C.
        """
        return np.asarray(np.sqrt(self.of_means.sum(axis=0)) / len(self.queries))

    @property
    def freedom(self) -> FloatArray:
        """Its degrees of freedom (Welch 1938, Satterthwaite 1946): (rows,).

        ``(sum of v_c)^2 / sum of v_c^2 / (n_c - 1)``; infinite where no group has a variance.
        """
        return _satterthwaite(self.of_means, self.queries)


def _satterthwaite(variances: FloatArray, queries: Int64Array) -> FloatArray:
    """Degrees of freedom of a sum of variances, (groups, rows), of groups of so many queries."""
    squares = (variances**2 / (queries[:, np.newaxis] - 1)).sum(axis=0)
    freedom = np.full(squares.shape, np.inf)
    np.divide(variances.sum(axis=0) ** 2, squares, out=freedom, where=squares > 0)
    return freedom


def moments_of(groups: Sequence[FloatArray]) -> Moments:
    """The moments of scores: for every group (systems, queries), of at least 2 queries."""
    noise = noise_of_groups(groups)
    return _moments(groups, noise)


def moments_of_differences(groups: Sequence[FloatArray], pairs: Pairs) -> Moments:
    """The moments of the differences of pairs: for every group scores (systems, queries).

    Differences that are float noise are 0, and so is a spread that is.
    """
    noise = noise_of_groups(groups)
    queries = np.array([scores.shape[1] for scores in groups], np.int64)
    means = np.empty((len(groups), len(pairs.first)))
    variances = np.empty_like(means)
    for block, in_block in pairs.blocks(int(queries.max())):
        found = _moments([in_block.differences(scores, noise) for scores in groups], noise)
        means[:, block], variances[:, block] = found.means, found.variances
    return Moments(without_noise(means, noise), variances, queries)


def noise_of_groups(groups: Sequence[FloatArray]) -> float:
    """The largest difference that is float noise, for scores of one measure in all groups."""
    return max(map(noise_of, groups))


def _moments(groups: Sequence[FloatArray], noise: float) -> Moments:
    means = np.array([values.mean(axis=1) for values in groups])
    spreads = np.array([values.std(axis=1, ddof=1) for values in groups])
    queries = np.array([values.shape[1] for values in groups], np.int64)
    return Moments(means, without_noise(spreads, noise) ** 2, queries)


def freedom_of_tests(found: Moments, tested: Int64Array) -> FloatArray:
    """Degrees of freedom of tests: the lesser of a pair's own and of the mean variances: (pairs,).

    `tested` are the positions of the pairs that are tested together; the mean variance of a group
    is over them. Among many pairs, some have a variance in a small group that is far too small by
    chance: their own degrees of freedom are then those of the larger groups. The mean variances
    alone would not do: they are of all groups where each pair differs in one group only.
    """
    total = found.of_means[:, tested].sum(axis=1, keepdims=True)  # it has those of the mean
    return np.minimum(found.freedom, _satterthwaite(total, found.queries))


def stratified_p(found: Moments, noise: float, freedom: FloatArray) -> FloatArray:
    """Two-sided p-values of D / SE by Student's t with these degrees of freedom: (pairs,).

    Where no group has a variance, p is 1 if D is 0, else 0.
    """
    return two_sided_p(without_noise(found.mean, noise), found.error, freedom)


def stratified_half_width(found: Moments, alpha: float, freedom: FloatArray) -> FloatArray:
    """Half the width of the interval of the macro mean: (rows,); 0 where there is no variance."""
    critical = t_isf(alpha / 2.0, freedom)
    return np.asarray(np.where(found.error > 0, critical * found.error, 0.0))


def stratified_effect(found: Moments) -> FloatArray:
    """Hedges' g of the macro mean of differences, in standard deviations: (pairs,).

    ``J(nu) D / sqrt(mean of s_c^2)`` with s_c^2 the variance of group c, ``nu = (sum of s_c^2)^2 /
    sum of s_c^4 / (n_c - 1)`` and ``J(nu) = Gamma(nu / 2) / (Gamma((nu - 1) / 2) sqrt(nu / 2))``.
    NaN if nu is not above 2; infinite if no group has a variance and D is not 0.
    """
    from scipy.special import gammaln

    freedom = _satterthwaite(found.variances, found.queries)
    defined = np.isfinite(freedom) & (freedom > 2.0)
    nu = np.where(defined, freedom, 3.0)
    factor = np.exp(gammaln(nu / 2.0) - gammaln((nu - 1.0) / 2.0)) / np.sqrt(nu / 2.0)
    effect = factor * safe_divide(found.mean, np.sqrt(found.variances.mean(axis=0)))
    effect = np.where(defined, effect, np.nan)
    constant = np.where(found.mean == 0.0, 0.0, np.copysign(np.inf, found.mean))
    return np.asarray(np.where(found.error > 0, effect, constant))


def between_groups(found: Moments) -> FloatArray:
    """The standard deviation between groups of their true differences: (pairs,).

    ``sqrt(max(0, variance of d_c - mean of v_c))``: what the queries' chance does not explain.
    """
    spread = found.means.var(axis=0, ddof=1) - found.of_means.mean(axis=0)
    return np.asarray(np.sqrt(np.maximum(spread, 0.0)))


def new_group(found: Moments, level: float) -> tuple[FloatArray, FloatArray]:
    """The interval of the difference in one further group: lower and upper, (pairs,) each.

    ``D +- t(C - 1) sqrt(variance of d_c (1 + 1 / C))``. It is about one pair alone: no correction
    changes it.
    """
    count = len(found.queries)
    critical = float(t_isf((1.0 - level) / 2.0, count - 1))
    half = critical * np.sqrt(found.means.var(axis=0, ddof=1) * (1.0 + 1.0 / count))
    return found.mean - half, found.mean + half
