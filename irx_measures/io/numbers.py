"""Numbers as trec_eval writes them: ASCII digits, without the underscores that Python allows."""

from __future__ import annotations


def read_float(text: bytes) -> float:
    """A number; ValueError where the text is none."""
    if b"_" in text:
        raise ValueError(repr(text))
    return float(text)


def read_integer(text: bytes) -> int:
    """A whole number; ValueError where the text is none."""
    if b"_" in text:
        raise ValueError(repr(text))
    return int(text)
