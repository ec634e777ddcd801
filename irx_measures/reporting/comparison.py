"""Comparisons of systems as tables: leaderboards, differences, planned topics, scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..common.escapes import TERMINAL
from ..common.writing import fixed, level_text
from ..comparison.board import Leaderboard, Rows
from ..comparison.paper_table import (
    caption,
    macro_caption,
    macro_columns,
    paper_tables,
    score_columns,
)
from ..comparison.result import Comparison, named_rows
from ..comparison.tables import difference_shown, of_board, plan
from ..comparison.words import ONE_GROUP_ONLY, in_brackets, method_text, not_tested
from ..results.column import Column
from ..results.output import Output
from ..results.tables import MARKUPS, TextTable
from ..stats.pairs import Pairs
from ..stats.planning import POWER
from ..stats.tests import TESTS
from .tables import score_output

OF_PLANS = (
    "p: of this test on the topics at hand. topics: topics in total that the test needs if the "
    "effect g is the true one. topics_safe: if the effect is smaller by .84 standard errors. "
    "-: not foreseeable."
)


def comparison_output(result: Comparison, shown: str, form: str, places: int) -> Output:
    """A comparison in an output format; `shown` is a key of `SHOWN`.

    - ``table`` begins with what was found; if it is longer than the terminal, it ends with it too.
    - In the other formats, a row is a system or a hypothesis: ``differences`` has the columns of
      `Comparison.to_frame`, ``leaderboard`` those of `Comparison.leaderboard` after the measure,
      and ``topics`` those of `Comparison.topics_needed` after the systems. ``scores`` is the table
      of a paper or, for programs, what ``irx evaluate`` prints.
    """
    tables, columns = SHOWN[shown]
    if form == "table":
        said = result.findings if result.groups else [result.summary]
        return Output(form, tables(result, places), said, found=said)
    if columns is not None:
        return Output(form, [TextTable(columns(result), places)])
    if form in MARKUPS:
        return Output(form, paper_tables(result, places))
    return score_output(result.matrix, form, places, result.grouped)


def leaderboards(result: Comparison, places: int) -> list[TextTable]:
    """A leaderboard per measure: means, what is tied, the differences to the best system."""
    shown = [board.reference for board in result.boards if board.all_pairs]
    notes = _notes(result, shown)
    tables = []
    for board in result.boards:
        title = f"{board.in_group(board.head)}, {len(board)} systems, {board.over}"
        legend = [f"{board.head} = {board.label}"] if board.head != board.label else []
        tables.append(TextTable(board.columns(), places, title, legend, notes))
    return tables


def differences(result: Comparison, places: int) -> list[TextTable]:
    """The differences: to each baseline a table with the means, or a table of all pairs."""
    families = [tested for board in result.boards for _, tested in board.families()]
    notes = _notes(result, families)
    if result.groups:
        notes.append(ONE_GROUP_ONLY)
    tables = []
    for board in result.boards:
        head = f"{board.in_group(board.head)} ({board.over})"
        if not board.is_tested:
            title = f"{head}, {'; '.join(not_tested(board))}"
            tables.append(TextTable(_means(board), places, title, notes=notes))
        for baseline, tested in board.families():
            title = f"{head}, {_minus(board, baseline, places)}"
            tables.append(TextTable(difference_shown(tested), places, title, notes=notes))
    return tables


def _means(board: Leaderboard) -> list[Column]:
    """What is shown of a measure on which no baseline has a score."""
    return [
        Column("system", board.systems, key=True),
        Column("mean", board.mean, left=False),
    ]


def _minus(board: Leaderboard, baseline: str, places: int) -> str:
    """What is subtracted: the baseline, with its mean, or each other system."""
    if not baseline:
        return "system minus other system"
    mean = float(board.mean[board.place[baseline]])
    return f"system minus {baseline} (mean {fixed(mean, places)})"


def _notes(result: Comparison, shown: Sequence[Rows]) -> list[str]:
    """What brackets mean, if the tables have some, and how was tested."""
    marks = [f"{text}." for text in in_brackets(*shown)]
    return [*result.falling, *marks, f"Tests: {method_text(result.tested)}."]


def planned(result: Comparison, places: int) -> list[TextTable]:
    """How many topics would settle each comparison with a baseline."""
    result.refuse_planning()
    title = TESTS[result.method.t_test].title
    notes = [
        f"{title[0].upper()}{title[1:]} without correction, confidence level "
        f"{level_text(result.method.level)}, power {POWER:g}. Choose one pair before you look at "
        "the results: the plan is for one comparison.",
        OF_PLANS,
    ]
    tables = []
    for board in result.boards:
        for baseline, tested in board.families():
            head = f"{board.in_group(board.head)}, system minus {baseline}"
            columns = plan(board, Pairs(tested.first, tested.second))
            tables.append(TextTable(columns, places, title=head, notes=notes))
    return tables


def scores(result: Comparison, places: int) -> list[TextTable]:
    """Systems x measures, with the letters of baselines; of macro means systems x groups."""
    if result.macro is not None:
        return [_macro_scores(result, board, places) for board in result.boards]
    columns = score_columns(result)
    notes = [caption(result, TERMINAL, _as_shown(result, columns))]
    return [TextTable(columns, places, notes=notes)]


def _as_shown(result: Comparison, columns: Sequence[Column]) -> list[Column]:
    """The columns with the marks that a terminal has: those of baselines."""
    return list(columns) if result.baselines else []


def _macro_scores(result: Comparison, board: Leaderboard, places: int) -> TextTable:
    columns = macro_columns(result, board)
    note = macro_caption(result, board, TERMINAL, _as_shown(result, columns))
    return TextTable(columns, places, title=f"{board.head}, {board.over}", notes=[note])


def _leaderboard_columns(result: Comparison) -> list[Column]:
    rows = ((board, of_board(board)) for board in result.boards)
    return named_rows(rows, result.unit)


def _planned_columns(result: Comparison) -> list[Column]:
    result.refuse_planning()
    rows = ((part, plan(part, part.pairs)) for part in result.tested)
    return named_rows(rows, result.unit)


Tables: TypeAlias = Callable[[Comparison, int], list[TextTable]]

SHOWN: dict[str, tuple[Tables, Callable[[Comparison], list[Column]] | None]] = {
    "leaderboard": (leaderboards, _leaderboard_columns),
    "differences": (differences, Comparison.columns),
    "scores": (scores, None),
    "topics": (planned, _planned_columns),
}
"""What can be shown: the tables of a terminal, and the columns of the other formats."""
