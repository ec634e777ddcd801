"""Whether a machine's judgments favour a group of systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..scoring.score_matrix import ScoreMatrix
from ..stats.corrections import corrected
from ..stats.intervals import mean_interval
from ..stats.pairs import Pairs
from ..stats.results import Columns, StudyResult
from ..stats.tests import paired_t

ARRAYS = ("systems", "difference", "lower", "upper", "p", "p_adjusted")


@dataclass(frozen=True, eq=False, repr=False)
class Favour(StudyResult):
    """Machine minus human score: groups of systems against all other systems.

    Each array has one item per group.

    Attributes
    ----------
    judge, measure : str
    groups : tuple of str
    systems : ints
        Number of systems of the group.
    difference : floats
        Mean over topics of the group's machine minus human score, minus that of the other systems.
    lower, upper : floats
        Student's t interval of the difference, not corrected for the number of groups.
    p, p_adjusted : floats
        p-values of the paired t test over topics, before and after Holm's correction.
    """

    judge: str
    measure: str
    groups: tuple[str, ...]
    systems: Int64Array
    difference: FloatArray
    lower: FloatArray
    upper: FloatArray
    p: FloatArray
    p_adjusted: FloatArray

    def to_columns(self) -> Columns:
        """One row per group: judge, measure, group, and the arrays."""
        return {
            "judge": [self.judge] * len(self.groups),
            "measure": [self.measure] * len(self.groups),
            "group": self.groups,
            **{name: getattr(self, name) for name in ARRAYS},
        }

    @property
    def summary(self) -> str:
        """The result in one line."""
        smallest = int(np.argmin(self.p_adjusted))
        return (
            f"{self.judge}, {self.measure}: of {len(self.groups)} groups, the machine treats "
            f"{self.groups[smallest]!r} most differently: {self.difference[smallest]:+.3f} "
            f"(Holm-adjusted p {self.p_adjusted[smallest]:.3f})"
        )

    def favoured(self, alpha: float) -> list[str]:
        """A sentence for each group that the machine favours significantly."""
        rows = np.flatnonzero((self.p_adjusted <= alpha) & (self.difference > 0)).tolist()
        return [
            f"{self.judge} favours the systems of {self.groups[row]!r} on {self.measure}: compared "
            f"with the human scores, it raises them by {self.difference[row]:.3f} more than the "
            f"other systems (Holm-adjusted p {self.p_adjusted[row]:.3f})"
            for row in rows
        ]


def favours_of(
    judge: str, human: ScoreMatrix, machine: ScoreMatrix, level: float
) -> Iterator[Favour]:
    group_of = human.groups or human.systems
    names = tuple(dict.fromkeys(group_of))
    if len(names) == 1:
        return
    member = np.array([[name == group for group in group_of] for name in names])
    systems = member.sum(axis=1)
    weight = np.vstack((member / systems[:, np.newaxis],
                        ~member / (~member).sum(axis=1, keepdims=True)))  # fmt: skip
    count = np.arange(len(names))
    for measure, gain in zip(human.measures, machine.scores - human.scores, strict=True):
        means = weight @ gain  # of every group, then of the systems outside every group
        pairs = Pairs(count, count + len(names))
        difference = pairs.differences(means)
        p = paired_t(means, pairs)
        yield Favour(
            judge, str(measure), names, systems, difference.mean(axis=1),
            *mean_interval(difference, level), p, corrected(p, "holm"),
        )  # fmt: skip
