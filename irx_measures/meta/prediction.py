"""Quality of predicted scores: their errors, and the preferences that they imply (ECIR 2023).

Fröbe, Gienapp, Potthast and Hagen. Bootstrapped nDCG Estimation in the Presence of Unjudged
Documents.
"""

from __future__ import annotations

from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..common.validators import finite_array
from ..exceptions import InputError


class Errors(NamedTuple):
    """Root mean square errors of predicted scores: of all, and of those above or below the truth.

    `lower` counts overestimations only: how wrong the scores are as lower bounds. `upper` counts
    underestimations only.
    """

    lower: float
    actual: float
    upper: float


def prediction_error(predicted: ArrayLike, actual: ArrayLike) -> Errors:
    """Root mean square errors, as in Table 4 of the bootstrap paper: lower, actual, upper.

    Parameters
    ----------
    predicted, actual : arrays of one shape
        Scores, for example of shape (systems, queries).

    Raises
    ------
    ValueError
        If the shapes differ, the arrays are empty, or a number is not finite.

    Examples
    --------
    One score is too high by .3, and one too low by .4.

    >>> from irx_measures.meta import prediction_error
    >>> errors = prediction_error([0.5, 0.1], [0.2, 0.5])
    >>> round(errors.lower, 3), round(errors.actual, 3), round(errors.upper, 3)
    (0.212, 0.354, 0.283)
    """
    given = finite_array("predicted", predicted, 1)
    truth = finite_array("actual", actual, 1)
    if given.shape != truth.shape or not given.size:
        raise InputError(
            "`predicted` and `actual` must have one shape and not be empty; "
            f"got {given.shape} and {truth.shape}"
        )
    error = given - truth
    parts = (np.maximum(error, 0.0), error, np.minimum(error, 0.0))
    return Errors(*(float(np.sqrt((part * part).mean())) for part in parts))


class Preferences(NamedTuple):
    """Number of predicted preferences, of correctly predicted ones, and of true ones."""

    predicted: int
    correct: int
    true: int

    @property
    def precision(self) -> float:
        """Share of the predicted preferences that are true; NaN if no preference is predicted."""
        return self.correct / self.predicted if self.predicted else nan

    @property
    def recall(self) -> float:
        """Share of the true preferences that are predicted; NaN if there is no true preference."""
        return self.correct / self.true if self.true else nan

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 without a correct preference.

        NaN if nothing is predicted and nothing is true.
        """
        both = self.predicted + self.true
        return 2 * self.correct / both if both else nan


def reconstructed_preferences(
    lower: ArrayLike, upper: ArrayLike, actual: ArrayLike, others: ArrayLike
) -> Preferences:
    """Count the preferences that a score range implies (bootstrap paper, Table 6).

    The other system is preferred if its score lies above the range. The system itself is preferred
    if the other's score lies below the range. A score within the range implies no preference.

    Parameters
    ----------
    lower, upper : (queries,)
        Range of the system's score on each query. Pass the same scores twice for point estimates.
    actual : (queries,)
        The system's true score on each query.
    others : (systems, queries)
        True scores of the other systems.

    Returns
    -------
    Preferences
        Counts over all queries and other systems, with precision, recall and F1.

    Raises
    ------
    ValueError
        If the numbers of queries differ, `lower` exceeds `upper`, or a number is not finite.

    Examples
    --------
    >>> from irx_measures.meta import reconstructed_preferences
    >>> found = reconstructed_preferences([0.2], [0.6], [0.5], [[0.1], [0.4], [0.7]])
    >>> found, round(found.recall, 2)
    (Preferences(predicted=2, correct=2, true=3), 0.67)
    """
    low, high, truth = (
        finite_array(name, values, 1)
        for name, values in (("lower", lower), ("upper", upper), ("actual", actual))
    )
    rest = finite_array("others", others, 2)
    if not low.shape == high.shape == truth.shape == rest.shape[1:]:
        raise InputError(
            "`lower`, `upper`, `actual` and `others` must be of the same queries; got shapes "
            f"{low.shape}, {high.shape}, {truth.shape} and {rest.shape}"
        )
    if (low > high).any():
        raise InputError(
            f"`lower` must not exceed `upper`; got {low[low > high][0]} and {high[low > high][0]}"
        )
    predicted = np.where(rest > high, 1, np.where(rest < low, -1, 0))
    true = np.sign(rest - truth)
    correct = (predicted == true) & (predicted != 0)
    return Preferences(*(int(np.count_nonzero(part)) for part in (predicted, correct, true)))
