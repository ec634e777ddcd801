"""Numbers as the tables of comparisons write them."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.numbers import p_text, signed

__all__ = [
    "difference_interval_text",
    "interval_text",
    "marked",
    "not_significant",
    "p_text",
    "signed",
]


def interval_text(lower: float, upper: float, places: int) -> str:
    """An interval of scores."""
    return f"{lower:.{places}f} to {upper:.{places}f}"


def difference_interval_text(lower: float, upper: float, places: int) -> str:
    """An interval of differences."""
    return f"{signed(lower, places)} to {signed(upper, places)}"


def marked(text: str, significant: bool) -> str:
    """A difference in brackets if it is not significant, so that the digits stay aligned."""
    return f"{text} " if significant else f"({text})"


def not_significant(cells: Sequence[str]) -> set[int]:
    """The positions of differences that `marked` put in brackets."""
    return {place for place, cell in enumerate(cells) if cell.startswith("(")}
