"""The difference of two systems in every group, and what the tests of the macro mean say of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..common.writing import PLAIN, Writing, counted, level_text
from ..exceptions import InputError
from ..scoring.grouped_scores import GroupedScores
from ..stats.decisions import rejects
from ..stats.intervals import FEWEST_TOPICS, mean_interval
from ..stats.pairs import Pairs
from ..typing import MeasureLike
from .board import Leaderboard, Rows
from .difference import Difference
from .macro import QUERIES
from .words import of_two

if TYPE_CHECKING:
    from .result import Comparison


class ForestRow(NamedTuple):
    """A difference with its interval, NaN where it has none."""

    name: str
    difference: float
    lower: float
    upper: float
    short: str = ""  # the name where there is little room; empty: there is no shorter one
    queries: int | None = None  # of a group
    p_adjusted: float | None = None  # of a test
    significant: bool = False  # by the test

    @property
    def is_new(self) -> bool:
        """Whether it is one further group, of which only the interval is shown."""
        return self.queries is None and self.p_adjusted is None


@dataclass(frozen=True, eq=False)
class Forest:
    """One system minus another: in every group, and on the macro mean.

    Attributes
    ----------
    board : Leaderboard
        That of the measure.
    pair : Difference
        The tested difference of the macro means.
    groups : tuple of ForestRow
        The mean difference in each group, with its t interval, which has no correction.
    tests : tuple of ForestRow
        These groups, and other groups like them, as far as the question of the comparison is about
        them. The intervals agree with the correction.
    new : ForestRow, optional
        One further group; it has no correction.
    """

    board: Leaderboard
    pair: Difference
    groups: tuple[ForestRow, ...]
    tests: tuple[ForestRow, ...]
    new: ForestRow | None
    row: Rows  # the tested one alone

    @property
    def totals(self) -> tuple[ForestRow, ...]:
        """What stands below the groups."""
        return self.tests if self.new is None else (*self.tests, self.new)

    def sentence(self, writing: Writing = PLAIN) -> str:
        """By how much the better system is better, and whether this is significant."""
        return f"{of_two(self.row, writing)}."

    @property
    def about_intervals(self) -> str:
        """What the intervals are, which differ in their corrections."""
        method, unit = self.board.method, self.board.unit
        said = f"Intervals of single {unit}s: {level_text(method.level)}, without correction"
        if not method.has_intervals:
            said += f"; the correction {method.correction} has none of the macro mean"
        if self.new is not None:
            said += f". One more {unit}: where its difference is expected; without correction"
        return f"{said}."


def forest_of(
    result: Comparison,
    system: str,
    baseline: str | None = None,
    measure: MeasureLike | None = None,
) -> Forest:
    """One system minus another in every group; InputError if their macro means were not compared.

    `baseline` and `measure` may be omitted as in `Comparison.difference`.
    """
    if result.grouped is None or result.macro is None:
        raise InputError(
            "`result` must compare macro means, as GroupedScores.compare(macro='queries') does; "
            "got one of means over queries"
        )
    pair, board = result.difference(system, baseline, measure), result.board(measure)
    row = board.pair(pair.system, pair.baseline)
    return Forest(
        board,
        pair,
        tuple(_of_groups(result.grouped, row)),
        tuple(_tested(row)),
        _new(row),
        row,
    )


def _of_groups(grouped: GroupedScores, row: Rows) -> Iterator[ForestRow]:
    """The mean difference in each group, with its own t interval."""
    names = [row.system[0], row.baseline[0]]
    places = [grouped.matrix.systems.index(name) for name in names]
    number = grouped.matrix.measures.index(row.board.measure)
    both = Pairs(np.array([0]), np.array([1]))
    for group, part in zip(grouped.groups, grouped.parts, strict=True):
        differences = both.differences(part.scores[number][places])
        queries = differences.shape[1]
        lower = upper = np.nan
        if queries >= FEWEST_TOPICS:
            low, high = mean_interval(differences, row.board.level)
            lower, upper = float(low[0]), float(high[0])
        yield ForestRow(group, float(differences.mean()), lower, upper, queries=queries)


def _tested(row: Rows) -> Iterator[ForestRow]:
    """The question that was asked, and the one on other groups that is answered beside it."""
    board = row.board
    names = (f"these {counted(board.topics, board.unit)}", f"these {board.topics}")
    if board.macro != QUERIES:
        names = (f"{board.unit}s like these", "like these")
    yield _of_test(row, names, "")
    if board.has_other_groups:
        yield _of_test(row, (f"other {board.unit}s like these", "others like these"), "groups_")


def _of_test(row: Rows, names: tuple[str, str], which: str) -> ForestRow:
    """The test of a question; `which` begins the names of its numbers."""
    name, short = names
    difference, lower, upper, p = _only(
        row, "difference", f"{which}lower", f"{which}upper", f"{which}p_adjusted"
    )
    significant = bool(rejects(p, row.board.level))
    return ForestRow(name, difference, lower, upper, short, p_adjusted=p, significant=significant)


def _only(row: Rows, *names: str) -> list[float]:
    """Numbers of the only row."""
    return [float(row[name][0]) for name in names]


def _new(row: Rows) -> ForestRow | None:
    """One further group; not beside two groups, of which the interval is 15 times as wide."""
    if not row.board.has_other_groups:
        return None
    difference, lower, upper = _only(row, "difference", "new_lower", "new_upper")
    return ForestRow(f"one more {row.board.unit}", difference, lower, upper, "one more")
