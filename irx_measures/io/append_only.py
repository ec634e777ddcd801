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
        """Append an event; after an error, nothing was appended."""
        event = {"event": name, **fields}
        if self.path is None:
            self._memory.append(Event("the log", event))
            return
        line = json.dumps(event, allow_nan=False).encode() + b"\n"
        with self.locked() as file:
            content = self.path.read_bytes()
            _, whole = _read(self.path, content)
            os.ftruncate(file, whole)
            if content[:whole] and content[whole - 1 : whole] != b"\n":
                line = b"\n" + line
            if os.write(file, line) < len(line):
                os.ftruncate(file, whole)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
            os.fsync(file)

    @contextmanager
    def locked(self) -> Iterator[int]:
        """A context in which no other process appends; its value is the file's descriptor."""
        if self.path is None or self._locked is not None:
            yield -1 if self._locked is None else self._locked
            return
        with open(self.path, "ab") as file:  # the lock ends when it is closed
            if flock is not None:
                flock(file, LOCK_EX)
            self._locked = file.fileno()
            try:
                yield self._locked
            finally:
                self._locked = None

    def _events(self) -> list[Event]:
        if self.path is None:
            return self._memory
        if not self.path.exists():
            return []
        content = self.path.read_bytes()
        events, whole = _read(self.path, content)
        if whole < len(content):
            line = content.count(b"\n") + 1
            warn(f"{self.path}:{line}: the last line is not whole; it is left out")
        return events


def _read(path: Path, content: bytes) -> tuple[list[Event], int]:
    """The events, and the bytes without a last line that its writer did not finish.

    InputError if it is the only line, and does not begin as a line does: it is no such file.
    """
    *lines, last = content.split(b"\n")
    events = [
        _event(f"{path}:{number}", line) for number, line in enumerate(lines, 1) if line.strip()
    ]
    try:
        if last.strip():
            events.append(_event(f"{path}:{len(lines) + 1}", last))
        return events, len(content)
    except InputError:
        if not lines and not START.startswith(last[: len(START)]):
            raise
        return events, len(content) - len(last)


def _event(where: str, line: bytes) -> Event:
    fields = parse_json(where, line)
    if not isinstance(fields, dict) or not isinstance(fields.get("event"), str):
        raise InputError(f"{where}: a line must be a JSON object with a text 'event'")
    return Event(where, fields)
