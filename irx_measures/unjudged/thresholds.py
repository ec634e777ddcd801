"""Logistic regressions of the probability of each grade or a higher one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..exceptions import importing
from .features import FEATURES
from .transferred import clipped_logit, logistic

# Both penalties were chosen on seven TREC collections (see features.py).
C = 0.3  # scikit-learn's inverse penalty of the local model

PENALTY = 30.0  # of the shrunk model, on the summed log-likelihood: 3 for a design effect of 10

# Quantiles of the training examples. Without clipping, a run unlike all trained ones (3% judged)
# was filled worse than with zeros.
CLIPPED = (0.01, 0.99)

SMALLEST = 1e-4  # transferred probabilities are clipped to [.0001, .9999] before their logit

STEPS, TOLERANCE = 100, 1e-10  # Newton's method converges in far fewer steps


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
    if reached.all() or not reached.any():
        # The half document keeps the logit finite where all or no examples reach the level.
        share = (np.count_nonzero(reached) + 0.5) / (len(reached) + 1)
        return np.append(np.log(share / (1 - share)), np.zeros(features.shape[1]))
    with importing("unjudged", "a local JudgmentModel needs scikit-learn"):
        from sklearn.linear_model import LogisticRegression
    # The limit is far above the steps needed on standardised features.
    fitted = LogisticRegression(C=C, max_iter=1000).fit(features, reached)
    return np.append(fitted.intercept_, fitted.coef_)


def _shrunk(features: FloatArray, reached: BoolArray, offset: FloatArray) -> FloatArray:
    """Newton's method for a penalised logistic regression; the penalty makes it converge."""
    features = np.column_stack([np.ones(len(features)), features])
    coefficients = np.zeros(features.shape[1])
    for _ in range(STEPS):
        probability = logistic(offset + features @ coefficients)
        slope = features.T @ (probability - reached) + PENALTY * coefficients
        weight = probability * (1 - probability)
        curvature = (features.T * weight) @ features + PENALTY * np.eye(len(slope))
        step = np.linalg.solve(curvature, slope)
        coefficients -= step
        if np.abs(step).max() < TOLERANCE:
            break
    return coefficients
