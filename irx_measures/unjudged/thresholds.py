"""Logistic regressions of the probability of each grade or a higher one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from .features import FEATURES
from .regression import PenalisedLoss, fit_coefficients
from .transferred import clipped_logit, logistic

# Both penalties (see PenalisedLoss) were chosen on seven TREC collections (see features.py).
LOCAL_PENALTY = 1 / 0.3  # of slopes; a penalty of the intercept would make rare grades too probable

SHRUNK_PENALTY = 30.0  # of all coefficients: 3 for a design effect of 10

# Quantiles of the training examples. Without clipping, a run unlike all trained ones (3% judged)
# was filled worse than with zeros.
CLIPPED = (0.01, 0.99)

SMALLEST = 1e-4  # transferred probabilities are clipped to [.0001, .9999] before their logit


@dataclass(frozen=True, eq=False)
class Thresholds:
    """One logistic regression per positive level, on clipped and standardised features."""

    low: FloatArray  # (features,): they are clipped to the range of 98% of the training examples
    high: FloatArray  # (features,)
    centre: FloatArray  # (features,): the mean of the clipped training features
    scale: FloatArray  # (features,): their standard deviation
    coefficients: FloatArray  # (levels - 1, 1 + features), of P(level or higher)
    shrunk: bool  # whether the regression is added to the logit of the transferred prior

    @classmethod
    def fit(
        cls, features: FloatArray, transferred: FloatArray, level: Int64Array, shrunk: bool
    ) -> Thresholds:
        """Fit to examples; see `Examples`. If `shrunk`, shrink to the transferred prior."""
        low, high = _range(features)
        clipped = np.clip(features, low, high)
        centre, scale = clipped.mean(axis=0), clipped.std(axis=0)
        scale[scale == 0] = 1.0
        standard = (clipped - centre) / scale
        offsets = _offsets(transferred)
        coefficients = []
        for threshold in range(1, transferred.shape[1]):
            reached = level >= threshold
            if shrunk:
                coefficients.append(_shrunk(standard, reached, offsets[:, threshold - 1]))
            else:
                coefficients.append(_local(standard, reached))
        return cls(low, high, centre, scale, np.reshape(coefficients, (-1, 1 + len(low))), shrunk)

    def probabilities(self, features: FloatArray, transferred: FloatArray) -> FloatArray:
        """The probability of each level: (documents, levels)."""
        standard = (np.clip(features, self.low, self.high) - self.centre) / self.scale
        logit = self.coefficients[:, 0] + standard @ self.coefficients[:, 1:].T
        if self.shrunk:
            logit += _offsets(transferred)
        return of_thresholds(np.minimum.accumulate(logistic(logit), axis=1))


def of_thresholds(reached: FloatArray) -> FloatArray:
    """The probability of each level, (documents, levels), from those of each positive level or a
    higher one, (documents, levels - 1)."""
    ones, zeros = np.ones((len(reached), 1)), np.zeros((len(reached), 1))
    return np.hstack([ones, reached]) - np.hstack([reached, zeros])


def _range(features: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The range to which features are clipped; labels of a machine are 0 or 1 and stay so."""
    low, high = np.quantile(features, CLIPPED, axis=0)
    low[len(FEATURES) :], high[len(FEATURES) :] = 0.0, 1.0
    return low, high


def _offsets(transferred: FloatArray) -> FloatArray:
    """The logit of P(level or higher) by the transferred prior: (documents, levels - 1)."""
    reached = transferred[:, :0:-1].cumsum(axis=1)[:, ::-1]
    return clipped_logit(reached, SMALLEST)


def _local(features: FloatArray, reached: BoolArray) -> FloatArray:
    """The coefficients of a regression whose intercept is not penalised."""
    if reached.all() or not reached.any():
        # The half document keeps the logit finite where all or no examples reach the level.
        share = (np.count_nonzero(reached) + 0.5) / (len(reached) + 1)
        return np.append(np.log(share / (1 - share)), np.zeros(features.shape[1]))
    penalty = np.full(1 + features.shape[1], LOCAL_PENALTY)
    penalty[0] = 0.0
    return fit_coefficients(
        PenalisedLoss(_with_intercept(features), reached, np.zeros(len(reached)), penalty)
    )


def _shrunk(features: FloatArray, reached: BoolArray, offset: FloatArray) -> FloatArray:
    """The coefficients of a regression that is added to an offset, (examples,)."""
    penalty = np.full(1 + features.shape[1], SHRUNK_PENALTY)
    return fit_coefficients(PenalisedLoss(_with_intercept(features), reached, offset, penalty))


def _with_intercept(features: FloatArray) -> FloatArray:
    """A column of ones before the features."""
    return np.column_stack([np.ones(len(features)), features])
