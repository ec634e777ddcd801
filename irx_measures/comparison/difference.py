"""The difference of two systems, topic by topic and on average."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..common.writing import PLAIN, Writing, counted
from ..exceptions import InputError
from ..measures.naming.named_score import is_rising
from ..stats.pairs import join_ties, noise_of, without_noise
from .hypotheses import TestedMeasure
from .leaderboard import Leaderboard
from .words import AROUND_0, correction_text, interval_name, p_name


@dataclass(frozen=True)
class Difference:
    """One system minus another on one measure, with the test of their difference.

    Attributes
    ----------
    tested : named arrays
        The tested hypotheses to which this one belongs.
    system, baseline : str
    by_topic : (topics,) floats
        Score of the system minus that of the baseline, equal where they differ by float noise only.
    difference, lower, upper, effect, p, p_adjusted : float
        As in `Comparison.to_frame`.
    significant : bool
        Whether the hypothesis of no difference is rejected.
    wins, ties, losses : int
        Number of topics on which the system scores better, the same, worse.

    See Also
    --------
    irx_measures.Comparison : Its method `difference` makes it.
    irx_measures.plots.topic_differences : Draws it.
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

    def sentence(self, label: str, writing: Writing = PLAIN) -> str:
        """What the test and the topics say; `label` is the measure."""
        topics = len(self.by_topic)
        verdict = (
            f"{'' if self.significant else 'not '}significant{correction_text(self.tested)} "
            f"({writing.p_is(p_name(self.tested), self.p_adjusted)})"
        )
        if not self.wins and not self.losses:
            return f"equal {label} on all {topics:,} topics; {verdict}."
        rising = is_rising(self.tested.measure)
        won, lost = ("Higher", "lower") if rising else ("Lower", "higher")
        contains_0 = f" {AROUND_0}" if self.significant and self.lower <= 0 <= self.upper else ""
        interval = ""
        if self.tested.method.has_intervals:
            ends = " to ".join(map(writing.difference, (self.lower, self.upper)))
            interval = f" ({interval_name(self.tested)} {ends})"
        return (
            f"mean difference {writing.difference(self.difference)} in {label}{interval}; "
            f"{verdict}. {won} on {counted(self.wins, 'topic')}, {lost} on {self.losses:,}, equal "
            f"on {self.ties:,}.{contains_0}"
        )


def difference_of(board: Leaderboard, system: str, baseline: str) -> Difference:
    """The tested difference of two systems; InputError if they were not compared."""
    place = board.place
    found = board.differences_to(baseline) if {system, baseline} <= place.keys() else None
    if found is None or not found.compared[place[system]]:
        raise InputError(
            "`system` and `baseline` must be two systems that were compared on "
            f"{board.measure}; got {system!r} and {baseline!r}"
        )
    tests = (values[place[system]].item() for values in found.tests)
    noise = noise_of(board.tested.scores)
    by_topic = without_noise(board.scores[place[system]] - board.scores[found.place], noise)
    return Difference(board.tested, system, baseline, join_ties(by_topic, noise), *tests)
