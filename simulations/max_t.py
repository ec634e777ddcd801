"""The max-t test: one critical value for all pairs of systems, from joint sign flips."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from irx_measures.common.numeric import FloatArray, safe_divide, slices
from irx_measures.stats.decisions import alpha_of
from irx_measures.stats.pairs import ROUNDING, Pairs
from irx_measures.stats.planning import t_statistic
from irx_measures.stats.tests import moderated_variance

# Larger than the error of r by rounding unless two systems differ by less than about a billionth of
# their scores; smaller than a difference that matters.
SLACK = 1e-4

# Scores, (systems, topics), and pairs of their systems.
ScoredPairs: TypeAlias = tuple[FloatArray, Pairs]


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
    measures: Sequence[ScoredPairs],
    level: float,
    resamples: int,
    rng: np.random.Generator,
    progress: Callable[[int], None] | None = None,
    prior_topics: float = 0.0,
) -> MaxT:
    """Single-step max-t test by joint sign flips (Westfall and Young 1993).

    Under the null hypothesis, the sign of each topic's differences is arbitrary. Each flip draws
    one sign per topic, the same for all pairs, so that the correlations of the pairs are kept. The
    adjusted p-value of a pair is the share of flips in which the largest ``|t|`` of all pairs is at
    least the ``|t|`` observed for this pair.

    Parameters
    ----------
    measures
        The scores and the pairs of each measure: at least one pair, and the same topics, at least
        two, in all measures.
    level
        Confidence level in (0, 1).
    resamples
        Number of random flips. If there are at most this many flips in all, all of them are made.
    progress
        Called with the number of flips just done.
    prior_topics
        Weight of the measure's median variance in each pair's variance, as in
        `moderated_variance`, of the observed differences and of each flip alike; 0 for Student's t.

    Notes
    -----
    With u the differences of a pair scaled to length 1 and s the signs, r = ``|u . s|`` is a
    monotone function of ``|t|``. The largest ``|t|`` of a flip is then that of the largest r. As
    ``u = (x - y) / |x - y|`` for the scores x and y of the two systems, r is
    ``|x . s - y . s| / |x - y|``: a flip needs one product per system, not per pair. Moderated
    variances need the variance of every pair in every flip; so every ``|t|`` is computed.
    """
    topics = measures[0][0].shape[1]
    exact = 2 ** (topics - 1) <= resamples
    others = 2 ** (topics - 1) - 1 if exact else resamples
    largest_t = _ModeratedT(measures, prior_topics) if prior_topics else _StudentsT(measures)
    sampled = np.empty(others)
    for chunk in slices(others, max(largest_t.width, topics)):
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


class _Row(NamedTuple):
    """The pairs of one system, with neighbours in the order of the scores.

    Attributes
    ----------
    system
    others
        The neighbours.
    scale
        1 divided by the length of the differences; 0 where the systems are equal or no pair.
    """

    system: int
    others: slice
    scale: FloatArray


class _StudentsT:
    """The largest ``|t|`` of flips.

    Attributes
    ----------
    observed
        The ``|t|`` of each pair.
    width
        How many numbers are computed at a time for each flip.
    """

    def __init__(self, measures: Sequence[ScoredPairs]) -> None:
        observed = [_observed(scores, pairs) for scores, pairs in measures]
        self.observed = np.concatenate([t for t, _ in observed])
        self.width = max(len(scores) for scores, _ in measures)
        self._measures = [
            (scores, list(_rows(pairs, safe_divide(1.0, length))))
            for (scores, pairs), (_, length) in zip(measures, observed, strict=True)
        ]

    def __call__(self, signs: FloatArray) -> FloatArray:
        """The largest ``|t|`` of each flip, from its signs (flips, topics): (flips,)."""
        largest = np.zeros(len(signs))
        for scores, rows in self._measures:
            flipped = scores @ signs.T
            space = np.empty_like(flipped)
            for system, others, scale in rows:
                r = np.subtract(flipped[others], flipped[system], out=space[: len(scale)])
                r *= scale[:, np.newaxis]
                np.maximum(largest, np.abs(r, out=r).max(axis=0), out=largest)
        return _t_of(largest + SLACK, signs.shape[1])


def _observed(scores: FloatArray, pairs: Pairs) -> tuple[FloatArray, FloatArray]:
    """The ``|t|`` of each pair, and the length of its differences: (pairs,), (pairs,)."""
    t, length = np.empty((2, len(pairs.first)))
    for block, in_block in pairs.blocks(scores.shape[1]):
        differences = in_block.differences(scores)
        t[block] = np.abs(t_statistic(differences))
        length[block] = np.linalg.norm(differences, axis=1)
    return t, length


def _rows(pairs: Pairs, scale: FloatArray) -> Iterator[_Row]:
    """The pairs by one of their systems: the side on which there are fewer."""
    systems, others = sorted(pairs, key=lambda side: len(np.unique(side)))
    order = np.argsort(systems, kind="stable")
    starts = np.flatnonzero(np.diff(systems[order])) + 1
    for row in np.split(order, starts):
        low, high = int(others[row].min()), int(others[row].max())
        by_other = np.zeros(high + 1 - low)
        by_other[others[row] - low] = scale[row]
        yield _Row(int(systems[row[0]]), slice(low, high + 1), by_other)


class _ModeratedT:
    """The largest moderated ``|t|`` of flips; the attributes are those of `_StudentsT`."""

    def __init__(self, measures: Sequence[ScoredPairs], prior_topics: float) -> None:
        self._prior = prior_topics
        self._measures = [
            (scores, pairs, _observed(scores, pairs)[1] ** 2) for scores, pairs in measures
        ]
        self.width = sum(len(squares) for _, _, squares in self._measures)
        self.observed = self._t(np.ones((1, measures[0][0].shape[1])))[0]

    def __call__(self, signs: FloatArray) -> FloatArray:
        """The largest ``|t|`` of each flip, from its signs (flips, topics): (flips,)."""
        return self._t(signs).max(axis=1) * (1.0 + ROUNDING)

    def _t(self, signs: FloatArray) -> FloatArray:
        """The ``|t|`` of each pair: (flips, pairs)."""
        return np.concatenate([self._of_measure(signs, *each) for each in self._measures], axis=1)

    def _of_measure(
        self, signs: FloatArray, scores: FloatArray, pairs: Pairs, squares: FloatArray
    ) -> FloatArray:
        topics = signs.shape[1]
        size = np.abs(pairs.differences(scores @ signs.T).T) / topics  # of the means
        size[:, squares == 0] = 0.0
        variance = (squares - topics * size**2) / (topics - 1)
        variance[variance <= ROUNDING * squares] = 0.0
        variance = moderated_variance(variance, topics, self._prior)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = size * np.sqrt(topics / variance)
        return np.where(size == 0, 0.0, t)


def _t_of(r: ArrayLike, topics: int) -> FloatArray:
    """The ``|t|`` of r = ``|u . s|``, where the cosine of u and s is r / sqrt(topics)."""
    square = np.minimum(np.square(r) / topics, 1.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.sqrt(square * (topics - 1) / (1.0 - square)))


def _random_signs(topics: int, chunk: slice, rng: np.random.Generator) -> FloatArray:
    # One random number per sign: the signs then do not depend on the size of the chunks.
    drawn = rng.random((chunk.stop - chunk.start, topics)) < 0.5
    return np.where(drawn, -1.0, 1.0)


def _all_signs(topics: int, chunk: slice) -> FloatArray:
    """Flips number 1 to 2^(topics - 1) - 1; the sign of the last topic never changes.

    Flip 0 is the observed one. Flipping all topics changes no ``|t|``.
    """
    number = np.arange(chunk.start + 1, chunk.stop + 1)[:, np.newaxis]
    return np.where(number >> np.arange(topics) & 1, -1.0, 1.0)
