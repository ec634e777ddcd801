"""Files in blocks of whole lines, and the vectorised splitting of regular blocks."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

import numpy as np

from ..common.arrays import Int64Array

BLOCK_BYTES = 1 << 22

LONGEST_LINE = 1 << 20


class BlockError(ValueError):
    """Bytes that no text file of ours holds.

    Attributes
    ----------
    line
        Of these bytes: its number after the last block that was given, from 1.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def blocks(file: IO[bytes]) -> Iterator[bytes]:
    """A file in blocks that end at the end of a line, checked before more of it is read.

    Raises
    ------
    BlockError
        At a null byte, or at a line longer than `LONGEST_LINE` bytes: a device without end and a
        small file that unpacks to a huge one stop here.
    """
    rest: list[bytes] = []  # joined once, so that the cost of a long line is linear
    while block := file.read(BLOCK_BYTES):
        null = block.find(b"\0")
        if null >= 0:
            raise BlockError(
                block.count(b"\n", 0, null) + 1, "a null byte; not a text file in UTF-8"
            )
        _refuse_long_line(sum(map(len, rest)), block)
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join([*rest, block[:end]])
            rest = []
        rest.append(block[end:])
    if any(rest):
        yield b"".join(rest)


def _refuse_long_line(before: int, block: bytes) -> None:
    """BlockError where a line is too long; `before` bytes of its first line came earlier."""
    start = -before
    while len(block) - start > LONGEST_LINE:
        end = block.rfind(b"\n", max(start, 0), start + LONGEST_LINE + 1)
        if end < 0:
            line = block.count(b"\n", 0, max(start, 0)) + 1
            raise BlockError(line, f"a line must have at most {LONGEST_LINE} bytes")
        start = end + 1


def delimiter_of(block: bytes) -> str | None:
    """The delimiter of a block whose columns are all separated by one tab, or all by one space."""
    byte = np.frombuffer(block, np.uint8)
    blank = byte <= ord(" ")
    first = int(byte[np.argmax(blank)])
    separator = (byte == first) | (byte == ord("\n"))
    if (
        first not in b"\t "
        or block.startswith(codecs.BOM_UTF8)
        or blank[0]
        or byte[-1] == first
        or not np.array_equal(blank, separator)
        or (blank[1:] & blank[:-1]).any()
    ):
        return None
    return chr(first)


def cells_of(block: bytes, columns: int) -> tuple[Int64Array, Int64Array] | None:
    """Start and length of each cell of a regular block; None if the block is not regular.

    Returns
    -------
    Starts and lengths: (lines, columns) each.
    """
    if delimiter_of(block) is None:
        return None
    byte = np.frombuffer(block, np.uint8)
    end = np.flatnonzero(byte <= ord(" "))
    ends_line = byte[end] == ord("\n")
    if not block.endswith(b"\n"):
        end, ends_line = np.append(end, len(block)), np.append(ends_line, True)
    if len(end) % columns:
        return None
    ends_line = ends_line.reshape(-1, columns)
    if ends_line[:, :-1].any() or not ends_line[:, -1].all():
        return None
    start = np.append(0, end[:-1] + 1)
    return start.reshape(-1, columns), (end - start).reshape(-1, columns)
