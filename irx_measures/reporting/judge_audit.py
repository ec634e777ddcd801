"""Audits of machine judges as text."""

from __future__ import annotations

from dataclasses import replace

from ..common.screen import on_screen, sentence
from ..common.tables import TextTable, write
from ..common.writing import level_text
from ..comparison.paper_table import PLACES
from ..judging.audit import TEXTS, JudgeAudit
from ..stats.results import Columns

# The tables of an audit by the attributes that hold them: the title, and what the columns mean.
TABLES = {
    "agreement": (
        "Agreement of labels with human grades, on the pairs that both judged",
        "pairs: pairs of query and document that both judged. equal: share of them whose label is "
        "the human grade. kappa: Cohen's kappa; kappa_linear, kappa_quadratic: the weighted "
        "kappas; 1 is perfect, 0 is chance. leniency: mean label minus mean grade. precision: of "
        "the pairs that are relevant by label, the share that are relevant by grade. recall: the "
        "reverse.",
    ),
    "grades": (
        "Labels by human grade: shares below, at and above the grade",
        "pairs: pairs that humans gave this grade. lower, equal, higher: share of them whose label "
        "is so. mean_label: the mean of their labels.",
    ),
    "calibration": (
        "Calibration: P(human grade | label)",
        "pairs: pairs with this label and this grade. probability: of the pairs with this label, "
        "the share that humans gave this grade.",
    ),
    "rankings": (
        "Kendall's tau of the systems' rankings by machine and by human",
        "tau: Kendall's tau_b. lower, upper: its {level} bootstrap interval over topics.",
    ),
    "groups": (
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
        columns: Columns = getattr(audit, shown or "agreement")
        return write(TextTable.of(columns, -1 if places is None else places, TEXTS), form)
    places = PLACES if places is None else places
    if shown is not None:
        return on_screen(_table(audit, shown, places))
    tables = [replace(_table(audit, name, places), title=TABLES[name][0]) for name in TABLES]
    filled = [on_screen(table) for table in tables if table.columns[0].values]
    return "\n".join([f"{sentence(audit.summary)}\n", *filled])


def _table(audit: JudgeAudit, name: str, places: int) -> TextTable:
    """A table for people, without the name of the only judge."""
    columns: Columns = getattr(audit, name)
    if len({*columns["judge"]}) == 1:
        columns = {head: column for head, column in columns.items() if head != "judge"}
    note = TABLES[name][1].format(level=level_text(audit.level))
    return replace(TextTable.of(columns, places, TEXTS), notes=[note])
