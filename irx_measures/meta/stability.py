"""Stability: how often topic sets agree on which of two systems is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..common.validators import integer, number_from
from ..common.warn import warn
from ..stats.pairs import Pairs
from ..stats.ranks import ROUNDING
from ..stats.resampling import means_over_sets
from ..stats.results import Columns, StudyResult
from .scores import ScoresLike, pair_columns, system_scores

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

    def to_columns(self) -> Columns:
        """One row per pair: first, second, wins, losses, stability."""
        return pair_columns(
            self.systems, wins=self.wins, losses=self.losses, stability=self.per_pair
        )

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

    Notes
    -----
    Neither system wins a tie, so pairs that are always tied have stability 0. Some measures, for
    example NRG, have small scores that differ by less than .05. If more than half of the
    comparisons are ties within an absolute fuzziness, an `EvaluationWarning` is issued.
    """
    array, names = system_scores(scores, systems)
    queries = array.shape[1]
    size = queries // 2 if topics is None else integer(1, queries).check("topics", topics)
    margin = number_from(0, closed=True).check("fuzziness", fuzziness)
    pairs = Pairs.of(len(array))
    wins, losses = np.zeros((2, len(pairs.first)), np.int64)
    for (means,) in means_over_sets(array, 1, size, trials, seed, progress):
        difference = pairs.differences(means)
        tied = margin + ROUNDING
        if relative:
            larger = np.maximum(np.abs(means[pairs.first]), np.abs(means[pairs.second]))
            with np.errstate(over="ignore"):  # an infinite margin makes a tie
                tied = margin * larger + ROUNDING
        wins += difference > tied
        losses += -difference > tied
    usual, rare = np.maximum(wins, losses) / trials, np.minimum(wins, losses) / trials
    ties = 1.0 - float((wins + losses).mean()) / trials
    if margin > 0 and not relative and ties > MANY_TIES:
        warn(
            f"{ties:.0%} of the comparisons are ties within the absolute fuzziness of {margin:g}, "
            "so a low stability says little: use relative=True (--relative), or a smaller fuzziness"
        )
    value, error_rate = float(usual.mean()), float(rare.mean())
    return Stability(
        names, size, trials, margin, bool(relative), wins, losses, usual, value, error_rate, ties
    )
