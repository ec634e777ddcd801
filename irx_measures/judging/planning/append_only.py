"""Append-only files of JSON lines, to which several processes may write."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ...exceptions import InputError
from ...io.events import Event, check_is_file, content_of, read_events

try:
    from fcntl import LOCK_EX, flock
except ImportError:  # without it, as on Windows, files are not locked
    flock = None  # type: ignore[assignment]


class AppendOnlyFile:
    """Events in the order in which they were appended, one JSON object per line.

    A line is appended in one write, under a lock, and is on the disk when `append` returns. Lines
    are read as by `read_events`.

    The file need not exist. Without a path, the events stay in memory. A path of a folder or a
    device, which may be endless, is an InputError.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None:
            check_is_file(path)
        self.path = path
        self._memory: list[Event] = []
        self._locked: IO[bytes] | None = None

    def events(self, name: str) -> list[Event]:
        """The events of this name; InputError, with its number, if a line is no event."""
        return [event for event in self.every() if event.fields["event"] == name]

    def every(self) -> Iterable[Event]:
        """All events; errors as of `events`."""
        return self._memory if self.path is None else read_events(self.path)

    def append(self, name: str, fields: dict[str, Any]) -> None:
        """Append an event; after an error, nothing was appended."""
        event = {"event": name, **fields}
        with self.locked() as file:
            if self.path is None or file is None:
                self._memory.append(Event("the log", event))
                return
            line = json.dumps(event, allow_nan=False).encode() + b"\n"
            file.truncate(content_of(self.path).rfind(b"\n") + 1)
            if file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
            os.fsync(file.fileno())

    @contextmanager
    def locked(self) -> Iterator[IO[bytes] | None]:
        """A context in which no other process appends; its value is the open file, if any."""
        if self.path is None or self._locked is not None:
            yield self._locked
            return
        with self._opened(self.path) as self._locked:  # closing it ends the lock
            if flock is not None:
                flock(self._locked, LOCK_EX)
            try:
                yield self._locked
            finally:
                self._locked = None

    def _opened(self, path: Path) -> IO[bytes]:
        """The file for appending; InputError if this user may not write it."""
        try:
            return open(path, "ab", buffering=0)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            raise InputError(
                f"{path}: the log cannot be written ({error.strerror}); keep it in a folder that "
                "you may write to"
            ) from None
