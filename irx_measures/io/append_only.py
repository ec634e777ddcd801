"""Append-only files of JSON lines, to which several processes may write."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..common.warn import warn
from ..exceptions import InputError
from .json_text import parse_json

try:
    from fcntl import LOCK_EX, flock
except ImportError:  # without it, as on Windows, files are not locked
    flock = None  # type: ignore[assignment]

START = b'{"event":'
"""How every line begins."""


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

    Raises
    ------
    InputError
        When the path is that of a folder or a device, which may be endless.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None and path.exists() and not path.is_file():
            raise InputError(f"{path}: the log must be a file")
        self.path = path
        self._memory: list[Event] = []
        self._locked: int | None = None

    def events(self, name: str) -> list[Event]:
        """The events of this name.

        Raises
        ------
        InputError
            When a line is no event; the message has its number.
        """
        return [event for event in self._events() if event.fields["event"] == name]

    def append(self, name: str, fields: dict[str, Any]) -> None:
        """Append an event; after an OSError, nothing was appended."""
        event = {"event": name, **fields}
        if self.path is None:
            self._memory.append(Event("the log", event))
            return
        with self.locked() as file:
            before = _whole_lines(self.path, self.path.read_bytes())
            if before.strip():  # a file of another kind is an error
                _event(f"{self.path}:1", before.strip().split(b"\n", 1)[0])
            line_end = b"" if before[-1:] in (b"", b"\n") else b"\n"
            line = json.dumps(event, allow_nan=False).encode() + b"\n"
            os.ftruncate(file, len(before))
            _write(file, self.path, line_end + line)

    @contextmanager
    def locked(self) -> Iterator[int]:
        """A context in which no other process appends; its value is the file's descriptor."""
        if self.path is None or self._locked is not None:
            yield -1 if self._locked is None else self._locked
            return
        binary = getattr(os, "O_BINARY", 0)  # otherwise Windows writes other line ends
        file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | binary, 0o666)
        try:
            if flock is not None:
                flock(file, LOCK_EX)
            self._locked = file
            yield file
        finally:
            self._locked = None
            os.close(file)  # the lock ends with it

    def _events(self) -> list[Event]:
        if self.path is None:
            return self._memory
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return []
        lines = content.split(b"\n")
        if len(_whole_lines(self.path, content)) < len(content):
            del lines[-1]
            where = f"{self.path}:{len(lines) + 1}"
            warn(f"{where}: the last line is not whole; it is left out")
        return [
            _event(f"{self.path}:{number}", line)
            for number, line in enumerate(lines, 1)
            if line.strip()
        ]


def _whole_lines(path: Path, content: bytes) -> bytes:
    """The content without a last line that its writer did not finish.

    InputError if it is the only line, and does not begin as a line does: it is no such file.
    """
    start = content.rfind(b"\n") + 1
    last = content[start:]
    try:
        if last.strip():
            _event(str(path), last)
    except InputError:
        if not start and not START.startswith(last[: len(START)]):
            raise
        return content[:start]
    return content


def _event(where: str, line: bytes) -> Event:
    fields = parse_json(where, line)
    if not isinstance(fields, dict) or not isinstance(fields.get("event"), str):
        raise InputError(f"{where}: a line must be a JSON object with a text 'event'")
    return Event(where, fields)


def _write(file: int, path: Path, content: bytes) -> None:
    """Write all bytes at the end, or none."""
    end = os.lseek(file, 0, os.SEEK_END)
    if os.write(file, content) < len(content):
        os.ftruncate(file, end)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    os.fsync(file)
