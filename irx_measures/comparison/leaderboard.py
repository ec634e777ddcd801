"""The systems in the order of their means, with all that is shown of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import ir_measures
import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array, IntArray
from ..measures.named_score import is_rising
from ..stats.intervals import mean_interval
from ..stats.letters import group_letters, letter_names
from ..stats.rank_intervals import rank_intervals
from ..stats.results import Columns
from .axis import ends, shown_on_axis
from .hypotheses import Tested

# Letters of the alphabet, and systems that have letters at all: with more systems there are always
# too many letters, and finding them takes long.
MOST_LETTERS, MOST_LETTERED = 26, 100  # letters; systems that have letters at all


OF_REFERENCE = (
    "difference",
    "lower",
    "upper",
    "p_adjusted",
    "significant",
    "wins",
    "ties",
    "losses",
)


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
    difference, lower, upper, p_adjusted, significant
        Mean of each system minus its own, its interval, and the test; NaN and False where nothing
        is compared.
    wins, ties, losses
        Number of topics on which a system scores better, the same, worse.
    """

    name: str
    place: int
    is_baseline: bool
    compared: BoolArray
    difference: FloatArray
    lower: FloatArray
    upper: FloatArray
    p_adjusted: FloatArray
    significant: BoolArray
    wins: Int64Array
    ties: Int64Array
    losses: Int64Array

    def at(self, rows: IntArray) -> Reference:
        """The same reference with some rows of the leaderboard; its own is one of them."""
        arrays = {name: getattr(self, name)[rows] for name in ("compared", *OF_REFERENCE)}
        return replace(self, place=int(np.searchsorted(rows, self.place)), **arrays)


class Ranks(NamedTuple):
    """The ranks that the tests of all pairs cannot rule out: (systems,) each."""

    low: Int64Array
    high: Int64Array


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """The systems of one measure, best first: each array is (systems,).

    Attributes
    ----------
    measure
    label, head
        The measure in texts, and at most 18 characters of it in heads of columns.
    tested
        The hypotheses that were asked about: those with the baselines, or all pairs.
    systems : tuple of str
    mean, lower, upper
        Mean over topics, and its t interval.
    references : tuple of Reference
        The baselines that have a score; if there is none, the system with the best mean.
    ranks : Ranks, optional
        None if there are baselines, because ranks come from the tests of all pairs; and with the
        correction ``bh``, which bounds the error of no rank.
    p_best : (systems,) floats, optional
        With ``unjudged='learned'``: the probability that the system's mean is the highest.
    """

    measure: ir_measures.Measure
    label: str
    head: str
    tested: Tested
    systems: tuple[str, ...]
    mean: FloatArray
    lower: FloatArray
    upper: FloatArray
    references: tuple[Reference, ...]
    ranks: Ranks | None = None
    p_best: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.systems)

    @property
    def level(self) -> float:
        """The confidence level of tests and intervals, in (0, 1)."""
        return self.tested.method.level

    @property
    def topics(self) -> int:
        """Number of topics."""
        return self.tested.topics

    @property
    def best(self) -> BoolArray:
        """Which systems may be the best: no system is significantly better. False without ranks."""
        return np.zeros(len(self), bool) if self.ranks is None else self.ranks.low == 1

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

        None if more than 26 letters are needed, or there are more than 100 systems; and with
        baselines, since then not all pairs are compared.
        """
        if self.baselines:
            return None
        groups = group_letters(self.rejected) if len(self) <= MOST_LETTERED else None
        if groups is None or len(groups) > MOST_LETTERS:
            return None
        letters = [""] * len(self)
        for name, group in zip(letter_names(len(groups)), groups, strict=True):
            for position in sorted(group):
                letters[position] += name
        return tuple(letters)

    @property
    def letters_by_system(self) -> dict[str, str]:
        """The letters of each system; empty if there are none."""
        return dict(zip(self.systems, self.letters or (), strict=False))

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
        known = {name: place for place, name in enumerate(self.tested.hypotheses.systems)}
        return np.array([known[name] for name in self.systems])

    @property
    def scores(self) -> FloatArray:
        """(systems, topics)."""
        return self.tested.hypotheses.scores[self.order]

    @cached_property
    def p_adjusted(self) -> FloatArray:
        """Adjusted p of every pair: (systems, systems); NaN where a pair was not compared."""
        return self._square(self.tested.p_adjusted, np.nan)

    @cached_property
    def rejected(self) -> BoolArray:
        """Which pairs differ significantly: (systems, systems)."""
        return self._square(self.tested.rejected.astype(float), 0.0) > 0

    @cached_property
    def steps(self) -> IntArray:
        """How many thresholds each pair reaches: (systems, systems)."""
        return self.tested.steps_of(self.p_adjusted)

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
            references=tuple(reference.at(rows) for reference in self.references),
            ranks=None if self.ranks is None else Ranks(*(ends[rows] for ends in self.ranks)),
            p_best=None if self.p_best is None else self.p_best[rows],
        )

    def _square(self, values: FloatArray, otherwise: float) -> FloatArray:
        first, second = self.tested.hypotheses.pairs
        square = np.full((len(self.tested.hypotheses.systems),) * 2, otherwise)
        square[first, second] = square[second, first] = values
        return square[np.ix_(self.order, self.order)]


def leaderboard(
    label: str,
    head: str,
    tested: Tested,
    baselines: Sequence[str],
    p_best: FloatArray | None = None,
) -> Leaderboard:
    """The leaderboard of a measure.

    Parameters
    ----------
    label, head
        The measure in texts, and in heads of columns.
    tested
        The hypotheses that were asked about.
    baselines
        The names of the baselines.
    p_best : (systems,) floats, optional
        In the order of the tests' systems.
    """
    order, mean, lower, upper = ordered_means(tested)
    systems = tuple(tested.hypotheses.systems[position] for position in order.tolist())
    ranks = None
    if not baselines and tested.method.has_intervals:
        ranks = Ranks(*(ends[order] for ends in rank_intervals(tested.better)))
    return Leaderboard(
        tested.hypotheses.measure,
        label,
        head,
        tested,
        systems,
        mean,
        lower,
        upper,
        references_of(tested, systems, baselines),
        ranks,
        None if p_best is None else p_best[order],
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
    difference, lower, upper, p_adjusted = np.full((4, len(systems)), np.nan)
    significant = np.zeros(len(systems), bool)
    wins, ties, losses = np.zeros((3, len(systems)), np.int64)
    places = np.array([place[system] for system in systems])
    for sign, others, same in ((-1, second, first), (1, first, second)):
        pairs = np.flatnonzero(same == position)
        rows = places[others[pairs]]
        difference[rows] = sign * tested.mean[pairs]
        lower[rows] = difference[rows] - tested.half_width[pairs]
        upper[rows] = difference[rows] + tested.half_width[pairs]
        p_adjusted[rows] = tested.p_adjusted[pairs]
        significant[rows] = tested.rejected[pairs]
        ties[rows] = tested.ties[pairs]
        won, lost = (tested.wins, tested.losses)[::sign]
        wins[rows], losses[rows] = won[pairs], lost[pairs]
    return Reference(
        name, place[name], is_baseline, ~np.isnan(difference), difference, lower, upper, p_adjusted,
        significant, wins, ties, losses,
    )  # fmt: skip


def rank_texts(ranks: Ranks, dash: str) -> list[str]:
    """The ranks that the tests cannot rule out: ``1-19``, or one rank."""
    return [
        f"{low}{dash}{high}" if low < high else f"{low}"
        for low, high in zip(ranks.low.tolist(), ranks.high.tolist(), strict=True)
    ]


def board_columns(board: Leaderboard) -> Columns:
    """The columns of `Comparison.leaderboard`."""
    columns: Columns = {
        "system": board.systems,
        "mean": board.mean,
        "lower": board.lower,
        "upper": board.upper,
    }
    if board.ranks is not None:
        columns |= {
            "rank_low": board.ranks.low,
            "rank_high": board.ranks.high,
            "best": board.best,
        }
    if not board.baselines:
        letters: Sequence[str | None] = board.letters or [None] * len(board)
        columns["letters"] = np.array(letters, object)
        if board.p_best is not None:
            columns["p_best"] = board.p_best
    return columns
