"""A log of what is read: the digest of each file, and the number of queries of runs and qrels.

While a log is kept, the readers add to it what they read, and keep the columns of small runs and
qrels in memory. So a file is opened once, although it is needed several times.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import RLock
from typing import IO, Any, NamedTuple, Protocol, TypeVar

BUFFER_BYTES = 1 << 20  # a choice between memory and calls

MOST_ROWS_KEPT = 2_000_000
"""40 runs of 50 queries x 1000 documents, in about 100 MB; beyond it, a file is read again."""


class Rows(Protocol):
    """The columns of a run or of qrels, as far as the log looks at them."""

    @property
    def query_ids(self) -> Sequence[str]: ...

    @property
    def doc(self) -> Sized: ...


Columns = TypeVar("Columns", bound=Rows)


class Entry(NamedTuple):
    """What was read, and how: one file read as a run and as qrels has two entries.

    Attributes
    ----------
    source
        The path of a file without links, or an ir_datasets id.
    form
        How it was read.
    """

    source: str
    form: str


@dataclass
class ReadLog:
    """What was read.

    Attributes
    ----------
    digests
        The SHA-256 digest of each file as it is, by its path without links.
    queries
        The number of queries of each run and each qrels.
    """

    digests: dict[str, str] = field(default_factory=dict)
    queries: dict[Entry, int] = field(default_factory=dict)
    _kept: dict[Entry, Any] = field(default_factory=dict)
    _rows: int = 0
    _lock: RLock = field(default_factory=RLock)

    def columns(self, entry: Entry, read: Callable[[], Columns]) -> Columns:
        """What `read` returns, which is called again only if its rows were too many to keep."""
        with self._lock:  # a RunSet reads its next run in a thread
            if entry in self._kept:
                kept: Columns = self._kept[entry]
                return kept
            columns = read()
            self.queries[entry] = len(columns.query_ids)
            if self._rows + len(columns.doc) <= MOST_ROWS_KEPT:
                self._kept[entry] = columns
                self._rows += len(columns.doc)
            return columns


_log: ContextVar[ReadLog | None] = ContextVar("read log", default=None)


@contextmanager
def keep_log() -> Iterator[ReadLog]:
    """A log of what is read until the end of the context."""
    log = ReadLog()
    token = _log.set(log)
    try:
        yield log
    finally:
        _log.reset(token)


def is_kept() -> bool:
    """Whether a log is kept."""
    return _log.get() is not None


def logged(entry: Entry | None, read: Callable[[], Columns]) -> Columns:
    """What `read` returns, added to the log if one is kept; no entry: it cannot be read again."""
    log = _log.get()
    return read() if log is None or entry is None else log.columns(entry, read)


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for reading; its digest is added to the log if one is kept."""
    log = _log.get()
    with open(path, "rb") as file:
        if log is None:
            yield file
            return
        real = os.path.realpath(path)
        if real in log.digests or not os.path.isfile(real):  # a pipe has no digest
            yield file
            return
        hashed = HashedFile(file)
        with io.BufferedReader(hashed, BUFFER_BYTES) as buffered:
            yield buffered
            log.digests[real] = hashed.hexdigest()


class HashedFile(io.RawIOBase):
    """A file that is hashed while it is read, in whatever order."""

    def __init__(self, file: IO[bytes]) -> None:
        from hashlib import sha256  # slow to import

        self._file, self._digest, self._hashed = file, sha256(), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        start = self._file.tell()
        count: int = self._file.readinto(buffer)  # type: ignore[attr-defined]
        if start <= self._hashed < start + count:
            self._digest.update(memoryview(buffer)[self._hashed - start : count])
            self._hashed = start + count
        return count

    def hexdigest(self) -> str:
        """The digest of the whole file; what was not read yet, or was skipped, is read now."""
        self.seek(self._hashed)
        buffer = bytearray(BUFFER_BYTES)
        while self.readinto(buffer):
            pass
        return self._digest.hexdigest()
