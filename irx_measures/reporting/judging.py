"""Audits of machine judges, and estimates from their judgments, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..common.writing import fixed, signed
from ..judging.audit import JudgeAudit
from ..judging.prediction_powered import PredictionPowered
from ..results.column import Column
from ..results.output import Output
from ..results.tables import TextTable

# The titles of the tables of an audit; of groups, also what was tested.
TITLES = {
    "agreement": "Agreement of labels with human grades, on the pairs that both judged",
    "grades": "Labels by human grade: shares below, at and above the grade",
    "calibration": "Calibration: P(human grade | label)",
    "rankings": "Kendall's tau of the systems' rankings by machine and by human",
    "groups": "Machine minus human score: group minus other systems",
}


def audit_output(audit: JudgeAudit, shown: str | None, form: str, places: int) -> Output:
    """What is printed of an audit.

    `shown` is a key of `TITLES`. None: the agreement or, as ``table``, the summary and all tables.
    """
    if form != "table":
        return Output(form, [TextTable(audit.columns(shown or "agreement"), places)])
    if shown is not None:
        return Output(form, [_table(audit, shown, places)])
    tables = [replace(_table(audit, name, places), title=title) for name, title in TITLES.items()]
    filled = [table for table in tables if table.columns[0].listed]
    return Output(form, filled, [audit.summary], apart=True)


def _table(audit: JudgeAudit, name: str, places: int) -> TextTable:
    """A table for people, without the name of the only judge."""
    judge, *others = audit.columns(name)
    columns = others if len({*judge.listed}) == 1 else [judge, *others]
    return TextTable(columns, places, notes=_meanings(columns))


def _meanings(columns: Sequence[Column]) -> list[str]:
    """What the columns mean that do not name rows; neighbours with one meaning share it."""
    names: dict[str, list[str]] = {}
    for column in columns:
        if not column.key:
            names.setdefault(column.meaning, []).append(column.name)
    return [f"{', '.join(named)}: {meaning}." for meaning, named in names.items()]


BIASED = "The mean of the machine's scores alone is biased and is not shown."


def prediction_powered_output(result: PredictionPowered, form: str, places: int) -> Output:
    """The estimates, one row each; as ``table`` with a summary and with intervals in words."""
    columns = result.columns()
    if form != "table":
        return Output(form, [TextTable(columns, places)])
    of = {column.name: column for column in columns}
    keys = [column for column in columns if column.key]
    if len({*of["measure"].listed}) == 1:
        keys.remove(of["measure"])
    shown = [
        *keys,
        *_with_interval(of, "human", "human_lower", "human_upper", places),
        *_with_interval(of, "estimate", "lower", "upper", places),
        _said(of["width_ratio"], "width ratio"),
        _said(of["lam"], "lam"),
    ]
    return Output(form, [TextTable(shown, places)], [f"{result.summary}. {BIASED}"])


def _with_interval(
    of: dict[str, Column], name: str, lower: str, upper: str, places: int
) -> list[Column]:
    """The column of a mean or a difference, and that of its interval in words."""
    text = signed if "baseline" in of else fixed

    def cells(column: str) -> list[str]:
        numbers = np.asarray(of[column].values, np.float64).tolist()
        return [text(number, places) for number in numbers]

    ends = zip(cells(lower), cells(upper), strict=True)
    intervals = [f"{low} to {high}" for low, high in ends]
    return [
        replace(_said(of[name], name), text=cells(name), left=False),
        Column(f"{name} interval", None, intervals, left=False),
    ]


def _said(column: Column, name: str) -> Column:
    """A column with this head, whose meaning is a note."""
    return replace(column, head=name, note=f"{name}: {column.meaning}.")
