"""Numbers and lists of names as the report writes them; script.js writes numbers the same way."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from unicodedata import bidirectional

from ...common.names import cut_name
from ...common.writing import UNDEFINED, Writing

LONGEST_NAME = 60  # in a sentence, a choice: most names of runs are whole

ISOLATE, END = "\u2068", "\u2069"

TURNING = {"R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}


def number(value: float, places: int = 3) -> str:
    """A score: ``.764``, ``1.000``, ``−.055``."""
    if isnan(value):
        return UNDEFINED
    digits = f"{abs(value):.{places}f}"
    text = digits[1:] if digits.startswith("0.") else digits
    return f"−{text}" if value < 0 and float(digits) else text


def difference(value: float) -> str:
    """A difference: ``+.259``, ``−.055``, ``.000``."""
    text = number(value)
    return f"+{text}" if value > 0 and float(f"{value:.3f}") else text


def named(name: str) -> str:
    """A name in a sentence: a very long one is cut, and its direction stays its own."""
    short = cut_name(name, LONGEST_NAME)
    return f"{ISOLATE}{short}{END}" if any(map(_turns, name)) else short


def _turns(character: str) -> bool:
    """Whether a character changes the direction of the text around it."""
    return bidirectional(character) in TURNING


def listed(names: Sequence[str], most: int) -> str:
    """Names with commas, and how many more there are."""
    text = ", ".join(map(named, names[:most]))
    return f"{text}, and {len(names) - most} more" if len(names) > most else text


def sentence(text: str) -> str:
    """A sentence, from what was found."""
    return f"{text[0].upper()}{text[1:]}."


REPORT = Writing(named, number)
"""How the report writes the sentences of results."""
