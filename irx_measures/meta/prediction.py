"""Quality of predicted scores: their errors, and the preferences that they imply."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from ..common.validators import finite_array
from ..exceptions import InputError
from ..stats.results import Columns, StudyResult


@dataclass(frozen=True, repr=False)
class PredictionError(StudyResult):
    """Root mean square errors of predicted scores.

    Attributes
    ----------
    lower
        Error of overestimations only: how wrong the scores are as lower bounds.
    actual
        Error of all predictions.
    upper
        Error of underestimations only: how wrong the scores are as upper bounds.
    """

    lower: float
    actual: float
    upper: float

    def to_columns(self) -> Columns:
        """One row: lower, actual, upper."""
        return {name: [value] for name, value in asdict(self).items()}

    @property
    def summary(self) -> str:
        """The result in one line."""
        return (
            f"root mean square error {self.actual:.3f}: of overestimations alone "
            f"{self.lower:.3f}, of underestimations {self.upper:.3f}"
        )


def prediction_error(predicted: ArrayLike, actual: ArrayLike) -> PredictionError:
    """Root mean square errors, as in Table 4 of the bootstrap paper.

    Parameters
    ----------
    predicted, actual : arrays of one shape
        Scores, for example of shape (systems, queries).

    Returns
    -------
    PredictionError

    Raises
    ------
    ValueError
        If the shapes differ, the arrays are empty, or a number is not finite.

    References
    ----------
    Fröbe, Gienapp, Potthast and Hagen. Bootstrapped nDCG Estimation in the Presence of Unjudged
    Documents. ECIR 2023.

    Examples
    --------
    >>> from irx_measures.meta import prediction_error
    >>> prediction_error([0.5, 0.1], [0.2, 0.5])  # one too high by .3, one too low by .4
    PredictionError: root mean square error 0.354: of overestimations alone 0.212,
    of underestimations 0.283
          lower    actual     upper
    0  0.212132  0.353553  0.282843
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
    return PredictionError(*(float(np.sqrt((part * part).mean())) for part in parts))


@dataclass(frozen=True, repr=False)
class Preferences(StudyResult):
    """Number of predicted preferences between a system and others, and how many are correct.

    Attributes
    ----------
    predicted, correct, true
        Number of predicted preferences, of correctly predicted ones, and of true ones.
    """

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
        """Harmonic mean of precision and recall; NaN if no preference is predicted or true."""
        if not self.predicted + self.true:
            return nan
        if not self.correct:
            return 0.0
        return 2 * self.precision * self.recall / (self.precision + self.recall)

    def to_columns(self) -> Columns:
        """One row: predicted, correct, true, precision, recall, f1."""
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {name: [value] for name, value in {**asdict(self), **shares}.items()}

    @property
    def summary(self) -> str:
        """The result in one line."""
        return (
            f"precision {self.precision:.3f}, recall {self.recall:.3f}, F1 {self.f1:.3f} of "
            f"{self.predicted} predicted and {self.true} true preferences"
        )

    def __add__(self, other: Preferences) -> Preferences:
        """Add the counts of two results."""
        return Preferences(
            self.predicted + other.predicted, self.correct + other.correct, self.true + other.true
        )


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
        Counts over all queries and other systems.

    Raises
    ------
    ValueError
        If the numbers of queries differ, `lower` exceeds `upper`, or a number is not finite.

    References
    ----------
    Fröbe, Gienapp, Potthast and Hagen. Bootstrapped nDCG Estimation in the Presence of Unjudged
    Documents. ECIR 2023.

    Examples
    --------
    >>> from irx_measures.meta import reconstructed_preferences
    >>> found = reconstructed_preferences([0.2], [0.6], [0.5], [[0.1], [0.4], [0.7]])
    >>> found.predicted, found.correct, found.true, round(found.recall, 2)
    (2, 2, 3, 0.67)
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
