"""Stability and swap rates: how often other topics change which of two systems is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array, safe_divide
from ..common.validators import FRACTION, LARGEST, integer, number_from, number_in
from ..common.warn import warn
from ..results.base import StudyResult
from ..results.column import Column
from ..stats.pairs import Pairs, noise_of
from ..stats.resampling import means_over_sets
from .scores import ScoresLike, pair_columns, system_scores, two_system_scores

MANY_TIES = 0.5  # more than half: most of the comparisons say nothing


@dataclass(frozen=True, eq=False, repr=False)
class Stability(StudyResult):
    """Comparisons of all pairs of systems over random sets of topics.

    Attributes
    ----------
    systems : tuple of str
    topics, trials : int
        Number of topics per set, and number of sets.
    fuzziness : float
    relative : bool
        Whether the fuzziness is a share of the larger score.
    wins, losses : (pairs,) ints
        Number of trials that the first system won, and that the second system won.
    per_pair : (pairs,) floats
        Share of the trials won by the pair's more frequent winner.
    value : float
        Mean over the pairs, as in the rareness paper's Table 2.
    error_rate : float
        Share of comparisons won by the pair's less frequent winner (Buckley and Voorhees).
    ties : float
        Share of the comparisons that are ties within the fuzziness.

    See Also
    --------
    irx_measures.meta.stability : Computes it.
    irx_measures.plots.stability_curves : Draws several.
    """

    systems: tuple[str, ...]
    topics: int
    trials: int
    fuzziness: float
    relative: bool
    wins: Int64Array
    losses: Int64Array
    per_pair: FloatArray
    value: float
    error_rate: float
    ties: float

    def columns(self) -> list[Column]:
        """One row per pair of systems."""
        won = "share of the trials that the pair's more frequent winner won"
        return [
            *pair_columns(self.systems),
            Column("wins", self.wins, meaning="trials that the first system won"),
            Column("losses", self.losses, meaning="trials that the second system won"),
            Column("stability", self.per_pair, meaning=won),
        ]

    def row(self) -> list[Column]:
        """The study in one row."""
        won = "mean over the pairs of the share of trials that their more frequent winner won"
        lost = "share of the comparisons that the pair's less frequent winner won"
        tied = "share of the comparisons that are ties within the fuzziness"
        return [
            Column("topics", [self.topics], meaning="topics in each set"),
            Column("trials", [self.trials], meaning="random sets of topics"),
            Column("stability", [self.value], meaning=won),
            Column("error_rate", [self.error_rate], meaning=lost),
            Column("ties", [self.ties], meaning=tied),
        ]

    @property
    def summary(self) -> str:
        kind = "relative" if self.relative else "absolute"
        return (
            f"stability {self.value:.3f}, error rate {self.error_rate:.3f}, ties {self.ties:.3f} "
            f"({self.trials} sets of {self.topics} topics, {len(self.systems)} systems, "
            f"fuzziness {self.fuzziness:g} {kind})"
        )


def stability(
    scores: ScoresLike,
    systems: Sequence[str] | None = None,
    *,
    topics: int | None = None,
    trials: int = 1000,
    fuzziness: float = 0.05,
    relative: bool = False,
    seed: int = 42,
    progress: bool | None = None,
) -> Stability:
    """Compare all pairs of systems over random sets of topics (Buckley and Voorhees 2000).

    Parameters
    ----------
    scores, systems, seed, progress
        As in `discriminative_power`.
    topics
        Number of topics per set, drawn without replacement; half of all topics if not given.
    trials
        Number of sets.
    fuzziness
        Mean scores that differ by at most this much are tied. An absolute fuzziness of .05
        reproduces the rareness paper's Table 2.
    relative
        Whether the fuzziness is a share of the larger score, as in Buckley and Voorhees.

    Returns
    -------
    Stability
        The stability of every pair of systems, and its mean.

    Raises
    ------
    ValueError
        When the scores are not finite numbers of at least 2 systems and 2 queries, `topics` exceeds
        the number of queries, or an option is out of range.

    Notes
    -----
    Neither system wins a tie, so pairs that are always tied have stability 0. Some measures, for
    example NRG, have small scores that differ by less than .05. If more than half of the
    comparisons are ties within an absolute fuzziness, an `EvaluationWarning` is issued.

    Examples
    --------
    The first system wins on every set of topics; the two others are tied.

    >>> from irx_measures.meta import stability
    >>> scores = [[0.9, 0.8, 0.9, 0.7], [0.2, 0.1, 0.3, 0.1], [0.2, 0.2, 0.2, 0.1]]
    >>> stability(scores, ["a", "b", "c"], trials=10).per_pair.tolist()
    [1.0, 1.0, 0.0]
    """
    array, names = system_scores(scores, systems)
    queries = array.shape[1]
    size = queries // 2 if topics is None else integer(1, queries).check("topics", topics)
    margin = number_from(0, closed=True).check("fuzziness", fuzziness)
    pairs, noise = Pairs.of(len(array)), noise_of(array)
    wins, losses = np.zeros((2, len(pairs.first)), np.int64)
    for (means,) in means_over_sets(array, 1, size, trials, seed, progress):
        difference = pairs.differences(means, noise)
        tied = margin + noise
        if relative:
            larger = np.maximum(np.abs(means[pairs.first]), np.abs(means[pairs.second]))
            with np.errstate(over="ignore"):  # an infinite margin makes a tie
                tied = margin * larger + noise
        wins += difference > tied
        losses += -difference > tied
    usual, rare = np.maximum(wins, losses) / trials, np.minimum(wins, losses) / trials
    ties = 1.0 - float((wins + losses).mean()) / trials
    if margin > 0 and not relative and ties > MANY_TIES:
        warn(
            f"{ties:.0%} of the comparisons are ties within the absolute fuzziness of {margin:g}, "
            "so a low stability says little: use `relative=True`, or a smaller fuzziness"
        )
    value, error_rate = float(usual.mean()), float(rare.mean())
    return Stability(
        names, size, trials, margin, bool(relative), wins, losses, usual, value, error_rate, ties
    )


class Swaps(NamedTuple):
    """The pairs of systems that two experiments order differently; ties are not swaps.

    Attributes
    ----------
    value : float
        Share of the pairs that differ in both experiments; NaN if no pair does.
    swapped : (pairs,) bools
        Whether each pair is swapped. The pairs are (0, 1), (0, 2), ..., (1, 2), ...

    See Also
    --------
    irx_measures.meta.swap_rate : Computes it.
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

    Returns
    -------
    Swaps
        A named tuple: `value`, the share of the pairs in [0, 1], which is NaN if no pair differs in
        both; and `swapped`, which pairs they are: (pairs,) bools.

    Raises
    ------
    ValueError
        When the scores are not of the same at least 2 systems, or a score is not a finite number.

    Examples
    --------
    >>> from irx_measures.meta import swap_rate
    >>> swaps = swap_rate([[0.9], [0.5], [0.4]], [[0.7], [0.8], [0.1]])
    >>> round(swaps.value, 3), swaps.swapped.tolist()
    (0.333, [True, False, False])
    """
    one, other, _ = two_system_scores(first, second, None, queries=1)
    pairs = Pairs.of(len(one))
    signs = [
        np.sign(pairs.differences(scores.mean(axis=1), noise_of(scores))) for scores in (one, other)
    ]
    agreement = signs[0] * signs[1]
    swapped = agreement < 0
    value = float(swapped.mean()) if agreement.any() else nan
    return Swaps(value, swapped)


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

    See Also
    --------
    irx_measures.meta.split_swap_rate : Computes it.
    irx_measures.plots.swap_curves : Draws several.
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

    def columns(self) -> list[Column]:
        """One row per bin of differences."""
        edge = "lower edge of a bin of differences of mean scores; the last bin has no upper edge"
        compared = "comparisons whose difference on the first set is in the bin"
        swapped = "comparisons of these that the second set orders differently"
        return [
            Column("difference", self.difference, meaning=edge, key=True),
            Column("compared", self.compared, meaning=compared),
            Column("swapped", self.swapped, meaning=swapped),
            Column("rate", self.rate, meaning="share of the bin's comparisons that are swapped"),
        ]

    def row(self, rate: float = 0.05) -> list[Column]:
        """The study in one row, with the difference that keeps the swap rate within `rate`."""
        required = f"smallest difference from which on no bin has a swap rate above {rate:g}"
        sensitivity = "share of the comparisons with at least the required difference"
        value = "share of all comparisons that are swapped"
        return [
            Column("topics", [self.topics], meaning="topics in each of the two disjoint sets"),
            Column("trials", [self.trials], meaning="draws of two sets of topics"),
            Column("swap_rate", [self.value], meaning=value),
            Column("required_difference", [self.required_difference(rate)], meaning=required),
            Column("sensitivity", [self.sensitivity(rate)], meaning=sensitivity),
        ]

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

    Returns
    -------
    SwapCurve
        The swap rate in each bin of score differences.

    Raises
    ------
    ValueError
        When the scores are not finite numbers of at least 2 systems and 2 queries, `topics` exceeds
        half of the queries, or an option is out of range.

    Examples
    --------
    >>> from irx_measures.meta import split_swap_rate
    >>> scores = [[0.9, 0.8, 0.9, 0.7], [0.2, 0.1, 0.3, 0.1], [0.2, 0.2, 0.2, 0.1]]
    >>> curve = split_swap_rate(scores, trials=100)
    >>> curve.topics, int(curve.compared.sum())  # 3 pairs of systems in 100 trials
    (2, 300)
    """
    array, names = system_scores(scores, systems)
    half = array.shape[1] // 2
    size = half if topics is None else integer(1, half).check("topics", topics)
    width = number_in(0, LARGEST, closed=False).check("width", width)
    count = integer(1).check("bins", bins)
    pairs, noise = Pairs.of(len(array)), noise_of(array)
    compared, swapped, differing = np.zeros((3, count), np.int64)
    for one, other in means_over_sets(array, 2, size, trials, seed, progress):
        difference, again = pairs.differences(one, noise), pairs.differences(other, noise)
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
