"""Coverage of rank intervals: python -m simulations.rank_intervals.

The runs' topics are the population: the systems' means over them are the truth. A simulation draws
as many topics with replacement, and makes rank intervals from t tests of all pairs. Three truths
are simulated:

- real: the systems have their own means.
- tied: all systems have the same mean, so that the interval of every system must hold every rank.
  The residuals of a drawn topic, of all systems at once, keep or change their sign.
- tied-skewed: as tied, without changes of sign: the differences are as skewed as the real ones.

The columns:

- simultaneous, max-t: the share of simulations in which all intervals hold, with Holm's correction
  and with max-t.
- least each, mean each: the share of simulations in which the interval of one system holds; over
  the systems.
- best: the share of the truly best systems that are in the set of systems whose simultaneous
  interval includes rank 1. Where one system is truly best, this is how often the set holds it.
- size: the mean number of systems in this set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from irx_measures.stats.decisions import corrected, rank_intervals
from irx_measures.stats.pairs import Pairs
from simulations.max_t import max_t

from .material import (
    ALPHA,
    Draw,
    centred,
    options,
    print_table,
    real_scores,
    resampled_topics,
    residuals,
    square,
    t_tests,
)


class Truth(NamedTuple):
    """The ranks that systems have; tied systems have every rank of their group."""

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, scores: np.ndarray) -> Truth:
        mean = scores.mean(axis=1).round(12)
        return cls(*rank_intervals(mean[:, np.newaxis] > mean))

    def held_by(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        return (low <= self.low) & (high >= self.high)


class Coverage(NamedTuple):
    """What the docstring of this module describes."""

    simultaneous: float
    max_t: float
    least_each: float
    mean_each: float
    best: float
    size: float


def drawn_with_signs(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    drawn = resampled_topics(residuals(scores), rng)
    return drawn * rng.choice((-1.0, 1.0), drawn.shape[1])


TRUTHS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], Draw]] = {
    "real": (np.asarray, resampled_topics),
    "tied": (centred, drawn_with_signs),
    "tied-skewed": (centred, resampled_topics),
}


def coverage(scores: np.ndarray, draw: Draw, simulations: int, flips: int, seed: int) -> Coverage:
    rng = np.random.default_rng(seed)
    systems = len(scores)
    truth = Truth.of(scores)
    leaders = truth.low == 1
    all_hold, each_holds, best_holds, size = [], [], [], []
    for _ in range(simulations):
        simulated = draw(scores, rng)
        t, p_value = t_tests(simulated)
        adjusted = (
            corrected(p_value, "holm"),
            max_t([(simulated, Pairs.of(systems))], 1 - ALPHA, flips, rng).p_value,
        )
        families = [rank_intervals(square(p <= ALPHA, t, systems)) for p in adjusted]
        all_hold.append([truth.held_by(*family).all() for family in families])
        each = rank_intervals(square(p_value <= ALPHA / (systems - 1), t, systems))
        each_holds.append(truth.held_by(*each))
        best = families[0][0] == 1
        best_holds.append(best[leaders].mean())
        size.append(best.sum())
    of_each = np.mean(each_holds, axis=0)
    return Coverage(
        *map(float, np.mean(all_hold, axis=0)), float(of_each.min()), float(of_each.mean()),
        float(np.mean(best_holds)), float(np.mean(size)),
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = options(__doc__, simulations=2000)
    parser.add_argument("--flips", type=int, default=1999, help="of max-t")
    given = parser.parse_args(arguments)
    rows = []
    for measure in given.measure or ["nDCG@10", "AP(rel=2)"]:
        real = real_scores(given.collection, measure)
        for truth, (population, draw) in TRUTHS.items():
            held = coverage(population(real), draw, given.simulations, given.flips, given.seed)
            rows.append((given.collection, measure, truth, *held))
    header = [name.replace("max_t", "max-t").replace("_", " ") for name in Coverage._fields]
    print_table(("collection", "measure", "truth", *header), rows)


if __name__ == "__main__":
    main()
