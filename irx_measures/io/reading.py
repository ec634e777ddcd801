"""Files that are read: opened, decompressed within limits, and taken in blocks of whole lines."""

from __future__ import annotations

import codecs
import glob
import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import numpy as np

from ..common.memory import require_unpacked
from ..exceptions import InputError
from .opened import note_file

BLOCK_BYTES = 1 << 22  # a choice: the lists made of a block are some times larger

# Bytes, a choice: far above the lines of runs and qrels, and of LETOR files with all features.
LONGEST_LINE = 1 << 20

NOT_TEXT = "not a text file in UTF-8 (a compressed file must be gzip, and its name end in .gz)"


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading and decompress ``.gz``; read errors name the file.

    Reading is an InputError if a gzip file is damaged, or unpacks to more than `common.memory`
    allows.
    """
    try:
        note_file(path)
        with open(path, "rb") as file:
            if path.suffix.lower() == ".gz":
                yield cast(IO[bytes], _GzipFile(path, file))
            else:
                yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: damaged gzip file ({error})") from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # Python may omit the name


class _GzipFile(gzip.GzipFile):
    """A gzip file, decompressed, which may unpack to what `require_unpacked` allows.

    It is read in parts of a size: each is checked after it was unpacked.
    """

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        super().__init__(fileobj=file)
        self._path, self._packed = path, os.fstat(file.fileno()).st_size

    def read(self, size: int | None = -1) -> bytes:
        part = super().read(size)
        require_unpacked(self._path, self.tell(), self._packed)
        return part


def text_blocks(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    """Blocks of whole lines of a text file.

    A mark of the byte order is left out. Each block is checked before the next one is read. The
    file is decompressed, and at its beginning; errors call it by its path.

    InputError, which names file and line, at a null byte, or at a line longer than `LONGEST_LINE`
    bytes. This stops endless devices, and small files that decompress to huge ones.
    """
    lines = 0
    while block := file.read(BLOCK_BYTES):
        if block[-1:] != b"\n":
            block += file.readline(LONGEST_LINE + 1)
        for place, what in (
            (block.find(b"\0"), f"a null byte; {NOT_TEXT}"),
            (longer_line(block, LONGEST_LINE), f"a line must have at most {LONGEST_LINE} bytes"),
        ):
            if place >= 0:
                line = lines + block.count(b"\n", 0, place) + 1
                raise InputError(f"{path}:{line}: {what}")
        if not lines:
            block = without_mark(block)
            if block.startswith(codecs.BOM_UTF8):
                raise InputError(f"{path}:1: two marks of the byte order")
        yield block
        lines += feeds_in(block)


def feeds_in(block: bytes) -> int:
    """How many line feeds a block has; `bytes.count` takes some times longer for many."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))


def without_mark(beginning: bytes) -> bytes:
    """The beginning of a file of text without the mark of the byte order, which Windows writes.

    Elsewhere in the file, the mark is a character like others.
    """
    return beginning.removeprefix(codecs.BOM_UTF8)


def longer_line(block: bytes, length: int) -> int:
    """Where the first line of more than some bytes begins; -1 if there is none."""
    start = 0
    while len(block) - start > length:
        end = block.rfind(b"\n", start, start + length + 1)
        if end < 0:
            return start
        start = end + 1
    return -1


def text_parts(path: Path) -> Iterator[str]:
    """Blocks of whole lines of a text file; errors as `text_blocks`, and if it is not UTF-8."""
    with unpacked(path) as file:
        yield from decoded(path, text_blocks(path, file))


def decoded(path: Path, blocks: Iterable[bytes]) -> Iterator[str]:
    """Blocks of text; InputError, which names file and line, if it is not UTF-8."""
    lines = 0
    for block in blocks:
        try:
            yield block.decode()
        except UnicodeDecodeError as error:
            line = lines + block.count(b"\n", 0, error.start) + 1
            raise InputError(f"{path}:{line}: {NOT_TEXT}") from None
        lines += feeds_in(block)


def text_lines(path: Path) -> Iterator[str]:
    """Lines, with their ends, of a text file; errors as `text_parts`."""
    for text in text_parts(path):
        yield from io.StringIO(text, newline="\n")


@contextmanager
def mistakes_in(path: Path) -> Iterator[None]:
    """Convert TypeError to InputError: a bad file is not a mistake in the caller's code."""
    try:
        yield
    except TypeError as error:
        raise InputError(str(error)) from None
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None


def sha256_of(path: Path) -> str:
    """The SHA-256 digest of a file as it is; a compressed file is not decompressed."""
    from hashlib import sha256  # slow to import

    digest = sha256()
    with open(path, "rb") as file:
        while part := file.read(BLOCK_BYTES):
            digest.update(part)
    return digest.hexdigest()


def glob_matches(pattern: str) -> list[str]:
    """The files and folders that a glob matches, sorted; a folder that exists is no glob.

    So ``runs [a]/*.run`` names the runs in the folder ``runs [a]``.
    """
    folder = os.path.dirname(pattern)
    while folder and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return sorted(glob.glob(f"{glob.escape(folder)}{pattern[len(folder) :]}"))
