"""Student's t, and confidence intervals of mean scores and of mean differences.

The t distribution is scipy.special's: `scipy.stats` takes half a second to import.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray, safe_divide
from ..common.validators import LEVEL, finite_array
from ..common.writing import level_text
from ..exceptions import InputError
from .pairs import noise_of

# A choice: 50 of the samples lie beyond each end of a 95% interval.
RESAMPLES = 2000
SEED = 42  # by convention; the same interval for the same scores

UNBOUNDED = (-np.inf, np.inf)

FEWEST_TOPICS = 2  # for a standard deviation

METHODS = {"t": "t interval", "bootstrap": "percentile bootstrap interval"}
"""The intervals of a mean over topics, by the names of their methods."""

DEFAULT_METHOD = "t"


def interval_name(level: float, method: str = DEFAULT_METHOD) -> str:
    """What an interval over topics is called wherever one is shown."""
    return f"{level_text(level)} {METHODS[method]} over topics"


def topic_interval(
    scores: FloatArray,
    level: float,
    method: str = DEFAULT_METHOD,
    possible: tuple[float, float] = UNBOUNDED,
) -> tuple[FloatArray, FloatArray]:
    """As `mean_interval`, by one of `METHODS`."""
    if method == "bootstrap":  # means of scores, so that they are possible
        return _bootstrap_interval(scores, level)
    return mean_interval(scores, level, possible)


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


def t_isf(probability: float, freedom: float | FloatArray) -> FloatArray:
    """The t that is exceeded with this probability."""
    from scipy.special import stdtrit

    return np.asarray(-stdtrit(freedom, probability), dtype=np.float64)


def two_sided_p(
    difference: FloatArray, error: FloatArray, freedom: float | FloatArray
) -> FloatArray:
    """p-values of t = difference / standard error; a difference of 0 is never significant."""
    from scipy.special import stdtr

    statistic = safe_divide(np.abs(difference), error)
    p_value = np.where(error > 0, 2.0 * stdtr(freedom, -statistic), 0.0)
    return np.where(difference == 0, 1.0, p_value)


def t_half_width(deviation: FloatArray, topics: int, alpha: float) -> FloatArray:
    """Half the width of ``mean +- critical_t * deviation / sqrt(topics)``.

    ``critical_t`` is exceeded, in absolute value, with probability `alpha`. If it is infinite, so
    is the interval, also where the deviation is 0.
    """
    critical_t = float(t_isf(alpha / 2.0, topics - 1))
    if np.isinf(critical_t):
        return np.full(deviation.shape, np.inf)
    return critical_t * deviation / np.sqrt(topics)


def cut_at(
    possible: tuple[float, float], scores: FloatArray, ends: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """The ends of intervals of means, cut at the lowest and the highest possible score.

    `scores` are those of the measure. If any of them is beyond, such as a percentage, the scores
    have another unit, and nothing is cut.
    """
    low, high = possible
    noise = noise_of(scores)
    least, most = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    if least < low - noise or most > high + noise:
        return ends
    # Of means of 1, one may be 1 + 2e-16: an interval holds its mean.
    low, high = min(low, float(least)), max(high, float(most))
    lower, upper = ends
    return np.clip(lower, low, high), np.clip(upper, low, high)


def mean_interval(
    scores: ArrayLike, level: float = 0.95, possible: tuple[float, float] = UNBOUNDED
) -> tuple[FloatArray, FloatArray]:
    """Student's t interval of the mean over topics.

    Parameters
    ----------
    scores : (systems, topics)
        Of at least 2 topics.
    level
        Confidence level, in (0, 1).
    possible
        The lowest and the highest score of the measure. The interval is cut at them, unless a score
        lies beyond.

    Returns
    -------
    pair of (systems,) floats
        Lower and upper, in the unit of the scores.

    Raises
    ------
    ValueError
        When the scores are of fewer than 2 topics, one is not a finite number, or `level` is out of
        range.

    Examples
    --------
    >>> from irx_measures.stats import mean_interval
    >>> [end.round(3).tolist() for end in mean_interval([[0.2, 0.4, 0.3, 0.5]])]
    [[0.145], [0.555]]
    """
    scores, level = finite_array("scores", scores, 2), LEVEL.check("level", level)
    topics = scores.shape[1]
    if topics < FEWEST_TOPICS:
        raise InputError(f"`scores` must be of at least {FEWEST_TOPICS} topics; got {topics}")
    mean, deviation = scores.mean(axis=1), scores.std(axis=1, ddof=1)
    half = t_half_width(deviation, topics, 1.0 - level)
    return cut_at(possible, scores, (mean - half, mean + half))
