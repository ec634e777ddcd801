"""Intervals, differences and p-values as the tables of comparisons write them."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf

MOST_PLACES = 1000  # a choice: more decimal places than any float above 1e-280 has


def signed(value: float, places: int) -> str:
    """A difference; a difference that is rounded to 0 is positive."""
    if isinf(value):
        return f"{value:+}"
    return f"{round(value, places) + 0.0:+.{places}f}"  # -0.0 + 0.0 is 0.0


def p_text(p: float, number: Callable[[float], str] = "{:.3f}".format) -> str:
    """A p-value with 3 decimal places; `number` writes it as the sentences around it do."""
    return "<.001" if p < 0.0005 else number(p)


def interval_text(lower: float, upper: float, places: int, sign: bool = False) -> str:
    """An interval of scores; of differences, with signs."""
    ends = (signed(end, places) if sign else f"{end:.{places}f}" for end in (lower, upper))
    return " to ".join(ends)


def marked(text: str, significant: bool) -> str:
    """A difference in brackets if it is not significant, so that the digits stay aligned."""
    return f"{text} " if significant else f"({text})"


def level_text(level: float) -> str:
    """A confidence level: ``95%``."""
    return f"{100 * level:.10g}%"
