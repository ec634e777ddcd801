"""How many topics a paired t test of two systems needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray, safe_divide
from ..common.validators import LEVEL, finite_array, integer, number_in
from ..common.writing import shown
from ..exceptions import InputError
from .pairs import ROUNDING

POWER = 0.8  # Cohen's convention (1988)
LEAST_TOPICS = 2  # a standard deviation needs two
FEWEST_FOR_EFFECT = 3  # the correction for few topics of two is infinite
SEARCHED = LEAST_TOPICS, 1e12  # an effect so small that it needs more topics is not foreseeable
LARGEST_EFFECT = 1e4  # a larger effect needs hardly fewer topics, but may overflow


def hedges_g(differences: ArrayLike, variance: FloatArray | None = None) -> FloatArray:
    """Hedges' g: the mean difference in standard deviations, corrected for few topics.

    Parameters
    ----------
    differences : (pairs, topics)
        Of the scores of two systems, on at least 3 topics.
    variance : (pairs,), optional
        Moderated variances, in place of those of the differences.

    Returns
    -------
    (pairs,) floats
        In standard deviations; infinite where all differences of a pair are equal but not 0.

    Raises
    ------
    ValueError
        When the differences are of fewer than 3 topics, or one is not a finite number.

    Examples
    --------
    >>> from irx_measures.stats import hedges_g
    >>> hedges_g([[0.1, 0.2, 0.0, 0.1]]).round(3)
    array([0.886])
    """
    from scipy.special import gammaln

    differences = finite_array("differences", differences, 2)
    topics = differences.shape[1]
    if topics < FEWEST_FOR_EFFECT:
        raise InputError(
            f"`differences` must be of at least {FEWEST_FOR_EFFECT} topics; got {topics}"
        )
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


def topics_needed(
    effect: ArrayLike, topics: int, level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Topics that a paired t test of one pair needs for a power of .8, by an observed effect.

    Neither number predicts how many topics it will take: its relative error is about ``2/|t|``.

    Parameters
    ----------
    effect : (pairs,)
        Hedges' g as it was observed; see `hedges_g`.
    topics
        The number of topics on which it was observed, at least 3.
    level
        The confidence level of the test, in (0, 1).

    Returns
    -------
    pair of (pairs,) floats
        Whole numbers of topics. The first assumes that the observed effect g is the true one. The
        second is the safe one: it assumes the effect ``|g| - .8416 SE``, which is the lower 80%
        bound of ``|g|``. It is infinite ("not foreseeable") if this bound is not above 0.

    Raises
    ------
    ValueError
        When an effect is not a number, or `topics` or `level` is out of range.

    Examples
    --------
    >>> from irx_measures.stats import topics_needed
    >>> topics_needed([0.4], 50)
    (array([52.]), array([105.]))
    """
    from scipy.special import ndtri

    integer(FEWEST_FOR_EFFECT).check("topics", topics)
    effect = np.abs(_effects(effect))
    finite = np.where(np.isfinite(effect), effect, 0.0)
    error = np.sqrt(1.0 / topics + finite**2 / (2.0 * topics))
    safe = effect - ndtri(POWER) * error
    return np.ceil(topics_for_power(effect, level)), np.ceil(topics_for_power(safe, level))


def topics_for_power(effect: ArrayLike, level: float = 0.95, power: float = POWER) -> FloatArray:
    """The number of topics with which the two-sided paired t test has this power, not rounded.

    Parameters
    ----------
    effect : (effects,)
        The true mean difference in standard deviations; any other shape is allowed too.
    level
        The confidence level of the test, in (0, 1).
    power
        The probability that the test finds the difference, above 1 - level and below 1.

    Returns
    -------
    (effects,) floats
        Numbers of topics, at least 2; infinite where the effect is not above 0.

    Raises
    ------
    ValueError
        When an effect is not a number, or `level` or `power` is out of range.

    Examples
    --------
    >>> from irx_measures.stats import topics_for_power
    >>> topics_for_power([0.2, 0.4]).round(1)
    array([198.2,  51. ])
    """
    from scipy.optimize.elementwise import find_root

    effect = _effects(effect)
    level = LEVEL.check("level", level)
    number_in(1.0 - level, 1.0, closed=False).check("power", power)

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


def _effects(effect: ArrayLike) -> FloatArray:
    """Effects as an array of numbers, which may be infinite."""
    given = np.asarray(effect)
    if given.dtype.kind not in "iuf" or np.isnan(given).any():
        raise InputError(f"`effect` must hold numbers; got {shown(effect)}")
    return given.astype(np.float64)


def _power(topics: FloatArray, effect: FloatArray, level: float) -> FloatArray:
    """The power of the two-sided paired t test.

    The test rejects where ``|t|`` is large, so its power is that of t^2, which has the non-central
    F distribution. scipy's non-central t is NaN far in its tails.
    """
    from scipy.stats import f, ncf

    critical = f.isf(1.0 - level, 1.0, topics - 1.0)
    return np.asarray(ncf.sf(critical, 1.0, topics - 1.0, topics * effect**2))
