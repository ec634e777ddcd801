"""Audits of machine judges, and estimates from their judgments, as text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..common.writing import fixed, level_text, signed
from ..judging.audit import TEXTS, JudgeAudit
from ..judging.prediction_powered import PredictionPowered
from ..results.base import Columns
from ..results.column import Column
from ..results.output import Output
from ..results.tables import TextTable

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


def audit_output(audit: JudgeAudit, shown: str | None, form: str, places: int) -> Output:
    """What is printed of an audit.

    `shown` is a key of `TABLES`. None: the agreement or, as ``table``, the summary and all tables.
    """
    if form != "table":
        columns: Columns = getattr(audit, shown or "agreement")
        return Output(form, [TextTable.of(columns, places)])
    if shown is not None:
        return Output(form, [_table(audit, shown, places)])
    tables = [replace(_table(audit, name, places), title=TABLES[name][0]) for name in TABLES]
    filled = [table for table in tables if table.columns[0].values]
    return Output(form, filled, [audit.summary], apart=True)


def _table(audit: JudgeAudit, name: str, places: int) -> TextTable:
    """A table for people, without the name of the only judge."""
    columns: Columns = getattr(audit, name)
    if len({*columns["judge"]}) == 1:
        columns = {head: column for head, column in columns.items() if head != "judge"}
    note = TABLES[name][1].format(level=level_text(audit.level))
    return replace(TextTable.of(columns, places, TEXTS), notes=[note])


BIASED = "The mean of the machine's scores alone is biased and is not shown."

# What columns for people mean.
MEANINGS = {
    "human": "human: by human judgments alone, with Student's t interval.",
    "estimate": "estimate: by human and machine judgments together, corrected by the machine's "
    "error where both judged. Its interval holds as often as the human one.",
    "width ratio": "width ratio: of its interval to the human one.",
    "lam": "lam: the weight of the machine's scores, from 0 to 1.",
}


def prediction_powered_output(result: PredictionPowered, form: str, places: int) -> Output:
    """The estimates, one row each; as ``table`` with a summary and with intervals in words."""
    columns: dict[str, Any] = {**result.to_columns()}
    if form != "table":
        return Output(form, [TextTable.of(columns, places)])
    text = signed if "baseline" in columns else fixed
    names = ["measure"] if len({*columns["measure"]}) > 1 else []
    names += [name for name in ("system", "baseline") if name in columns]
    shown = [Column(name, columns[name], key=True) for name in names]
    for name, ends in (("human", ("human_lower", "human_upper")), ("estimate", ("lower", "upper"))):
        values, *bounds = (
            [text(value, places) for value in columns[each].tolist()] for each in (name, *ends)
        )
        intervals = list(map(" to ".join, zip(*bounds, strict=True)))
        shown += [
            Column(name, None, values, note=MEANINGS[name], left=False),
            Column(f"{name} interval", None, intervals, left=False),
        ]
    for name in ("width ratio", "lam"):
        numbers = columns[name.replace(" ", "_")].tolist()
        shown.append(Column(name, numbers, note=MEANINGS[name]))
    return Output(form, [TextTable(shown, places)], [f"{result.summary}. {BIASED}"])
