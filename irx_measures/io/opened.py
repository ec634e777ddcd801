"""What was read: the files and datasets that are noted, and the state of each file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class FileState(NamedTuple):
    """Properties of a file that change when the file is modified or replaced."""

    modified: int
    changed: int
    size: int
    inode: int

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> FileState:
        status = os.stat(path)
        return cls(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


Opened = dict[str, "FileState | None"]
"""By path or ir_datasets id, in the order of the first reading; None for ids and for pipes."""

_opened: ContextVar[Opened | None] = ContextVar("_opened", default=None)


@contextmanager
def noting_opened() -> Iterator[Opened]:
    """What is read in the context: a dict that fills up."""
    opened: Opened = {}
    before = _opened.set(opened)
    try:
        yield opened
    finally:
        _opened.reset(before)


def note_file(path: str | os.PathLike[str]) -> None:
    """Note a file that is about to be opened."""
    opened = _opened.get()
    if opened is not None and os.fspath(path) not in opened:
        opened[os.fspath(path)] = FileState.of(path) if os.path.isfile(path) else None


def note_dataset(name: str) -> None:
    """Note an ir_datasets id that is about to be read."""
    opened = _opened.get()
    if opened is not None:
        opened.setdefault(name, None)
