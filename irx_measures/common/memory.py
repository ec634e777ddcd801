"""The limit on the memory of measures and comparisons, and on what compressed files unpack to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..exceptions import InputError
from .validators import integer

# Runs and qrels of TREC unpack to 5 or 6 times their size, and 17 times with a long tag; gzip
# reaches 1032 times.
MOST_RATIO = 100

ANY_FILE = 1 << 24  # bytes, a choice: less than Python and numpy take; the ratio is not asked for

UNKNOWN_MACHINE = 4 * 10**9  # bytes: a small machine, where the system does not tell its memory

ALLOWS = " (`limits=` allows another amount)"
"""The remark on the limit of a call that takes one."""

_limit: ContextVar[int | None] = ContextVar("memory limit", default=None)


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


@contextmanager
def memory_limit(limits: int | None) -> Iterator[None]:
    """A context with a limit for measures and compressed files; None keeps the current limit."""
    if limits is None:
        yield
        return
    token = _limit.set(integer(1).check("limits", limits))
    try:
        yield
    finally:
        _limit.reset(token)


def require_memory(what: object, needed: float, remark: str = ALLOWS) -> None:
    """InputError if something would need more bytes of memory than the limit.

    The message names it, such as a measure, and ends with the remark on what the user can do.
    """
    allowed = _limit.get() or default_memory()
    if needed > allowed:
        raise InputError(
            f"{what} would take about {readable(needed)} of memory; at most "
            f"{readable(allowed)} are allowed{remark}"
        )


def require_unpacked(path: object, unpacked: int, packed: int) -> None:
    """InputError if a compressed file would need more memory than is allowed.

    Without a limit of the caller, it may unpack to `MOST_RATIO` times its size, and to a quarter of
    the machine's memory. `unpacked` and `packed` are the bytes of its content, or of a part from
    the beginning, and the bytes that this is unpacked from.
    """
    given = _limit.get()
    if given is None:
        allowed = min(default_memory(), max(ANY_FILE, MOST_RATIO * packed))
        limit = f"{MOST_RATIO} times its size, and to {readable(default_memory())}"
    else:
        allowed, limit = given, readable(given)
    if unpacked > allowed:
        raise InputError(
            f"{path}: a compressed file may unpack to at most {limit}; this one unpacks to more "
            "(`limits=` allows another size)"
        )
