"""Swap rate: how often two experiments disagree on which of two systems is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array, safe_divide
from ..common.validators import FRACTION, LARGEST, integer, number_in
from ..stats.pairs import Pairs
from ..stats.ranks import rounded
from ..stats.resampling import means_over_sets
from ..stats.results import Columns, StudyResult
from .scores import ScoresLike, system_scores, two_system_scores


class Swaps(NamedTuple):
    """The share of the pairs of systems that are swapped, and which ones: (pairs,) bools.

    The share is NaN if no pair differs in both experiments; ties are not swaps. The pairs are
    (0, 1), (0, 2), ..., (1, 2), ...
    """

    value: float
    swapped: BoolArray


def swap_rate(first: ScoresLike, second: ScoresLike) -> Swaps:
    """Compute the share of system pairs that two topic sets or data sets order differently.

    The upper-expected paper compares rankings of methods in this way in its Tables 11 to 14.

    Parameters
    ----------
    first, second : (systems, queries)
        Scores of the same systems. The queries may differ.

    Examples
    --------
    >>> from irx_measures.meta import swap_rate
    >>> swaps = swap_rate([[0.9], [0.5], [0.4]], [[0.7], [0.8], [0.1]])
    >>> round(swaps.value, 3), swaps.swapped.tolist()
    (0.333, [True, False, False])
    """
    one, other, _ = two_system_scores(first, second, None, queries=1)
    pairs = Pairs.of(len(one))
    means = (rounded(scores.mean(axis=1)) for scores in (one, other))
    signs = [np.sign(pairs.differences(mean)) for mean in means]
    agreement = signs[0] * signs[1]
    swapped = agreement < 0
    return Swaps(float(swapped.mean()) if agreement.any() else nan, swapped)


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
    rate : (bins,) floats
        Share of each bin's comparisons that are swapped. NaN if no two systems in the bin differ
        on both sets.
    value : float
        Share of all comparisons that are swapped; NaN if no systems differ on both sets.
    """

    systems: tuple[str, ...]
    topics: int
    trials: int
    difference: FloatArray
    compared: Int64Array
    swapped: Int64Array
    rate: FloatArray
    value: float

    def required_difference(self, rate: float = 0.05) -> float | None:
        """Smallest bin edge such that no bin at or above it has a swap rate above `rate`.

        None if the last bin's swap rate exceeds `rate`; NaN if `value` is.
        """
        enough = self.difference[self._enough(rate)]
        if isnan(self.value):
            return nan
        return float(enough[0]) if len(enough) else None

    def sensitivity(self, rate: float = 0.05) -> float:
        """Share of the comparisons with at least the required difference; NaN if `value` is."""
        share = self.compared[self._enough(rate)].sum() / self.compared.sum()
        return nan if isnan(self.value) else float(share)

    def _enough(self, rate: float) -> slice:
        """The bins from the required difference on."""
        above = np.flatnonzero(self.rate > FRACTION.check("rate", rate))
        return slice(above.max(initial=-1) + 1, None)

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
        if isnan(self.value):
            return "swap rate undefined: no two systems differ on both sets of topics"
        required = self.required_difference()
        enough = "no difference"
        if required is not None:
            share = self.sensitivity()
            enough = f"a difference of {required:g}, as {share:.1%} of the comparisons have,"
        return (
            f"swap rate {self.value:.3f} between disjoint sets of {self.topics} topics; "
            f"{enough} keeps it within 5%"
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
    scores, systems, seed, progress
        As in `discriminative_power`.
    topics
        Number of topics in each of the two sets. The default and maximum is half of all topics.
    trials
        Number of draws of two sets.
    width
        Width of a bin.
    bins
        Number of bins. The last bin has no upper edge.
    """
    array, names = system_scores(scores, systems)
    half = array.shape[1] // 2
    size = half if topics is None else integer(1, half).check("topics", topics)
    width = number_in(0, LARGEST, closed=False).check("width", width)
    count = integer(1).check("bins", bins)
    pairs = Pairs.of(len(array))
    compared, swapped, differing = np.zeros((3, count), np.int64)
    for one, other in means_over_sets(array, 2, size, trials, seed, progress):
        difference, again = pairs.differences(one), pairs.differences(other)
        # A difference of .03 belongs to the bin that starts at .03, despite rounding errors.
        with np.errstate(over="ignore"):  # a tiny width: all nonzero differences go to the last bin
            place = np.minimum(np.abs(difference) / width + 1e-9, count - 1).astype(np.int64)
        compared += np.bincount(place, minlength=count)
        agreement = np.sign(difference) * np.sign(again)
        swapped += np.bincount(place[agreement < 0], minlength=count)
        differing += np.bincount(place[agreement != 0], minlength=count)
    edges = np.asarray(width * np.arange(count), dtype=np.float64)
    rate = np.where(differing > 0, safe_divide(swapped, compared), np.nan)
    value = float(swapped.sum() / compared.sum()) if differing.any() else nan
    return SwapCurve(names, size, trials, edges, compared, swapped, rate, value)
