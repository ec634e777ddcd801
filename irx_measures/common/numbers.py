"""Differences and p-values as text."""

from __future__ import annotations

from math import isinf

MOST_PLACES = 1000  # more decimal places than any float has


def signed(value: float, places: int) -> str:
    """A difference; a difference that is rounded to 0 is positive."""
    if isinf(value):
        return f"{value:+}"
    return f"{round(value, places) + 0.0:+.{places}f}"


def p_text(p: float) -> str:
    """A p-value with 3 decimal places."""
    return "<.001" if p < 0.0005 else f"{p:.3f}"
