"""Numbers as trec_eval writes them: ASCII digits, without the underscores that Python allows."""

from __future__ import annotations


def read_float(text: bytes) -> float:
    """Convert text to a float; ValueError if the text is not a number."""
    if b"_" in text:
        raise ValueError(repr(text))
    return float(text)


def read_integer(text: bytes) -> int:
    """Convert text to an integer; ValueError if the text is not an integer."""
    if b"_" in text:
        raise ValueError(repr(text))
    return int(text)
