"""Hypotheses of no difference, and what a family of tests says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import ir_measures
import numpy as np

from ..common.memory import ALLOWS, require_memory
from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.writing import counted
from ..measures.naming.named_score import direction_of
from ..scoring.score_matrix import ScoreMatrix
from ..stats.decisions import rejects
from ..stats.family import Method, Part, decide
from ..stats.intervals import t_half_width
from ..stats.pairs import Pairs, noise_of, pairs_of, without_noise
from ..stats.planning import hedges_g
from ..stats.resampling import Progress
from ..stats.tests import moderated_variance

# Bytes of a pair, measured: what its hypothesis on a measure keeps, and what the tests take beside.
KEPT, WORKING = 90, 110

FEWER_PAIRS = "`baseline` names one system with which the others are compared"

SMALL_P = (0.01, 0.001)  # the customary steps below the level of the tests


@dataclass(frozen=True)
class TestedMeasure:
    """The tested hypotheses of one measure, and of one group: both systems have the same mean.

    The pair of two baselines stands twice among the pairs, from both sides; it is one hypothesis,
    with one p-value.
    """

    measure: ir_measures.Measure
    group: str | None  # of queries, which the topics are; None if queries are not grouped
    systems: tuple[str, ...]  # those with a score on the measure
    scores: FloatArray  # (systems, topics)
    pairs: Pairs  # positions of the systems
    mean: FloatArray  # (pairs,), over topics of the first system's score minus the second's
    variance: FloatArray  # (pairs,), of these differences, before it is moderated
    effect: FloatArray  # (pairs,), Hedges' g
    wins: Int64Array  # (pairs,), topics on which the first system has the better score
    ties: Int64Array  # (pairs,), topics with the same score
    method: Method
    in_family: int  # number of hypotheses that the correction covers
    p: FloatArray  # (pairs,), two-sided
    p_adjusted: FloatArray  # (pairs,), after the correction

    @property
    def is_tested(self) -> bool:
        """False if no baseline has a score on the measure: then there are means only."""
        return len(self.pairs.first) > 0

    @property
    def topics(self) -> int:
        return self.scores.shape[1]

    @property
    def direction(self) -> float:
        """1 if higher scores are better, else -1."""
        return direction_of(self.measure)

    @cached_property
    def stated(self) -> Int64Array:
        """Positions in `pairs` of each hypothesis; of two sides, the first."""
        return self.pairs.unordered()[0]

    @property
    def family_variance(self) -> FloatArray:
        """The variance of each hypothesis once, before it is moderated: (hypotheses,)."""
        return self.variance[self.stated]

    @cached_property
    def losses(self) -> Int64Array:
        """Number of topics on which the first system has the worse score."""
        return self.topics - self.wins - self.ties

    @cached_property
    def half_width(self) -> FloatArray:
        """Half the width of the interval of `mean`, which agrees with the correction.

        NaN with ``bh``, which has no intervals.
        """
        if not (self.method.has_intervals and self.is_tested):
            return np.full(len(self.mean), np.nan)
        variance = moderated_variance(
            self.variance, self.topics, self.method.prior_topics, self.family_variance
        )
        alpha = self.method.alpha / self.method.factor(self.in_family)
        return t_half_width(np.sqrt(variance), self.topics, alpha)

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
        return int(np.count_nonzero(self.rejected[self.stated]))

    @property
    def thresholds(self) -> list[float]:
        """The steps of adjusted p, descending; the first is the level of the tests."""
        alpha = self.method.alpha
        return [alpha, *(step for step in SMALL_P if step < alpha)]

    def about(self, place: int) -> tuple[Int64Array, Int64Array]:
        """The hypothesis about each system and the one at a place: (systems,), (systems,).

        Their positions, -1 if there is none; and -1 where it is about the latter minus the former,
        else 1.
        """
        first, second = self.pairs
        row = np.full(len(self.systems), -1)
        if not self.is_tested:
            return row, np.ones_like(row)
        for side, other in ((first, second), (second, first)):  # pairs of baselines stand twice
            rows = np.flatnonzero(side == place)
            row[other[rows]] = rows
        return row, np.where(first[row] == np.arange(len(row)), 1, -1)

    @cached_property
    def better(self) -> BoolArray:
        """Which system (row) is significantly better than which (column): (systems, systems)."""
        better = np.zeros((len(self.systems),) * 2, bool)
        first, second = self.pairs
        gain = self.direction * self.mean
        better[first, second] = self.rejected & (gain > 0)
        better[second, first] = self.rejected & (gain < 0)
        return better


def require_hypotheses(systems: int, baselines: int, measures: int, groups: int = 1) -> None:
    """InputError if a comparison of so many systems would take more memory than is allowed.

    It is called before anything is made for the pairs.
    """
    if baselines:
        what = f"comparing {systems} systems with {counted(baselines, 'baseline')}"
        pairs, remark = baselines * systems, ALLOWS
    else:
        what = f"comparing all pairs of {systems} systems"
        pairs, remark = pairs_of(systems), f"{ALLOWS}; {FEWER_PAIRS}"
    require_memory(what, pairs * groups * (KEPT * measures + WORKING), remark)


def all_tested(
    matrices: Mapping[str | None, ScoreMatrix],
    baselines: Sequence[str],
    method: Method,
    progress: Progress | None = None,
) -> list[TestedMeasure]:
    """Test the systems on every measure; one correction covers a measure in all groups.

    `matrices` are the scores of every group of queries; of None, if queries are not grouped. If
    there are no baselines, all pairs are tested. A measure on which no baseline has a score has
    no hypotheses, but the scores of the other systems. `progress` is called with the number of
    random samples just drawn. If no hypothesis could be rejected, whatever the scores, that is an
    InputError.
    """
    (first, *_) = matrices.values()
    tested = []
    for place, measure in enumerate(first.measures):
        asked = list(_asked(matrices, place, baselines))
        family = [part for *_, part in asked if len(part.pairs.first)]
        in_family = sum(len(part.pairs.first) for part in family)
        decided = iter(decide(family, method, progress)) if family else iter(())
        for systems, pairs, part in asked:
            what = measure, part.group, systems, part.scores, pairs
            counts = _of_pairs(part.scores, pairs, direction_of(measure))
            found = next(decided) if len(pairs.first) else (np.empty(0), np.empty(0))
            p_values = (values[pairs.unordered()[1]] for values in found)
            tested.append(TestedMeasure(*what, *counts, method, in_family, *p_values))
    return tested


def _asked(
    matrices: Mapping[str | None, ScoreMatrix], place: int, baselines: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], Pairs, Part]]:
    """The systems with a score on the measure at a place, their pairs and hypotheses, by group.

    There are no pairs if no baseline has a score.
    """
    for group, matrix in matrices.items():
        scored = ~matrix.undefined[place]
        systems = tuple(compress(matrix.systems, scored.tolist()))
        against = [systems.index(name) for name in baselines if name in systems]
        pairs = Pairs.against(len(systems), against) if baselines else Pairs.of(len(systems))
        means_only = bool(baselines) and not against and len(systems) > 1
        if len(pairs.first) or means_only:
            stated = Pairs(*(side[pairs.unordered()[0]] for side in pairs))
            yield systems, pairs, Part(matrix.scores[place][scored], stated, group)


def _of_pairs(
    scores: FloatArray, pairs: Pairs, direction: float
) -> tuple[FloatArray, FloatArray, FloatArray, Int64Array, Int64Array]:
    """The mean, variance, effect, wins and ties of `TestedMeasure`."""
    mean, variance, effect = np.empty((3, len(pairs.first)))
    wins, ties = np.empty((2, len(pairs.first)), np.int64)
    noise = noise_of(scores)
    for block, in_block in pairs.blocks(scores.shape[1]):
        difference = in_block.differences(scores, noise)
        mean[block] = without_noise(difference.mean(axis=1), noise)
        variance[block] = difference.var(axis=1, ddof=1)
        effect[block] = hedges_g(difference)
        wins[block] = np.count_nonzero(direction * difference > 0, axis=1)
        ties[block] = np.count_nonzero(difference == 0, axis=1)
    return mean, variance, effect, wins, ties
