"""The systems in the order of their means, with all that is shown of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import ir_measures
import numpy as np

from ..common.arrays import BoolArray, FloatArray, Int64Array, IntArray
from ..measures.named_score import is_rising
from ..stats.intervals import mean_interval
from ..stats.letters import group_letters, letter_names
from ..stats.rank_intervals import rank_intervals
from ..stats.rejection import rejects
from .axis import ends, shown_on_axis
from .hypotheses import Tested

# Letters of the alphabet, and systems that have letters at all: with more systems there are always
# too many letters, and finding them takes long.
MOST_LETTERS, MOST_LETTERED = 26, 100  # letters; systems that have letters at all

# With more, letters are harder to read than rank intervals: TREC DL 2019 needs 14 for its 37 runs.
MOST_READABLE, MOST_SYSTEMS_READABLE = 6, 15


@dataclass(frozen=True)
class Reference:
    """A system to which the others are compared; each array is (systems,), as the leaderboard.

    Attributes
    ----------
    name
    place
        Its position in the leaderboard.
    is_baseline
        Whether it is a baseline; otherwise it is the system with the best mean.
    compared
        Whether a system was compared with it: False for itself.
    difference, p_adjusted, significant
        Mean of each system minus its own, and the test; NaN and False where nothing is compared.
    """

    name: str
    place: int
    is_baseline: bool
    compared: BoolArray
    difference: FloatArray
    p_adjusted: FloatArray
    significant: BoolArray

    def at(self, rows: IntArray) -> Reference:
        """The same reference with some rows of the leaderboard; its own is one of them."""
        return replace(
            self,
            place=int(np.searchsorted(rows, self.place)),
            compared=self.compared[rows],
            difference=self.difference[rows],
            p_adjusted=self.p_adjusted[rows],
            significant=self.significant[rows],
        )


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """The systems of one measure, best first: each array is (systems,).

    Attributes
    ----------
    measure
    label, head
        The measure in texts, and at most 18 characters of it in heads of columns.
    asked
        The hypotheses that were asked about: those with the baselines, or all pairs.
    all_pairs
        The tests of all pairs of systems. The ranks, `best` and the letters come from them.
    systems : tuple of str
    mean, lower, upper
        Mean over topics, and its t interval.
    rank_low, rank_high
        The ranks that the tests cannot rule out.
    references : tuple of Reference
        The baselines that have a score; if there is none, the system with the best mean.
    """

    measure: ir_measures.Measure
    label: str
    head: str
    asked: Tested
    all_pairs: Tested
    systems: tuple[str, ...]
    mean: FloatArray
    lower: FloatArray
    upper: FloatArray
    rank_low: Int64Array
    rank_high: Int64Array
    references: tuple[Reference, ...]

    def __len__(self) -> int:
        return len(self.systems)

    @property
    def level(self) -> float:
        """The confidence level of tests and intervals, in (0, 1)."""
        return self.asked.method.level

    @property
    def topics(self) -> int:
        """Number of topics."""
        return self.asked.topics

    @property
    def best(self) -> BoolArray:
        """Which systems may be the best: no system is significantly better."""
        return np.asarray(self.rank_low == 1)

    @property
    def reference(self) -> Reference:
        """The first of the references."""
        return self.references[0]

    @property
    def baselines(self) -> tuple[Reference, ...]:
        """The references that are baselines."""
        return tuple(one for one in self.references if one.is_baseline)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The systems with the best mean; several if their means are equal."""
        mean = self.mean.round(12)
        return tuple(np.array(self.systems, object)[mean == mean[0]].tolist())

    @cached_property
    def letters(self) -> tuple[str, ...] | None:
        """Two systems share a letter exactly if they do not differ significantly.

        None if more than 26 letters are needed, or there are more than 100 systems.
        """
        groups = group_letters(self.rejected) if len(self) <= MOST_LETTERED else None
        if groups is None or len(groups) > MOST_LETTERS:
            return None
        letters = [""] * len(self)
        for name, group in zip(letter_names(len(groups)), groups, strict=True):
            for position in sorted(group):
                letters[position] += name
        return tuple(letters)

    @cached_property
    def readable_letters(self) -> tuple[str, ...] | None:
        """The letters if there are so few systems and letters that they can be read, else None."""
        if len(self) > MOST_SYSTEMS_READABLE or self.letters is None:
            return None
        return self.letters if len(set("".join(self.letters))) <= MOST_READABLE else None

    @cached_property
    def place(self) -> dict[str, int]:
        """The position of each system."""
        return {name: place for place, name in enumerate(self.systems)}

    @cached_property
    def on_axis(self) -> BoolArray:
        """Which systems are on the axis of the means and their intervals.

        Up to 5% of the systems are left out, at the low end. The best system and the references
        never are.
        """
        kept = np.zeros(len(self), bool)
        kept[[0, *(reference.place for reference in self.references)]] = True
        return shown_on_axis(self.lower, self.upper, kept, is_rising(self.measure))

    @property
    def axis(self) -> tuple[float, float]:
        """The ends of the axis."""
        return ends(self.lower, self.upper, self.on_axis)

    @cached_property
    def order(self) -> IntArray:
        """Positions of the systems in the arrays of the tests."""
        known = {name: place for place, name in enumerate(self.all_pairs.hypotheses.systems)}
        return np.array([known[name] for name in self.systems])

    @property
    def scores(self) -> FloatArray:
        """(systems, topics)."""
        return self.all_pairs.hypotheses.scores[self.order]

    @cached_property
    def p_adjusted(self) -> FloatArray:
        """Adjusted p of every pair by the tests of all pairs: (systems, systems); 1 if equal."""
        return self._square(self.all_pairs.p_adjusted, 1.0)

    @cached_property
    def rejected(self) -> BoolArray:
        """Which pairs differ significantly by the tests of all pairs: (systems, systems)."""
        return self._square(self.all_pairs.rejected.astype(float), 0.0) > 0

    @cached_property
    def steps(self) -> IntArray:
        """How many thresholds each pair reaches: (systems, systems)."""
        return self.all_pairs.steps_of(self.p_adjusted)

    def only(self, systems: Collection[str]) -> Leaderboard:
        """The rows of these systems, as they are among all; the references must be there."""
        kept = set(systems)
        rows = np.flatnonzero([name in kept for name in self.systems])
        return replace(
            self,
            systems=tuple(self.systems[row] for row in rows.tolist()),
            mean=self.mean[rows],
            lower=self.lower[rows],
            upper=self.upper[rows],
            rank_low=self.rank_low[rows],
            rank_high=self.rank_high[rows],
            references=tuple(reference.at(rows) for reference in self.references),
        )

    def tested_of(self, one: str, other: str) -> Tested:
        """The tests to which a pair belongs: those that were asked about, if it is among them."""
        baselines = {reference.name for reference in self.baselines}
        return self.asked if baselines & {one, other} else self.all_pairs

    def _square(self, values: FloatArray, diagonal: float) -> FloatArray:
        first, second = self.all_pairs.hypotheses.pairs
        square = np.full((len(self.all_pairs.hypotheses.systems),) * 2, diagonal)
        square[first, second] = square[second, first] = values
        return square[np.ix_(self.order, self.order)]


def leaderboard(
    label: str,
    head: str,
    asked: Tested,
    all_pairs: Tested,
    baselines: Sequence[str],
    ranks: str,
) -> Leaderboard:
    """The leaderboard of a measure.

    Parameters
    ----------
    label, head
        The measure in texts, and in heads of columns.
    asked
        The hypotheses that were asked about.
    all_pairs
        All pairs of the systems.
    baselines
        The names of the baselines.
    ranks
        ``all``: the rank intervals hold for all systems at once. ``each``: they hold for one
        system at a time, and are narrower.
    """
    order, mean, lower, upper = ordered_means(asked)
    better = all_pairs.better
    if ranks == "each":
        better = all_pairs.better_where(_rejected_for_each(all_pairs))
    low, high = rank_intervals(better)
    systems = tuple(asked.hypotheses.systems[position] for position in order.tolist())
    return Leaderboard(
        asked.hypotheses.measure,
        label,
        head,
        asked,
        all_pairs,
        systems,
        mean,
        lower,
        upper,
        low[order],
        high[order],
        references_of(asked, systems, baselines),
    )


def ordered_means(tested: Tested) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """The systems' order, the best mean first, and the means and their intervals in this order."""
    scores = tested.hypotheses.scores
    mean = scores.mean(axis=1)
    lower, upper = mean_interval(scores, tested.method.level)
    order = np.argsort(-tested.hypotheses.direction * mean.round(12), kind="stable")
    return order, mean[order], lower[order], upper[order]


def references_of(
    tested: Tested, systems: Sequence[str], baselines: Sequence[str]
) -> tuple[Reference, ...]:
    """The baselines that have a score, or the best of the systems."""
    place = {name: number for number, name in enumerate(systems)}
    known = [name for name in baselines if name in place]
    if not baselines:
        return (_reference(tested, place, systems[0], False),)
    return tuple(_reference(tested, place, name, True) for name in known)


def _reference(tested: Tested, place: dict[str, int], name: str, is_baseline: bool) -> Reference:
    systems, (first, second) = tested.hypotheses.systems, tested.hypotheses.pairs
    position = systems.index(name)
    difference, p_adjusted = np.full((2, len(systems)), np.nan)
    significant = np.zeros(len(systems), bool)
    places = np.array([place[system] for system in systems])
    for sign, others, same in ((-1, second, first), (1, first, second)):
        pairs = np.flatnonzero(same == position)
        rows = places[others[pairs]]
        difference[rows] = sign * tested.mean[pairs]
        p_adjusted[rows] = tested.p_adjusted[pairs]
        significant[rows] = tested.rejected[pairs]
    return Reference(
        name, place[name], is_baseline, ~np.isnan(difference), difference, p_adjusted, significant
    )


def _rejected_for_each(tested: Tested) -> BoolArray:
    """Pairs that differ if only the tests of one system are corrected for.

    A system takes part in S - 1 tests. A test that controls the error of all pairs controls that
    of these tests too.
    """
    if tested.method.controls_family:
        return tested.rejected
    tests = 1 if tested.method.correction == "none" else len(tested.hypotheses.systems) - 1
    return rejects(tested.p * tests, tested.method.level)


def rank_texts(board: Leaderboard, dash: str) -> list[str]:
    """The ranks that the tests cannot rule out: ``1-19``, or one rank."""
    return [
        f"{low}{dash}{high}" if low < high else f"{low}"
        for low, high in zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    ]
