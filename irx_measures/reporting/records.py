"""Rows of named values as text, in the formats that scores are printed in."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence

from .tables import number, text_table

Value = str | int | float | bool | None

Rows = Sequence[Mapping[str, Value]]


def records_table(rows: Rows, form: str, places: int) -> str:
    """Rows as text.

    Parameters
    ----------
    rows
        At least one; all with the same names in the same order.
    form
        A key of `RECORD_FORMATS`.
    places
        Decimal places of floats, -1 for all; ``jsonl`` always gives all. None is an empty cell.

    Notes
    -----
    ``tsv`` and ``csv`` begin with a line of names; ``jsonl`` has an object per row.
    """
    return RECORD_FORMATS[form](rows, places)


def _cells(rows: Rows, places: int) -> tuple[list[str], list[list[str]]]:
    return list(rows[0]), [[_cell(value, places) for value in row.values()] for row in rows]


def _cell(value: Value, places: int) -> str:
    if value is None:
        return ""
    return number(value, places) if isinstance(value, float) else str(value)


def _in_style(style: str) -> Callable[[Rows, int], str]:
    def form(rows: Rows, places: int) -> str:
        align = ["left" if isinstance(value, str) else "right" for value in rows[0].values()]
        return text_table(*_cells(rows, places), style=style, align=align) + "\n"

    return form


def _separated(by: str) -> Callable[[Rows, int], str]:
    def form(rows: Rows, places: int) -> str:
        header, cells = _cells(rows, places)
        out = io.StringIO()
        csv.writer(out, delimiter=by, lineterminator="\n").writerows([header, *cells])
        return out.getvalue()

    return form


def _jsonl(rows: Rows, places: int) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


RECORD_FORMATS: dict[str, Callable[[Rows, int], str]] = {
    "table": _in_style("simple"),
    "tsv": _separated("\t"),
    "csv": _separated(","),
    "jsonl": _jsonl,
    "markdown": _in_style("github"),
    "latex": _in_style("latex_booktabs"),
}
