"""The table of papers: systems x measures, the best in bold, marks per baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from ..common.escapes import Markup
from ..common.writing import fixed
from ..exceptions import InputError
from ..results.column import Column
from ..results.tables import TextTable, write
from ..stats.letters import letter_names
from ..stats.pairs import highest
from .board import Leaderboard
from .hypotheses import Hypotheses
from .words import BETTER_THAN, LETTERS, NOT_DIFFERENT, method_text, not_tested, pairs_differ

if TYPE_CHECKING:
    from .result import Comparison

SINGLE_LETTERS = 26  # of the alphabet; then aa, ab, ..., with commas between


def paper_table(
    result: Comparison, form: str, places: int, systems: Sequence[str] | None = None
) -> str:
    """The table in LaTeX with booktabs, in Markdown as GitHub shows it, or in HTML."""
    return write(paper_text_table(result, places, systems), form)


def paper_text_table(
    result: Comparison, places: int, systems: Sequence[str] | None = None
) -> TextTable:
    """The table, for a format of texts and papers."""
    names, *means = score_columns(result, systems)
    marked = any(any(column.marks) for column in means)
    meaning = BETTER_THAN if result.baselines else NOT_DIFFERENT
    head = f"System ({meaning})" if marked else "System"
    columns = [replace(names, name=head), *means]

    def written(markup: Markup) -> str:
        return caption(result, markup, marked)

    return TextTable(columns, places, caption=written)


def score_columns(result: Comparison, systems: Sequence[str] | None = None) -> list[Column]:
    """The systems, best first by the first measure, and the means of each measure (and group).

    The marks of a cell are the letters of the baselines that are significantly worse. Without
    baselines, systems share a letter if they do not differ, if the letters can be read.
    """
    known = result.matrix.systems
    shown = list(known) if systems is None else _checked(systems, known)
    first = result.boards[0].place
    shown.sort(key=lambda name: first.get(name, len(first)))  # those without a score come last
    letters = _letters(result.baselines)
    columns = (_column(board, shown, letters) for board in result.boards)
    return [Column("system", shown, key=True), *columns]


def caption(result: Comparison, markup: Markup, marked: bool) -> str:
    """What the numbers are, what the marks mean or how many pairs differ, and how was tested."""
    if result.baselines:
        letters = ", ".join(map(markup.raised, _letters(result.baselines)))
        names = ", ".join(map(markup.text, result.baselines))
        marks = f"{letters}: significantly better than {names}"
    else:
        marks = ", ".join(
            f"{pairs_differ(board.tested)} in {markup.text(board.in_group(board.label))}"
            for board in result.boards
        )
        if marked:
            marks = f"{LETTERS.capitalize()}; {marks}"
    return " ".join(
        [
            f"Mean over {over_topics(result.boards, markup)}. {markup.best}.",
            *map(markup.text, result.falling),
            f"{marks} ({markup.text(method_text(result.tested))}).",
            *(
                markup.text(f"{board.in_group(board.label)}: {text}.")
                for board in result.boards
                for text in not_tested(board)
            ),
        ]
    )


def over_topics(boards: Sequence[Leaderboard], markup: Markup) -> str:
    """The topics of the means, by group if there are groups."""
    if boards[0].group is None:
        return f"{boards[0].topics} topics"
    sizes = {board.group or "": board.topics for board in boards}
    groups = ", ".join(f"{markup.text(group)}: {topics}" for group, topics in sizes.items())
    return f"the topics of each group ({groups})"


def _letters(baselines: Sequence[str]) -> dict[str, str]:
    """The baselines by their letters."""
    return dict(zip(letter_names(len(baselines)), baselines, strict=True))


def _column(board: Leaderboard, shown: Sequence[str], letters: Mapping[str, str]) -> Column:
    means = dict(zip(board.systems, board.mean.tolist(), strict=True))
    values = [means.get(name, np.nan) for name in shown]
    best = highest(board.tested.direction * np.array(values))
    of_system = dict(zip(board.systems, board.letters or (), strict=False))
    if letters:
        of_system = _beaten(board.tested, letters)
    marks = [of_system.get(name, "") for name in shown]
    raised = [f" {mark}" for mark in marks] if letters else [""] * len(marks)
    widest = max(map(len, raised))

    def cells(places: int) -> list[str]:
        """With the letters of baselines; they take as much space as the longest ones."""
        return [
            _cell(value, places, is_best, mark.ljust(widest))
            for value, is_best, mark in zip(values, best.tolist(), raised, strict=True)
        ]

    bold = np.flatnonzero(best).tolist()
    name, head = board.in_group(board.label), board.in_group(board.head)
    return Column(name, values, cells, head=head, left=False, bold=bold, marks=marks)


def _cell(value: float, places: int, is_best: bool, mark: str) -> str:
    """A mean for a terminal."""
    if isnan(value):
        return "-"
    text = fixed(value, places) + mark
    if is_best:
        text = f"*{text}"
    return text


def _beaten(tested: Hypotheses, letters: Mapping[str, str]) -> dict[str, str]:
    """The letters of the baselines that each system beats; beyond 26, commas separate them."""
    between = "" if len(letters) <= SINGLE_LETTERS else ","
    place = {name: position for position, name in enumerate(tested.systems)}
    against = {letter: place[name] for letter, name in letters.items() if name in place}
    return {
        name: between.join(letter for letter, other in against.items() if better[other])
        for name, better in zip(tested.systems, tested.better, strict=True)
    }


def _checked(systems: Sequence[str], known: Sequence[str]) -> list[str]:
    if isinstance(systems, str):
        raise TypeError(f"`systems` must be a list of names; got {systems!r}")
    names = list(dict.fromkeys(systems))
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        got = repr(unknown[0]) if unknown else "an empty list"
        raise InputError(f"`systems` must name some of the {len(known)} systems; got {got}")
    return names
