"""The limit on the memory of a measure."""

from __future__ import annotations

import os
import re
from typing import Any

from .validators import Allowed, RuleError

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}  # SI prefixes: a GB has 10^9 bytes

AMOUNT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([KMGT]?)B?", re.IGNORECASE)

UNKNOWN_MACHINE = 4 * 10**9  # bytes: a small machine, where the system does not tell its memory


def _bytes(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return value
    amount = AMOUNT.fullmatch(value.strip()) if isinstance(value, str) else None
    if amount is None or float(amount[1]) == 0:
        wrong_type = isinstance(value, bool) or not isinstance(value, (int, str))
        raise RuleError(value, wrong_type=wrong_type)
    return int(float(amount[1]) * UNITS[amount[2].upper()])


MEMORY = Allowed("be a positive number of bytes, or an amount of memory such as '2GB'", _bytes)


def default_memory() -> int:
    """A quarter of the machine's memory."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # the operating system does not report it
        machine = UNKNOWN_MACHINE
    return machine // 4


def readable(size: float) -> str:
    """A number of bytes as text, such as ``2.1 GB``."""
    return f"{size / 10**9:.1f} GB" if size >= 10**9 else f"{max(size / 10**6, 0.1):.1f} MB"
