"""Numbers and lists of names as the report writes them; script.js writes numbers the same way."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from unicodedata import bidirectional

UNDEFINED = "–"

LONGEST_NAME = 60  # in a sentence

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


def p_value(p: float) -> str:
    """A p-value: ``.013``, ``< .001``, ``1``."""
    if p < 0.0005:
        return "< .001"
    return "1" if p >= 0.9995 else number(p)


def percent(part: float, whole: float) -> str:
    """A share in percent. A share above 0 is not written as 0, one below 1 not as 100%."""
    if not whole:
        return UNDEFINED
    value = 100 * part / whole
    places = 0 if part in (0, whole) or 1 <= value <= 99 else 1
    text = f"{min(max(value, 0.1), 99.9) if places else value:.{places}f}"
    return f"{text}%"


def span(low: int, high: int) -> str:
    """A range of whole numbers: ``1–19``."""
    return f"{low}–{high}" if low < high else f"{low}"


def named(name: str) -> str:
    """A name in a sentence: a very long one is cut, and its direction stays its own."""
    short = shortened(name)
    return f"{ISOLATE}{short}{END}" if any(map(_turns, name)) else short


def shortened(name: str) -> str:
    """A name, without the middle of a very long one."""
    return name if len(name) <= LONGEST_NAME else f"{name[:40]}…{name[-15:]}"


def _turns(character: str) -> bool:
    """Whether a character changes the direction of the text around it."""
    return bidirectional(character) in TURNING


def listed(names: Sequence[str], most: int) -> str:
    """Names with commas, and how many more there are."""
    text = ", ".join(map(named, names[:most]))
    return f"{text}, and {len(names) - most} more" if len(names) > most else text


def counted(count: int, one: str, several: str | None = None) -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"
