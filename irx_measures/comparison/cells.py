"""What a terminal shows of numbers of comparisons: parts of the columns that results declare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, isnan
from typing import Any, TypeAlias

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.writing import fixed, marked, p_text, signed
from ..results.column import Column
from ..stats.pairs import highest

Shown: TypeAlias = dict[str, Any]
"""Arguments of `Column` for a terminal."""

Text: TypeAlias = Callable[[float, int], str]
"""How a number is written, with so many decimal places."""


def names(head: str = "") -> Shown:
    """Names of the rows."""
    return {"head": head, "key": True}


def numbers(values: FloatArray, text: Text = fixed, head: str = "", **how: Any) -> Shown:
    """Numbers that are written one by one; an empty cell is one that is NaN: nothing was tested."""
    return {"text": partial(_cells, values, text), "head": head, "left": False, **how}


def interval(lower: FloatArray, upper: FloatArray, text: Text, note: str) -> Shown:
    """Both ends of intervals in one column."""

    def cells(places: int) -> list[str]:
        ends = zip(_cells(lower, text, places), _cells(upper, text, places), strict=True)
        return [f"{low} to {high}" for low, high in ends]

    return {"text": cells, "head": "interval", "note": note, "left": False}


def differences(values: FloatArray, significant: BoolArray, head: str = "") -> Shown:
    """Differences, those in brackets that are not significant."""

    def cells(places: int) -> list[str]:
        rows = zip(_cells(values, signed, places), significant.tolist(), strict=True)
        return [marked(cell, is_so) if cell else "" for cell, is_so in rows]

    not_significant = np.flatnonzero(~significant).tolist()
    return {"text": cells, "head": head, "left": False, "dim": not_significant}


def counts(columns: Sequence[Int64Array], head: str, note: str) -> Shown:
    """Counts of several columns in one."""

    def cells(places: int) -> list[str]:
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return ["/".join(map(str, row)) for row in rows]

    return {"text": cells, "head": head, "note": note, "left": False}


def means(name: str, values: FloatArray, direction: float) -> Column:
    """Means of systems, the best in bold; `direction` is 1 if higher scores are better, else -1."""
    best: list[int] = []
    if len(values) > 1 and not np.isnan(values).all():
        best = np.flatnonzero(highest(direction * values)).tolist()
    return Column(name, values.tolist(), left=False, bold=best)


def p_value(value: float, places: int) -> str:
    return p_text(value)


def probability(value: float, places: int) -> str:
    return f"{value:.3f}"


def effect(value: float, places: int) -> str:
    return signed(value, 2)


def number_of_topics(value: float, places: int) -> str:
    return "-" if value == inf else f"{value:.0f}"


def _cells(values: FloatArray, text: Text, places: int) -> list[str]:
    return ["" if isnan(value) else text(value, places) for value in values.tolist()]
