"""Reads text files in blocks of whole lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ..exceptions import InputError

# A choice: the lists made of a block are some times larger.
BLOCK_BYTES = 1 << 22

# Bytes, a choice: far above the lines of runs and qrels, and of LETOR files with all features.
LONGEST_LINE = 1 << 20


def text_blocks(path: Path, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole lines of a text file, each with the number of lines before the block.

    Each block is checked before the next one is read.

    Parameters
    ----------
    path
        The file, for errors.
    file
        Its content, decompressed, at its beginning.

    Raises
    ------
    ValueError
        At a null byte, or at a line longer than `LONGEST_LINE` bytes; the message names file and
        line. This stops endless devices, and small files that decompress to huge ones.
    """
    lines_before = 0
    rest: list[bytes] = []  # joined once, so that the cost of a long line is linear
    while block := file.read(BLOCK_BYTES):
        null = block.find(b"\0")
        if null >= 0:
            line = lines_before + block.count(b"\n", 0, null) + 1
            raise InputError(f"{path}:{line}: a null byte; not a text file in UTF-8")
        long = longer_line(block, LONGEST_LINE, -sum(map(len, rest)))
        if long is not None:
            line = lines_before + block.count(b"\n", 0, max(long, 0)) + 1
            raise InputError(f"{path}:{line}: a line must have at most {LONGEST_LINE} bytes")
        end = block.rfind(b"\n") + 1
        if end:
            yield lines_before, b"".join([*rest, block[:end]])
            lines_before += block.count(b"\n")
            rest = []
        rest.append(block[end:])
    if any(rest):
        yield lines_before, b"".join(rest)


def longer_line(block: bytes, length: int, start: int = 0) -> int | None:
    """Where the first line of more than some bytes begins; None if there is none.

    Parameters
    ----------
    start
        Where the first line begins; negative if that was in earlier blocks.
    """
    while len(block) - start > length:
        end = block.rfind(b"\n", max(start, 0), start + length + 1)
        if end < 0:
            return start
        start = end + 1
    return None
