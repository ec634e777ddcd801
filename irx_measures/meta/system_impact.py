"""Impact of the number of systems, for measures that depend on the other systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray, Int64Array, ratio_or_nan
from ..common.progress import counting_bar
from ..common.validators import finite_array, generator, integer, names_of
from ..exceptions import InputError
from ..stats.correlation import coefficient_named, coefficient_of
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
    undefined : (sizes,) ints
        Number of trials without a correlation. Means leave them out.
    mean : (sizes,) floats
        Mean over the trials, as in the rareness paper's Table 3.
    error : (sizes,) floats
        Standard errors of the means; 0 for one trial.
    """

    systems: tuple[str, ...]
    coefficient: str
    sizes: Int64Array
    correlation: FloatArray
    undefined: Int64Array
    mean: FloatArray
    error: FloatArray

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
        sizes, undefined = self.sizes.tolist(), self.undefined.tolist()
        means = ("-" if isnan(mean) else f"{mean:.3f}" for mean in self.mean.tolist())
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
    return rounded(scores if scores.ndim == 1 else scores.mean(axis=1))
