"""The max-t test: one critical value for all pairs of systems, from joint sign flips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..common.arrays import Float32Array, FloatArray
from ..common.chunks import slices
from ..common.division import safe_divide
from .moderated import moderated_variance
from .ranks import ROUNDING
from .rejection import alpha_of

# Larger than the error of the products in 32 bits, smaller than a difference that matters.
SLACK = 1e-4


class MaxT(NamedTuple):
    """The result of the max-t test.

    Attributes
    ----------
    p_value : (pairs,)
        Adjusted for the number of pairs. It is at most 1 - level exactly where the absolute value
        of `t_statistic` exceeds `critical_t`.
    critical_t
        inf if the number of flips is too small to reject anything at this level.
    flips
        Number of sign flips. If `exact`, it is the number of all flips, the observed one included.
    exact
        Whether all sign flips were made.
    """

    p_value: FloatArray
    critical_t: float
    flips: int
    exact: bool


def max_t(
    differences: FloatArray,
    level: float,
    resamples: int,
    rng: np.random.Generator,
    progress: Callable[[int], None] | None = None,
    prior_topics: float = 0.0,
    sizes: Sequence[int] | None = None,
) -> MaxT:
    """Single-step max-t test by joint sign flips (Westfall and Young 1993).

    Under the null hypothesis, the sign of each topic's differences is arbitrary. Each flip draws
    one sign per topic, the same for all pairs, so that the correlations of the pairs are kept. The
    adjusted p-value of a pair is the share of flips in which the largest ``|t|`` of all pairs is at
    least the ``|t|`` observed for this pair.

    Parameters
    ----------
    differences : (pairs, topics)
        At least one pair and two topics.
    level
        Confidence level in (0, 1).
    resamples
        Number of random flips. If there are at most this many flips in all, all of them are made.
    progress
        Called with the number of flips just done.
    prior_topics
        Weight of the median variance in each pair's variance, as in `moderated_variance`, of the
        observed differences and of each flip alike; 0 for Student's t.
    sizes
        How many of the pairs belong to each measure: the median is that of a measure. By default,
        all belong to one.

    Notes
    -----
    With u the differences of a pair scaled to length 1 and s the signs, r = ``|u . s|`` is a
    monotone function of ``|t|``. The largest ``|t|`` of a flip is then that of the largest r, and
    all flips are one matrix product. Moderated variances need the variance of every pair in every
    flip; so every ``|t|`` is computed.
    """
    topics = differences.shape[1]
    exact = 2 ** (topics - 1) <= resamples
    others = 2 ** (topics - 1) - 1 if exact else resamples
    largest_t: _StudentsT | _ModeratedT
    if prior_topics:
        largest_t = _ModeratedT(differences, prior_topics, sizes or [len(differences)])
    else:
        largest_t = _StudentsT(differences)
    sampled = np.empty(others)
    for chunk in slices(others, len(differences)):
        signs = _all_signs(topics, chunk) if exact else _random_signs(topics, chunk, rng)
        sampled[chunk] = largest_t(signs)
        if progress:
            progress(len(signs))
    sampled.sort()
    reached = others - np.searchsorted(sampled, largest_t.observed)
    p_value = (reached + 1.0) / (others + 1.0)
    # The small term corrects products that fall just below a whole number.
    # The observed signs are one flip. They and `allowed` - 1 others may reach a significant t.
    allowed = int(alpha_of(level) * (others + 1) + 1e-9)
    critical_t = float(sampled[-allowed]) if allowed else np.inf
    return MaxT(p_value, critical_t, others + exact, exact)


class _StudentsT:
    """The largest ``|t|`` of flips."""

    def __init__(self, differences: FloatArray) -> None:
        self.observed = np.abs(t_statistic(differences))
        self._direction = _directions(differences)

    def __call__(self, signs: Float32Array) -> FloatArray:
        """The largest ``|t|`` of each flip, from its signs (flips, topics): (flips,)."""
        product = signs @ self._direction
        largest = np.maximum(product.max(axis=1), -product.min(axis=1))
        return _t_of(largest + SLACK, signs.shape[1])


class _ModeratedT:
    """The largest moderated ``|t|`` of flips."""

    def __init__(self, differences: FloatArray, prior_topics: float, sizes: Sequence[int]) -> None:
        self._clean = _without_rounding(differences)
        self._squares = (self._clean**2).sum(axis=1)
        self._prior, self._ends = prior_topics, np.cumsum(sizes)[:-1]
        self.observed = self._t(np.ones((1, differences.shape[1])))[0]

    def __call__(self, signs: Float32Array) -> FloatArray:
        """The largest ``|t|`` of each flip, from its signs (flips, topics): (flips,)."""
        return self._t(signs).max(axis=1) * (1.0 + ROUNDING)

    def _t(self, signs: FloatArray | Float32Array) -> FloatArray:
        topics = signs.shape[1]
        size = np.abs(signs @ self._clean.T) / topics  # of the means
        variance = (self._squares - topics * size**2) / (topics - 1)
        variance[variance <= ROUNDING * self._squares] = 0.0
        for of_measure in np.split(variance, self._ends, axis=1):
            of_measure[:] = moderated_variance(of_measure, topics, self._prior)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = size * np.sqrt(topics / variance)
        return np.where(size == 0, 0.0, t)


def t_statistic(differences: FloatArray) -> FloatArray:
    """Student's paired t of each pair: (pairs,).

    It is 0 if all differences of a pair are 0, and infinite if they are equal but not 0.
    """
    statistic = np.empty(len(differences))
    for block in slices(*differences.shape):
        statistic[block] = _paired_t(_without_rounding(differences[block]))
    return statistic


def _paired_t(differences: FloatArray) -> FloatArray:
    mean = differences.mean(axis=1)
    spread = differences.std(axis=1, ddof=1)
    # Differences that are equal on all topics have a spread from rounding only.
    spread[spread <= ROUNDING * np.abs(mean)] = 0.0
    statistic = safe_divide(mean * np.sqrt(differences.shape[1]), spread)
    return np.where((spread == 0) & (mean != 0), np.copysign(np.inf, mean), statistic)


def _without_rounding(differences: FloatArray) -> FloatArray:
    return np.where(np.abs(differences) < ROUNDING, 0.0, differences)


def _directions(differences: FloatArray) -> Float32Array:
    """The differences of each pair, scaled to length 1: (topics, pairs)."""
    # 32 bits make the matrix products faster; `SLACK` covers their error.
    direction = np.empty(differences.shape, np.float32)
    for block in slices(*differences.shape):
        clean = _without_rounding(differences[block])
        length = np.sqrt((clean**2).sum(axis=1, keepdims=True))
        direction[block] = safe_divide(clean, length)
    return direction.T


def _t_of(r: ArrayLike, topics: int) -> FloatArray:
    """The ``|t|`` of r = ``|u . s|``, where the cosine of u and s is r / sqrt(topics)."""
    square = np.minimum(np.square(r) / topics, 1.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.sqrt(square * (topics - 1) / (1.0 - square)))


def _random_signs(topics: int, chunk: slice, rng: np.random.Generator) -> Float32Array:
    # One random number per sign: the signs then do not depend on the size of the chunks.
    drawn = rng.random((chunk.stop - chunk.start, topics)) < 0.5
    return np.where(drawn, np.float32(-1), np.float32(1))


def _all_signs(topics: int, chunk: slice) -> Float32Array:
    """Flips number 1 to 2^(topics - 1) - 1; the sign of the last topic never changes.

    Flip 0 is the observed one. Flipping all topics changes no ``|t|``.
    """
    number = np.arange(chunk.start + 1, chunk.stop + 1)[:, np.newaxis]
    return np.where(number >> np.arange(topics) & 1, np.float32(-1), np.float32(1))
