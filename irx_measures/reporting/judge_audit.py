"""Audits of machine judges as text."""

from __future__ import annotations

from typing import NamedTuple

from ..common.fitting import notes_below
from ..common.numbers import level_text
from ..common.screen import Screen
from ..common.table import format_columns
from ..common.text_columns import wrapped
from ..comparison.paper_table import PLACES
from ..judging.audit import JudgeAudit
from ..stats.results import Columns


class _Table(NamedTuple):
    """What is said of a table of an audit.

    Attributes
    ----------
    title
    note
        What is said below it; ``{level}`` stands for the confidence level.
    meanings
        What its other columns mean.
    """

    title: str
    note: str
    meanings: tuple[str, ...] = ()


TABLES = {
    "agreement": _Table(
        "Agreement of labels with human grades, on the pairs that both judged",
        "kappa_quadratic: 1 is perfect, 0 is chance. leniency: mean label minus mean grade.",
        (
            "pairs: pairs of query and document that both judged. equal: share of them whose label "
            "is the human grade.",
            "kappa: Cohen's kappa. kappa_linear, kappa_quadratic: the weighted kappas.",
            "precision: of the pairs that are relevant by label, the share that are relevant by "
            "grade. recall: the reverse.",
        ),
    ),
    "grades": _Table(
        "Labels by human grade: shares below, at and above the grade",
        "lower, equal, higher: share of the pairs of this grade whose label is so.",
        ("pairs: pairs that humans gave this grade. mean_label: the mean of their labels.",),
    ),
    "calibration": _Table(
        "Calibration: P(human grade | label)",
        "probability: of the pairs with this label, the share that humans gave this grade.",
        ("pairs: pairs with this label and this grade.",),
    ),
    "rankings": _Table(
        "Kendall's tau of the systems' rankings by machine and by human",
        "tau: Kendall's tau_b. lower, upper: its {level} bootstrap interval over topics.",
    ),
    "groups": _Table(
        "Machine minus human score: group minus other systems",
        "Paired t test over topics, Holm over the groups of a measure. Above 0, the machine "
        "favours the group.",
        (
            "difference: mean of the group's machine minus human score, minus that of the other "
            "systems. lower, upper: its {level} t interval, not corrected.",
            "p, p_adjusted: before and after the correction.",
        ),
    ),
}

TEXTS = ("judge", "measure", "group")


def audit_text(
    audit: JudgeAudit, shown: str | None, form: str, places: int | None, screen: Screen
) -> str:
    """An audit as text.

    Parameters
    ----------
    shown
        A key of `TABLES`. None: the agreement or, as ``table``, the summary and all tables.
    form
        A key of `common.table.FORMATS`.
    places
        Decimal places, -1 for all. None: 3 in ``table``, all in other formats.
    screen
        Where ``table`` is shown.
    """
    if form != "table":
        name = shown or "agreement"
        return _text(audit, name, form, -1 if places is None else places)
    places = PLACES if places is None else places
    if shown is not None:
        return _with_legend(audit, shown, places, screen)
    summary = "\n".join(wrapped(audit.summary, screen.width))
    tables = [
        f"{TABLES[name].title}\n\n{_with_legend(audit, name, places, screen)}"
        for name in TABLES
        if len(columns_of(audit, name)["judge"])
    ]
    return "\n".join([f"{summary}\n", *tables])


def _with_legend(audit: JudgeAudit, name: str, places: int, screen: Screen) -> str:
    level, table = level_text(audit.level), TABLES[name]
    meanings = [text.format(level=level) for text in table.meanings]
    notes = notes_below(table.note.format(level=level), meanings, screen)
    return "\n".join([_text(audit, name, "table", places), *notes, ""])


def columns_of(audit: JudgeAudit, name: str) -> Columns:
    """The table of an audit: the attribute of this name."""
    columns: Columns = getattr(audit, name)
    return columns


def _text(audit: JudgeAudit, name: str, form: str, places: int) -> str:
    columns = columns_of(audit, name)
    if form == "table" and len({*columns["judge"]}) == 1:
        columns = {head: column for head, column in columns.items() if head != "judge"}
    return format_columns(columns, form, places, TEXTS)
