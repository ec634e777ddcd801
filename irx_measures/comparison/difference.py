"""The difference of two systems, topic by topic and on average."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.numbers import level_text
from ..common.numeric import FloatArray, Int64Array
from ..common.writing import PLAIN, Writing, counted
from ..exceptions import InputError
from ..measures.named_score import is_rising
from ..stats.ranks import rounded
from .hypotheses import Tested

# Round numbers: 1, 2 and 5 times a power of 10, up to those of any score, such as milliseconds.
TICK_STEPS = tuple(float(f"{digit}e{power}") for power in range(-2, 7) for digit in (1, 2, 5))

MOST_STEPS = 5  # between the ends of the axis: the design has 3 to 6 ticks

# Holm's correction rejects a few more hypotheses than the intervals that hold at once.
CONTAINS_0 = " The test is less strict than the interval, which contains 0."


@dataclass(frozen=True)
class Difference:
    """One system minus another on one measure, with the test of their difference.

    The report and the plot place what stands here: the topics in their order, the interval, the
    ticks, and the sentence.

    Attributes
    ----------
    tested
        The tests to which this one belongs.
    system, baseline : str
    by_topic : (topics,) floats
        Score of the system minus that of the baseline, rounded to 12 decimals.
    mean, lower, upper
        Mean difference and its interval, which agrees with the correction.
    effect
        Hedges' g of the differences.
    p, p_adjusted
        Two-sided p-values before and after the correction.
    wins, ties, losses
        Number of topics on which the system scores better, the same, worse.
    significant
        Whether the hypothesis of no difference is rejected.
    """

    tested: Tested
    system: str
    baseline: str
    by_topic: FloatArray
    mean: float
    lower: float
    upper: float
    effect: float
    p: float
    p_adjusted: float
    wins: int
    ties: int
    losses: int
    significant: bool

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

    def verdict(self, writing: Writing = PLAIN) -> str:
        """Whether the difference is significant, after which correction, and its p-value."""
        found = f"{'' if self.significant else 'not '}significant{correction_text(self.tested)}"
        return f"{found} ({writing.p_is(p_name(self.tested), self.p_adjusted)})"

    def sentence(self, label: str, writing: Writing = PLAIN) -> str:
        """What the test and the topics say, with the names of the two systems."""
        names = writing.name(self.system), writing.name(self.baseline)
        return f"{names[0]} minus {names[1]}: {self.finding(label, writing)}"

    def finding(self, label: str, writing: Writing = PLAIN) -> str:
        """What the test and the topics say.

        Parameters
        ----------
        label
            The measure.
        writing
            How numbers are written.
        """
        topics = len(self.by_topic)
        if not self.wins and not self.losses:
            return f"equal {label} on all {topics:,} topics; {self.verdict(writing)}."
        rising = is_rising(self.tested.hypotheses.measure)
        won, lost = ("Higher", "lower") if rising else ("Lower", "higher")
        return (
            f"mean difference {writing.difference(self.mean)} in {label}{self._interval(writing)}; "
            f"{self.verdict(writing)}. {won} on {counted(self.wins, 'topic')}, {lost} on "
            f"{self.losses:,}, equal on {self.ties:,}."
            f"{CONTAINS_0 if self.significant and self.lower <= 0 <= self.upper else ''}"
        )

    def _interval(self, writing: Writing) -> str:
        """The interval in brackets; empty if the correction gives none."""
        if not self.tested.method.has_intervals:
            return ""
        ends = [writing.difference(end) for end in (self.lower, self.upper)]
        return f" ({interval_name(self.tested)} {ends[0]} to {ends[1]})"


def correction_text(tested: Tested) -> str:
    """The correction that a decision took, as the end of "significant"; empty without one."""
    if not is_corrected(tested):
        return ""
    return f" after correction over {counted(tested.in_family, 'comparison')}"


def p_name(tested: Tested) -> str:
    """What the p-values are."""
    return "adjusted p" if is_corrected(tested) else "p"


def interval_name(tested: Tested) -> str:
    """What the intervals are: simultaneous where they hold for all comparisons at once."""
    level = level_text(tested.method.level)
    return f"{'simultaneous ' if is_corrected(tested) else ''}{level} interval"


def is_corrected(tested: Tested) -> bool:
    """Whether the tests control the error of a whole family."""
    return tested.method.correction != "none" and tested.in_family > 1


def difference_of(tested: Tested, system: str, baseline: str) -> Difference:
    """The tested difference of two systems.

    Raises
    ------
    InputError
        If the two systems were not compared on this measure.
    """
    hypotheses = tested.hypotheses
    place, sign = _place(tested, system, baseline)
    one, other = (hypotheses.scores[hypotheses.systems.index(name)] for name in (system, baseline))
    mean, half_width = sign * float(tested.mean[place]), float(tested.half_width[place])
    wins, losses = int(tested.wins[place]), int(tested.losses[place])
    return Difference(
        tested,
        system,
        baseline,
        rounded(one - other),
        mean,
        mean - half_width,
        mean + half_width,
        sign * float(tested.effect[place]),
        float(tested.p[place]),
        float(tested.p_adjusted[place]),
        wins if sign > 0 else losses,
        int(tested.ties[place]),
        losses if sign > 0 else wins,
        bool(tested.rejected[place]),
    )


def _place(tested: Tested, system: str, baseline: str) -> tuple[int, int]:
    """The position of the hypothesis, and -1 if it tests the baseline minus the system, else 1."""
    names, (first, second) = tested.hypotheses.systems, tested.hypotheses.pairs
    for one, other, sign in ((system, baseline, 1), (baseline, system, -1)):
        if one in names and other in names:
            found = np.flatnonzero((first == names.index(one)) & (second == names.index(other)))
            if len(found):
                return int(found[0]), sign
    raise InputError(
        "`system` and `baseline` must be two systems that were compared on "
        f"{tested.hypotheses.measure}; got {system!r} and {baseline!r}"
    )
