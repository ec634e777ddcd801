"""Audits of machine judges as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..common.screen import Screen
from ..common.table import format_columns
from ..common.text_columns import wrapped
from ..comparison.score_table import PLACES
from ..judging.audit import JudgeAudit
from ..stats.results import Columns


class _Table(NamedTuple):
    """A table of an audit, with its title as text."""

    title: str
    columns: Callable[[JudgeAudit], Columns]


TABLES: dict[str, _Table] = {
    "agreement": _Table(
        "Agreement of labels with human grades, on the pairs that both judged",
        JudgeAudit.to_columns,
    ),
    "grades": _Table(
        "Labels by human grade: shares below, at and above the grade", JudgeAudit.grade_columns
    ),
    "calibration": _Table("Calibration: P(human grade | label)", JudgeAudit.calibration_columns),
    "rankings": _Table(
        "Kendall's tau of the systems' rankings by machine and by human",
        JudgeAudit.ranking_columns,
    ),
    "groups": _Table(
        "Machine minus human score: group minus other systems (Holm)", JudgeAudit.group_columns
    ),
}

TEXTS = ("judge", "measure", "group")


def audit_text(audit: JudgeAudit, shown: str | None, form: str, places: int | None) -> str:
    """An audit as text.

    Parameters
    ----------
    shown
        A key of `TABLES`. None: the agreement or, as ``table``, the summary and all tables.
    form
        A key of `common.table.FORMATS`.
    places
        Decimal places, -1 for all. None: 3 in ``table``, all in other formats.
    """
    if form != "table":
        name = shown or "agreement"
        return _text(audit, name, form, -1 if places is None else places)
    places = PLACES if places is None else places
    if shown is not None:
        return _text(audit, shown, form, places)
    summary = "\n".join(wrapped(audit.summary, Screen.of_stdout().width))
    tables = [
        f"{TABLES[name].title}\n\n{_text(audit, name, form, places)}"
        for name in TABLES
        if (audit.rankings or name != "rankings") and (audit.favours or name != "groups")
    ]
    return "\n".join([f"{summary}\n", *tables])


def _text(audit: JudgeAudit, name: str, form: str, places: int) -> str:
    return format_columns(TABLES[name].columns(audit), form, places, TEXTS)
