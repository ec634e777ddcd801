"""The systems in the order of their means, with what the tests leave open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.arrays import BoolArray, FloatArray, Int64Array
from ..stats.intervals import mean_interval
from ..stats.letters import group_letters, letter_names
from ..stats.rank_intervals import rank_intervals
from .hypotheses import Tested

MOST_LETTERS = 26


@dataclass(frozen=True)
class Leaderboard:
    """The systems of one measure, best first: each array is (systems,).

    Attributes
    ----------
    systems : tuple of str
    mean, lower, upper
        Mean over topics, and its t interval.
    rank_low, rank_high
        The ranks that the tests leave open.
    best
        Whether no system is significantly better.
    letters : tuple of str, optional
        Two systems share a letter exactly if they do not differ significantly; None if more than
        26 letters are needed.
    """

    systems: tuple[str, ...]
    mean: FloatArray
    lower: FloatArray
    upper: FloatArray
    rank_low: Int64Array
    rank_high: Int64Array
    best: BoolArray
    letters: tuple[str, ...] | None

    def __len__(self) -> int:
        return len(self.systems)


def leaderboard(tested: Tested, ranks: str) -> Leaderboard:
    """The leaderboard of the tests of all pairs.

    Parameters
    ----------
    tested
        All pairs of the systems.
    ranks
        ``all``: the rank intervals hold for all systems at once. ``each``: they hold for one
        system at a time, and are narrower.
    """
    scores = tested.hypotheses.scores
    mean = scores.mean(axis=1)
    lower, upper = mean_interval(scores, tested.method.level)
    better = tested.better if ranks == "all" else tested.better_where(_rejected_for_each(tested))
    low, high = rank_intervals(better)
    order = np.argsort(-mean.round(12), kind="stable")
    return Leaderboard(
        tuple(tested.hypotheses.systems[position] for position in order.tolist()),
        mean[order],
        lower[order],
        upper[order],
        low[order],
        high[order],
        not_beaten(tested)[order],
        _letters(tested.better[np.ix_(order, order)]),
    )


def not_beaten(tested: Tested) -> BoolArray:
    """Systems than which no other is significantly better, by the tests of each: (systems,)."""
    low, _ = rank_intervals(tested.better_where(_rejected_for_each(tested)))
    return np.asarray(low == 1)


def _rejected_for_each(tested: Tested) -> BoolArray:
    """Pairs that differ if only the tests of one system are corrected for.

    A system takes part in S - 1 tests. A test that controls the error of all pairs controls that
    of these tests too.
    """
    if tested.method.controls_family:
        return tested.rejected
    if tested.method.correction == "none":
        return tested.p <= tested.method.alpha
    return tested.p <= tested.method.alpha / (len(tested.hypotheses.systems) - 1)


def _letters(better: BoolArray) -> tuple[str, ...] | None:
    groups = group_letters(better | better.T)
    if groups is None or len(groups) > MOST_LETTERS:
        return None
    letters = [""] * len(better)
    for name, group in zip(letter_names(len(groups)), groups, strict=True):
        for position in sorted(group):
            letters[position] += name
    return tuple(letters)
