"""Hypotheses of no difference, and what a family of tests says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, groupby

import ir_measures
import numpy as np

from ..common.numeric import AnyArray, BoolArray, FloatArray, Int64Array
from ..measures.named_score import direction_of
from ..scoring.score_matrix import ScoreMatrix
from ..stats.decisions import rejects
from ..stats.family import Decided, Part, decide
from ..stats.intervals import t_half_width, two_sided_t
from ..stats.pairs import Pairs
from ..stats.planning import hedges_g
from ..stats.ranks import ROUNDING
from ..stats.resampling import Progress
from ..stats.tests import moderated_variance
from .method import Method

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
        return len(self.unique)

    @property
    def unique(self) -> Int64Array:
        """Positions in `pairs` of each hypothesis; of two sides, the first."""
        return self._unordered[0]

    @property
    def unique_pairs(self) -> Pairs:
        """Each hypothesis once."""
        return Pairs(self.pairs.first[self.unique], self.pairs.second[self.unique])

    @property
    def hypothesis_of(self) -> Int64Array:
        """Which hypothesis each of the pairs is."""
        return self._unordered[1]

    @property
    def direction(self) -> float:
        """1 if higher scores are better, else -1."""
        return direction_of(self.measure)

    @cached_property
    def _unordered(self) -> tuple[Int64Array, Int64Array]:
        return self.pairs.unordered()


@dataclass(frozen=True)
class TestedMeasure:
    """The hypotheses of one measure after the tests; each array is (pairs,).

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

    @property
    def topics(self) -> int:
        return self.hypotheses.scores.shape[1]

    @property
    def family_variance(self) -> FloatArray:
        """The variance of each hypothesis once, before it is moderated: (hypotheses,)."""
        return self.variance[self.hypotheses.unique]

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
        return int(np.count_nonzero(self.rejected[self.hypotheses.unique]))

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
        """Which system (row) is significantly better than which (column): (systems, systems)."""
        better = np.zeros((len(self.hypotheses.systems),) * 2, bool)
        first, second = self.hypotheses.pairs
        gain = self.hypotheses.direction * self.mean
        better[first, second] = self.rejected & (gain > 0)
        better[second, first] = self.rejected & (gain < 0)
        return better


def hypotheses_of(
    matrix: ScoreMatrix, baselines: Sequence[str], group: str | None = None
) -> list[Hypotheses]:
    """The hypotheses of every measure that scores enough systems; `group` is their queries'."""
    hypotheses = []
    for measure, scores, undefined in zip(
        matrix.measures, matrix.scores, matrix.undefined, strict=True
    ):
        systems = tuple(compress(matrix.systems, (~undefined).tolist()))
        against = [systems.index(name) for name in baselines if name in systems]
        pairs = Pairs.against(len(systems), against) if baselines else Pairs.of(len(systems))
        if len(pairs.first):
            hypotheses.append(Hypotheses(measure, systems, scores[~undefined], pairs, group))
    return hypotheses


def joined_columns(parts: Sequence[object], **attributes: str) -> dict[str, AnyArray]:
    """Columns with the arrays of all parts of a result; `attributes` are theirs, by the columns."""
    return {
        column: np.concatenate([getattr(part, name) for part in parts])
        for column, name in attributes.items()
    }


def names_of(tested: Sequence[TestedMeasure]) -> dict[str, list[str]]:
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


def is_grouped(tested: Iterable[TestedMeasure]) -> bool:
    """Whether the tests are those of groups of queries."""
    return any(part.hypotheses.group is not None for part in tested)


def families_of(parts: Iterable[Hypotheses]) -> list[list[Hypotheses]]:
    """The hypotheses that one correction covers: those of a measure, in all groups.

    The groups of a measure stand side by side.
    """
    return [list(family) for _, family in groupby(parts, lambda part: part.measure)]


def all_tested(
    parts: Sequence[Hypotheses], method: Method, progress: Progress | None = None
) -> list[TestedMeasure]:
    """Test the hypotheses of every measure and group; for the families, see `families_of`.

    Raises
    ------
    InputError
        If no hypothesis could be rejected, whatever the scores.
    """
    tested = []
    for family in families_of(parts):
        in_family = sum(map(len, family))
        given = [Part(part.scores, part.unique_pairs, part.group) for part in family]
        for part, decided in zip(family, decide(given, method, progress), strict=True):
            tested.append(_tested(part, method, decided, in_family))
    return tested


def _tested(
    part: Hypotheses,
    method: Method,
    decided: Decided,
    in_family: int,
) -> TestedMeasure:
    mean, variance, effect = np.empty((3, len(part.pairs.first)))
    wins, ties = np.empty((2, len(part.pairs.first)), np.int64)
    topics = part.scores.shape[1]
    for block, in_block in part.pairs.blocks(topics):
        difference = in_block.differences(part.scores)
        mean[block] = difference.mean(axis=1)
        variance[block] = difference.var(axis=1, ddof=1)
        effect[block] = hedges_g(difference)
        wins[block] = np.count_nonzero(part.direction * difference > ROUNDING, axis=1)
        ties[block] = np.count_nonzero(np.abs(difference) <= ROUNDING, axis=1)
    deviation = np.sqrt(
        moderated_variance(variance, topics, method.prior_topics, variance[part.unique])
    )
    half_width = t_half_width(deviation, topics, _critical_t(method, in_family, topics))
    return TestedMeasure(
        part,
        method,
        mean,
        effect,
        wins,
        ties,
        variance,
        half_width,
        decided.p[part.hypothesis_of],
        decided.p_adjusted[part.hypothesis_of],
        in_family,
    )


def _critical_t(method: Method, in_family: int, topics: int) -> float:
    """The critical value of the intervals; NaN with ``bh``, which has none."""
    if not method.has_intervals:
        return np.nan
    return two_sided_t(method.alpha / method.factor(in_family), topics - 1)
