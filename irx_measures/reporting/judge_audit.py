"""Audits of machine judges as text."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ..common.screen import on_screen, sentence
from ..common.tables import TextTable, write
from ..common.writing import level_text
from ..comparison.paper_table import PLACES
from ..judging.audit import TEXTS, JudgeAudit
from ..stats.results import Columns


class _Kind(NamedTuple):
    """What is said of a table of an audit.

    Attributes
    ----------
    title
    note
        What its columns mean; ``{level}`` stands for the confidence level.
    """

    title: str
    note: str


TABLES = {
    "agreement": _Kind(
        "Agreement of labels with human grades, on the pairs that both judged",
        "pairs: pairs of query and document that both judged. equal: share of them whose label is "
        "the human grade. kappa: Cohen's kappa; kappa_linear, kappa_quadratic: the weighted "
        "kappas; 1 is perfect, 0 is chance. leniency: mean label minus mean grade. precision: of "
        "the pairs that are relevant by label, the share that are relevant by grade. recall: the "
        "reverse.",
    ),
    "grades": _Kind(
        "Labels by human grade: shares below, at and above the grade",
        "pairs: pairs that humans gave this grade. lower, equal, higher: share of them whose label "
        "is so. mean_label: the mean of their labels.",
    ),
    "calibration": _Kind(
        "Calibration: P(human grade | label)",
        "pairs: pairs with this label and this grade. probability: of the pairs with this label, "
        "the share that humans gave this grade.",
    ),
    "rankings": _Kind(
        "Kendall's tau of the systems' rankings by machine and by human",
        "tau: Kendall's tau_b. lower, upper: its {level} bootstrap interval over topics.",
    ),
    "groups": _Kind(
        "Machine minus human score: group minus other systems",
        "Paired t test over topics, Holm over the groups of a measure. Above 0, the machine "
        "favours the group. difference: mean of the group's machine minus human score, minus that "
        "of the other systems. lower, upper: its {level} t interval, not corrected. p, p_adjusted: "
        "before and after the correction.",
    ),
}


def audit_text(audit: JudgeAudit, shown: str | None, form: str, places: int | None) -> str:
    """An audit as text.

    Parameters
    ----------
    shown
        A key of `TABLES`. None: the agreement or, as ``table``, the summary and all tables.
    form
        A key of `common.tables.FORMATS`.
    places
        Decimal places, -1 for all. None: 3 in ``table``, all in other formats.
    """
    if form != "table":
        columns = columns_of(audit, shown or "agreement")
        return write(TextTable.of(columns, -1 if places is None else places, TEXTS), form)
    places = PLACES if places is None else places
    if shown is not None:
        return on_screen(_table(audit, shown, places))
    tables = [
        on_screen(replace(_table(audit, name, places), title=TABLES[name].title))
        for name in TABLES
        if len(columns_of(audit, name)["judge"])
    ]
    return "\n".join([f"{sentence(audit.summary)}\n", *tables])


def columns_of(audit: JudgeAudit, name: str) -> Columns:
    """The table of an audit: the attribute of this name."""
    columns: Columns = getattr(audit, name)
    return columns


def _table(audit: JudgeAudit, name: str, places: int) -> TextTable:
    """A table for people, without the name of the only judge."""
    columns = columns_of(audit, name)
    if len({*columns["judge"]}) == 1:
        columns = {head: column for head, column in columns.items() if head != "judge"}
    note = TABLES[name].note.format(level=level_text(audit.level))
    return replace(TextTable.of(columns, places, TEXTS), notes=[note])
