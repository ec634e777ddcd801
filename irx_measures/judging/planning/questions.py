"""The questions that a judging campaign can answer, and where an answer holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ...common.numeric import FloatArray
from ...common.validators import number_from
from ...common.writing import nearest_of, shown
from ...exceptions import InputError
from ...runsets.runset import RunSet
from ...stats.pairs import Pairs, join_ties, noise_of, without_noise

RANKING, BEST = "ranking", "best"

LEAST_TAU = 0.9  # a choice of the study: it allows one pair in twenty to be in another order
TOLERANCE = 0.01  # a choice of the study: a smaller difference seldom matters

# With a tolerance of .01, 10 of 60 simulated claims of the best of 18 systems on TREC DL 2019 were
# wrong; with 0, 2 of 60.
NO_TOLERANCE = "RBP"


@dataclass(frozen=True)
class Question:
    """A question about the systems of a pool.

    `hold` says whether the answer by some means, (systems,), holds in worlds with other means,
    (systems, worlds): 1, 0, or .5 for a tie of two. `answer` gives the words, from the names of the
    systems and their means, (systems,).
    """

    asked: str  # 'ranking', 'best', or the names of two systems, joined by a comma
    claim: str  # what is probable; it completes "P(...)"
    hold: Callable[[FloatArray, FloatArray], FloatArray]
    answer: Callable[[Sequence[str], FloatArray], str]

    def probability(self, means: FloatArray) -> float:
        """The share of worlds in which the answer holds: from (systems, worlds)."""
        return float(self.hold(means.mean(axis=1), means).mean())

    def holds(self, mean: FloatArray, true: FloatArray) -> bool:
        """Whether the answer by some means holds where the true means are known: (systems,)."""
        return bool(self.hold(mean, true[:, np.newaxis]).all())


def ranking_holds(mean: FloatArray, in_worlds: FloatArray) -> FloatArray:
    """Where Kendall's tau with the ranking is at least .9."""
    return (tau_with_worlds(mean, in_worlds) >= LEAST_TAU - 1e-9).astype(np.float64)


def best_holds(mean: FloatArray, in_worlds: FloatArray, tolerance: float) -> FloatArray:
    """Where no system is better than the best one by more than the tolerance."""
    behind = in_worlds.max(axis=0) - in_worlds[join_ties(mean).argmax()]
    return (behind <= tolerance + noise_of(in_worlds)).astype(np.float64)


def better_holds(mean: FloatArray, in_worlds: FloatArray) -> FloatArray:
    """Where the better one of two systems is better, too."""
    sign = 1 if mean[0] >= mean[1] else -1
    difference = without_noise(in_worlds[0] - in_worlds[1], noise_of(in_worlds))
    held: FloatArray = (1 + sign * np.sign(difference)) / 2
    return held


def tau_with_worlds(mean: FloatArray, means: FloatArray) -> FloatArray:
    """Kendall's tau of a ranking with the ranking in each world: (worlds,).

    The mean over pairs of the product of the signs of both differences (tau a). A pair that is tied
    in both rankings agrees: the two systems may return the same documents. Means that differ by
    float noise only are tied.
    """
    systems, worlds = means.shape
    noise = noise_of(means)
    total = np.zeros(worlds)
    for _, pairs in Pairs.of(systems).blocks(worlds):
        sign = np.sign(pairs.differences(mean, noise))
        in_worlds = np.sign(pairs.differences(means, noise))
        total += sign @ in_worlds + (in_worlds[sign == 0] == 0).sum(axis=0)
    tau: FloatArray = total / (systems * (systems - 1) // 2)
    return tau


def best_of(names: Sequence[str], mean: FloatArray) -> str:
    """The name of the best system."""
    return names[int(join_ties(mean).argmax())]


def ranking_of(names: Sequence[str], mean: FloatArray) -> str:
    """The names of the systems, the best one first: "a > b = c"."""
    joined = join_ties(mean)
    order = np.argsort(-joined, kind="stable").tolist()
    text = names[order[0]]
    for before, place in pairwise(order):
        sign = ">" if joined[place] < joined[before] else "="
        text += f" {sign} {names[place]}"
    return text


def systems_of(asked: Any, runset: RunSet) -> RunSet:
    """The systems that a question is about: two that it names, or all."""
    if isinstance(asked, (tuple, list)) and len(asked) == 2 and asked[0] != asked[1]:
        for name in asked:
            if name not in runset.names:
                hint = nearest_of(name, runset.names)
                raise InputError(
                    f"`question` must name two of the systems; got {shown(name)}{hint}"
                )
        return runset.subset(map(runset.names.index, asked))
    if asked not in (RANKING, BEST):
        raise InputError(
            f"`question` must be {RANKING!r}, {BEST!r}, or the names of two systems; got {asked!r}"
        )
    if len(runset) < 2:
        raise InputError(f"`runs` must hold at least 2 systems; got {len(runset)}")
    return runset


def question_of(asked: Any, measure: str, systems: int, tolerance: float | None = None) -> Question:
    """The question that a user asks about some systems; of two, it is which one is better."""
    text = asked if isinstance(asked, str) else ",".join(asked)
    is_best = asked == BEST and systems > 2
    if tolerance is not None and not is_best:
        raise InputError(
            f"`tolerance` goes with the question {BEST!r} about three or more systems; got "
            f"{asked!r} about {systems}"
        )
    if systems == 2:
        return Question(text, "it is better", better_holds, best_of)
    if not is_best:
        return Question(text, "ranking settled", ranking_holds, ranking_of)
    least = _tolerance(tolerance, measure)
    claim = "no system is better than it"
    if least:
        claim += f" by more than {least:g}"
    return Question(text, claim, partial(best_holds, tolerance=least), best_of)


def _tolerance(given: float | None, measure: str) -> float:
    """By how much another system may be better; InputError for what the measure does not allow."""
    is_exact = measure.startswith(NO_TOLERANCE)
    if given is None:
        return 0.0 if is_exact else TOLERANCE
    if is_exact and given:
        raise InputError(
            f"`tolerance` must be 0 on {NO_TOLERANCE}, where too many claims with one were wrong; "
            f"got {given}"
        )
    return number_from(0, closed=True).check("tolerance", given)
