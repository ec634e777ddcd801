"""What the sections of the report are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...common.arrays import BoolArray, FloatArray, IntArray
from ...comparison.hypotheses import Tested
from ...comparison.leaderboard import Leaderboard
from ...comparison.result import Comparison
from ..comparison import aliases
from .documents import Documents

STEPS = (0.01, 0.001)  # below the level of the tests


@dataclass(frozen=True)
class Board:
    """One measure: its leaderboard and the tests of all pairs.

    Attributes
    ----------
    key
        The class of the measure's elements: ``m1``, ``m2``, ...
    label
        The name of the measure in heads.
    tested
        The tests of all pairs of systems.
    board
        The systems, best mean first.
    reference
        The baseline, or the best system if there is no baseline with a score.
    """

    key: str
    label: str
    tested: Tested
    board: Leaderboard
    reference: str

    @cached_property
    def place(self) -> dict[str, int]:
        """The position of each system in the arrays of `tested`."""
        return {name: place for place, name in enumerate(self.tested.hypotheses.systems)}

    @cached_property
    def order(self) -> IntArray:
        """Positions of the systems in the arrays of `tested`, best mean first."""
        return np.array([self.place[name] for name in self.board.systems])

    @property
    def scores(self) -> FloatArray:
        """(systems, topics), best mean first."""
        return self.tested.hypotheses.scores[self.order]

    @cached_property
    def p_adjusted(self) -> FloatArray:
        """Adjusted p of every pair: (systems, systems), best mean first; 1 on the diagonal."""
        return self._square(self.tested.p_adjusted, 1.0)

    @cached_property
    def rejected(self) -> BoolArray:
        """Which pairs differ significantly: (systems, systems), best mean first."""
        return self._square(self.tested.rejected.astype(float), 0.0) > 0

    @property
    def thresholds(self) -> list[float]:
        """The steps of adjusted p, descending; the first is the level of the tests."""
        alpha = self.tested.method.alpha
        return [alpha, *(step for step in STEPS if step < alpha)]

    @cached_property
    def steps(self) -> IntArray:
        """How many thresholds adjusted p is below: (systems, systems), best mean first."""
        below = sum((self.p_adjusted < step).astype(np.int64) for step in self.thresholds[1:])
        return np.where(self.rejected, 1 + below, 0)

    def tied_with(self, name: str) -> list[str]:
        """The systems that cannot be told apart from one, best first."""
        place = self.board.systems.index(name)
        return [
            other
            for other, differs in zip(self.board.systems, self.rejected[place], strict=True)
            if not differs and other != name
        ]

    def _square(self, values: FloatArray, diagonal: float) -> FloatArray:
        first, second = self.tested.hypotheses.pairs
        square = np.full((len(self.board),) * 2, diagonal)
        square[first, second] = square[second, first] = values
        return square[np.ix_(self.order, self.order)]


@dataclass(frozen=True)
class Content:
    """Everything that the report shows.

    Attributes
    ----------
    title
    result
        The tested scores.
    baseline
        The baseline that the page names; None if there is none.
    documents
        None if no runs were given.
    titles
        The text of each topic that has one.
    texts
        The text of each document that has one.
    """

    title: str
    result: Comparison
    baseline: str | None
    documents: Documents | None
    titles: Mapping[str, str]
    texts: Mapping[str, str]

    @cached_property
    def boards(self) -> list[Board]:
        heads = aliases(self.result).values()
        return [
            self._board(number, head, self.result.tested[number].hypotheses.measure)
            for number, head in enumerate(heads)
        ]

    def _board(self, number: int, head: str, measure: object) -> Board:
        board = self.result.board(measure)  # type: ignore[arg-type]
        known = self.baseline in board.systems
        reference = self.baseline if known and self.baseline else board.systems[0]
        tested = self.result.all_pairs(measure)  # type: ignore[arg-type]
        return Board(f"m{number + 1}", head, tested, board, reference)

    @property
    def level(self) -> str:
        """The confidence level, such as ``95%``."""
        return f"{100 * self.result.method.level:g}%"

    @property
    def topics(self) -> tuple[str, ...]:
        return self.result.matrix.query_ids

    @property
    def groups(self) -> dict[str, str]:
        """The group of each system; empty if there are no groups."""
        matrix = self.result.matrix
        return dict(zip(matrix.systems, matrix.groups or (), strict=False))
