"""The numbers of the command line: counts, and percentages that functions take as fractions."""

from __future__ import annotations

import argparse

from ..exceptions import InputError

MOST = 2**31 - 1  # the largest 32-bit integer: no count and no seed needs more


def count(text: str) -> int:
    """The argparse type of counts; the called functions check the lower limit."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number; got {text!r}") from None
    if number > MOST:
        raise argparse.ArgumentTypeError(f"must be at most {MOST}; got {text}")
    return number


def fraction(percent: float, option: str) -> float:
    """The value of an option in percent, as the fraction that functions take."""
    if not 0 < percent < 100:
        raise InputError(f"{option} must lie in (0, 100); got {percent:g}")
    return percent / 100


def level_of(percent: float, option: str) -> float:
    """The confidence level of an option in percent; a fraction there is a mistake."""
    if 0 < percent < 1:
        raise InputError(f"{option} is in percent; got {percent:g}: write {100 * percent:g}")
    return fraction(percent, option)
