"""Scores and catalogues as text, in the output formats of the command line."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tabulate import tabulate

from .intervals import Column

ALL = "all"

DEFAULT_PLACES = 4

HEADER_WIDTH = 20

Cells = Sequence[str]


def text_table(
    header: Cells,
    rows: Sequence[Cells],
    style: str = "simple",
    align: Cells | None = None,
) -> str:
    """Aligned columns.

    Parameters
    ----------
    style
        A format of tabulate: ``simple``, ``github`` or ``latex_booktabs``. In the first, which is
        for the eyes alone, long headers go over several lines.
    align
        ``left`` or ``right`` for every column; the first to the left, the others to the right where
        not given.
    """
    align = align or ["left", *["right"] * (len(header) - 1)]
    return tabulate(
        rows,
        headers=[_folded(name) for name in header] if style == "simple" else header,
        tablefmt=style,
        colalign=align if rows else None,
        disable_numparse=True,
    )


def _folded(name: str) -> str:
    """A header in lines of at most `HEADER_WIDTH`, broken after commas, spaces and brackets."""
    lines = [""]
    for part in re.findall(r"[^, (]*[, (]+|[^, (]+", name):
        if lines[-1] and len(lines[-1] + part.rstrip()) > HEADER_WIDTH:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def number(value: float | None, places: int) -> str:
    """A score with so many places, -1 for all of them; nothing where there is none."""
    if value is None:
        return ""
    return str(value) if places == -1 else f"{value:.{places}f}"


def score_table(
    columns: Sequence[Column],
    systems: Sequence[str],
    query_ids: Sequence[str],
    form: str,
    places: int,
    by_query: bool,
    summary: bool,
) -> str:
    """Scores as text.

    Parameters
    ----------
    columns
        What to print.
    systems, query_ids
        The rows.
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
    rows = _rows(columns, systems, query_ids if by_query else (), summary)
    names = [column.name for column in columns]
    return FORMATS[form](Scores(names, rows, len(systems) > 1, by_query), places)


class Row(NamedTuple):
    """A system, a query, and its value in every column: None where it has none."""

    system: str
    query_id: str
    values: list[float | None]


class Scores(NamedTuple):
    """Rows of scores with the names of their columns."""

    names: list[str]
    rows: list[Row]
    several_systems: bool
    by_query: bool


def _rows(
    columns: Sequence[Column], systems: Sequence[str], query_ids: Sequence[str], summary: bool
) -> list[Row]:
    rows = []
    for position, system in enumerate(systems):
        of_system = [
            None if column.by_query is None else column.by_query[position].tolist()
            for column in columns
        ]
        for place, query_id in enumerate(query_ids):
            values = [None if scores is None else scores[place] for scores in of_system]
            rows.append(Row(system, query_id, values))
        if summary:
            rows.append(Row(system, ALL, [float(column.overall[position]) for column in columns]))
    return rows


def _wide(scores: Scores, places: int) -> tuple[list[str], list[list[str]]]:
    keys = ["system", "query_id"] if scores.by_query else ["system"]
    rows = [
        [row.system, row.query_id][: len(keys)] + [number(value, places) for value in row.values]
        for row in scores.rows
    ]
    return [*keys, *scores.names], rows


def _in_style(style: str) -> Callable[[Scores, int], str]:
    def form(scores: Scores, places: int) -> str:
        return text_table(*_wide(scores, places), style=style) + "\n"

    return form


def _csv(scores: Scores, places: int) -> str:
    header, rows = _wide(scores, places)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


def _long(scores: Scores) -> Iterator[tuple[dict[str, str], float]]:
    """One score each: what it is of, and its value."""
    for row in scores.rows:
        keys = {"system": row.system} if scores.several_systems else {}
        if scores.by_query:
            keys["query_id"] = row.query_id
        for name, value in zip(scores.names, row.values, strict=True):
            if value is not None:
                yield {**keys, "measure": name}, value


def _tsv(scores: Scores, places: int) -> str:
    return "".join(
        "\t".join([*keys.values(), number(value, places)]) + "\n" for keys, value in _long(scores)
    )


def _jsonl(scores: Scores, places: int) -> str:
    return "".join(json.dumps({**keys, "value": value}) + "\n" for keys, value in _long(scores))


FORMATS: dict[str, Callable[[Scores, int], str]] = {
    "table": _in_style("simple"),
    "tsv": _tsv,
    "csv": _csv,
    "jsonl": _jsonl,
    "markdown": _in_style("github"),
    "latex": _in_style("latex_booktabs"),
}


def measures_table(style: str = "simple") -> str:
    """The catalogue: every measure of this package, what it is, and its range."""
    from ..measures.catalogue import measure_info

    header = ["measure", "what it is", "range", "paper"]
    rows = [
        [
            f"`{info.name}`" if style == "github" else info.name,
            info.summary,
            f"[{info.range[0]:g}, {info.range[1]:g}]",
            info.paper.published,
        ]
        for info in measure_info()
    ]
    return tabulate(rows, headers=header, tablefmt=style, disable_numparse=True)
