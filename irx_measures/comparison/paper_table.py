"""The table of papers: systems x measures, the best in bold, marks per baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..common.escapes import TERMINAL, WORSE, Markup
from ..common.writing import counted, fixed, nearest_of
from ..exceptions import InputError
from ..results.column import Column
from ..results.tables import TextTable, write
from ..stats.letters import letter_names
from ..stats.pairs import highest
from .board import Leaderboard
from .tables import means
from .words import LETTERS, method_text, not_tested, pairs_differ

if TYPE_CHECKING:
    from .result import Comparison

SYSTEM, MACRO_MEAN = "System", "macro mean"

SINGLE_LETTERS = 26  # of the alphabet; then aa, ab, ..., with commas between


def paper_table(
    result: Comparison, form: str, places: int, systems: Sequence[str] | None = None
) -> str:
    """The table in LaTeX with booktabs, in Markdown as GitHub shows it, or in HTML.

    Of macro means, there is a table per measure.
    """
    return "\n".join(write(table, form) for table in paper_tables(result, places, systems))


def paper_tables(
    result: Comparison, places: int, systems: Sequence[str] | None = None
) -> list[TextTable]:
    """The tables, for a format of texts and papers: of macro means, one per measure."""
    if result.macro is None:
        return [paper_text_table(result, places, systems)]
    return [_macro_table(result, board, places, systems) for board in result.boards]


def macro_columns(
    result: Comparison, board: Leaderboard, systems: Sequence[str] | None = None
) -> list[Column]:
    """The systems, best first, their macro means with the marks of the tests, and each group's."""
    shown = _in_order(result, board, systems)
    macro = _column(board, shown, _letters(result.baselines))
    columns = [Column("system", shown, key=True), replace(macro, name=MACRO_MEAN, head=MACRO_MEAN)]
    scores = result.matrix[board.measure]
    rows = [result.matrix.systems.index(name) for name in shown]
    for place, group in enumerate(result.matrix.query_ids):
        columns.append(means(group, scores[rows, place], board.direction))
    return columns


def _macro_table(
    result: Comparison, board: Leaderboard, places: int, systems: Sequence[str] | None
) -> TextTable:
    names, macro, *of_groups = macro_columns(result, board, systems)

    def written(markup: Markup) -> str:
        return macro_caption(result, board, markup, [names, macro])

    return TextTable([replace(names, name=SYSTEM), macro, *of_groups], places, caption=written)


def macro_caption(
    result: Comparison, board: Leaderboard, markup: Markup, columns: Sequence[Column]
) -> str:
    """What the numbers of a measure are, what the marks mean, and how was tested."""
    what = f"{board.label} on {counted(board.topics, board.unit)}"
    marks = _marks_text(result, [board], markup, columns)
    return " ".join(
        [
            f"{markup.text(f'{what}. {macro_text(board.unit)}')} {markup.best}.",
            *map(markup.text, result.falling),
            f"{marks} ({markup.text(method_text([board]))}).",
            *_untested([board], markup),
        ]
    )


def paper_text_table(
    result: Comparison, places: int, systems: Sequence[str] | None = None
) -> TextTable:
    """The table, for a format of texts and papers."""
    names, *of_measures = score_columns(result, systems)
    columns = [replace(names, name=SYSTEM), *of_measures]

    def written(markup: Markup) -> str:
        return caption(result, markup, [names, *of_measures])

    return TextTable(columns, places, caption=written)


def score_columns(result: Comparison, systems: Sequence[str] | None = None) -> list[Column]:
    """The systems, best first by the first measure, and the means of each measure (and group).

    The marks of a cell are the letters of the baselines that are significantly worse, and after an
    arrow of those that are significantly better. Without baselines, systems share a letter if they
    do not differ, if the letters can be read.
    """
    shown = _in_order(result, result.boards[0], systems)
    letters = _letters(result.baselines)
    columns = (_column(board, shown, letters) for board in result.boards)
    return [Column("system", shown, key=True), *columns]


def _in_order(result: Comparison, board: Leaderboard, systems: Sequence[str] | None) -> list[str]:
    """The systems to show, best first; those without a score come last."""
    known, place = result.matrix.systems, board.place
    shown = list(known) if systems is None else _checked(systems, known)
    shown.sort(key=lambda name: place.get(name, len(place)))
    return shown


def caption(result: Comparison, markup: Markup, columns: Sequence[Column]) -> str:
    """What the numbers are, what the marks mean or how many pairs differ, and how was tested.

    The columns are those of the table, without columns there are no marks: a mark that they do not
    have is not explained.
    """
    marks = _marks_text(result, result.boards, markup, columns)
    return " ".join(
        [
            f"Mean over {over_topics(result.boards, markup)}. {markup.best}.",
            *map(markup.text, result.falling),
            f"{marks} ({markup.text(method_text(result.tested))}).",
            *_untested(result.boards, markup),
        ]
    )


def _marks_text(
    result: Comparison, boards: Sequence[Leaderboard], markup: Markup, columns: Sequence[Column]
) -> str:
    """What the marks mean, or how many pairs differ."""
    if result.baselines:
        return _marks_of_baselines(result, boards, markup, columns)
    differ = ", ".join(
        f"{pairs_differ(board)} in {markup.text(board.in_group(board.label))}" for board in boards
    )
    marked = any(any(column.marks) for column in columns)
    return f"{LETTERS.capitalize()}; {differ}" if marked else differ


def _marks_of_baselines(
    result: Comparison, boards: Sequence[Leaderboard], markup: Markup, columns: Sequence[Column]
) -> str:
    """What the marks of the table mean, and from which baselines nothing in it differs."""
    letters, parts = _letters(result.baselines), []
    found = [each for board in boards for each in _verdicts(board, columns[0].listed).items()]
    beaten = {name for name, verdicts in found if 1 in verdicts}
    beating = {name for name, verdicts in found if -1 in verdicts}
    for marked, before, how in ((beaten, "", "better"), (beating, WORSE, "worse")):
        names = {letter: name for letter, name in letters.items() if name in marked}
        if names:
            raised = ", ".join(markup.raised(before + letter) for letter in names)
            parts.append(f"{raised}: significantly {how} than {_named(names, markup)}")
    tested = {name for board in boards for name in board.baseline_names} - beaten - beating
    others = {letter: name for letter, name in letters.items() if name in tested}
    if others:
        parts.append(f"no system in the table differs significantly from {_named(others, markup)}")
    text = "; ".join(parts)
    return text if beaten or beating else f"{text[:1].upper()}{text[1:]}"


def _named(names: Mapping[str, str], markup: Markup) -> str:
    return ", ".join(map(markup.text, names.values()))


def _verdicts(board: Leaderboard, shown: Sequence[Any]) -> dict[str, list[int]]:
    """By baseline, the verdicts of `Rows` on the systems that are shown."""
    found = {}
    for name in board.baseline_names:
        of_system = dict(zip(board.systems, board.minus(name).verdict.tolist(), strict=True))
        found[name] = [of_system.get(system, 0) for system in shown]
    return found


def _untested(boards: Sequence[Leaderboard], markup: Markup) -> list[str]:
    """Sentences on measures without tests."""
    return [
        markup.text(f"{board.in_group(board.label)}: {text}.")
        for board in boards
        for text in not_tested(board)
    ]


def macro_text(unit: str) -> str:
    """What a macro mean is, of groups or collections."""
    return f"{MACRO_MEAN.capitalize()}: mean of the {unit}s' means; each has the same weight."


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
    best = highest(board.direction * np.array(values))
    marks = raised = [""] * len(shown)
    if letters:
        marks = _marks(board, shown, letters)
        raised = [f" {TERMINAL.raised(mark)}" for mark in marks]
    elif board.letters is not None:
        of_system = dict(zip(board.systems, board.letters, strict=True))
        marks = [of_system.get(name, "") for name in shown]
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
    star = "*" if is_best else ""
    return f"{star}{fixed(value, places)}{mark}"


def _marks(board: Leaderboard, shown: Sequence[str], letters: Mapping[str, str]) -> list[str]:
    """The letters of the baselines that each system beats, and after an arrow of its betters."""
    between = "" if len(letters) <= SINGLE_LETTERS else ","
    verdicts, marks = _verdicts(board, shown), []
    against = {letter: verdicts[name] for letter, name in letters.items() if name in verdicts}
    for row in range(len(shown)):
        beaten = between.join(letter for letter, verdict in against.items() if verdict[row] == 1)
        beating = between.join(letter for letter, verdict in against.items() if verdict[row] == -1)
        arrow = WORSE if beating else ""
        marks.append(f"{beaten}{arrow}{beating}")
    return marks


def _checked(systems: Sequence[str], known: Sequence[str]) -> list[str]:
    if isinstance(systems, str):
        raise TypeError(f"`systems` must be a list of names; got {systems!r}")
    names = list(dict.fromkeys(systems))
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        got = "an empty list"
        if unknown:
            got = f"{unknown[0]!r}{nearest_of(unknown[0], known)}"
        raise InputError(f"`systems` must name some of the {len(known)} systems; got {got}")
    return names
