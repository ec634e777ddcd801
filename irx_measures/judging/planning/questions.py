"""The questions that a judging campaign can answer, and how probable its answer is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...common.arrays import BoolArray, FloatArray
from ...exceptions import InputError
from ...stats.pairs import Pairs

RANKING, BEST = "ranking", "best"

LEAST_TAU = 0.9  # a choice of the study: it allows one pair in twenty to be in another order
TOLERANCE = 0.01  # a choice of the study: a smaller difference seldom matters


class Question(Protocol):
    """A question about systems.

    `claim` completes "P(...)", and says what is probable.
    """

    @property
    def claim(self) -> str: ...

    def about(self, systems: int) -> list[int]:
        """The positions of the systems that are asked about, among all systems."""

    def disagreement(self, weight: FloatArray) -> FloatArray:
        """How much a document can change the answer: (documents,), from (systems, documents)."""

    def probability(self, means: FloatArray) -> float:
        """The share of worlds in which the answer holds: from (systems, worlds)."""

    def answer(self, names: Sequence[str], means: FloatArray) -> str:
        """The answer by the mean over worlds."""

    def holds(self, means: FloatArray, true: FloatArray) -> bool:
        """Whether the answer holds where the true means are known: (systems,)."""


class OfAllSystems(ABC):
    """A question about all systems, whose answer holds in some worlds."""

    def about(self, systems: int) -> list[int]:
        return list(range(systems))

    def disagreement(self, weight: FloatArray) -> FloatArray:
        spread: FloatArray = weight.var(axis=0)
        return spread

    def probability(self, means: FloatArray) -> float:
        return float(self.hold(means, means).mean())

    def holds(self, means: FloatArray, true: FloatArray) -> bool:
        return bool(self.hold(means, true[:, np.newaxis])[0])

    @abstractmethod
    def hold(self, means: FloatArray, in_worlds: FloatArray) -> BoolArray:
        """Whether the answer by `means` holds in each world: (worlds,), from (systems, worlds)."""


@dataclass(frozen=True)
class Ranking(OfAllSystems):
    """The ranking of all systems; it holds where Kendall's tau with it is at least `tau`."""

    tau: float = LEAST_TAU

    @property
    def claim(self) -> str:
        return "ranking settled"

    def hold(self, means: FloatArray, in_worlds: FloatArray) -> BoolArray:
        held: BoolArray = tau_with_worlds(means.mean(axis=1), in_worlds) >= self.tau - 1e-9
        return held

    def answer(self, names: Sequence[str], means: FloatArray) -> str:
        order = np.argsort(-means.mean(axis=1), kind="stable").tolist()
        return " > ".join(names[place] for place in order)


@dataclass(frozen=True)
class Best(OfAllSystems):
    """The best system; the answer holds where no system is better by more than `tolerance`."""

    tolerance: float = TOLERANCE

    @property
    def claim(self) -> str:
        within = f" by more than {self.tolerance:g}" if self.tolerance else ""
        return f"no system is better than it{within}"

    def hold(self, means: FloatArray, in_worlds: FloatArray) -> BoolArray:
        best = means.mean(axis=1).argmax()
        # Sums of equal scores may differ in the last digits.
        held: BoolArray = in_worlds.max(axis=0) - in_worlds[best] <= self.tolerance + 1e-12
        return held

    def answer(self, names: Sequence[str], means: FloatArray) -> str:
        return names[int(means.mean(axis=1).argmax())]


@dataclass(frozen=True)
class Pair:
    """Which of two systems is better; `first` and `second` are their positions."""

    first: int
    second: int

    @property
    def claim(self) -> str:
        return "it is better"

    def about(self, systems: int) -> list[int]:
        return [self.first, self.second]

    def disagreement(self, weight: FloatArray) -> FloatArray:
        difference: FloatArray = (weight[self.first] - weight[self.second]) ** 2
        return difference

    def probability(self, means: FloatArray) -> float:
        # Sums of equal scores may differ in the last digits.
        difference = (means[self.first] - means[self.second]).round(12)
        sign = 1 if difference.mean() >= 0 else -1
        return float((1 + sign * np.sign(difference)).mean() / 2)

    def holds(self, means: FloatArray, true: FloatArray) -> bool:
        mean = means.mean(axis=1)
        estimated, actual = (of[self.first] - of[self.second] for of in (mean, true))
        return bool(estimated * actual > 0 or abs(actual) < 1e-12)

    def answer(self, names: Sequence[str], means: FloatArray) -> str:
        mean = means.mean(axis=1)
        better = self.first if mean[self.first] >= mean[self.second] else self.second
        return names[better]


def tau_with_worlds(mean: FloatArray, means: FloatArray) -> FloatArray:
    """Kendall's tau of a ranking with the ranking in each world: (worlds,).

    The mean over pairs of the product of the signs of both differences (tau a).
    """
    systems, worlds = means.shape
    total = np.zeros(worlds)
    for _, pairs in Pairs.of(systems).blocks(worlds):
        sign = np.sign(pairs.differences(mean))
        total += sign @ np.sign(pairs.differences(means))
    tau: FloatArray = total / max(systems * (systems - 1) // 2, 1)
    return tau


def question_of(asked: Any, names: Sequence[str], tolerance: float | None = None) -> Question:
    """The question that a user asks: 'ranking', 'best' or the names of two systems.

    Raises
    ------
    InputError
        When it is something else, or one of the two is not a system.
    """
    if tolerance is not None and asked != BEST:
        raise InputError(f"`tolerance` goes with question='best'; got question={asked!r}")
    if asked == RANKING:
        return Ranking()
    if asked == BEST:
        return Best(TOLERANCE if tolerance is None else tolerance)
    if isinstance(asked, (tuple, list)) and len(asked) == 2 and asked[0] != asked[1]:
        for name in asked:
            if name not in names:
                raise InputError(f"`question` must name two of the systems; got {name!r}")
        return Pair(names.index(asked[0]), names.index(asked[1]))
    raise InputError(
        f"`question` must be 'ranking', 'best', or the names of two systems; got {asked!r}"
    )
