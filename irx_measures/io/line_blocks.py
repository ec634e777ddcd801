"""Reads files in blocks of whole lines, and splits regular blocks vectorised."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

import numpy as np

from ..common.numeric import Int64Array

# A choice: the arrays made of a block are some times larger and should stay near the processor,
# and smaller blocks need more calls of numpy.
BLOCK_BYTES = 1 << 22

# Bytes, a choice: far above the lines of runs and qrels, and of LETOR files with all features.
LONGEST_LINE = 1 << 20


class BlockError(ValueError):
    """A file contains bytes that are invalid in every accepted text format.

    Attributes
    ----------
    line
        The line of these bytes, counted from 1 after the last block that was yielded.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Blocks of whole lines of a file; each block is checked before the next one is read.

    Raises
    ------
    BlockError
        At a null byte, or at a line longer than `LONGEST_LINE` bytes. This stops endless devices,
        and small files that decompress to huge ones.
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
    """BlockError if a line is too long; `before` bytes of the first line were in earlier blocks."""
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
    Starts and lengths, both of shape (lines, columns).
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
