"""The difference of two systems, topic by topic and on average."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..common.writing import PLAIN, Writing, counted
from ..exceptions import InputError
from ..measures.named_score import is_rising
from ..stats.ranks import rounded
from .hypotheses import TestedMeasure
from .leaderboard import Leaderboard
from .words import correction_text, interval_name, p_name

# Round numbers: 1, 2 and 5 times a power of 10, up to those of any score, such as milliseconds.
TICK_STEPS = tuple(float(f"{digit}e{power}") for power in range(-2, 7) for digit in (1, 2, 5))

MOST_STEPS = 5  # between the ends of the axis: the design has 3 to 6 ticks

# Holm's correction rejects a few more hypotheses than the intervals that hold at once.
CONTAINS_0 = " The test is less strict than the interval, which contains 0."


@dataclass(frozen=True)
class Difference:
    """One system minus another on one measure, with the test of their difference.

    Attributes
    ----------
    tested
        The tests to which this one belongs.
    system, baseline : str
    by_topic : (topics,) floats
        Score of the system minus that of the baseline, rounded to 12 decimals.
    difference, lower, upper, effect, p, p_adjusted, wins, ties, losses
        As in `Comparison.to_frame`.
    significant
        Whether the hypothesis of no difference is rejected.
    """

    tested: TestedMeasure
    system: str
    baseline: str
    by_topic: FloatArray
    difference: float
    lower: float
    upper: float
    effect: float
    p: float
    p_adjusted: float
    significant: bool
    wins: int
    ties: int
    losses: int

    @cached_property
    def order(self) -> Int64Array:
        """Positions of the topics by falling difference: (topics,)."""
        return np.argsort(-self.by_topic, kind="stable")

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest difference; zero is between them."""
        return min(0.0, float(self.by_topic.min())), max(0.0, float(self.by_topic.max()))

    @property
    def ticks(self) -> list[float]:
        """At most six round numbers between the ends of the axis; zero is one of them."""
        low, high = self.ends
        step = next((size for size in TICK_STEPS if high - low <= MOST_STEPS * size), high - low)
        first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
        return [round(float(place) * step, 9) + 0.0 for place in np.arange(first, last + 1)]

    def sentence(self, label: str, writing: Writing = PLAIN) -> str:
        """What the test and the topics say.

        Parameters
        ----------
        label
            The measure.
        writing
            How numbers are written.
        """
        topics = len(self.by_topic)
        verdict = (
            f"{'' if self.significant else 'not '}significant{correction_text(self.tested)} "
            f"({writing.p_is(p_name(self.tested), self.p_adjusted)})"
        )
        if not self.wins and not self.losses:
            return f"equal {label} on all {topics:,} topics; {verdict}."
        rising = is_rising(self.tested.measure)
        won, lost = ("Higher", "lower") if rising else ("Lower", "higher")
        interval = ""
        if self.tested.method.has_intervals:
            ends = " to ".join(map(writing.difference, (self.lower, self.upper)))
            interval = f" ({interval_name(self.tested)} {ends})"
        return (
            f"mean difference {writing.difference(self.difference)} in {label}{interval}; "
            f"{verdict}. {won} on {counted(self.wins, 'topic')}, {lost} on {self.losses:,}, equal "
            f"on {self.ties:,}."
            f"{CONTAINS_0 if self.significant and self.lower <= 0 <= self.upper else ''}"
        )


def difference_of(board: Leaderboard, system: str, baseline: str) -> Difference:
    """The tested difference of two systems.

    Raises
    ------
    InputError
        If the two systems were not compared on this measure.
    """
    tested, place = board.tested, board.place
    if system in place and baseline in place:
        one, other = tested.systems.index(system), tested.systems.index(baseline)
        first, second = tested.pairs
        own = (first == one) & (second == other)
        rows = np.flatnonzero(own if own.any() else (first == other) & (second == one))
        if len(rows):
            row, sign = int(rows[0]), 1 if own.any() else -1
            mean, half_width = sign * tested.mean[row], tested.half_width[row]
            counts = int(tested.wins[row]), int(tested.ties[row]), int(tested.losses[row])
            return Difference(
                tested,
                system,
                baseline,
                rounded(tested.scores[one] - tested.scores[other]),
                float(mean),
                float(mean - half_width),
                float(mean + half_width),
                float(sign * tested.effect[row]),
                float(tested.p[row]),
                float(tested.p_adjusted[row]),
                bool(tested.rejected[row]),
                *counts[::sign],
            )
    raise InputError(
        "`system` and `baseline` must be two systems that were compared on "
        f"{board.measure}; got {system!r} and {baseline!r}"
    )
