"""Tukey's tests of honestly significant differences, which cover all pairs of the systems."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..common.numeric import FloatArray
from .intervals import t_isf, two_sided_p
from .pairs import ROUNDING, Pairs
from .resampling import Progress

if TYPE_CHECKING:
    from numpy.polynomial import Chebyshev

# With 30 groups and 49 degrees of freedom, 81 nodes err by 1e-11 and 121 by less than 1e-12.
# 161 leave room for other designs.
NODES = 161
NEGLIGIBLE = 1e-14  # far below any alpha, even divided by thousands of pairs


def pairwise_hsd(scores: FloatArray, pairs: Pairs) -> FloatArray:
    """Tukey's HSD on two systems at a time, with unpaired topics and without correction.

    With two groups, the Studentised range is sqrt(2) |t|, so this is Student's unpaired t test.
    """
    queries = scores.shape[1]
    variance = scores.var(axis=1, ddof=1)
    error = np.sqrt((variance[pairs.first] + variance[pairs.second]) / queries)
    return two_sided_p(pairs.differences(scores.mean(axis=1)), error, 2 * queries - 2)


def tukey_one_way(scores: FloatArray, pairs: Pairs) -> FloatArray:
    """Tukey's HSD over all systems, after a one-way analysis of variance (topics are noise)."""
    systems, queries = scores.shape
    error = float(scores.var(axis=1, ddof=1).mean())
    return _studentized(scores, pairs, error, systems * (queries - 1))


def tukey_blocks(scores: FloatArray, pairs: Pairs) -> FloatArray:
    """Tukey's HSD over all systems with topics as blocks (two-way analysis, no interaction).

    It pools the error of all systems. It keeps the family-wise error rate only where the
    differences of all pairs have the same variance. Scores of retrieval systems do not: at a
    nominal 5%, simulations on TREC collections found .07 to .36.
    """
    systems, queries = scores.shape
    residual = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    freedom = (systems - 1) * (queries - 1)
    return _studentized(scores, pairs, float((residual**2).sum()) / freedom, freedom)


def _studentized(scores: FloatArray, pairs: Pairs, error: float, freedom: int) -> FloatArray:
    """p-values of the Studentised range of the means, given the mean square error."""
    systems, queries = scores.shape
    difference = np.abs(pairs.differences(scores.mean(axis=1)))
    variance = error / queries  # variance of a mean; 0 if tiny errors underflow
    if not variance > 0:
        return np.where(difference == 0, 1.0, 0.0)
    return studentized_range_sf(difference / np.sqrt(variance), systems, freedom)


def tukey_randomised(
    scores: FloatArray,
    pairs: Pairs,
    resamples: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> FloatArray:
    """Randomised Tukey HSD (Carterette, TOIS 2012; Sakai 2014).

    Under the null hypothesis, all systems are equal, so each topic's scores are assigned to systems
    arbitrarily. The test permutes each topic's scores among all systems. It counts the samples
    whose range of means is at least as large as the pair's difference. It keeps the family-wise
    error rate only where `tukey_blocks` does.
    """
    difference = np.abs(pairs.differences(scores.mean(axis=1)))
    ranges = np.empty(resamples)
    for number in range(resamples):
        mean = rng.permuted(scores, axis=0).mean(axis=1)
        ranges[number] = mean.max() - mean.min()
        if progress is not None:
            progress(1)
    ranges.sort()
    # Equal means of permuted scores differ by the order of summation.
    slack = ROUNDING * float(np.abs(scores).max())
    reached = (resamples - np.searchsorted(ranges, difference - slack)).astype(np.float64)
    return (reached + 1.0) / (resamples + 1.0)


def studentized_range_sf(statistic: FloatArray, groups: int, freedom: int) -> FloatArray:
    """Survival function of scipy's Studentised range, of many statistics of at least 0 at once.

    `groups` is their number, `freedom` the degrees of freedom of the error. scipy integrates once
    per statistic, which takes about 7 ms each. The function is smooth, so for many statistics it is
    computed at Chebyshev nodes and interpolated. The error is below 1e-11. Beyond the last node the
    function is set to 0, because Bonferroni's inequality bounds it by 1e-14.
    """
    distinct, place = np.unique(statistic, return_inverse=True)
    last = np.sqrt(2.0) * t_isf(NEGLIGIBLE / (groups * (groups - 1.0)), freedom)
    tail = distinct > last
    body = distinct[~tail]
    value = np.zeros(len(distinct))
    if len(body) <= NODES:
        value[~tail] = _integrated(body, groups, freedom)
    else:
        value[~tail] = _interpolated(float(last), groups, freedom)(body)
    return np.asarray(np.clip(value, 0.0, 1.0)[place], dtype=np.float64)


@lru_cache(maxsize=16)  # measures and tests of one campaign share groups and degrees of freedom
def _interpolated(last: float, groups: int, freedom: int) -> Chebyshev:
    """The function between 0 and the last node."""
    from numpy.polynomial import Chebyshev

    return Chebyshev.interpolate(_integrated, NODES - 1, domain=[0.0, last], args=(groups, freedom))


def _integrated(values: FloatArray, groups: int, freedom: int) -> FloatArray:
    from scipy.stats import studentized_range

    return np.asarray(studentized_range.sf(values, groups, freedom), dtype=np.float64)
