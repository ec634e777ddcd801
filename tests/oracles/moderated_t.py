"""The moderated paired t test, as slow loops."""

from math import sqrt
from statistics import median, variance

from scipy import stats


def moderated_variances(rows, prior):
    """A variance for every row of differences, from the variances of all rows."""
    own = [variance(row) for row in rows]
    middle, freedom = median(own), len(rows[0]) - 1
    return [max(v, (prior * middle + freedom * v) / (prior + freedom)) for v in own]


def moderated_t(rows, prior):
    """t of every row of differences."""
    topics = len(rows[0])
    return [
        sum(row) / topics / sqrt(v / topics)
        for row, v in zip(rows, moderated_variances(rows, prior), strict=True)
    ]


def p_values(rows, prior):
    """Two-sided p-values, without a correction."""
    return [2 * stats.t.sf(abs(t), len(rows[0]) - 1) for t in moderated_t(rows, prior)]


def max_t_p_values(rows, prior, flips):
    """p-values adjusted by these flips, each a list of signs, beside the observed one."""
    observed = [abs(t) for t in moderated_t(rows, prior)]
    largest = [
        max(
            abs(t)
            for t in moderated_t(
                [[s * d for s, d in zip(signs, row, strict=True)] for row in rows], prior
            )
        )
        for signs in flips
    ]
    return [(1 + sum(m >= t - 1e-9 for m in largest)) / (1 + len(flips)) for t in observed]
