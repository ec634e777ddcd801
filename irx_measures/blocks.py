"""Files in blocks of whole lines, and which are regular enough to be taken apart at once."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

import numpy as np

BLOCK_BYTES = 1 << 22


def blocks(file: IO[bytes]) -> Iterator[bytes]:
    """A file in pieces that end where a line ends."""
    rest: list[bytes] = []  # joined once, so that a long line costs no more than its length
    while block := file.read(BLOCK_BYTES):
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join([*rest, block[:end]])
            rest = []
        rest.append(block[end:])
    if any(rest):
        yield b"".join(rest)


def delimiter_of(block: bytes) -> str | None:
    """Tab or space, where every line has its columns set apart by one of it and by nothing else."""
    byte = np.frombuffer(block, np.uint8)
    blank = byte <= ord(" ")
    first = int(byte[np.argmax(blank)])
    known = (byte == first) | (byte == ord("\n"))
    if (
        first not in b"\t "
        or block.startswith(codecs.BOM_UTF8)
        or blank[0]
        or byte[-1] == first
        or not np.array_equal(blank, known)
        or (blank[1:] & blank[:-1]).any()
    ):
        return None
    return chr(first)


def cells_of(block: bytes, columns: int) -> list[str] | None:
    """All cells, row by row, of a regular block of ASCII in which every line has all columns."""
    if not block.isascii() or delimiter_of(block) is None:
        return None
    byte = np.frombuffer(block, np.uint8)
    ends_line = byte[byte <= ord(" ")] == ord("\n")
    if not block.endswith(b"\n"):
        ends_line = np.append(ends_line, True)
    if len(ends_line) % columns:
        return None
    ends_line = ends_line.reshape(-1, columns)
    if ends_line[:, :-1].any() or not ends_line[:, -1].all():
        return None
    return block.decode("ascii").split()
