"""Append-only files of JSON lines, to which several processes may write."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..common.warn import warn
from ..exceptions import InputError
from .json_text import parse_json

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

START = b'{"event":'
"""How every line begins."""

TORN = "torn"
"""The event that keeps what is left of a line whose writer did not finish."""


class Event(NamedTuple):
    """A line of the file: where it is, in messages, and its JSON object."""

    where: str
    fields: dict[str, Any]


class AppendOnlyFile:
    """Events in the order in which they were appended, one JSON object per line.

    A line is appended in one write, under a lock, and is on the disk when `append` returns. If its
    writer did not finish the last line, it is left out, with a warning.

    Parameters
    ----------
    path
        The file; it need not exist. None keeps the events in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._memory: list[Event] = []
        self._locked: int | None = None

    def events(self, name: str) -> list[Event]:
        """The events of this name.

        Raises
        ------
        InputError
            When a line other than the last one is no event; the message has its number.
        """
        return [event for event in self._events() if event.fields["event"] == name]

    def append(self, name: str, fields: dict[str, Any]) -> None:
        """Append an event; after an OSError, nothing was appended."""
        event = {"event": name, **fields}
        if self.path is None:
            self._memory.append(Event("the log", event))
            return
        with self.locked() as file:
            _write(file, self.path, _end_of_last_line(file, self.path) + _line(event))

    @contextmanager
    def locked(self) -> Iterator[int]:
        """A context in which no other process appends; its value is the file's descriptor."""
        if self.path is None or self._locked is not None:
            yield -1 if self._locked is None else self._locked
            return
        binary = getattr(os, "O_BINARY", 0)  # otherwise Windows writes other line ends
        file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | binary, 0o666)
        try:
            _lock(file)
            self._locked = file
            yield file
        finally:
            self._locked = None
            os.close(file)  # the lock ends with it

    def _events(self) -> list[Event]:
        if self.path is None:
            return self._memory
        if not self.path.exists():
            return []
        lines = _content(self.path).rstrip().split(b"\n")
        events = []
        for number, line in enumerate(lines, 1):
            where = f"{self.path}:{number}"
            try:
                if line.strip():
                    events.append(_event(where, line))
            except InputError:
                if number < len(lines) or (number == 1 and not _may_be_torn(line)):
                    raise
                warn(f"{where}: the last line is not whole; it is left out")
        return events


def _content(path: Path) -> bytes:
    if not path.is_file():
        raise InputError(f"{path}: must be a regular file, to which lines are appended")
    return path.read_bytes()


def _may_be_torn(line: bytes) -> bool:
    """Whether the only line of a file is the beginning of one, and the file nothing else."""
    return line.startswith(START) or START.startswith(line)


def _event(where: str, line: bytes) -> Event:
    fields = parse_json(where, line)
    if not isinstance(fields, dict) or not isinstance(fields.get("event"), str):
        raise InputError(f"{where}: a line must be a JSON object with a text 'event'")
    return Event(where, fields)


def _line(event: dict[str, Any]) -> bytes:
    return json.dumps(event, allow_nan=False).encode() + b"\n"


def _end_of_last_line(file: int, path: Path) -> bytes:
    """What must be written before the next line; the rest of a torn line becomes an event."""
    content = _content(path)
    start = content.rstrip().rfind(b"\n") + 1
    last = content[start:]
    if not last.strip():
        return b""
    try:
        _event(str(path), last)
    except InputError:
        if start == 0 and not _may_be_torn(last):
            raise
        os.ftruncate(file, start)
        return _line({"event": TORN, "text": last.decode(errors="replace")})
    return b"" if last.endswith(b"\n") else b"\n"


def _write(file: int, path: Path, content: bytes) -> None:
    """Write all bytes at the end, or none."""
    end = os.lseek(file, 0, os.SEEK_END)
    if os.write(file, content) < len(content):
        os.ftruncate(file, end)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    os.fsync(file)


def _lock(file: int) -> None:
    """Wait until no other process has the file locked."""
    if sys.platform == "win32":
        os.lseek(file, 1 << 30, os.SEEK_SET)  # a byte beyond the end, so that others can read
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX)
