"""The systems in the order of their means, with all that is shown of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import ir_measures
import numpy as np

from ..common.numeric import AnyArray, BoolArray, FloatArray, Int64Array, IntArray
from ..common.short_paths import public
from ..common.writing import counted, fixed
from ..measures.declaring.ranges import range_of
from ..results.column import Column, Declared, columns_of
from ..results.read_only import ReadOnlyArrays, cached_array
from ..stats.decisions import rank_intervals, rejects
from ..stats.intervals import cut_at, mean_interval
from ..stats.letters import group_letters, letter_names
from ..stats.pairs import Pairs, highest, join_ties, noise_of
from . import cells
from .hypotheses import TURNED, Hypotheses
from .unjudged import WITH_WORLDS
from .words import RANK, interval_of_mean

# With more, letters are harder to read than rank intervals: TREC DL 2019 needs 14 for its 37 runs.
MOST_LETTERS, MOST_LETTERED = 6, 15


@dataclass(frozen=True, eq=False, kw_only=True)
class Reference(Hypotheses):
    """A system to which the others are compared: the hypotheses that are about it, as rows.

    The rows are the systems of the leaderboard minus this one; NaN, False and 0 where nothing is
    compared.
    """

    name: str
    place: int  # its position in the leaderboard
    compared: BoolArray  # (systems,), False for itself

    @classmethod
    def of(cls, tested: Hypotheses, order: IntArray, place: int) -> Reference:
        """Each of the systems at these positions minus the one at a place among them."""
        position = int(order[place])
        first, second = tested.pairs
        row, compared = np.zeros(len(tested.systems), np.int64), np.zeros(len(tested.systems), bool)
        for side, other in ((first, second), (second, first)):  # pairs of baselines stand twice
            about = np.flatnonzero(side == position)
            row[other[about]] = about
            compared[other[about]] = True
        compared = compared[order]
        rows = row[order][compared]
        found = tested.rows(rows, turned=first[rows] == position)
        values: dict[str, Any] = {each.name: getattr(found, each.name) for each in fields(found)}
        for name in TURNED:
            if values[name] is not None:
                values[name] = _spread(values[name], compared)
        values["pairs"] = Pairs(np.asarray(order), np.full(len(order), position))
        return cls(name=tested.systems[position], place=place, compared=compared, **values)


def _spread(values: AnyArray, compared: BoolArray) -> AnyArray:
    """The values at the rows that are compared; NaN or 0 at the others."""
    undefined = np.nan if values.dtype.kind == "f" else 0
    spread = np.full(len(compared), undefined, values.dtype)
    spread[compared] = values
    return spread


class Ranks(NamedTuple):
    """The ranks that the tests of all pairs cannot rule out: (systems,) each."""

    low: Int64Array
    high: Int64Array


@public
@dataclass(frozen=True, eq=False)
class Leaderboard(ReadOnlyArrays):
    """The systems of one measure, best first: each array is (systems,).

    Attributes
    ----------
    label : str
        The measure in texts.
    head : str
        At most 18 characters of the label, for heads of columns.
    tested : named arrays
        The hypotheses with the baselines, or of all pairs, in the order in which they were tested.
    order : (systems,) ints
        Positions of the systems in the arrays of `tested`.
    baseline_names : tuple of str
        The baselines that have a score.
    unscored : tuple of str
        The baselines that have none.

    See Also
    --------
    irx_measures.compare : The `boards` of its result are Leaderboards.
    irx_measures.plots.leaderboard : Draws one.
    """

    label: str
    head: str
    tested: Hypotheses
    order: IntArray
    baseline_names: tuple[str, ...]
    unscored: tuple[str, ...] = ()

    @classmethod
    def of(cls, label: str, head: str, tested: Hypotheses, baselines: Sequence[str]) -> Leaderboard:
        """The leaderboard of a measure; `baselines` are those of the comparison."""
        gain = tested.direction * join_ties(tested.scores.mean(axis=1), noise_of(tested.scores))
        known = tuple(name for name in baselines if name in tested.systems)
        unscored = tuple(name for name in baselines if name not in tested.systems)
        return cls(label, head, tested, np.argsort(-gain, kind="stable"), known, unscored)

    def only(self, systems: Collection[str]) -> Leaderboard:
        """The rows of these systems, as they are among all; the references must be there."""
        kept = set(systems)
        rows = np.flatnonzero([name in kept for name in self.systems])
        return replace(self, order=self.order[rows])

    def renamed(self, new: Mapping[str, str], measure: str | None = None) -> Leaderboard:
        """The same rows with the new names of all systems, and of the measure if it has one."""
        systems = tuple(new[name] for name in self.tested.systems)
        baselines = tuple(new[name] for name in self.baseline_names)
        unscored = tuple(new[name] for name in self.unscored)
        return replace(
            self,
            label=measure or self.label,
            head=measure or self.head,
            tested=replace(self.tested, systems=systems),
            baseline_names=baselines,
            unscored=unscored,
        )

    def with_worlds(self, worlds: FloatArray) -> Leaderboard:
        """The leaderboard with means in worlds, (systems, samples), in the order of `tested`."""
        return replace(self, tested=replace(self.tested, worlds=worlds))

    def __len__(self) -> int:
        return len(self.order)

    @property
    def measure(self) -> ir_measures.Measure:
        return self.tested.measure

    @property
    def all_pairs(self) -> bool:
        """Whether all pairs of systems were compared: the comparison has no baselines."""
        return not (self.baseline_names or self.unscored)

    @property
    def group(self) -> str | None:
        """The group of queries; None if queries are not grouped."""
        return self.tested.group

    def in_group(self, measure: str) -> str:
        """What a column or a sentence calls the measure, with the group's name if there is one."""
        return measure if self.group is None else f"{measure}, {self.group}"

    @property
    def level(self) -> float:
        """The confidence level of tests and intervals, in (0, 1)."""
        return self.tested.method.level

    @property
    def topics(self) -> int:
        """Number of topics; of groups, of a macro mean."""
        return self.tested.topics

    @property
    def over(self) -> str:
        """What the means are of: 50 topics, or the macro mean of 4 collections."""
        count = counted(self.topics, self.tested.unit)
        return count if self.tested.macro is None else f"macro mean of {count}"

    @cached_property
    def systems(self) -> tuple[str, ...]:
        names = self.tested.systems
        return tuple(names[position] for position in self.order.tolist())

    @cached_property
    def place(self) -> dict[str, int]:
        """The position of each system."""
        return {name: place for place, name in enumerate(self.systems)}

    @property
    def scores(self) -> FloatArray:
        """(systems, topics)."""
        return self.tested.scores[self.order]

    @cached_array
    def mean(self) -> FloatArray:
        """Mean over topics."""
        return np.asarray(self.tested.scores.mean(axis=1)[self.order])

    @cached_array
    def _interval(self) -> tuple[FloatArray, FloatArray]:
        possible, scores = range_of(self.measure), self.tested.scores
        half_width = self.tested.mean_half_width
        if half_width is None:
            lower, upper = mean_interval(scores, self.level, possible)
        else:
            mean = scores.mean(axis=1)
            lower, upper = cut_at(possible, scores, (mean - half_width, mean + half_width))
        return lower[self.order], upper[self.order]

    @property
    def lower(self) -> FloatArray:
        """The lower end of the t interval of the mean, cut at the measure's range."""
        return self._interval[0]

    @property
    def upper(self) -> FloatArray:
        """The upper end of the t interval of the mean, cut at the measure's range."""
        return self._interval[1]

    @cached_array
    def ranks(self) -> Ranks | None:
        """The ranks that the tests of all pairs cannot rule out.

        None if there are baselines, because not all pairs are tested; and with the correction
        ``bh``, which bounds the error of no rank.
        """
        if not (self.all_pairs and self.tested.method.has_intervals):
            return None
        return Ranks(*(ends[self.order] for ends in rank_intervals(self.tested.better)))

    @property
    def best(self) -> BoolArray:
        """Which systems may be the best: no system is significantly better. False without ranks."""
        return np.zeros(len(self), bool) if self.ranks is None else self.ranks.low == 1

    @property
    def worlds(self) -> FloatArray | None:
        """The means in worlds in which every document has a grade, in the order of `tested`."""
        return self.tested.worlds

    @cached_array
    def p_best(self) -> FloatArray | None:
        """With ``unjudged='learned'``: the probability that the system's mean is the highest.

        Ties share a sample.
        """
        if self.tested.worlds is None:
            return None
        is_best = highest(self.tested.direction * self.tested.worlds[self.order])
        return np.asarray((is_best / is_best.sum(axis=0)).mean(axis=1))

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """The baselines that have a score; if there are none, the system with the best mean."""
        return tuple(map(self.minus, self.baseline_names or self.systems[:1]))

    @property
    def reference(self) -> Reference:
        """The first of the references."""
        return self.references[0]

    @property
    def baselines(self) -> tuple[Reference, ...]:
        """The references if they are baselines."""
        return self.references if self.baseline_names else ()

    @property
    def default_pair(self) -> tuple[str, str]:
        """The best system and the baseline; without a baseline, the best one and the next one."""
        if self.baselines:
            best = next(name for name in self.systems if name != self.reference.name)
            return best, self.reference.name
        return self.systems[0], self.systems[1]

    @property
    def leaders(self) -> tuple[str, ...]:
        """The systems with the best mean; several if their means are equal."""
        is_best = highest(self.tested.direction * self.mean)
        return tuple(np.array(self.systems, object)[is_best].tolist())

    @cached_property
    def letters(self) -> tuple[str, ...] | None:
        """Two systems share a letter exactly if they do not differ significantly.

        None if more than 6 letters are needed, or there are more than 15 systems; and with
        baselines, since then not all pairs are compared.
        """
        if not self.all_pairs or len(self) > MOST_LETTERED:
            return None
        groups = group_letters(self.rejected)
        if len(groups) > MOST_LETTERS:
            return None
        named = list(zip(letter_names(len(groups)), groups, strict=True))
        return tuple(
            "".join(name for name, group in named if place in group) for place in range(len(self))
        )

    @cached_array
    def p_adjusted(self) -> FloatArray:
        """Adjusted p of every pair: (systems, systems); NaN where a pair was not compared."""
        return np.asarray(self.square(self.tested.p_adjusted, np.nan))

    @cached_array
    def rejected(self) -> BoolArray:
        """Which pairs differ significantly: (systems, systems)."""
        return np.asarray(self.square(self.tested.significant, 0.0) > 0)

    @cached_array
    def steps(self) -> IntArray:
        """How many thresholds each pair reaches: (systems, systems)."""
        reached = [rejects(self.p_adjusted, 1.0 - step) for step in self.tested.thresholds]
        return np.asarray(np.sum(reached, axis=0), np.int64)

    def square(self, values: AnyArray, otherwise: float) -> Any:
        """Values of the hypotheses, the same from both sides: (systems, systems)."""
        first, second = self.tested.pairs
        square = np.full((len(self.tested.systems),) * 2, otherwise)
        square[first, second] = square[second, first] = values
        return square[np.ix_(self.order, self.order)]

    def minus(self, name: str) -> Reference:
        """Every system minus one of them, with the tests."""
        return Reference.of(self.tested, self.order, self.place[name])

    def families(self) -> Iterator[tuple[str, Hypotheses]]:
        """The hypotheses that a terminal shows as one table, after the baseline, empty without one.

        With a baseline, systems are in the order of their means. Of all pairs, those that differ
        significantly come first, then those with the larger difference.
        """
        tested, place = self.tested, np.argsort(self.order)
        for baseline in self.baselines:
            rows = np.flatnonzero(tested.pairs.second == self.order[baseline.place])
            yield baseline.name, tested.rows(rows[np.argsort(place[tested.pairs.first[rows]])])
        if self.all_pairs:
            size = join_ties(np.abs(tested.difference))
            yield "", tested.rows(np.lexsort((-size, ~tested.significant)))

    @property
    def rank_low(self) -> Int64Array | None:
        """The best rank that the tests cannot rule out; None without `ranks`."""
        return None if self.ranks is None else self.ranks.low

    @property
    def rank_high(self) -> Int64Array | None:
        """The worst rank that the tests cannot rule out; None without `ranks`."""
        return None if self.ranks is None else self.ranks.high

    def columns(self) -> list[Column]:
        """A row per system, as `irx_measures.Comparison.leaderboard` and a terminal have it."""
        return columns_of(self, (*BOARD, *BOARD_OF_PAIRS) if self.all_pairs else BOARD)


def rank_texts(ranks: Ranks, dash: str) -> list[str]:
    """The ranks that the tests cannot rule out: ``1-19``, or one rank."""
    return [
        f"{low}{dash}{high}" if low < high else f"{low}"
        for low, high in zip(ranks.low.tolist(), ranks.high.tolist(), strict=True)
    ]


def _rank(board: Leaderboard) -> cells.Shown | None:
    if board.ranks is None:
        return None
    texts = rank_texts(board.ranks, "-")
    return {"text": texts, "note": f"rank: {RANK}.", "key": True, "left": False}


def _minus_best(board: Leaderboard) -> cells.Shown:
    best = board.reference
    return cells.differences(best.difference, best.significant)


def _p_best(board: Leaderboard) -> cells.Shown | None:
    if board.p_best is None:
        return None
    return cells.numbers(board.p_best, cells.probability, "P(best)")


BOARD = (
    Declared("rank", show=_rank),
    Declared(
        "system",
        "the system, the best first; without systems that have no score on the measure",
        show=lambda board: cells.names(),
        values=lambda board: board.systems,
    ),
    Declared(
        "mean",
        "mean over topics, or macro mean",
        show=lambda board: cells.numbers(board.mean, head=board.head, bold={0}),
    ),
    Declared(
        "lower",
        "lower end of the t interval of the mean, cut at the measure's range",
        show=lambda board: cells.interval(
            board.lower, board.upper, fixed, interval_of_mean(board.tested)
        ),
    ),
    Declared("upper", "upper end of this interval"),
)
"""The columns of every leaderboard, each declared once."""

OF_PAIRS = "Without baselines also"

BOARD_OF_PAIRS = (
    Declared(
        "rank_low",
        "``1 + number of significantly better systems``. All systems' true ranks lie in the "
        "intervals from rank_low to rank_high at once, at the level of the comparison. Not with "
        "the correction ``bh``, which has no ranks",
        OF_PAIRS,
    ),
    Declared(
        "rank_high", "``number of systems - number of significantly worse systems``", OF_PAIRS
    ),
    Declared(
        "best",
        "whether the system may be the best, because no system is significantly better: rank_low "
        "is 1",
        OF_PAIRS,
        values=lambda board: None if board.ranks is None else board.best,
    ),
    Declared("- best ", show=_minus_best),
    Declared(
        "letters",
        "two systems share a letter exactly if they do not differ significantly; missing if more "
        "than 6 letters are needed, or there are more than 15 systems",
        OF_PAIRS,
        values=lambda board: np.array(board.letters or [None] * len(board), object),
    ),
    Declared(
        "adj. p",
        show=lambda board: cells.numbers(board.reference.p_adjusted, cells.p_value),
    ),
    Declared(
        "p_best",
        "the probability that the system's mean is the highest, over the choice of topics and the "
        "grades of unjudged documents",
        WITH_WORLDS,
        _p_best,
    ),
)
"""The columns of leaderboards that rank systems by the tests of all pairs."""
