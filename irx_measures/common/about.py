"""What work is about, such as one of several collections: bars and warnings begin with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_about: ContextVar[str] = ContextVar("_about", default="")


@contextmanager
def about(what: str) -> Iterator[None]:
    """Bars and warnings inside say what they are about."""
    before = _about.set(what)
    try:
        yield
    finally:
        _about.reset(before)


def named(text: str) -> str:
    """A text for users, after what it is about, if anything is named."""
    what = _about.get()
    return f"{what}: {text}" if what else text
