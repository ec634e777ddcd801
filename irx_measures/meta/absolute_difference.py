"""Percentage absolute difference: how much systems differ under a measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.numeric import FloatArray, safe_divide
from ..exceptions import InputError
from ..stats.pairs import Pairs
from ..stats.results import Columns
from .results import PairsResult
from .scores import ScoresLike, system_scores


@dataclass(frozen=True, eq=False, repr=False)
class AbsoluteDifference(PairsResult):
    """Percentage absolute differences of all pairs of systems.

    Attributes
    ----------
    systems : tuple of str
    per_pair : (pairs,) floats
        Absolute difference of the mean scores, in percent of the larger one.
    """

    per_pair: FloatArray

    @property
    def value(self) -> float:
        """Mean over the pairs, as in the upper-expected paper's Table 10."""
        return float(self.per_pair.mean())

    def to_columns(self) -> Columns:
        """One row per pair: first, second, percentage."""
        return self.pair_columns(percentage=self.per_pair)

    @property
    def summary(self) -> str:
        """The result in one line."""
        return (
            f"percentage absolute difference {self.value:.2f} "
            f"({len(self.per_pair)} pairs of {len(self.systems)} systems)"
        )


def percentage_absolute_difference(
    scores: ScoresLike, systems: Sequence[str] | None = None
) -> AbsoluteDifference:
    """Differences of mean scores, in percent of the larger mean (upper-expected paper, Eq. 8).

    Parameters
    ----------
    scores : (systems, queries)
        To average a measure over cutoffs, as in the paper, concatenate the scores of all cutoffs
        along the second axis.
    systems
        Names of the systems; positions if not given.

    Returns
    -------
    AbsoluteDifference

    Raises
    ------
    ValueError
        If scores have another shape or are not finite. Also if two systems differ and the larger
        mean is not positive, because the equation is then undefined.

    Notes
    -----
    - Two equal means differ by 0%, even if both are 0.
    - Version 2 of `UE` can give means below 0. The difference between a negative and a positive
      mean is more than 100%.

    Examples
    --------
    >>> from irx_measures.meta import percentage_absolute_difference
    >>> percentage_absolute_difference([[0.2, 0.4], [0.4, 0.4], [0.1, 0.3]]).per_pair.round(2)
    array([25.  , 33.33, 50.  ])
    """
    array, names = system_scores(scores, systems, queries=1)
    mean = array.mean(axis=1)
    pairs = Pairs.of(len(array))
    difference = np.abs(pairs.differences(mean))
    larger = np.maximum(mean[pairs.first], mean[pairs.second])
    with np.errstate(over="ignore"):  # if the larger mean is barely above 0
        percentage = 100.0 * safe_divide(difference, larger)
    undefined = (larger <= 0) & (difference > 0) | np.isinf(percentage)
    if undefined.any():
        raise InputError(
            "`scores`: percentages of the larger mean need it to be above 0; "
            f"got {larger[undefined][0]:g}"
        )
    return AbsoluteDifference(names, percentage)
