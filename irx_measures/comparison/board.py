"""The systems of a measure, best first, and what each of them minus each reference is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import ir_measures
import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.short_paths import public
from ..common.writing import counted
from ..exceptions import InputError
from ..measures.declaring.ranges import range_of
from ..measures.naming.named_score import direction_of
from ..results.column import Column
from ..results.read_only import ReadOnlyArrays, cached_array
from ..scoring.renaming import renamed_inside
from ..stats.decisions import rank_intervals, rejects
from ..stats.family import Method
from ..stats.intervals import cut_at, mean_interval
from ..stats.letters import group_letters, letter_names
from ..stats.pairs import Pairs, highest, join_ties, noise_of
from ..stats.strata import FEWEST_OF_GROUPS, moments_of, stratified_half_width
from . import tables
from .hypotheses import HYPOTHESES, Asked, Numbers, turned
from .unjudged import world_differences

# With more, letters are harder to read than rank intervals: TREC DL 2019 needs 14 for its 37 runs.
MOST_LETTERS, MOST_LETTERED = 6, 15

SMALL_P = (0.01, 0.001)  # the customary steps below the level of the tests


@dataclass(frozen=True, eq=False)
class Rows(ReadOnlyArrays):
    """Some systems of a leaderboard minus others; ``rows["p"]`` are the numbers of that column.

    Each array is (rows,). Where two systems were not compared, numbers are NaN, and counts 0.
    """

    board: Leaderboard
    first: Int64Array  # places of the systems
    second: Int64Array  # places of those that are subtracted
    numbers: Numbers

    def __getitem__(self, name: str) -> Any:
        return self.numbers[name]

    def __len__(self) -> int:
        return len(self.first)

    @property
    def system(self) -> list[str]:
        """The names of the systems."""
        return [self.board.systems[place] for place in self.first.tolist()]

    @property
    def baseline(self) -> list[str]:
        """The names of those that are subtracted."""
        return [self.board.systems[place] for place in self.second.tolist()]

    @property
    def mean(self) -> FloatArray:
        """The means of the systems."""
        return self.board.mean[self.first]

    @property
    def compared(self) -> BoolArray:
        """Which systems were compared."""
        return ~np.isnan(self["p_adjusted"])

    @property
    def significant(self) -> BoolArray:
        """Which hypotheses of no difference are rejected."""
        return rejects(self["p_adjusted"], self.board.level)

    @property
    def gain(self) -> FloatArray:
        """The differences, positive where the system is better."""
        return np.asarray(self.board.direction * self["difference"])

    @property
    def verdict(self) -> Int64Array:
        """1 where the system is significantly better, -1 where it is worse, else 0."""
        return np.where(self.significant, np.sign(self.gain), 0).astype(np.int64)

    def columns(self) -> list[Column]:
        """As `irx_measures.Comparison.to_frame` has them."""
        known = {
            "system": self.system,
            "baseline": self.baseline,
            "mean": self.mean,
            "baseline_mean": self.board.mean[self.second],
            "significant": self.significant,
            **self.numbers,
        }
        return tables.programs(known, HYPOTHESES)


@public
@dataclass(frozen=True, eq=False, kw_only=True)
class Leaderboard(ReadOnlyArrays):
    """The systems of one measure (in one group), best first, and the tests of their differences.

    Attributes
    ----------
    measure : Measure
    group : str, optional
        The group of queries; None if queries are not grouped.
    systems : tuple of str
        Those with a score on the measure.
    scores : (systems, topics) floats
    lower, upper : (systems,) floats
        The t interval of the mean, cut at the measure's range.
    rank_low, rank_high : (systems,) ints, optional
        The ranks that the tests of all pairs cannot rule out. None if there are baselines, because
        not all pairs are tested; and with the correction ``bh``, which bounds the error of no rank.
    baseline_names, unscored : tuples of str
        The baselines that have a score, and those that have none.
    method : Method
        Test, correction, level, resamples and seed.
    in_family, hypotheses, rejections : int
        How many hypotheses the correction covers, the leaderboard has, and are rejected of these.
    pairs : named arrays
        Positions of the two systems of each hypothesis, in the order of `Comparison.to_frame`.
    family_variance : (hypotheses,) floats
        The variance of the differences of each, before it is moderated.
    numbers : dict from names to (systems, references) arrays
        What is known of each system minus each reference, by the columns of `Comparison.to_frame`.
        The references are the baselines with a score, or the best system if none has one; without
        baselines, all systems. NaN, or a count of 0, where nothing is compared.
    column : (systems,) ints
        The column of each system in `numbers`; -1 if it is no reference.
    unit : str
        What each score of a system is of: a topic or, of a macro mean, a group or collection.
    label, head : str
        The measure in texts, and at most 18 characters of it, for heads of columns.
    macro : {'queries', 'groups'}, optional
        The question that is asked of macro means.
    worlds : (systems, samples) floats, optional
        The means in worlds in which every document has a grade.

    See Also
    --------
    irx_measures.compare : The `boards` of its result are Leaderboards.
    irx_measures.plots.leaderboard : Draws one.
    """

    measure: ir_measures.Measure
    group: str | None
    systems: tuple[str, ...]
    scores: FloatArray
    lower: FloatArray
    upper: FloatArray
    rank_low: Int64Array | None
    rank_high: Int64Array | None
    baseline_names: tuple[str, ...]
    unscored: tuple[str, ...]
    method: Method
    in_family: int
    hypotheses: int
    rejections: int
    pairs: Pairs
    family_variance: FloatArray
    numbers: Numbers
    column: Int64Array
    unit: str
    label: str = ""
    head: str = ""
    macro: str | None = None
    worlds: FloatArray | None = None

    @classmethod
    def of(cls, asked: Asked, numbers: Numbers, method: Method, in_family: int) -> Leaderboard:
        """The leaderboard of a measure in a group, with the numbers of its pairs."""
        systems, scores, pairs = asked.systems, asked.scores, asked.pairs
        direction, mean = direction_of(asked.measure), scores.mean(axis=1)
        order = np.argsort(-direction * join_ties(mean, noise_of(scores)), kind="stable")
        place = np.argsort(order)
        ordered = Pairs(place[pairs.first], place[pairs.second])
        known = [name for name in asked.baselines if name in systems]
        column = np.arange(len(order))
        if asked.baselines:
            column = np.full(len(order), -1)
            references = [place[systems.index(name)] for name in known] or [0]
            column[references] = np.arange(len(references))
        rectangles = _rectangles(numbers, ordered, column)
        rejected = rejects(numbers["p_adjusted"], method.level)
        low, high = None, None
        if not asked.baselines and method.has_intervals:
            better = rejects(rectangles["p_adjusted"], method.level)
            better &= direction * rectangles["difference"] > 0
            low, high = rank_intervals(better)
        lower, upper = _interval_of_mean(asked, method)
        return cls(
            measure=asked.measure,
            group=asked.group,
            systems=tuple(systems[position] for position in order.tolist()),
            scores=scores[order],
            lower=lower[order],
            upper=upper[order],
            rank_low=low,
            rank_high=high,
            baseline_names=tuple(known),
            unscored=tuple(name for name in asked.baselines if name not in known),
            method=method,
            in_family=in_family,
            hypotheses=len(asked.stated),
            rejections=int(np.count_nonzero(rejected[asked.stated])),
            pairs=ordered,
            family_variance=numbers["variance"][asked.stated],
            numbers=rectangles,
            column=column,
            unit=asked.unit,
        )

    def only(self, systems: Collection[str]) -> Leaderboard:
        """The rows of these systems, as they are among all; the references must be there.

        Numbers of hypotheses are those of all systems.
        """
        kept = {*systems}
        rows = np.flatnonzero([name in kept for name in self.systems])
        place = np.full(len(self), -1)
        place[rows] = np.arange(len(rows))
        first, second = place[self.pairs.first], place[self.pairs.second]
        both = (first >= 0) & (second >= 0)
        of_rows = {name: getattr(self, name) for name in OF_ROWS}
        return replace(
            self,
            systems=tuple(self.systems[row] for row in rows.tolist()),
            pairs=Pairs(first[both], second[both]),
            numbers={name: values[rows] for name, values in self.numbers.items()},
            **{name: values[rows] for name, values in of_rows.items() if values is not None},
        )

    def renamed(self, new: Mapping[str, str], measure: str | None = None) -> Leaderboard:
        """The same rows with the new names of all systems, and of the measure if it has one.

        Else the runs that the measure names have their new names in its label.
        """
        return replace(
            self,
            label=measure or renamed_inside(self.label, self.measure, new),
            head=measure or renamed_inside(self.head, self.measure, new),
            systems=tuple(new[name] for name in self.systems),
            baseline_names=tuple(new[name] for name in self.baseline_names),
            unscored=tuple(new[name] for name in self.unscored),
        )

    def __len__(self) -> int:
        return len(self.systems)

    @property
    def all_pairs(self) -> bool:
        """Whether all pairs of systems were compared: the comparison has no baselines."""
        return not (self.baseline_names or self.unscored)

    @property
    def is_tested(self) -> bool:
        """False if no baseline has a score on the measure: then there are means only."""
        return self.hypotheses > 0

    def in_group(self, measure: str) -> str:
        """What a column or a sentence calls the measure, with the group's name if there is one."""
        return measure if self.group is None else f"{measure}, {self.group}"

    @property
    def level(self) -> float:
        """The confidence level of tests and intervals, in (0, 1)."""
        return self.method.level

    @property
    def direction(self) -> float:
        """1 if higher scores are better, else -1."""
        return direction_of(self.measure)

    @property
    def topics(self) -> int:
        """Number of topics; of groups, of a macro mean."""
        return self.scores.shape[1]

    @property
    def over(self) -> str:
        """What the means are of: 50 topics, or the macro mean of 4 collections."""
        count = counted(self.topics, self.unit)
        return count if self.macro is None else f"macro mean of {count}"

    @property
    def has_other_groups(self) -> bool:
        """Whether it is known what holds for other groups: there are enough groups."""
        return "groups_p" in self.numbers and self.topics >= FEWEST_OF_GROUPS

    @property
    def thresholds(self) -> list[float]:
        """The steps of adjusted p, descending; the first is the level of the tests."""
        alpha = self.method.alpha
        return [alpha, *(step for step in SMALL_P if step < alpha)]

    @cached_property
    def place(self) -> dict[str, int]:
        """The position of each system."""
        return {name: place for place, name in enumerate(self.systems)}

    @cached_array
    def mean(self) -> FloatArray:
        """Mean over topics, or macro mean."""
        return np.asarray(self.scores.mean(axis=1))

    @property
    def best(self) -> BoolArray:
        """Which systems may be the best: no system is significantly better. False without ranks."""
        return np.zeros(len(self), bool) if self.rank_low is None else self.rank_low == 1

    @cached_array
    def p_best(self) -> FloatArray | None:
        """With ``unjudged='learned'``: the probability that the system's mean is the highest.

        Ties share a sample.
        """
        if self.worlds is None:
            return None
        is_best = highest(self.direction * self.worlds)
        return np.asarray((is_best / is_best.sum(axis=0)).mean(axis=1))

    def rows(self, first: Int64Array, second: Int64Array) -> Rows:
        """The systems at these places minus those at others; all of one side are references."""
        column = self.column[second]
        numbers = {name: values[first, column] for name, values in self.numbers.items()}
        if (column < 0).any():  # the other side is known
            column = self.column[first]
            numbers = turned(
                {name: values[second, column] for name, values in self.numbers.items()}
            )
        if self.worlds is not None:
            numbers |= world_differences(self.worlds, Pairs(first, second), self.level)
        return Rows(self, first, second, numbers)

    def pair(self, system: str, baseline: str) -> Rows:
        """One system minus another, as the only row; InputError if they were not compared."""
        if {system, baseline} <= self.place.keys():
            first, second = np.array([self.place[system]]), np.array([self.place[baseline]])
            if max(self.column[first], self.column[second]) >= 0:
                only = self.rows(first, second)
                if only.compared[0]:
                    return only
        raise InputError(
            "`system` and `baseline` must be two systems that were compared on "
            f"{self.measure}; got {system!r} and {baseline!r}"
        )

    def minus(self, name: str) -> Rows:
        """Every system minus one of the references."""
        return self.rows(np.arange(len(self)), np.full(len(self), self.place[name]))

    @property
    def references(self) -> tuple[str, ...]:
        """The baselines that have a score; if there are none, the best system."""
        return self.baseline_names or self.systems[:1]

    @cached_property
    def reference(self) -> Rows:
        """Every system minus the first of the references."""
        return self.minus(self.references[0])

    @cached_property
    def tested(self) -> Rows:
        """Every hypothesis, in the order of frames."""
        return self.rows(*self.pairs)

    def families(self) -> Iterator[tuple[str, Rows]]:
        """The hypotheses that a terminal shows as one table, after the baseline, empty without one.

        With a baseline, systems are in the order of their means. Of all pairs, those that differ
        significantly come first, then those with the larger difference.
        """
        for name in self.baseline_names:
            others = np.flatnonzero(np.arange(len(self)) != self.place[name])
            yield name, self.rows(others, np.full(len(others), self.place[name]))
        if self.all_pairs:
            every = self.tested
            size = join_ties(np.abs(every["difference"]))
            order = np.lexsort((-size, ~every.significant))
            yield "", self.rows(self.pairs.first[order], self.pairs.second[order])

    @property
    def default_pair(self) -> tuple[str, str]:
        """The best system and the baseline; without a baseline, the best one and the next one."""
        if self.baseline_names:
            baseline = self.baseline_names[0]
            return next(name for name in self.systems if name != baseline), baseline
        return self.systems[0], self.systems[1]

    @property
    def leaders(self) -> tuple[str, ...]:
        """The systems with the best mean; several if their means are equal."""
        is_best = highest(self.direction * self.mean)
        return tuple(np.array(self.systems, object)[is_best].tolist())

    @cached_property
    def letters(self) -> tuple[str, ...] | None:
        """Two systems share a letter exactly if they do not differ significantly.

        None if more than 6 letters are needed, or there are more than 15 systems; and with
        baselines, since then not all pairs are compared.
        """
        if not self.all_pairs or len(self) > MOST_LETTERED:
            return None
        groups = group_letters(rejects(self.p_adjusted, self.level))
        if len(groups) > MOST_LETTERS:
            return None
        named = list(zip(letter_names(len(groups)), groups, strict=True))
        return tuple(
            "".join(name for name, group in named if place in group) for place in range(len(self))
        )

    @property
    def p_adjusted(self) -> FloatArray:
        """Adjusted p of every pair if all are tested: (systems, systems)."""
        return np.asarray(self.numbers["p_adjusted"][:, self.column])

    def columns(self) -> list[Column]:
        """A row per system, as `irx_measures.Comparison.leaderboard` and a terminal have it."""
        return [*tables.of_board(self), *tables.board_shown(self)]


OF_ROWS = ("scores", "lower", "upper", "rank_low", "rank_high", "column", "worlds")
"""What a leaderboard has of each system."""


def _rectangles(numbers: Numbers, pairs: Pairs, column: Int64Array) -> Numbers:
    """Numbers of pairs, (systems, references): of each system minus each reference.

    `column`, (systems,), is that of each system, -1 if it is no reference. Where nothing is
    compared, as of a system and itself, numbers are NaN, and counts 0.
    """
    first, second = pairs
    back = np.flatnonzero(column[first] >= 0)  # known from the other side, too
    opposite = turned(numbers)
    found = {}
    for name, values in numbers.items():
        nothing = np.nan if values.dtype.kind == "f" else 0
        cells = np.full((len(column), column.max() + 1), nothing, values.dtype)
        cells[second[back], column[first[back]]] = opposite[name][back]
        cells[first, column[second]] = values
        found[name] = cells
    return found


def _interval_of_mean(asked: Asked, method: Method) -> tuple[FloatArray, FloatArray]:
    """Both ends of the interval of each system's mean."""
    possible, scores = range_of(asked.measure), asked.scores
    if not asked.strata:
        return mean_interval(scores, method.level, possible)
    mean = scores.mean(axis=1)
    found = moments_of(asked.strata)
    half_width = stratified_half_width(found, method.alpha, found.freedom)
    return cut_at(possible, scores, (mean - half_width, mean + half_width))


def rank_texts(board: Leaderboard, dash: str) -> list[str] | None:
    """The ranks that the tests cannot rule out: ``1-19``, or one rank; None without ranks."""
    if board.rank_low is None or board.rank_high is None:
        return None
    ends = zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    return [f"{low}{dash}{high}" if low < high else f"{low}" for low, high in ends]


def steps_of(board: Leaderboard) -> Int64Array:
    """How many thresholds each pair reaches: (systems, systems)."""
    reached = [rejects(board.p_adjusted, 1.0 - step) for step in board.thresholds]
    return np.asarray(np.sum(reached, axis=0), np.int64)
