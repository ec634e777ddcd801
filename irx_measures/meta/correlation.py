"""Correlation of rankings of systems: by two measures, and among fewer systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray, Int64Array, ratio_or_nan
from ..common.progress import counting_bar
from ..common.validators import LEVEL, finite_array, generator, integer, names_of
from ..common.writing import PLAIN, level_text
from ..exceptions import InputError
from ..results.base import StudyResult
from ..results.column import Column
from ..stats.correlation import WITH_PHI, coefficient_named, coefficient_of
from ..stats.pairs import join_ties, noise_of
from ..stats.ranks import mean_ranks
from ..stats.resampling import topic_counts
from ..typing import Coefficient
from .scores import ScoresLike, two_system_scores

SIZES = (2, 4, 8, 16, 32, 64)  # as Table 3 of the rareness paper


@dataclass(frozen=True, eq=False, repr=False)
class RankCorrelation(StudyResult):
    """The correlation of two rankings of systems, with a bootstrap interval.

    Attributes
    ----------
    systems : tuple of str
    coefficient : str
        Its name, with the persistence of RBO and RBA.
    first, second : (systems,) floats
        Mean scores that rank the systems.
    value : float
        The coefficient over all topics. NaN if a measure ties all systems.
    bootstrap : (samples,) floats
        The coefficient over each bootstrap sample of the topics. NaN as for `value`.
    level : float
        Confidence level of the interval.
    interval : pair of floats
        The symmetric bootstrap interval around the value, clipped to the coefficient's range; NaN
        if the value is.
    undefined : int
        Number of bootstrap samples in which a ranking ties all systems.

    See Also
    --------
    irx_measures.meta.rank_correlation : Computes it.
    irx_measures.plots.correlation_curves : Draws several.
    """

    systems: tuple[str, ...]
    coefficient: str
    first: FloatArray
    second: FloatArray
    value: float
    bootstrap: FloatArray
    level: float
    interval: tuple[float, float]
    undefined: int

    def columns(self) -> list[Column]:
        """One row per system."""
        mean = "mean score by the {} measure"
        rank = "rank by the {} measure: 1 is the best; tied systems share their mean rank"
        first_rank, second_rank = mean_ranks(self.first), mean_ranks(self.second)
        return [
            Column("system", self.systems, meaning="name of the system", key=True),
            Column("first", self.first, meaning=mean.format("first")),
            Column("second", self.second, meaning=mean.format("second")),
            Column("first_rank", first_rank, meaning=rank.format("first")),
            Column("second_rank", second_rank, meaning=rank.format("second")),
        ]

    def row(self) -> list[Column]:
        """The study in one row."""
        low, high = self.interval
        interval = f"end of the symmetric {level_text(self.level)} bootstrap interval"
        undefined = "bootstrap samples that are left out, because a measure ties all systems"
        return [
            Column("coefficient", [self.coefficient], meaning="coefficient of correlation"),
            Column("value", [self.value], meaning="the coefficient over all topics"),
            Column("lower", [low], meaning=f"lower {interval}"),
            Column("upper", [high], meaning=f"upper {interval}"),
            Column("undefined", [self.undefined], meaning=undefined),
        ]

    @property
    def summary(self) -> str:
        if isnan(self.value):
            return f"{self.coefficient} undefined: a measure ties all {len(self.systems)} systems"
        low, high = self.interval
        left_out = f", of which {self.undefined} tie all systems" if self.undefined else ""
        return (
            f"{self.coefficient} {self.value:.3f}, {level_text(self.level)} interval "
            f"[{low:.3f}, {high:.3f}] ({len(self.systems)} systems, {len(self.bootstrap)} "
            f"bootstrap samples of the topics{left_out})"
        )


def rank_correlation(
    first: ScoresLike,
    second: ScoresLike,
    systems: Sequence[str] | None = None,
    *,
    coefficient: Coefficient = "tau_b",
    phi: float = 0.9,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 42,
) -> RankCorrelation:
    """Correlate the rankings of systems by two measures' mean scores.

    Parameters
    ----------
    first, second : (systems, queries)
        Scores of two measures for the same systems on the same queries.
    systems
        Names of the systems; positions if not given.
    coefficient
        - ``tau``: Kendall's tau over all pairs. A tied pair is neither concordant nor discordant.
        - ``tau_b``: Kendall's tau corrected for ties, as in scipy's `kendalltau`. It is 1 for a
          ranking with itself, even with ties. Without ties it equals tau.
        - ``tau_AP``: AP correlation (Yilmaz, Aslam and Robertson, SIGIR 2008). Errors at the top
          weigh more. The first ranking is the reference, so the coefficient is not symmetric.
        - ``spearman``: Spearman's rho.
        - ``RBO``, ``RBA``: rank-biased overlap and alignment, in [0, 1]. Both rankings are
          complete: equal rankings without ties score 1, and tied systems share their ranks.
    phi
        Persistence of RBO and RBA, in (0, 1).
    samples
        Number of bootstrap samples of the topics.
    level
        Confidence level of the interval, in (0, 1).
    seed
        Random seed.

    Returns
    -------
    RankCorrelation
        The coefficient with its interval, and the mean scores that rank the systems.

    Raises
    ------
    ValueError
        When the scores are not of the same at least 2 systems and 2 queries, a score is not a
        finite number, or an option is out of range.

    Notes
    -----
    - The interval is the symmetric bootstrap interval (Hall 1988): the coefficient plus and minus
      the distance within which a share `level` of the samples lies. Resampled topics add noise to
      both rankings, so the samples lie below the coefficient on average, and a percentile interval
      is too low. In simulations with a known true coefficient, the symmetric interval covers it
      much more often than the percentile interval if the bias is large, about as often otherwise,
      and more often than the BCa interval.
    - If a measure ties all systems, tau, tau_b, tau_AP and spearman are undefined (NaN). The
      interval ignores bootstrap samples in which this happens; `undefined` counts them.

    References
    ----------
    Hall. On Symmetric Bootstrap Confidence Intervals. Journal of the Royal Statistical Society
    B 50(1), 1988.

    Examples
    --------
    The two measures order two of the three pairs of systems alike.

    >>> from irx_measures.meta import rank_correlation
    >>> first = [[0.9, 0.8, 0.7], [0.5, 0.6, 0.4], [0.1, 0.3, 0.2]]
    >>> second = [[0.7, 0.9, 0.8], [0.2, 0.3, 0.4], [0.5, 0.6, 0.4]]
    >>> round(rank_correlation(first, second).value, 3)
    0.333
    """
    one, other, names = two_system_scores(first, second, systems)
    if one.shape != other.shape:
        raise InputError(
            "`first` and `second` must be of the same queries; got shapes "
            f"{one.shape} and {other.shape}"
        )
    named = coefficient_named(coefficient, phi)
    level = LEVEL.check("level", level)
    rng = generator(seed)
    counts = topic_counts(one.shape[1], integer(1).check("samples", samples), rng)
    first_mean, first_means = _sampled_means(one, counts)
    second_mean, second_means = _sampled_means(other, counts)
    (value,) = coefficient_of(coefficient, first_mean[np.newaxis], second_mean[np.newaxis], phi)
    bootstrap = coefficient_of(coefficient, first_means, second_means, phi)
    least = 0.0 if coefficient in WITH_PHI else -1.0
    value = float(np.clip(value, least, 1.0))  # rounding may put it slightly outside
    deviation = np.abs(bootstrap - value)
    defined = deviation[~np.isnan(deviation)]
    reach = np.quantile(defined, level) if len(defined) else nan
    low, high = np.clip([value - reach, value + reach], least, 1.0).tolist()
    return RankCorrelation(
        names,
        named,
        first_mean,
        second_mean,
        value,
        bootstrap,
        level,
        (low, high),
        int(np.isnan(bootstrap).sum()),
    )


def _sampled_means(scores: FloatArray, counts: Int64Array) -> tuple[FloatArray, FloatArray]:
    """Mean scores over all topics, (systems,), and over samples of them, (samples, systems).

    `counts` says how often each sample has each topic: (samples, queries).
    """
    noise = noise_of(scores)
    over_all = join_ties(scores.mean(axis=1), noise)
    return over_all, join_ties(counts @ scores.T / scores.shape[1], noise)


@dataclass(frozen=True, eq=False, repr=False)
class SystemImpact(StudyResult):
    """Correlations between rankings of a few systems and their ranking among all systems.

    Attributes
    ----------
    systems : tuple of str
    coefficient : str
    sizes : (sizes,) ints
        Numbers of systems evaluated together.
    correlation : (sizes, trials) floats
        Each trial evaluates randomly chosen systems among themselves. The value correlates their
        ranking with the ranking of the same systems evaluated among all systems. NaN if a ranking
        ties all systems.
    undefined : (sizes,) ints
        Number of trials without a correlation. Means leave them out.
    mean : (sizes,) floats
        Mean over the trials, as in the rareness paper's Table 3.
    error : (sizes,) floats
        Standard errors of the means; 0 for one trial.

    See Also
    --------
    irx_measures.meta.system_impact : Computes it.
    irx_measures.plots.impact_curves : Draws several.
    """

    systems: tuple[str, ...]
    coefficient: str
    sizes: Int64Array
    correlation: FloatArray
    undefined: Int64Array
    mean: FloatArray
    error: FloatArray

    def columns(self) -> list[Column]:
        """One row per number of systems."""
        mean = (
            f"mean over the trials of {self.coefficient} between the ranking of the systems among "
            "themselves and among all systems"
        )
        undefined = "trials that are left out, because a ranking ties all systems"
        return [
            Column("systems", self.sizes, meaning="systems evaluated together", key=True),
            Column("mean", self.mean, meaning=mean),
            Column("error", self.error, meaning="standard error of the mean"),
            Column("undefined", self.undefined, meaning=undefined),
        ]

    @property
    def summary(self) -> str:
        sizes, undefined = self.sizes.tolist(), self.undefined.tolist()
        means = map(PLAIN.number, self.mean.tolist())
        with_size = ", ".join(
            f"{mean} with {size}" for mean, size in zip(means, sizes, strict=True)
        )
        tied = [f"{n} with {size}" for n, size in zip(undefined, sizes, strict=True) if n]
        left_out = f"; left out, because all systems tie: {', '.join(tied)}" if tied else ""
        return (
            f"mean {self.coefficient} to the ranking among all {len(self.systems)} systems: "
            f"{with_size} ({self.correlation.shape[1]} trials{left_out})"
        )


def system_impact(
    scorer: Callable[[Int64Array], ArrayLike],
    systems: Sequence[str],
    *,
    sizes: Sequence[int] | None = None,
    trials: int = 1000,
    coefficient: Coefficient = "tau_b",
    phi: float = 0.9,
    seed: int = 42,
    progress: bool | None = None,
) -> SystemImpact:
    """Measure how rankings change when fewer systems are evaluated (rareness paper, Algorithm 1).

    Parameters
    ----------
    scorer
        A function of the positions of the chosen systems. It evaluates only these systems together
        and returns their scores, (systems, queries), or their mean scores, (systems,). For example
        an `irx_measures.SubsetScorer`.
    systems
        Names of the systems.
    sizes
        Numbers of systems to choose. The default is 2, 4, 8, ... 64 as in the paper, without sizes
        above the number of systems.
    trials
        Number of random choices of systems for each size.
    coefficient, phi, seed
        As in `rank_correlation`. The ranking among all systems is the first ranking.
    progress
        As in `discriminative_power`.

    Returns
    -------
    SystemImpact
        The correlations of all trials, and their mean for each number of systems.

    Raises
    ------
    ValueError
        When there are fewer than 2 systems, a size is not from 2 to the number of systems, `scorer`
        does not return finite scores of the systems that it was asked for, or an option is out of
        range.

    Examples
    --------
    A measure that does not depend on the other systems gives the same ranking for every subset.

    >>> import numpy as np
    >>> from irx_measures.meta import system_impact
    >>> scores = np.array([0.9, 0.5, 0.7, 0.1])
    >>> system_impact(lambda chosen: scores[chosen], ["a", "b", "c", "d"], trials=10).mean
    array([1., 1.])
    """
    names = names_of("systems", systems, np.size(systems), "system")
    count = len(names)
    if count < 2:
        raise InputError(f"`systems` must hold at least 2 systems; got {count}")
    if sizes is None:
        sizes = [size for size in SIZES if size <= count]
    if not len(sizes):
        raise InputError("`sizes` must hold at least one number of systems; got none")
    wanted = [integer(2, count).check("sizes", size) for size in sizes]
    named = coefficient_named(coefficient, phi)
    rng = generator(seed)
    among_all = _means(scorer, np.arange(count))
    correlation = np.empty((len(wanted), integer(1).check("trials", trials)))
    with counting_bar(correlation.size, "trial", progress) as counted:
        for row, size in zip(correlation, wanted, strict=True):
            chosen = [np.sort(rng.choice(count, size, replace=False)) for _ in range(trials)]
            among_few = np.empty((trials, size))
            for trial, positions in enumerate(chosen):
                among_few[trial] = _means(scorer, positions)
                counted(1)
            row[:] = coefficient_of(coefficient, among_all[np.array(chosen)], among_few, phi)
    undefined = np.count_nonzero(np.isnan(correlation), axis=1)
    defined = trials - undefined
    mean = ratio_or_nan(np.nansum(correlation, axis=1), defined)
    deviation = np.nan_to_num(correlation - mean[:, np.newaxis])
    variance = (deviation**2).sum(axis=1) / np.maximum(defined - 1, 1)
    error = np.sqrt(ratio_or_nan(variance, defined))
    return SystemImpact(names, named, np.array(wanted), correlation, undefined, mean, error)


def _means(scorer: Callable[[Int64Array], ArrayLike], positions: Int64Array) -> FloatArray:
    scores = finite_array("scorer", scorer(positions), 1)
    if scores.ndim > 2 or len(scores) != len(positions) or not scores.size:
        raise InputError(
            f"`scorer` must give scores of the {len(positions)} systems asked for, "
            f"(systems, queries) or (systems,); got {scores.shape}"
        )
    means = scores if scores.ndim == 1 else scores.mean(axis=1)
    return join_ties(means, noise_of(scores))
