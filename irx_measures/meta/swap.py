"""Swap rate: how often two experiments disagree on which of two systems is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array, safe_divide
from ..common.progress import with_bar
from ..common.validators import (
    FRACTION,
    generator,
    integer,
    number_from,
)
from ..exceptions import InputError
from ..stats.pairs import Pairs
from ..stats.ranks import rounded
from ..stats.resampling import means_over, random_orders
from ..stats.results import Columns, StudyResult
from .results import PairsResult
from .scores import ScoresLike, system_scores, two_system_scores

NO_DIFFERENCE = "no two systems differ on both sets of topics"


@dataclass(frozen=True, eq=False, repr=False)
class SwapRate(PairsResult):
    """Pairwise comparison of two rankings of the same systems.

    Attributes
    ----------
    systems : tuple of str
    first_difference, second_difference : (pairs,) floats
        Mean score of a pair's first system minus that of its second system, in the first and in
        the second experiment.
    """

    first_difference: FloatArray
    second_difference: FloatArray

    @property
    def swapped(self) -> BoolArray:
        """Pairs that the experiments order differently; ties are not swaps: (pairs,)."""
        return np.sign(self.first_difference) * np.sign(self.second_difference) < 0

    @property
    def value(self) -> float:
        """Share of the pairs that are swapped; NaN if no pair differs in both experiments."""
        return float(self.swapped.mean()) if self._differing.any() else nan

    @property
    def _differing(self) -> BoolArray:
        return (self.first_difference != 0) & (self.second_difference != 0)

    def to_columns(self) -> Columns:
        """One row per pair: first, second, first_difference, second_difference, swapped."""
        return self.pair_columns(
            first_difference=self.first_difference,
            second_difference=self.second_difference,
            swapped=self.swapped,
        )

    @property
    def summary(self) -> str:
        """The result in one line."""
        if isnan(self.value):
            return f"swap rate undefined: {NO_DIFFERENCE}"
        return (
            f"swap rate {self.value:.3f}: {np.count_nonzero(self.swapped)} of "
            f"{len(self.swapped)} pairs of {len(self.systems)} systems change their order"
        )


def swap_rate(
    first: ScoresLike, second: ScoresLike, systems: Sequence[str] | None = None
) -> SwapRate:
    """Compute the share of system pairs that two topic sets or data sets order differently.

    The upper-expected paper compares rankings of methods in this way in its Tables 11 to 14.

    Parameters
    ----------
    first, second : (systems, queries)
        Scores of the same systems. The queries may differ.
    systems
        Names of the systems; positions if not given.

    Returns
    -------
    SwapRate

    Raises
    ------
    ValueError
        If scores have another shape or are not finite.

    Examples
    --------
    >>> from irx_measures.meta import swap_rate
    >>> swap_rate([[0.9], [0.5], [0.4]], [[0.7], [0.8], [0.1]]).summary
    'swap rate 0.333: 1 of 3 pairs of 3 systems change their order'
    """
    one, other, names = two_system_scores(first, second, systems, queries=1, same_queries=False)
    pairs = Pairs.of(len(one))
    means = (rounded(scores.mean(axis=1)) for scores in (one, other))
    return SwapRate(names, *map(pairs.differences, means))


@dataclass(frozen=True, eq=False, repr=False)
class SwapCurve(StudyResult):
    """Swap rates by the difference between two systems (Voorhees and Buckley 2002; Sakai 2006).

    Attributes
    ----------
    systems : tuple of str
    topics, trials : int
        Number of topics in each of the two disjoint sets, and number of draws of two sets.
    difference : (bins,) floats
        Lower edges of the bins; the last has no upper edge.
    compared, swapped : (bins,) ints
        Number of comparisons whose difference on the first set is in the bin, and number of these
        that the second set orders differently.
    differing : (bins,) ints
        Number of comparisons in the bin whose systems differ on both sets and so can be swapped.
    """

    systems: tuple[str, ...]
    topics: int
    trials: int
    difference: FloatArray
    compared: Int64Array
    swapped: Int64Array
    differing: Int64Array

    @property
    def rate(self) -> FloatArray:
        """Share of each bin's comparisons that are swapped: (bins,).

        NaN if no two systems in the bin differ on both sets.
        """
        return np.where(self.differing > 0, safe_divide(self.swapped, self.compared), np.nan)

    @property
    def value(self) -> float:
        """Share of all comparisons that are swapped; NaN if no systems differ on both sets."""
        return float(self.swapped.sum() / self.compared.sum()) if self._separates else nan

    @property
    def _separates(self) -> bool:
        return bool(self.differing.any())

    def required_difference(self, rate: float = 0.05) -> float | None:
        """Smallest bin edge such that no bin at or above it has a swap rate above `rate`.

        None if the last bin's swap rate exceeds `rate`; NaN if no systems differ on both sets.
        """
        if not self._separates:
            return nan
        above = np.flatnonzero(self.rate > FRACTION.check("rate", rate))
        place = above[-1] + 1 if len(above) else 0
        return float(self.difference[place]) if place < len(self.difference) else None

    def sensitivity(self, rate: float = 0.05) -> float:
        """Share of the comparisons with at least the required difference.

        NaN if no systems differ on both sets.
        """
        if not self._separates:
            return nan
        required = self.required_difference(rate)
        if required is None:
            return 0.0
        enough = self.difference >= required
        return float(self.compared[enough].sum() / self.compared.sum())

    def to_columns(self) -> Columns:
        """One row per bin: difference, compared, swapped, rate."""
        return {
            "difference": self.difference,
            "compared": self.compared,
            "swapped": self.swapped,
            "rate": self.rate,
        }

    @property
    def summary(self) -> str:
        """The result in one line."""
        if not self._separates:
            return f"swap rate undefined: {NO_DIFFERENCE}"
        required = self.required_difference()
        within_5 = "no difference keeps it within 5%"
        if required is not None:
            within_5 = (
                f"a difference of {required:g}, as {self.sensitivity():.1%} of the comparisons "
                "have, keeps it within 5%"
            )
        return (
            f"swap rate {self.value:.3f} between disjoint sets of {self.topics} topics; {within_5}"
        )


def split_swap_rate(
    scores: ScoresLike,
    systems: Sequence[str] | None = None,
    *,
    topics: int | None = None,
    trials: int = 1000,
    width: float = 0.01,
    bins: int = 21,
    seed: int = 42,
    progress: bool | None = None,
) -> SwapCurve:
    """Compute swap rates between random disjoint topic sets (Sakai 2006, Section 2.2).

    Parameters
    ----------
    scores : (systems, queries)
    systems
        Names of the systems; positions if not given.
    topics
        Number of topics in each of the two sets. The default and maximum is half of all topics.
    trials
        Number of draws of two sets.
    width
        Width of a bin.
    bins
        Number of bins. The last bin has no upper edge.
    seed
        Random seed of the topic sets.
    progress
        Whether to show a progress bar on stderr; None shows one on a terminal after half a second.

    Returns
    -------
    SwapCurve

    Raises
    ------
    ValueError
        If scores have another shape or are not finite, or if a parameter is out of range.

    Examples
    --------
    >>> from irx_measures.meta import split_swap_rate
    >>> curve = split_swap_rate([[0.9, 0.8, 0.7, 0.8], [0.6, 0.5, 0.7, 0.5]], trials=100)
    >>> curve.value, curve.required_difference()
    (0.0, 0.0)
    """
    array, names = system_scores(scores, systems)
    half = array.shape[1] // 2
    size = half if topics is None else integer(1, half).check("topics", topics)
    width = number_from(0, closed=False).check("width", width)
    count = integer(1).check("bins", bins)
    if not isfinite(width * count):
        raise InputError(f"`width` times `bins` must be finite; got {width:g} and {count}")
    rng = generator(seed)
    orders = random_orders(array.shape[1], integer(1).check("trials", trials), rng)
    pairs = Pairs.of(len(array))
    compared, swapped, differing = np.zeros((3, count), np.int64)
    first, second = (means_over(array, orders[:, at : at + size]) for at in (0, size))
    for one, other in zip(with_bar(first, "trial", progress), second, strict=True):
        difference, again = pairs.differences(one), pairs.differences(other)
        # A difference of .03 belongs to the bin that starts at .03, despite rounding errors.
        with np.errstate(over="ignore"):  # a tiny width: all nonzero differences go to the last bin
            place = np.minimum(np.abs(difference) / width + 1e-9, count - 1).astype(np.int64)
        compared += np.bincount(place, minlength=count)
        agreement = np.sign(difference) * np.sign(again)
        swapped += np.bincount(place[agreement < 0], minlength=count)
        differing += np.bincount(place[agreement != 0], minlength=count)
    edges = np.asarray(width * np.arange(count), dtype=np.float64)
    return SwapCurve(names, size, trials, edges, compared, swapped, differing)
