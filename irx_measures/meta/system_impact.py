"""Impact of the number of systems, for measures that depend on the other systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray, Int64Array, ratio_or_nan
from ..common.validators import (
    FRACTION,
    choice,
    finite_array,
    generator,
    integer,
    names_of,
)
from ..exceptions import InputError
from ..stats.correlation import COEFFICIENTS, coefficient_of
from ..stats.ranks import rounded
from ..stats.results import Columns, StudyResult
from ..typing import Coefficient

SIZES = (2, 4, 8, 16, 32, 64)  # as Table 3 of the rareness paper


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
    """

    systems: tuple[str, ...]
    coefficient: str
    sizes: Int64Array
    correlation: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Mean over the trials, as in the rareness paper's Table 3: (sizes,).

        Undefined trials are left out. The mean is NaN if every trial is undefined.
        """
        return ratio_or_nan(np.nansum(self.correlation, axis=1), self._defined)

    @property
    def error(self) -> FloatArray:
        """Standard errors of the means: (sizes,). 0 for one defined trial, NaN without any."""
        deviation = np.nan_to_num(self.correlation - self.mean[:, np.newaxis])
        variance = (deviation**2).sum(axis=1) / np.maximum(self._defined - 1, 1)
        return np.sqrt(ratio_or_nan(variance, self._defined))

    @property
    def undefined(self) -> Int64Array:
        """Number of trials in which a ranking ties all systems: (sizes,)."""
        return np.count_nonzero(np.isnan(self.correlation), axis=1)

    @property
    def _defined(self) -> Int64Array:
        return self.correlation.shape[1] - self.undefined

    def to_columns(self) -> Columns:
        """One row per number of systems: systems, mean, error, undefined."""
        return {
            "systems": self.sizes,
            "mean": self.mean,
            "error": self.error,
            "undefined": self.undefined,
        }

    @property
    def summary(self) -> str:
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
    coefficient: Coefficient = "tau_b",
    phi: float = 0.9,
    seed: int = 42,
) -> SystemImpact:
    """Measure how rankings change when fewer systems are evaluated (rareness paper, Algorithm 1).

    Parameters
    ----------
    scorer
        A function of the positions of the chosen systems. It evaluates only these systems together
        and returns their scores, (systems, queries), or their mean scores, (systems,). For example
        an `irx_measures.SubsetScorer`.
    systems
        Number of systems, or their names.
    sizes
        Numbers of systems to choose. The default is 2, 4, 8, ... 64 as in the paper, without sizes
        above the number of systems.
    trials
        Number of random choices of systems for each size.
    coefficient, phi
        As in `rank_correlation`. The ranking among all systems is the first ranking.
    seed
        Random seed of the choices.

    Returns
    -------
    SystemImpact

    Examples
    --------
    A measure that does not depend on the other systems gives the same ranking for every subset.

    >>> from irx_measures.meta import system_impact
    >>> scores = [0.9, 0.5, 0.7, 0.1]
    >>> system_impact(lambda chosen: [scores[i] for i in chosen], 4, trials=10).mean
    array([1., 1.])
    """
    named = systems if isinstance(systems, Sequence) and not isinstance(systems, str) else None
    count = integer(2).check("systems", systems if named is None else len(named))
    names = names_of("systems", named, count, "system")
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
    scores = finite_array("scorer", scorer(positions), 1)
    if scores.ndim > 2 or len(scores) != len(positions) or not scores.size:
        raise InputError(
            f"`scorer` must give scores of the {len(positions)} systems asked for, "
            f"(systems, queries) or (systems,); got {scores.shape}"
        )
    return rounded(scores if scores.ndim == 1 else scores.mean(axis=1))
