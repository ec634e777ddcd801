"""Correlation of the rankings of systems by two measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from ..common.arrays import FloatArray
from ..common.validators import FRACTION, choice, generator, integer, system_names, two_arrays
from ..stats.correlation import COEFFICIENTS, WITH_PHI, coefficient_of
from ..stats.ranks import mean_ranks, rounded
from ..stats.resampling import topic_counts
from .results import Columns, StudyResult


@dataclass(frozen=True, eq=False, repr=False)
class RankCorrelation(StudyResult):
    """The correlation of two rankings of systems, and how sure it is.

    Attributes
    ----------
    systems : tuple of str
    coefficient : str
        One of `COEFFICIENTS`.
    phi : float or None
        Persistence of RBO and RBA.
    first, second : (systems,) floats
        Mean scores, by which systems are ranked.
    value : float
        The coefficient, over all topics. NaN where a measure ties all systems.
    bootstrap : (samples,) floats
        The coefficient over bootstrap samples of the topics; NaN as for `value`.
    confidence : float
        Level of the interval.
    """

    systems: tuple[str, ...]
    coefficient: str
    phi: float | None
    first: FloatArray
    second: FloatArray
    value: float
    bootstrap: FloatArray
    confidence: float

    @property
    def interval(self) -> tuple[float, float]:
        """The symmetric bootstrap interval: the value, give or take as much as samples differ.

        It ends where the coefficient's range ends. NaN where the value is.
        """
        deviation = np.abs(self.bootstrap[~np.isnan(self.bootstrap)] - self.value)
        if isnan(self.value) or not deviation.size:
            return nan, nan
        reach = float(np.quantile(deviation, self.confidence))
        least = 0.0 if self.coefficient in WITH_PHI else -1.0
        # A value may lie beyond the range by rounding.
        low, high = max(self.value - reach, least), min(self.value + reach, 1.0)
        return min(low, self.value), max(high, self.value)

    @property
    def undefined(self) -> int:
        """Bootstrap samples without a coefficient, because a ranking has all systems tied."""
        return int(np.count_nonzero(np.isnan(self.bootstrap)))

    def to_columns(self) -> Columns:
        """A row per system: system, first, second, first_rank, second_rank.

        Mean scores by either measure, and ranks, 1 the best, tied ones at their mean.
        """
        return {
            "system": self.systems,
            "first": self.first,
            "second": self.second,
            "first_rank": mean_ranks(self.first),
            "second_rank": mean_ranks(self.second),
        }

    @property
    def summary(self) -> str:
        """One line."""
        if isnan(self.value):
            return f"{self.coefficient} undefined: a measure ties all {len(self.systems)} systems"
        low, high = self.interval
        left_out = f", of which {self.undefined} tie all systems" if self.undefined else ""
        phi = "" if self.phi is None else f"(phi={self.phi:g})"
        return (
            f"{self.coefficient}{phi} {self.value:.3f}, {self.confidence:.0%} interval "
            f"[{low:.3f}, {high:.3f}] ({len(self.systems)} systems, {len(self.bootstrap)} "
            f"bootstrap samples of the topics{left_out})"
        )


def rank_correlation(
    first: ArrayLike,
    second: ArrayLike,
    systems: Sequence[str] | None = None,
    *,
    coefficient: str = "tau_b",
    phi: float = 0.9,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 42,
) -> RankCorrelation:
    """Correlate the rankings of systems by two measures' mean scores.

    Parameters
    ----------
    first, second : (systems, queries)
        Two measures' scores of the same systems on the same queries.
    systems
        Their names; positions where not given.
    coefficient
        - ``tau``: Kendall's, over all pairs; a tied one is neither concordant nor discordant.
        - ``tau_b``: Kendall's with ties taken out, as scipy's `kendalltau`; it is 1 for a ranking
          with itself, ties or none. Without ties it is tau.
        - ``tau_AP``: Yilmaz, Aslam and Robertson's (SIGIR 2008), in which errors weigh more at the
          top; of the second ranking, the first being true. Not symmetric.
        - ``spearman``: Spearman's rho.
        - ``RBO``, ``RBA``: rank-biased overlap and alignment, in [0, 1], 1 for equal rankings
          without ties: both rankings are complete, and agree beyond their ends. Ties as in the
          measures `RBO` and `RBA`.
    phi
        Persistence of RBO and RBA, in (0, 1).
    samples
        Number of bootstrap samples of the topics.
    confidence
        Level of the interval, in (0, 1).
    seed
        Of the samples.

    Returns
    -------
    RankCorrelation

    Raises
    ------
    ValueError
        For scores of another shape or not finite, and for parameters out of range.

    Notes
    -----
    - The interval is the symmetric bootstrap interval (Hall 1988): the coefficient plus and minus
      the distance within which `confidence` of the samples lie. Resampled topics add noise to both
      rankings, so the samples lie below the coefficient on average. A percentile interval lies too
      low then, and its upper end is often the coefficient itself. In simulations where the true
      coefficient is known, the symmetric interval covers it much more often where the bias is
      large, and about as often elsewhere; BCa covers it less often.
    - Where a measure ties all systems, tau, tau_b, tau_AP and spearman are undefined: NaN. Samples
      of topics on which it does so are left out of the interval; `undefined` counts them.

    References
    ----------
    Hall. On Symmetric Bootstrap Confidence Intervals. Journal of the Royal Statistical Society
    B 50(1), 1988.

    Examples
    --------
    >>> from irx_measures.meta import rank_correlation
    >>> first = [[0.9, 0.8], [0.7, 0.5], [0.4, 0.3], [0.1, 0.2]]
    >>> second = [[0.9, 0.8], [0.3, 0.4], [0.6, 0.5], [0.1, 0.2]]
    >>> rank_correlation(first, second).value
    0.6666666666666666
    """
    one, other = two_arrays(first, second, systems=systems)
    names = system_names(systems, len(one))
    choice(*COEFFICIENTS).check("coefficient", coefficient)
    FRACTION.check("phi", phi)
    FRACTION.check("confidence", confidence)
    queries = one.shape[1]
    rng = generator(seed)
    counts = topic_counts(queries, integer(1).check("samples", samples), rng)
    means = rounded(one.mean(axis=1)), rounded(other.mean(axis=1))
    (value,) = coefficient_of(coefficient, means[0][np.newaxis], means[1][np.newaxis], phi)
    resampled = [rounded(counts @ scores.T / queries) for scores in (one, other)]
    bootstrap = coefficient_of(coefficient, resampled[0], resampled[1], phi)
    used = phi if coefficient in WITH_PHI else None
    return RankCorrelation(names, coefficient, used, *means, float(value), bootstrap, confidence)
