"""Events: the lines of the files that judging campaigns append to, and how they are read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..common.warn import warn
from ..exceptions import InputError
from .reading import without_mark
from .rows import parse_json

START = b'{"event":'
"""How every line begins."""


class Event(NamedTuple):
    """A line of the file: where it is, in messages, and its JSON object."""

    where: str
    fields: dict[str, Any]


def check_is_file(path: Path) -> None:
    """InputError if the path is that of a folder or a device, which may be endless."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: the log must be a file")


def read_events(path: Path) -> Iterator[Event]:
    """The events in the order in which they were appended; none if there is no file.

    A last line without its end, which its writer did not finish, is left out with a warning.
    InputError, with its number, if a line is no event.
    """
    check_is_file(path)
    *lines, unfinished = without_mark(content_of(path)).split(b"\n")
    if unfinished:
        warn(f"{path}:{len(lines) + 1}: the last line is not whole; it is left out")
    for number, line in enumerate(lines, 1):
        fields = parse_json(f"{path}:{number}", line)
        if not isinstance(fields, dict) or not isinstance(fields.get("event"), str):
            raise InputError(f"{path}:{number}: a line must be a JSON object with a text 'event'")
        yield Event(f"{path}:{number}", fields)


def content_of(path: Path) -> bytes:
    """The bytes of the file; InputError if it does not begin as such a file does."""
    content = path.read_bytes() if path.exists() else b""
    if not START.startswith(without_mark(content)[: len(START)]):
        raise InputError(f"{path}:1: no log: it must begin with {START.decode()}")
    return content
