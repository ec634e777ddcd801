"""Hypotheses of no difference, and what a family of tests says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import ir_measures
import numpy as np

from ..common.numeric import AnyArray, BoolArray, FloatArray, Int64Array
from ..common.validators import generator
from ..exceptions import InputError
from ..measures.named_score import direction_of
from ..stats.corrections import corrected
from ..stats.intervals import t_half_width, two_sided_t
from ..stats.moderated import moderated_variance
from ..stats.pairs import Pairs
from ..stats.planning import hedges_g
from ..stats.ranks import ROUNDING
from ..stats.rejection import rejects
from ..stats.resolution import MULTIPLYING, check_can_reject, enough_resamples
from ..stats.tests import TESTS
from .method import Method

Progress = Callable[[int], None]

SMALL_P = (0.01, 0.001)  # the customary steps below the level of the tests


@dataclass(frozen=True)
class Hypotheses:
    """The hypotheses of one measure, and of one group: the systems of each pair have the same mean.

    Attributes
    ----------
    measure
    systems : tuple of str
        The systems that have a score on the measure.
    scores : (systems, topics) floats
    pairs : Pairs
        Positions of the systems. The pair of two baselines stands here twice, from both sides; it
        is one hypothesis.
    group : str, optional
        The group of queries that the topics are; None if queries are not grouped.
    """

    measure: ir_measures.Measure
    systems: tuple[str, ...]
    scores: FloatArray
    pairs: Pairs
    group: str | None = None

    def __len__(self) -> int:
        """Number of hypotheses."""
        return len(self.stated)

    @cached_property
    def stated(self) -> Int64Array:
        """Positions in `pairs` of each hypothesis; of two sides, the first."""
        return self._unordered[0]

    @property
    def stated_pairs(self) -> Pairs:
        """Each hypothesis once."""
        return Pairs(self.pairs.first[self.stated], self.pairs.second[self.stated])

    @property
    def direction(self) -> float:
        """1 if higher scores are better, else -1."""
        return direction_of(self.measure)

    @property
    def of_pairs(self) -> Int64Array:
        """Which hypothesis each of the pairs is."""
        return self._unordered[1]

    @cached_property
    def _unordered(self) -> tuple[Int64Array, Int64Array]:
        return self.pairs.unordered()


@dataclass(frozen=True)
class Tested:
    """Hypotheses of one measure after the tests; each array is (pairs,).

    The pairs are those of `hypotheses.pairs`: both sides of a hypothesis have the same p-values.

    Attributes
    ----------
    hypotheses
    method
    mean
        Mean over topics of the first system's score minus the second's.
    effect
        Hedges' g of these differences.
    wins, ties
        Number of topics on which the first system has the better score, and the same.
    variance
        Of these differences over the topics, before it is moderated.
    half_width
        Half the width of the interval of `mean`; it agrees with the correction. NaN with ``bh``.
    p, p_adjusted
        Two-sided p-values before and after the correction.
    in_family
        Number of hypotheses that the correction covers.
    resamples
        Number of random samples that were drawn; None if the test does not resample.
    """

    hypotheses: Hypotheses
    method: Method
    mean: FloatArray
    effect: FloatArray
    wins: Int64Array
    ties: Int64Array
    variance: FloatArray
    half_width: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    in_family: int
    resamples: int | None

    @property
    def topics(self) -> int:
        return self.hypotheses.scores.shape[1]

    @property
    def family_variance(self) -> FloatArray:
        """The variance of each hypothesis once, before it is moderated: (hypotheses,)."""
        return self.variance[self.hypotheses.stated]

    @cached_property
    def losses(self) -> Int64Array:
        """Number of topics on which the first system has the worse score."""
        return self.topics - self.wins - self.ties

    @cached_property
    def lower(self) -> FloatArray:
        """The lower ends of the intervals."""
        return self.mean - self.half_width

    @cached_property
    def upper(self) -> FloatArray:
        """The upper ends of the intervals."""
        return self.mean + self.half_width

    @cached_property
    def rejected(self) -> BoolArray:
        return rejects(self.p_adjusted, self.method.level)

    @property
    def significant(self) -> int:
        """Number of rejected hypotheses."""
        return int(np.count_nonzero(self.rejected[self.hypotheses.stated]))

    @property
    def thresholds(self) -> list[float]:
        """The steps of adjusted p, descending; the first is the level of the tests."""
        alpha = self.method.alpha
        return [alpha, *(step for step in SMALL_P if step < alpha)]

    def steps_of(self, p_adjusted: FloatArray | float) -> Int64Array:
        """How many thresholds adjusted p-values reach; 0: not significant."""
        reached = [rejects(p_adjusted, 1.0 - threshold) for threshold in self.thresholds]
        return np.asarray(np.sum(reached, axis=0), np.int64)

    @cached_property
    def better(self) -> BoolArray:
        """Which system (row) is significantly better than which (column), by the family."""
        return self.better_where(self.rejected)

    def better_where(self, rejected: BoolArray) -> BoolArray:
        """Which system (row) is better than which (column), given the rejected hypotheses."""
        better = np.zeros((len(self.hypotheses.systems),) * 2, bool)
        first, second = self.hypotheses.pairs
        gain = self.hypotheses.direction * self.mean
        better[first, second] = rejected & (gain > 0)
        better[second, first] = rejected & (gain < 0)
        return better


def joined_columns(parts: Sequence[object], **attributes: str) -> dict[str, AnyArray]:
    """Columns with the arrays of all parts of a result; `attributes` are theirs, by the columns."""
    return {
        column: np.concatenate([getattr(part, name) for part in parts])
        for column, name in attributes.items()
    }


def names_of(tested: Sequence[Tested]) -> dict[str, list[str]]:
    """The measure, the group and the systems of every hypothesis, by the names of the columns."""
    names: dict[str, list[str]] = {"measure": [], "system": [], "baseline": []}
    if is_grouped(tested):
        names = {"group": [], **names}
    for part in tested:
        systems, pairs = part.hypotheses.systems, part.hypotheses.pairs
        if part.hypotheses.group is not None:
            names["group"] += [part.hypotheses.group] * len(pairs.first)
        names["measure"] += [str(part.hypotheses.measure)] * len(pairs.first)
        names["system"] += [systems[position] for position in pairs.first.tolist()]
        names["baseline"] += [systems[position] for position in pairs.second.tolist()]
    return names


def is_grouped(tested: Iterable[Tested]) -> bool:
    """Whether the tests are those of groups of queries."""
    return any(part.hypotheses.group is not None for part in tested)


def families_of(parts: Iterable[Hypotheses]) -> list[list[Hypotheses]]:
    """The hypotheses that one correction covers: those of a measure, in all groups.

    The groups of a measure stand side by side.
    """
    return [list(family) for _, family in groupby(parts, lambda part: part.measure)]


def decide(
    parts: Sequence[Hypotheses], method: Method, progress: Progress | None = None
) -> list[Tested]:
    """Test the hypotheses of every measure and group; for the families, see `families_of`.

    Raises
    ------
    InputError
        If no hypothesis could be rejected, whatever the scores.
    """
    families = families_of(parts)
    return [tested for family in families for tested in _decide_family(family, method, progress)]


def resamples_of(method: Method, in_family: int) -> int | None:
    """Number of random samples for a family; None if nothing is resampled."""
    if not method.draws:
        return None
    if method.correction in MULTIPLYING:
        return enough_resamples(method.resamples, in_family, method.alpha)
    return method.resamples


def _decide_family(
    family: Sequence[Hypotheses], method: Method, progress: Progress | None
) -> list[Tested]:
    in_family = sum(map(len, family))
    resamples = resamples_of(method, in_family)
    for part in family:
        try:
            check_can_reject(
                part.scores,
                part.pairs,
                test=method.test,
                correction=method.correction,
                hypotheses=in_family,
                alpha=method.alpha,
                resamples=resamples,
            )
        except InputError as error:
            if part.group is None:
                raise
            raise InputError(f"group {part.group!r}: {error}") from None
    p = np.concatenate([_p_values(part, method, resamples, progress) for part in family])
    adjusted = corrected(p, method.correction)
    tested, end = [], 0
    for part in family:
        start, end = end, end + len(part)
        own_p, own_adjusted = (values[start:end][part.of_pairs] for values in (p, adjusted))
        tested.append(_tested(part, method, own_p, own_adjusted, in_family, resamples))
    return tested


def _p_values(
    part: Hypotheses, method: Method, resamples: int | None, progress: Progress | None
) -> FloatArray:
    """p-values of the hypotheses before the correction."""
    test, pairs = TESTS[method.test], part.stated_pairs
    if test.moderated:
        return test.p_values(part.scores, pairs, method.prior_topics)
    if not test.resamples:
        return test.p_values(part.scores, pairs)
    return test.p_values(part.scores, pairs, resamples, generator(method.seed), progress)


def _tested(
    part: Hypotheses,
    method: Method,
    p: FloatArray,
    p_adjusted: FloatArray,
    in_family: int,
    resamples: int | None,
) -> Tested:
    mean, variance, effect = np.empty((3, len(p)))
    wins, ties = np.empty((2, len(p)), np.int64)
    topics = part.scores.shape[1]
    for block, in_block in part.pairs.blocks(topics):
        difference = in_block.differences(part.scores)
        mean[block] = difference.mean(axis=1)
        variance[block] = difference.var(axis=1, ddof=1)
        effect[block] = hedges_g(difference)
        wins[block] = np.count_nonzero(part.direction * difference > ROUNDING, axis=1)
        ties[block] = np.count_nonzero(np.abs(difference) <= ROUNDING, axis=1)
    deviation = np.sqrt(
        moderated_variance(variance, topics, method.prior_topics, variance[part.stated])
    )
    half_width = t_half_width(deviation, topics, _critical_t(method, in_family, topics))
    return Tested(
        part,
        method,
        mean,
        effect,
        wins,
        ties,
        variance,
        half_width,
        p,
        p_adjusted,
        in_family,
        resamples,
    )


def _critical_t(method: Method, in_family: int, topics: int) -> float:
    """The critical value of the intervals; NaN with ``bh``, which has none."""
    if not method.has_intervals:
        return np.nan
    covered = in_family if method.correction in MULTIPLYING else 1
    return two_sided_t(method.alpha / covered, topics - 1)
