"""A table of scores in LaTeX, with booktabs and, if asked for, siunitx."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

import numpy as np

from ..common.escapes import latex_text, printable
from ..common.markup import LATEX, SIUNITX, latex_lines, latex_raised
from ..measures.bibliography import papers_of
from ..measures.labels import short_labels
from .caption import table_caption
from .hypotheses import Tested
from .score_table import ScoreTable


def latex_table(
    table: ScoreTable, tested: Sequence[Tested], places: int, siunitx: bool, cite: bool
) -> str:
    """The table as a float of LaTeX; `cite`: the caption cites the papers of the measures."""
    measures = range(len(table.measures))
    columns = [_number_column(table, column, places) if siunitx else "r" for column in measures]
    heads = [latex_text(label) for label in table.measures]
    heads = [f"{{{head}}}" for head in heads] if siunitx else heads
    packages = ["booktabs", *(["siunitx"] if siunitx else [])]
    citations = _citations(tested) if cite else ""
    lines = [
        f"% \\usepackage{{{','.join(packages)}}}",
        *([_bibtex_comment(tested)] if cite else []),
        r"\begin{table}",
        rf"\caption{{{table_caption(table, tested, LATEX)}{citations}}}",
        r"\centering",
        *latex_lines(
            " ".join(["l", *columns]),
            [
                _row(["System", *heads]),
                *(
                    _row([latex_text(system), *_cells(table, row, places, siunitx)])
                    for row, system in enumerate(table.systems)
                ),
            ],
        ),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _citations(tested: Sequence[Tested]) -> str:
    """A sentence that cites the papers of every measure for which papers are known."""
    of_measure = {part.hypotheses.measure: _keys(part) for part in tested}
    cited = [
        rf"{latex_text(label)}~\cite{{{','.join(keys)}}}"
        for label, keys in zip(short_labels(of_measure), of_measure.values(), strict=True)
        if keys
    ]
    return f" Measures: {', '.join(cited)}." if cited else ""


def _bibtex_comment(tested: Sequence[Tested]) -> str:
    """The command that prints the BibTeX of the citations, as a comment of one line."""
    measures = dict.fromkeys(str(part.hypotheses.measure) for part in tested if _keys(part))
    keys = ", ".join(dict.fromkeys(key for part in tested for key in _keys(part)))
    if not keys:
        return "% no papers are known for these measures"
    command = printable(" ".join(f"irx cite {shlex.join(measures)}".split()))
    return f"% BibTeX of {keys}: {command}"


def _keys(part: Tested) -> list[str]:
    return [paper.key for paper in papers_of(part.hypotheses.measure)]


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cells(table: ScoreTable, row: int, places: int, siunitx: bool) -> list[str]:
    if siunitx:
        return table.cells(row, places, SIUNITX)
    return [
        table.cell(row, column, places, LATEX._replace(raised=_padded(table, column)))
        for column in range(len(table.measures))
    ]


def _padded(table: ScoreTable, column: int) -> Callable[[str], str]:
    """A superscript with blank space for the marks of others, so that numbers are aligned."""
    widest = table.widest_marks(column)

    def raised(marks: str) -> str:
        missing = widest[len(marks) :]
        blank = rf"\phantom{{{missing}}}" if missing else ""
        return latex_raised(marks + blank)

    return raised


def _number_column(table: ScoreTable, column: int, places: int) -> str:
    """A column of siunitx that leaves space for the marks."""
    numbers = [
        table.number(row, column, places, "0").lstrip("-") for row in range(len(table.systems))
    ]
    parts = [number.partition(".") for number in numbers]
    before, after = max(len(part[0]) for part in parts), max(len(part[2]) for part in parts)
    sign = "-" if np.nanmin(np.append(table.means[:, column], 0.0)) < 0 else ""
    marks = table.widest_marks(column)
    space = f",table-space-text-post=$^{{{marks}}}$" if marks else ""
    return f"S[table-format={sign}{before}.{after},detect-weight{space}]"
