"""The numbers of the command line: counts, percentages, and confidence levels."""

from __future__ import annotations

import argparse

from ..common.validators import LEVEL
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


def level_of(given: float, option: str) -> float:
    """The confidence level of an option, as a share."""
    try:
        level: float = LEVEL.convert(given)
    except ValueError:
        raise InputError(f"{option} must {LEVEL.text}; got {given:g}") from None
    return level
