"""Scores and catalogues as text, in the output formats of the command line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence

from tabulate import tabulate

from .score_matrix import ScoreMatrix

ALL = "all"
DEFAULT_PLACES = 4

Row = Sequence[str]


def text_table(
    header: Row, rows: Sequence[Row], style: str = "simple", align: Row | None = None
) -> str:
    """Aligned columns.

    Parameters
    ----------
    style
        A format of tabulate: ``simple``, ``github`` or ``latex_booktabs``.
    align
        ``left`` or ``right`` for every column; the first to the left, the others to the right where
        not given.
    """
    align = align or ["left", *["right"] * (len(header) - 1)]
    return tabulate(
        rows,
        headers=header,
        tablefmt=style,
        colalign=align if rows else None,
        disable_numparse=True,
    )


def number(value: float, places: int) -> str:
    """A score with so many places; -1 for all of them."""
    return str(value) if places == -1 else f"{value:.{places}f}"


def score_table(matrix: ScoreMatrix, form: str, places: int, by_query: bool, summary: bool) -> str:
    """A score matrix as text.

    Parameters
    ----------
    matrix
        What to print.
    form
        A key of `FORMATS`.
    places
        Decimal places, -1 for all; ``jsonl`` always gives all.
    by_query
        Whether every query has a row of its own.
    summary
        Whether the aggregate over queries is given.

    Notes
    -----
    ``table``, ``csv``, ``markdown`` and ``latex`` have a column per measure; ``tsv`` and ``jsonl``
    a line per score, as ir_measures has them. The system is left out of those two where there is
    only one, and the query where `by_query` is false.
    """
    return FORMATS[form](matrix, places, by_query, summary)


def _values(
    matrix: ScoreMatrix, by_query: bool, summary: bool
) -> Iterator[tuple[str, str, list[float]]]:
    """System, query and its score on every measure."""
    for position, system in enumerate(matrix.systems):
        if by_query:
            for row, query_id in enumerate(matrix.query_ids):
                yield system, query_id, matrix.scores[:, position, row].tolist()
        if summary:
            yield system, ALL, matrix.aggregates[:, position].tolist()


def _wide(
    matrix: ScoreMatrix, places: int, by_query: bool, summary: bool
) -> tuple[list[str], list[list[str]]]:
    keys = ["system", "query_id"] if by_query else ["system"]
    header = keys + [str(measure) for measure in matrix.measures]
    rows = [
        [system, query_id][: len(keys)] + [number(value, places) for value in values]
        for system, query_id, values in _values(matrix, by_query, summary)
    ]
    return header, rows


def _in_style(style: str) -> Callable[[ScoreMatrix, int, bool, bool], str]:
    def form(matrix: ScoreMatrix, places: int, by_query: bool, summary: bool) -> str:
        return text_table(*_wide(matrix, places, by_query, summary), style=style) + "\n"

    return form


def _csv(matrix: ScoreMatrix, places: int, by_query: bool, summary: bool) -> str:
    header, rows = _wide(matrix, places, by_query, summary)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


def _long(
    matrix: ScoreMatrix, by_query: bool, summary: bool
) -> Iterator[tuple[dict[str, str], float]]:
    """One score each: what it is of, and its value."""
    for system, query_id, values in _values(matrix, by_query, summary):
        keys = {"system": system} if len(matrix.systems) > 1 else {}
        if by_query:
            keys["query_id"] = query_id
        for measure, value in zip(matrix.measures, values, strict=True):
            yield {**keys, "measure": str(measure)}, value


def _tsv(matrix: ScoreMatrix, places: int, by_query: bool, summary: bool) -> str:
    return "".join(
        "\t".join([*keys.values(), number(value, places)]) + "\n"
        for keys, value in _long(matrix, by_query, summary)
    )


def _jsonl(matrix: ScoreMatrix, places: int, by_query: bool, summary: bool) -> str:
    return "".join(
        json.dumps({**keys, "value": value}) + "\n"
        for keys, value in _long(matrix, by_query, summary)
    )


FORMATS: dict[str, Callable[[ScoreMatrix, int, bool, bool], str]] = {
    "table": _in_style("simple"),
    "tsv": _tsv,
    "csv": _csv,
    "jsonl": _jsonl,
    "markdown": _in_style("github"),
    "latex": _in_style("latex_booktabs"),
}


def measures_table(style: str = "simple") -> str:
    """The catalogue: every measure of this package, what it is, and its range."""
    from .measures import measure_info

    header = ["measure", "what it is", "range", "paper"]
    rows = [
        [
            f"`{info.name}`" if style == "github" else info.name,
            info.summary,
            f"[{info.range[0]:g}, {info.range[1]:g}]",
            info.citation.split(". ")[-1].rstrip("."),
        ]
        for info in measure_info()
    ]
    return tabulate(rows, headers=header, tablefmt=style, disable_numparse=True)
