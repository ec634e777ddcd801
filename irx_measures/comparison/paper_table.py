"""The table of papers: systems x measures, the best in bold, marks per baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..common.markup import (
    HTML,
    LATEX,
    MARKDOWN,
    Html,
    Markup,
    html_cell,
    html_lines,
    html_row,
    latex_lines,
    markdown_row,
)
from ..common.numeric import highest
from ..exceptions import InputError
from ..measures.named_score import lower_is_better
from ..stats.letters import letter_names
from .hypotheses import TestedMeasure, is_grouped
from .leaderboard import Leaderboard
from .words import LETTERS, method_text, pairs_differ

PLACES = 3  # as papers print scores

SINGLE_LETTERS = 26  # of the alphabet; then aa, ab, ..., with commas between

# With more, letters are harder to read than rank intervals: TREC DL 2019 needs 14 for its 37 runs.
MOST_LETTERS, MOST_SYSTEMS = 6, 15

MARKUPS = {"latex": LATEX, "markdown": MARKDOWN, "html": HTML}


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
    boards : tuple of Leaderboard
    """

    systems: list[str]
    columns: dict[str, list[Cell]]
    baselines: dict[str, str]
    boards: Sequence[Leaderboard]

    @property
    def tested(self) -> list[TestedMeasure]:
        return [board.tested for board in self.boards]

    def caption(self, markup: Markup) -> str:
        """What the numbers are, what the marks mean, and how was tested."""
        falling = lower_is_better(dict.fromkeys(board.measure for board in self.boards))
        return " ".join(
            [
                f"Mean over {over_topics(self.tested, markup)}. {markup.best}.",
                *map(markup.text, falling),
                f"{self._meaning(markup)} ({markup.text(method_text(self.tested))}).",
            ]
        )

    def _meaning(self, markup: Markup) -> str:
        """What the marks say; without baselines, how many pairs differ."""
        if self.baselines:
            return self.beaten(markup)
        found = ", ".join(
            f"{pairs_differ(board.tested)} in {markup.text(name)}"
            for name, board in zip(self.columns, self.boards, strict=True)
        )
        lettered = any(cell.marks for column in self.columns.values() for cell in column)
        return f"{LETTERS.capitalize()}; {found}" if lettered else found

    def beaten(self, markup: Markup) -> str:
        """What the letters of baselines say."""
        letters = ", ".join(map(markup.raised, self.baselines))
        names = ", ".join(map(markup.text, self.baselines.values()))
        return f"{letters}: significantly better than {names}"


def score_table(
    boards: Mapping[str, Leaderboard],
    known: Sequence[str],
    baselines: Sequence[str],
    systems: Sequence[str] | None = None,
) -> ScoreTable:
    """Arrange the leaderboards as a table.

    Parameters
    ----------
    boards
        The leaderboards by the names of their columns.
    known
        The names of all systems.
    baselines
        In the order of their letters.
    systems
        The systems to show; None shows all.

    Raises
    ------
    InputError
        If a system is unknown, or no system is to be shown.
    """
    shown = list(known) if systems is None else _checked(systems, known)
    letters = dict(zip(letter_names(len(baselines)), baselines, strict=True))
    columns = {name: _column(board, shown, letters) for name, board in boards.items()}
    first = next(iter(boards.values()))
    last = len(first)  # systems without a score
    order = sorted(range(len(shown)), key=lambda row: first.place.get(shown[row], last))
    return ScoreTable(
        [shown[row] for row in order],
        {name: [column[row] for row in order] for name, column in columns.items()},
        letters,
        tuple(boards.values()),
    )


def _column(board: Leaderboard, shown: Sequence[str], letters: Mapping[str, str]) -> list[Cell]:
    direction = board.tested.hypotheses.direction
    gains = [
        direction * board.mean[board.place[name]] if name in board.place else np.nan
        for name in shown
    ]
    best = highest(np.array(gains)[:, np.newaxis])[:, 0].tolist()
    marks = _beaten(board, letters) if letters else _shared(board)
    return [
        Cell(None, False, "")
        if name not in board.place
        else Cell(float(board.mean[board.place[name]]), is_best, marks.get(name, ""))
        for name, is_best in zip(shown, best, strict=True)
    ]


def _beaten(board: Leaderboard, letters: Mapping[str, str]) -> dict[str, str]:
    """The letters of the baselines that each system beats; beyond 26, commas separate them."""
    known, better = board.tested.hypotheses.systems, board.tested.better
    place = {name: position for position, name in enumerate(known)}
    between = "" if len(letters) <= SINGLE_LETTERS else ","
    return {
        name: between.join(
            letter
            for letter, baseline in letters.items()
            if baseline in place and better[place[name], place[baseline]]
        )
        for name in known
    }


def _shared(board: Leaderboard) -> dict[str, str]:
    """Letters that systems share if they do not differ; none if they are too many to read."""
    if len(board) > MOST_SYSTEMS or board.letters is None:
        return {}
    readable = len({*"".join(board.letters)}) <= MOST_LETTERS
    return dict(zip(board.systems, board.letters, strict=True)) if readable else {}


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
    if not is_grouped(tested):
        return f"{tested[0].topics} topics"
    sizes = {part.hypotheses.group or "": part.topics for part in tested}
    groups = ", ".join(f"{markup.text(group)}: {topics}" for group, topics in sizes.items())
    return f"the topics of each group ({groups})"


def written(table: ScoreTable, form: str, places: int) -> str:
    """The table in LaTeX with booktabs, in Markdown as GitHub shows it, or in HTML."""
    markup = MARKUPS[form]
    heads = ["System", *map(markup.text, table.columns)]
    cells = [[cell.text(places, markup) for cell in column] for column in table.columns.values()]
    rows = [list(row) for row in zip(map(markup.text, table.systems), *cells, strict=True)]
    lines = WRITERS[form](heads, rows, table.caption(markup))
    return "\n".join(lines) + "\n"


def _latex(heads: list[str], rows: list[list[str]], caption: str) -> list[str]:
    lines = [" & ".join(row) + r" \\" for row in [heads, *rows]]
    return [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\caption{{{caption}}}",
        r"\centering",
        *latex_lines(" ".join(["l", *"r" * (len(heads) - 1)]), lines),
        r"\end{table}",
    ]


def _markdown(heads: list[str], rows: list[list[str]], caption: str) -> list[str]:
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return [*map(markdown_row, [heads, rule, *rows]), "", caption]


def _html(heads: list[str], rows: list[list[str]], caption: str) -> list[str]:
    cells = [
        html_row(
            [
                html_cell("th", Html(system), 'scope="row"'),
                *(html_cell("td", Html(cell)) for cell in means),
            ]
        )
        for system, *means in rows
    ]
    return html_lines(Html(caption), map(Html, heads), cells)


WRITERS = {"latex": _latex, "markdown": _markdown, "html": _html}
