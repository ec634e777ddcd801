"""The difference of two systems, topic by topic and on average."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.arrays import FloatArray
from ..exceptions import InputError
from .hypotheses import Tested


@dataclass(frozen=True)
class Difference:
    """One system minus another on one measure, with the test of their difference.

    Attributes
    ----------
    tested
        The tests to which this one belongs.
    system, baseline : str
    by_topic : (topics,) floats
        Score of the system minus that of the baseline.
    mean, lower, upper
        Mean difference and its interval, which agrees with the correction.
    effect
        Hedges' g of the differences.
    p, p_adjusted
        Two-sided p-values before and after the correction.
    wins, ties, losses
        Number of topics on which the system scores higher, the same, lower.
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
        one - other,
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
