"""Confidence intervals of mean scores, and of mean differences."""

from __future__ import annotations

import numpy as np

from ..common.numbers import level_text
from ..common.numeric import FloatArray
from .student_t import t_isf

# A choice: 50 of the samples lie beyond each end of a 95% interval.
RESAMPLES = 2000
SEED = 42  # by convention; the same interval for the same scores


METHODS = {"t": "t interval", "bootstrap": "percentile bootstrap interval"}
"""The intervals of a mean over topics, by the names of their methods."""

DEFAULT_METHOD = "t"


def interval_name(level: float, method: str = DEFAULT_METHOD) -> str:
    """What an interval over topics is called wherever one is shown."""
    return f"{level_text(level)} {METHODS[method]} over topics"


def topic_interval(
    scores: FloatArray, level: float, method: str = DEFAULT_METHOD
) -> tuple[FloatArray, FloatArray]:
    """Interval of the mean over topics: lower and upper, (systems,) each.

    Parameters
    ----------
    scores : (systems, topics)
        At least 2 topics.
    level
        Confidence level, in (0, 1).
    method
        A key of `METHODS`.
    """
    return {"t": mean_interval, "bootstrap": _bootstrap_interval}[method](scores, level)


def _bootstrap_interval(scores: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """The percentile bootstrap interval (scipy.stats.bootstrap)."""
    from scipy.stats import bootstrap

    interval = bootstrap(
        (scores,),
        np.mean,
        axis=-1,
        confidence_level=level,
        n_resamples=RESAMPLES,
        batch=100,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return np.asarray(interval.low), np.asarray(interval.high)


def two_sided_t(alpha: float, freedom: int) -> float:
    """The t that is exceeded, in absolute value, with probability `alpha`."""
    return float(t_isf(alpha / 2.0, freedom))


def t_half_width(deviation: FloatArray, topics: int, critical_t: float) -> FloatArray:
    """Half the width of ``mean +- critical_t * deviation / sqrt(topics)``.

    An infinite critical value gives an infinite interval, also where the deviation is 0.
    """
    if np.isinf(critical_t):
        return np.full(deviation.shape, np.inf)
    return critical_t * deviation / np.sqrt(topics)


def mean_interval(scores: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Student's t interval of the mean over topics: lower and upper, (systems,) each.

    Parameters
    ----------
    scores : (systems, topics)
        At least 2 topics.
    level
        Confidence level, in (0, 1).
    """
    topics = scores.shape[1]
    mean, deviation = scores.mean(axis=1), scores.std(axis=1, ddof=1)
    half = t_half_width(deviation, topics, two_sided_t(1.0 - level, topics - 1))
    return mean - half, mean + half
