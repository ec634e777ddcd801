"""How many topics a paired t test of two systems needs."""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, safe_divide
from .pairs import ROUNDING

POWER = 0.8  # Cohen's convention (1988)
LEAST_TOPICS = 2  # a standard deviation needs two
SEARCHED = LEAST_TOPICS, 1e12  # an effect so small that it needs more topics is not foreseeable
LARGEST_EFFECT = 1e4  # a larger effect needs hardly fewer topics, but may overflow


def hedges_g(differences: FloatArray, variance: FloatArray | None = None) -> FloatArray:
    """Hedges' g: the mean difference in standard deviations, corrected for few topics: (pairs,).

    Parameters
    ----------
    differences : (pairs, topics)
        At least 3 topics.
    variance : (pairs,), optional
        As for `t_statistic`.
    """
    from scipy.special import gammaln

    topics = differences.shape[1]
    log_ratio = gammaln((topics - 1) / 2) - gammaln((topics - 2) / 2)
    correction = np.exp(log_ratio) / np.sqrt((topics - 1) / 2)
    return np.asarray(correction * t_statistic(differences, variance) / np.sqrt(topics))


def t_statistic(differences: FloatArray, variance: FloatArray | None = None) -> FloatArray:
    """Student's paired t of each pair: (pairs,).

    It is 0 if all differences of a pair are 0, and infinite if they are equal but not 0. The
    differences are those of `Pairs.differences`, which are 0 where they are float noise. A
    moderated `variance`, (pairs,), takes the place of their own.
    """
    mean = differences.mean(axis=1)
    spread = differences.std(axis=1, ddof=1) if variance is None else np.sqrt(variance)
    # Differences that are equal on all topics have a spread from rounding only.
    spread[spread <= ROUNDING * np.abs(mean)] = 0.0
    statistic = safe_divide(mean * np.sqrt(differences.shape[1]), spread)
    return np.where((spread == 0) & (mean != 0), np.copysign(np.inf, mean), statistic)


def topics_needed(effect: FloatArray, topics: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Topics that a paired t test of one pair needs for a power of .8: (pairs,), (pairs,).

    `effect`, (pairs,), was observed on so many topics, at least 3; see `hedges_g`. The first number
    assumes that the observed effect g is the true one. The second is the safe one: it assumes the
    effect ``|g| - .8416 SE``, which is the lower 80% bound of ``|g|``. It is infinite ("not
    foreseeable") if this bound is not above 0. Neither number predicts how many topics it will
    take: its relative error is about ``2/|t|``.
    """
    from scipy.special import ndtri

    effect = np.abs(effect)
    finite = np.where(np.isfinite(effect), effect, 0.0)
    error = np.sqrt(1.0 / topics + finite**2 / (2.0 * topics))
    safe = effect - ndtri(POWER) * error
    return np.ceil(topics_for_power(effect, level)), np.ceil(topics_for_power(safe, level))


def topics_for_power(effect: FloatArray, level: float = 0.95, power: float = POWER) -> FloatArray:
    """The number of topics with which the two-sided paired t test has this power, not rounded.

    `effect` is the true mean difference in standard deviations; the numbers, of its shape, are at
    least 2, and infinite where it is not above 0. `power` is above 1 - level, and below 1.
    """
    from scipy.optimize.elementwise import find_root

    def missing(log_topics: FloatArray, effect: FloatArray) -> FloatArray:
        return power - _power(np.exp(log_topics), effect, level)

    topics = np.where(effect > 0, float(LEAST_TOPICS), np.inf)
    least, most = np.log(SEARCHED)
    bounded = np.minimum(effect, LARGEST_EFFECT)
    topics[(effect > 0) & (missing(most, bounded) > 0)] = np.inf
    sought = np.isfinite(topics) & (missing(least, bounded) > 0)
    if sought.any():
        topics[sought] = np.exp(find_root(missing, (least, most), args=(bounded[sought],)).x)
    return topics


def _power(topics: FloatArray, effect: FloatArray, level: float) -> FloatArray:
    """The power of the two-sided paired t test.

    The test rejects where ``|t|`` is large, so its power is that of t^2, which has the non-central
    F distribution. scipy's non-central t is NaN far in its tails.
    """
    from scipy.stats import f, ncf

    critical = f.isf(1.0 - level, 1.0, topics - 1.0)
    return np.asarray(ncf.sf(critical, 1.0, topics - 1.0, topics * effect**2))
