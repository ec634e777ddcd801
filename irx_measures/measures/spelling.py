"""How a parameter's value is written in a measure's string."""

from __future__ import annotations

import keyword
import re
from typing import Any

DIGITS = re.compile(r"0|[1-9][0-9]*")


def spell_value(value: Any) -> str:
    """A value as written in measure strings: a bare word if possible, else a Python literal."""
    if isinstance(value, str):
        return value if _is_bare(value) else repr(str(value))
    label = getattr(value, "label", None)
    return repr(value if label is None else label)


def _is_bare(value: str) -> bool:
    """Whether a value needs no quotes: words, or a word and then words and numbers, with + or -."""
    first, *rest = re.split(r"[+-]", value)
    return _is_word(first) and all(_is_word(part) or DIGITS.fullmatch(part) for part in rest)


def _is_word(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)
