"""Penalised logistic regression, fitted by Newton's method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray
from .transferred import logistic

STEPS = 100  # 5 to 20 are needed, most of them for rare grades

# Newton's method squares the error in each of its last steps: what a step below 1e-8 leaves is
# rounding.
TOLERANCE = 1e-8

LEAST_GAIN = 1e-4  # of what the slope promises, by convention; a step with less gain is halved

ROUNDING = 1e-12  # of the loss: the last steps gain less than the digits of the loss can show


class PenalisedLoss(NamedTuple):
    """The loss of a logistic regression, as a function of its coefficients, (columns,).

    It is the negative log-likelihood, summed over the examples, plus half the penalty times the
    squared coefficients.
    """

    design: FloatArray  # (examples, columns)
    reached: BoolArray  # (examples,): the outcome
    offset: FloatArray  # (examples,), added to the logit
    penalty: FloatArray  # (columns,), 0 or more

    def at(self, coefficients: FloatArray) -> float:
        """The loss."""
        logit = self.offset + self.design @ coefficients
        of_examples = np.logaddexp(0.0, np.where(self.reached, -logit, logit))
        return float(of_examples.sum() + 0.5 * (self.penalty * coefficients**2).sum())

    def derivatives(self, coefficients: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The slope of the loss, (columns,), and its curvature, (columns, columns)."""
        probability = logistic(self.offset + self.design @ coefficients)
        slope = self.design.T @ (probability - self.reached) + self.penalty * coefficients
        weight = probability * (1 - probability)
        curvature = (self.design.T * weight) @ self.design + np.diag(self.penalty)
        return slope, curvature


def fit_coefficients(loss: PenalisedLoss) -> FloatArray:
    """The coefficients of the smallest loss: (columns,).

    There is exactly one such point if every coefficient has a penalty; the intercept needs none if
    some examples reached the level and others did not. RuntimeError if the method does not find it.
    """
    coefficients = np.zeros(loss.design.shape[1])
    for _ in range(STEPS):
        slope, curvature = loss.derivatives(coefficients)
        step = np.linalg.solve(curvature, slope).astype(np.float64)
        if np.abs(step).max() < TOLERANCE:
            return coefficients - step
        coefficients = _after_step(loss, coefficients, step, float(slope @ step))
    raise RuntimeError(
        f"a logistic regression did not converge in {STEPS} steps: {len(loss.reached)} examples, "
        f"{np.count_nonzero(loss.reached)} of them positive"
    )


def _after_step(
    loss: PenalisedLoss, coefficients: FloatArray, step: FloatArray, promised: float
) -> FloatArray:
    """The coefficients after a step, which is halved until the loss falls as `promised`."""
    before = loss.at(coefficients)
    fraction = 1.0
    moved = coefficients - step
    while loss.at(moved) > before - LEAST_GAIN * fraction * promised + ROUNDING * before:
        fraction /= 2
        moved = coefficients - fraction * step
    return moved
