"""Concordance of significance: do two measures find the same differences?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.numeric import Int64Array
from ..common.writing import shown
from ..exceptions import InputError
from ..stats.results import Columns, StudyResult
from ..stats.tests import TESTS
from .power import DiscriminativePower
from .scores import pair_columns


@dataclass(frozen=True, eq=False, repr=False)
class Concordance(StudyResult):
    """The conclusions of two measures about each pair of systems.

    Attributes
    ----------
    first, second : DiscriminativePower
    first_verdict, second_verdict : (pairs,) ints
        1 if the pair's first system is significantly better, -1 if the second one is, else 0.
    agree, disagree, conflict : int
        Number of pairs with the same conclusion, of pairs in which only one measure finds a
        difference, and of pairs in which the measures find different systems better.
    only_first, only_second : int
        Number of pairs in which only the first, and only the second measure finds a difference.
    """

    first: DiscriminativePower
    second: DiscriminativePower
    first_verdict: Int64Array
    second_verdict: Int64Array
    agree: int
    disagree: int
    conflict: int
    only_first: int
    only_second: int

    def to_columns(self) -> Columns:
        """One row per pair: first, second, first_verdict, second_verdict, outcome."""
        one, other = self.first_verdict, self.second_verdict
        differs = np.where(one * other < 0, "conflict", "disagree")
        return pair_columns(
            self.first.systems,
            first_verdict=one,
            second_verdict=other,
            outcome=np.where(one == other, "agree", differs),
        )

    @property
    def summary(self) -> str:
        method = self.first.method
        return (
            f"{TESTS[method.test].title} at {100 * method.level:g}%: of {self.first.pairs} pairs "
            f"{self.agree} agree, {self.disagree} disagree, {self.conflict} conflict"
        )


def concordance(first: DiscriminativePower, second: DiscriminativePower) -> Concordance:
    """Compare the differences between systems that two measures find significant.

    Parameters
    ----------
    first, second
        Results of `discriminative_power` by the same method, for the same systems. Their level
        decides what is significant.

    Notes
    -----
    The "conflict cases" in the upper-expected paper's Table 8 are `disagree` plus `conflict`.

    Examples
    --------
    >>> from irx_measures.meta import concordance, discriminative_power
    >>> one = discriminative_power([[0.9, 0.8, 0.9, 0.7], [0.2, 0.1, 0.3, 0.1]], test="t")
    >>> other = discriminative_power([[0.5, 0.1, 0.9, 0.2], [0.2, 0.4, 0.3, 0.3]], test="t")
    >>> concordance(one, other).summary
    'paired t test at 95%: of 1 pairs 0 agree, 1 disagree, 0 conflict'
    """
    for name, power in (("first", first), ("second", second)):
        if not isinstance(power, DiscriminativePower):
            raise TypeError(
                f"`{name}` must be a result of discriminative_power; got {shown(power)}"
            )
    for name in ("systems", "method"):
        one, other = getattr(first, name), getattr(second, name)
        if one != other:
            raise InputError(
                f"`first` and `second` must be of the same {name}; got {one} and {other}"
            )
    verdicts = [
        np.where(power.significant_pairs(), np.sign(power.difference), 0)
        for power in (first, second)
    ]
    one, other = (verdict.astype(np.int64) for verdict in verdicts)
    only_first, only_second = (one != 0) & (other == 0), (one == 0) & (other != 0)
    outcomes = (one == other, only_first | only_second, one * other < 0, only_first, only_second)
    return Concordance(first, second, one, other, *(int(pairs.sum()) for pairs in outcomes))
