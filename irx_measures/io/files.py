"""Files: readers whose errors name the line, and atomic writes."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from ..common.memory import require_unpacked
from ..exceptions import InputError
from .lines import BLOCK_BYTES, NOT_TEXT, text_blocks
from .opened import note_file

PAGE_MARK = '<meta name="generator" content="irx_measures">'
"""In the head of every page that this package writes."""

PNG, SVG, PDF, PAGE = "PNG picture", "SVG picture", "PDF file", "page of irx report"

BEGINNINGS = {
    PNG: re.compile(rb"\x89PNG\r\n"),
    SVG: re.compile(rb"\s*(<\?xml[^>]*>\s*)?(<!DOCTYPE svg|<svg)"),
    PDF: re.compile(rb"%PDF-"),
    PAGE: re.compile(rb"\s*<!doctype html>.*" + PAGE_MARK.encode(), re.DOTALL),
}
"""The first bytes of what is written, by its kind."""

LONGEST_BEGINNING = 1024  # bytes of `BEGINNINGS`

WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading and decompress ``.gz``; read errors name the file.

    Raises
    ------
    ValueError
        While reading, if a gzip file is damaged, or unpacks to more than `common.memory` allows.
    """
    try:
        note_file(path)
        with open(path, "rb") as file:
            is_gzip = path.suffix.lower() == ".gz"
            yield cast(IO[bytes], _GzipFile(path, file)) if is_gzip else file
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


def text_lines(path: Path) -> Iterator[str]:
    """Lines of a UTF-8 text file, with their line ends.

    Raises
    ------
    ValueError
        When a line is not UTF-8; and as `text_blocks`.
    """
    with unpacked(path) as file:
        for lines_before, block in text_blocks(path, file):
            try:
                text = block.decode()
            except UnicodeDecodeError as error:
                line = lines_before + block.count(b"\n", 0, error.start) + 1
                raise InputError(f"{path}:{line}: {NOT_TEXT}") from None
            yield from io.StringIO(text, newline="\n")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: readers see the whole file or no change, even if the write fails.

    A link to a regular file stays a link: the target of the link is replaced.

    Raises
    ------
    ValueError
        When the path must not be replaced: see `check_writable`.
    """
    check_writable(path, _kind_of(content))
    with _renamed_to(path.resolve()) as new:
        new.write_bytes(content)


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Write a folder that does not exist yet: it appears as a whole, or not at all.

    Parameters
    ----------
    path
        The folder; those in which it should be are created.
    fill
        Writes the files into an empty folder beside it, which is then renamed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _renamed_to(path) as new:
        new.mkdir()
        fill(new)


@contextmanager
def _renamed_to(path: Path) -> Iterator[Path]:
    """A new name in the same folder; what has it at the end is renamed, after an error removed."""
    new = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        yield new
        os.replace(new, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        if new.is_dir():
            shutil.rmtree(new, ignore_errors=True)
        else:
            new.unlink(missing_ok=True)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text file atomically; ``.gz`` is compressed."""
    content = "".join(f"{line}\n" for line in lines).encode()
    write_whole(path, gzip.compress(content, 6, mtime=0) if path.suffix == ".gz" else content)


def sha256_of(path: Path) -> str:
    """The SHA-256 digest of a file as it is; a compressed file is not decompressed."""
    from hashlib import sha256  # slow to import

    digest = sha256()
    with open(path, "rb") as file:
        while part := file.read(BLOCK_BYTES):
            digest.update(part)
    return digest.hexdigest()


def check_writable(path: Path, kind: str = "") -> bool:
    """Whether writing to a path replaces a file.

    Only regular files may be replaced, and a file of a kind in `BEGINNINGS` only an empty file or
    one of its kind: nobody loses a run because a page was to have its name.

    Raises
    ------
    ValueError
        When the path is no regular file, or a read-only one, or a file of another kind.
    """
    if not path.exists():
        return False
    if not path.is_file():
        raise InputError(f"{path}: a folder, a pipe or a device; only a file can be replaced")
    if not path.stat().st_mode & WRITABLE or not os.access(path, os.W_OK):
        raise InputError(f"{path}: the file is read-only; it was not replaced")
    with open(path, "rb") as file:
        beginning = file.read(LONGEST_BEGINNING)
    if beginning and kind and _kind_of(beginning) != kind:
        raise InputError(f"{path}: the file is no {kind}; it was not replaced")
    return True


def _kind_of(content: bytes) -> str:
    """The kind in `BEGINNINGS` of a file; empty if it has another."""
    beginning = content[:LONGEST_BEGINNING]
    return next((kind for kind, start in BEGINNINGS.items() if start.match(beginning)), "")
