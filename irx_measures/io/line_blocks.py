"""Reads files in blocks of whole lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

# A choice: the lists made of a block are some times larger.
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
    start = longer_line(block, LONGEST_LINE, -before)
    if start is not None:
        line = block.count(b"\n", 0, max(start, 0)) + 1
        raise BlockError(line, f"a line must have at most {LONGEST_LINE} bytes")


def longer_line(block: bytes, length: int, start: int = 0) -> int | None:
    """Where the first line of more than some bytes begins; None if there is none."""
    while len(block) - start > length:
        end = block.rfind(b"\n", max(start, 0), start + length + 1)
        if end < 0:
            return start
        start = end + 1
    return None
