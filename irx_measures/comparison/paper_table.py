"""A table of scores as papers print it, with its caption: in LaTeX, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Sequence

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
from ..measures.named_score import lower_is_better
from .findings import LETTERS, pairs_differ
from .how_tested import method_text
from .hypotheses import Tested, is_grouped
from .score_table import ScoreTable


def latex_table(table: ScoreTable, tested: Sequence[Tested], places: int) -> str:
    """The table as a float of LaTeX, with booktabs."""
    rows = [" & ".join(row) + r" \\" for row in _rows(table, places, LATEX)]
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\caption{{{table_caption(table, tested, LATEX)}}}",
        r"\centering",
        *latex_lines(" ".join(["l", *"r" * len(table.measures)]), rows),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def markdown_table(table: ScoreTable, tested: Sequence[Tested], places: int) -> str:
    """The table as GitHub shows it, and its caption under it."""
    head, *rows = map(markdown_row, _rows(table, places, MARKDOWN))
    rule = markdown_row(["---", *["---:"] * len(table.measures)])
    return "\n".join([head, rule, *rows, "", table_caption(table, tested, MARKDOWN)]) + "\n"


def html_table(table: ScoreTable, tested: Sequence[Tested], places: int) -> str:
    """The table as an element of a page."""
    _, *rows = _rows(table, places, HTML)
    cells = [
        html_row(
            [
                html_cell("th", Html(system), 'scope="row"'),
                *(html_cell("td", Html(cell)) for cell in means),
            ]
        )
        for system, *means in rows
    ]
    caption = Html(table_caption(table, tested, HTML))
    return "\n".join(html_lines(caption, ["System", *table.measures], cells)) + "\n"


def _rows(table: ScoreTable, places: int, markup: Markup) -> list[list[str]]:
    """The heads and the cells in a format, escaped."""
    heads = ["System", *map(markup.text, table.measures)]
    return [
        heads,
        *(
            [markup.text(system), *table.cells(row, places, markup)]
            for row, system in enumerate(table.systems)
        ),
    ]


def table_caption(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    """The caption of a table of scores: what the marks say, and how was tested."""
    measures = dict.fromkeys(part.hypotheses.measure for part in tested)
    falling = [markup.text(text) for text in lower_is_better(measures)]
    return " ".join(
        [
            f"Mean over {over_topics(tested, markup)}. {markup.best}.",
            *falling,
            f"{_marks(table, tested, markup)} ({markup.text(method_text(tested))}).",
        ]
    )


def over_topics(tested: Sequence[Tested], markup: Markup) -> str:
    """The topics of the means, by group if there are groups."""
    if not is_grouped(tested):
        return f"{tested[0].topics} topics"
    sizes = {part.hypotheses.group or "": part.topics for part in tested}
    groups = ", ".join(f"{markup.text(group)}: {topics}" for group, topics in sizes.items())
    return f"the topics of each group ({groups})"


def beaten_baselines(table: ScoreTable, markup: Markup) -> str:
    """What the letters beside the means say, if there are baselines."""
    letters = ", ".join(markup.raised(letter) for letter in table.baselines)
    names = ", ".join(markup.text(name) for name in table.baselines.values())
    return f"{letters}: significantly better than {names}"


def _marks(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    """What the marks say; without marks, how many pairs differ."""
    if table.baselines:
        return beaten_baselines(table, markup)
    counts = [
        f"{pairs_differ(part)} in {markup.text(label)}"
        for label, part in zip(table.measures, tested, strict=True)
    ]
    found = ", ".join(counts)
    return f"{LETTERS.capitalize()}; {found}" if table.has_letters else found
