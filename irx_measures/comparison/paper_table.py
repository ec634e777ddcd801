"""The table of papers: systems x measures, the best in bold, marks per baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..common.escapes import Markup
from ..common.numeric import highest
from ..common.tables import MARKUPS
from ..exceptions import InputError
from ..measures.named_score import lower_is_better
from ..stats.letters import letter_names
from .hypotheses import TestedMeasure
from .leaderboard import Leaderboard
from .words import LETTERS, method_text, pairs_differ

if TYPE_CHECKING:
    from .result import Comparison

PLACES = 3  # as papers print scores

SINGLE_LETTERS = 26  # of the alphabet; then aa, ab, ..., with commas between


class Cell(NamedTuple):
    """A mean, None without a score; whether it is the best of its column; and its letters."""

    mean: float | None
    best: bool
    marks: str

    def text(self, places: int, markup: Markup) -> str:
        """The mean with its marks; `places` may be -1 for all."""
        if self.mean is None:
            return markup.undefined
        number = str(self.mean) if places == -1 else f"{self.mean:.{places}f}"
        return (markup.bold(number) if self.best else number) + markup.raised(self.marks)


class ScoreTable(NamedTuple):
    """Means of systems and measures, with what is best and which baselines are beaten.

    Attributes
    ----------
    systems : list of str
        Best first, by the first measure; systems without a score on it come last.
    columns : dict from the name of a measure (and group) to a list of Cell
        A cell's marks are the letters of the baselines that are significantly worse. Without
        baselines, systems share a letter if they do not differ, if the letters can be read.
    baselines : dict
        The baselines by their letters.
    """

    systems: list[str]
    columns: dict[str, list[Cell]]
    baselines: dict[str, str]

    @classmethod
    def of(cls, result: Comparison, systems: Sequence[str] | None = None) -> ScoreTable:
        """The means of a comparison, of all systems or some.

        Raises
        ------
        InputError
            If a system is unknown, or no system is to be shown.
        """
        known = result.matrix.systems
        shown = list(known) if systems is None else _checked(systems, known)
        letters = dict(zip(letter_names(len(result.baselines)), result.baselines, strict=True))
        first = result.boards[0].place
        shown.sort(key=lambda name: first.get(name, len(first)))
        boards = zip(result.labels, result.boards, strict=True)
        columns = {label: _column(board, shown, letters) for label, board in boards}
        return cls(shown, columns, letters)

    def beaten(self, markup: Markup) -> str:
        """What the letters of baselines say."""
        letters = ", ".join(map(markup.raised, self.baselines))
        names = ", ".join(map(markup.text, self.baselines.values()))
        return f"{letters}: significantly better than {names}"


def _column(board: Leaderboard, shown: Sequence[str], letters: Mapping[str, str]) -> list[Cell]:
    mean = dict(zip(board.systems, board.mean.tolist(), strict=True))
    gains = [board.tested.direction * mean.get(name, np.nan) for name in shown]
    best = highest(np.array(gains)[:, np.newaxis])[:, 0].tolist()
    marks = dict(zip(board.systems, board.letters or (), strict=False))
    if letters:
        marks = _beaten(board.tested, letters)
    cells = zip(shown, best, strict=True)
    return [Cell(mean.get(name), is_best, marks.get(name, "")) for name, is_best in cells]


def _beaten(tested: TestedMeasure, letters: Mapping[str, str]) -> dict[str, str]:
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


def over_topics(tested: Sequence[TestedMeasure], markup: Markup) -> str:
    """The topics of the means, by group if there are groups."""
    if tested[0].group is None:
        return f"{tested[0].topics} topics"
    sizes = {part.group or "": part.topics for part in tested}
    groups = ", ".join(f"{markup.text(group)}: {topics}" for group, topics in sizes.items())
    return f"the topics of each group ({groups})"


def paper_table(result: Comparison, table: ScoreTable, form: str, places: int) -> str:
    """The table in LaTeX with booktabs, in Markdown as GitHub shows it, or in HTML."""
    markup, lines = MARKUPS[form]
    heads = ["System", *map(markup.text, table.columns)]
    cells = [[cell.text(places, markup) for cell in column] for column in table.columns.values()]
    rows = [list(row) for row in zip(map(markup.text, table.systems), *cells, strict=True)]
    left = [True, *[False] * len(cells)]
    return "\n".join(lines([heads, *rows], left, _caption(result, table, markup))) + "\n"


def _caption(result: Comparison, table: ScoreTable, markup: Markup) -> str:
    """What the numbers are, what the marks mean or how many pairs differ, and how was tested."""
    marks = table.beaten(markup)
    if not table.baselines:
        found = zip(table.columns, result.tested, strict=True)
        marks = ", ".join(f"{pairs_differ(part)} in {markup.text(name)}" for name, part in found)
        if any(cell.marks for column in table.columns.values() for cell in column):
            marks = f"{LETTERS.capitalize()}; {marks}"
    return " ".join(
        [
            f"Mean over {over_topics(result.tested, markup)}. {markup.best}.",
            *map(
                markup.text, lower_is_better(dict.fromkeys(part.measure for part in result.tested))
            ),
            f"{marks} ({markup.text(method_text(result.tested))}).",
        ]
    )
