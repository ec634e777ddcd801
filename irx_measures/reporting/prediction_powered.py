"""Prediction-powered estimates as text."""

from __future__ import annotations

from dataclasses import replace

from ..common.screen import on_screen, sentence
from ..common.tables import Column, TextTable, write
from ..common.writing import interval_text, signed
from ..comparison.paper_table import PLACES
from ..judging.prediction_powered import PredictionPowered

BIASED = "The mean of the machine's scores alone is biased and is not shown."

TEXTS = ("measure", "system", "baseline")


def prediction_powered_text(result: PredictionPowered, form: str, places: int | None) -> str:
    """The estimates, one row each; as ``table`` with a summary and with intervals in words.

    Parameters
    ----------
    form
        A key of `common.tables.FORMATS`.
    places
        Decimal places, -1 for all. None: 3 in tables for people, all in others.
    """
    if form != "table":
        columns = result.to_columns()
        return write(TextTable.of(columns, -1 if places is None else places, TEXTS), form)
    summary = sentence(f"{result.summary}. {BIASED}")
    return f"{summary}\n\n{on_screen(_for_people(result, PLACES if places is None else places))}"


def _for_people(result: PredictionPowered, places: int) -> TextTable:
    """Estimates and their intervals as text; only differences have a sign."""
    columns = result.to_columns()
    names = {name: columns[name] for name in TEXTS if name in columns}
    if len({*result.measures}) == 1:
        del names["measure"]
    human = "human: by human judgments alone, with Student's t interval."
    both = (
        "estimate: by human and machine judgments together, corrected by the machine's error where "
        "both judged. Its interval holds as often as the human one."
    )
    table = TextTable.of(names, places, TEXTS)
    return replace(
        table,
        columns=[
            *table.columns,
            *_with_interval(result, "human", places, human),
            *_with_interval(result, "estimate", places, both),
            Column(
                "width ratio",
                result.width_ratio.tolist(),
                meaning="width ratio: of its interval to the human one.",
            ),
            Column(
                "lam",
                result.lam.tolist(),
                meaning="lam: the weight of the machine's scores, from 0 to 1.",
            ),
        ],
    )


def _with_interval(result: PredictionPowered, name: str, places: int, meaning: str) -> list[Column]:
    """An estimate and its interval."""
    means = result.baselines is None
    ends = (
        (result.human_lower, result.human_upper)
        if name == "human"
        else (result.lower, result.upper)
    )
    numbers = [
        f"{value:.{places}f}" if means else signed(value, places)
        for value in getattr(result, name).tolist()
    ]
    intervals = [interval_text(*pair, places, not means) for pair in zip(*ends, strict=True)]
    return [
        Column(name, None, numbers, meaning, left=False),
        Column(f"{name} interval", None, intervals, left=False),
    ]
