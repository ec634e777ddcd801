"""Prediction-powered estimates as text."""

from __future__ import annotations

from ..common.fitting import notes_below
from ..common.numbers import difference_interval_text, interval_text, signed
from ..common.screen import Screen
from ..common.table import format_columns
from ..common.text_columns import wrapped
from ..comparison.paper_table import PLACES
from ..judging.prediction_powered import PredictionPowered
from ..stats.results import Columns

BIASED = "The mean of the machine's scores alone is biased and is not shown."

TEXTS = ("measure", "system", "baseline")


NOTE = (
    "estimate: corrected by the machine's error where both judged. width ratio: of its interval to "
    "the human one."
)

MEANINGS = (
    "human: by human judgments alone, with Student's t interval.",
    "estimate: by human and machine judgments together. Its interval holds as often as the human "
    "one.",
    "lam: the weight of the machine's scores, from 0 to 1.",
)


def prediction_powered_text(
    result: PredictionPowered, form: str, places: int | None, screen: Screen
) -> str:
    """The estimates, one row each; as ``table`` with a summary and with intervals in words.

    Parameters
    ----------
    form
        A key of `common.table.FORMATS`.
    places
        Decimal places, -1 for all. None: 3 in tables for people, all in others.
    screen
        Where ``table`` is shown.
    """
    if form != "table":
        return format_columns(result.to_columns(), form, -1 if places is None else places, TEXTS)
    places = PLACES if places is None else places
    summary = "\n".join(wrapped(f"{result.summary}. {BIASED}", screen.width))
    table = format_columns(_for_people(result, places), form, places, TEXTS)
    return "\n".join([summary, "", table, *notes_below(NOTE, MEANINGS, screen), ""])


def _for_people(result: PredictionPowered, places: int) -> Columns:
    """Columns of text; only differences have a sign."""
    columns = result.to_columns()
    if len({*result.measures}) == 1:
        del columns["measure"]
    means = result.baselines is None
    number = _unsigned if means else signed
    between = interval_text if means else difference_interval_text
    ends = {
        "human": (result.human_lower, result.human_upper),
        "estimate": (result.lower, result.upper),
    }
    shown: Columns = {name: columns[name] for name in TEXTS if name in columns}
    for name, (lower, upper) in ends.items():
        shown[name] = [number(value, places) for value in getattr(result, name).tolist()]
        shown[f"{name} interval"] = [
            between(low, high, places)
            for low, high in zip(lower.tolist(), upper.tolist(), strict=True)
        ]
    return {**shown, "width ratio": result.width_ratio, "lam": result.lam}


def _unsigned(value: float, places: int) -> str:
    return f"{value:.{places}f}"
