"""Impact of the number of systems, for measures that depend on the others evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import ArrayLike

from ..common.arrays import FloatArray, Int64Array
from ..common.division import share
from ..common.validators import (
    FRACTION,
    check_size,
    choice,
    generator,
    integer,
    numbers,
    system_names,
)
from ..exceptions import InputError
from ..stats.correlation import COEFFICIENTS, coefficient_of
from ..stats.ranks import rounded
from .results import Columns, StudyResult

SIZES = (2, 4, 8, 16, 32, 64)


@dataclass(frozen=True, eq=False, repr=False)
class SystemImpact(StudyResult):
    """Correlations of rankings among few systems with their ranking among all.

    Attributes
    ----------
    systems : tuple of str
    coefficient : str
    sizes : (sizes,) ints
        Numbers of systems that were evaluated together.
    correlation : (sizes, trials) floats
        Of the ranking of randomly chosen systems, evaluated among themselves, with the ranking
        of the same systems evaluated among all. NaN where a ranking has all systems tied.
    """

    systems: tuple[str, ...]
    coefficient: str
    sizes: Int64Array
    correlation: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Mean over the trials: the rareness paper's Table 3: (sizes,).

        Undefined trials are left out. NaN where every trial is undefined.
        """
        return share(np.nansum(self.correlation, axis=1), self._defined)

    @property
    def error(self) -> FloatArray:
        """Standard errors of the means, 0 for a single trial, NaN for no trial: (sizes,)."""
        deviation = np.nan_to_num(self.correlation - self.mean[:, np.newaxis])
        variance = (deviation**2).sum(axis=1) / np.maximum(self._defined - 1, 1)
        return np.sqrt(share(variance, self._defined))

    @property
    def undefined(self) -> Int64Array:
        """Trials without a correlation, because a ranking has all systems tied: (sizes,)."""
        return np.count_nonzero(np.isnan(self.correlation), axis=1)

    @property
    def _defined(self) -> Int64Array:
        return self.correlation.shape[1] - self.undefined

    def to_columns(self) -> Columns:
        """A row per number of systems: systems, mean, error, undefined."""
        return {
            "systems": self.sizes,
            "mean": self.mean,
            "error": self.error,
            "undefined": self.undefined,
        }

    @property
    def summary(self) -> str:
        """One line."""
        means = ", ".join(
            f"{'-' if isnan(mean) else f'{mean:.3f}'} with {size}"
            for size, mean in zip(self.sizes, self.mean, strict=True)
        )
        tied = ", ".join(
            f"{count} with {size}"
            for size, count in zip(self.sizes, self.undefined, strict=True)
            if count
        )
        left_out = f"; left out, because all systems tie: {tied}" if tied else ""
        return (
            f"mean {self.coefficient} to the ranking among all {len(self.systems)} systems: "
            f"{means} ({self.correlation.shape[1]} trials{left_out})"
        )


def system_impact(
    scorer: Callable[[Int64Array], ArrayLike],
    systems: int | Sequence[str],
    *,
    sizes: Sequence[int] | None = None,
    trials: int = 1000,
    coefficient: str = "tau_b",
    phi: float = 0.9,
    seed: int = 42,
) -> SystemImpact:
    """How well rankings hold when fewer systems take part (rareness paper, Algorithm 1).

    Parameters
    ----------
    scorer
        From positions of systems to their scores when only these are evaluated together, (systems,
        queries), or to their mean scores, (systems,); as `irx_measures.SubsetScorer` gives them.
    systems
        How many there are, or their names.
    sizes
        Numbers of systems to choose; where not given, 2, 4, 8, ... 64 as in the paper, as far as
        there are so many systems.
    trials
        How often systems are chosen, for each size.
    coefficient, phi
        As in `rank_correlation`; the ranking among all is the first.
    seed
        Of the choices.

    Returns
    -------
    SystemImpact

    Raises
    ------
    ValueError
        For parameters out of range, and scores of another shape or not finite.

    Examples
    --------
    A measure that does not depend on the other systems ranks them alike in any company.

    >>> from irx_measures.meta import system_impact
    >>> scores = [0.9, 0.5, 0.7, 0.1]
    >>> system_impact(lambda chosen: [scores[i] for i in chosen], 4, trials=10).mean
    array([1., 1.])
    """
    if isinstance(systems, Sequence) and not isinstance(systems, str):
        names = system_names(systems, len(systems))
    else:
        names = system_names(None, integer(2).check("systems", systems))
    count = len(names)
    if sizes is None:
        sizes = [size for size in SIZES if size <= count]
    if not len(sizes):
        raise InputError("`sizes` must hold at least one number of systems; got none")
    wanted = [integer(2, count).check("sizes", size) for size in sizes]
    choice(*COEFFICIENTS).check("coefficient", coefficient)
    FRACTION.check("phi", phi)
    rng = generator(seed)
    among_all = _means(scorer, np.arange(count))
    correlation = np.empty((len(wanted), integer(1).check("trials", trials)))
    for row, size in zip(correlation, wanted, strict=True):
        chosen = [np.sort(rng.choice(count, size, replace=False)) for _ in range(trials)]
        among_few = np.array([_means(scorer, positions) for positions in chosen])
        row[:] = coefficient_of(coefficient, among_all[np.array(chosen)], among_few, phi)
    return SystemImpact(names, coefficient, np.array(wanted), correlation)


def _means(scorer: Callable[[Int64Array], ArrayLike], positions: Int64Array) -> FloatArray:
    scores = numbers("scorer", scorer(positions))
    if scores.ndim not in (1, 2) or len(scores) != len(positions) or not scores.size:
        raise InputError(
            f"`scorer` must give scores of the {len(positions)} systems asked for, "
            f"(systems, queries) or (systems,); got {scores.shape}"
        )
    if not np.isfinite(scores).all():
        worst = scores[~np.isfinite(scores)][0]
        raise InputError(f"`scorer` must give finite numbers; got {worst}")
    check_size("`scorer` must give", scores)
    return rounded(scores if scores.ndim == 1 else scores.mean(axis=1))
