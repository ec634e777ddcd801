"""Prediction-powered estimates as text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..common.screen import on_screen, sentence
from ..common.tables import Column, TextTable, write
from ..common.writing import interval_text, signed
from ..comparison.paper_table import PLACES
from ..judging.prediction_powered import PredictionPowered

BIASED = "The mean of the machine's scores alone is biased and is not shown."

TEXTS = ("measure", "system", "baseline")

# What columns for people mean.
MEANINGS = {
    "human": "human: by human judgments alone, with Student's t interval.",
    "estimate": "estimate: by human and machine judgments together, corrected by the machine's "
    "error where both judged. Its interval holds as often as the human one.",
    "width ratio": "width ratio: of its interval to the human one.",
    "lam": "lam: the weight of the machine's scores, from 0 to 1.",
}


def prediction_powered_text(result: PredictionPowered, form: str, places: int | None) -> str:
    """The estimates, one row each; as ``table`` with a summary and with intervals in words.

    Parameters
    ----------
    form
        A key of `common.tables.FORMATS`.
    places
        Decimal places, -1 for all. None: 3 in tables for people, all in others.
    """
    columns: dict[str, Any] = {**result.to_columns()}
    if form != "table":
        return write(TextTable.of(columns, -1 if places is None else places, TEXTS), form)
    places, means = PLACES if places is None else places, "baseline" not in columns
    names = {name: columns[name] for name in TEXTS if name in columns}
    if len({*columns["measure"]}) == 1:
        del names["measure"]
    table = TextTable.of(names, places, TEXTS)
    shown = list(table.columns)
    for name, low, high in (
        ("human", "human_lower", "human_upper"), ("estimate", "lower", "upper"),
    ):  # fmt: skip
        values = [signed(value, places) for value in columns[name]]  # only differences have a sign
        if means:
            values = [f"{value:.{places}f}" for value in columns[name]]
        intervals = [
            interval_text(lower, upper, places, not means)
            for lower, upper in zip(columns[low], columns[high], strict=True)
        ]
        shown += [
            Column(name, None, values, MEANINGS[name], left=False),
            Column(f"{name} interval", None, intervals, left=False),
        ]
    for name in ("width ratio", "lam"):
        numbers = columns[name.replace(" ", "_")].tolist()
        shown.append(Column(name, numbers, meaning=MEANINGS[name]))
    summary = sentence(f"{result.summary}. {BIASED}")
    return f"{summary}\n\n{on_screen(replace(table, columns=shown))}"
