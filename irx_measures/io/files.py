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
from typing import IO, Any

from ..common.memory import require_unpacked
from ..exceptions import InputError
from .lines import BLOCK_BYTES, text_blocks
from .opened import note_file

# gzip, bzip2, xz, zstd, lz4 and zip. Only bzip2 begins with letters, so more of it is asked for.
COMPRESSED = (
    *(b"\x1f\x8b", b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"),
    b"PK\x03\x04",
)
"""The first bytes of compressed files."""

LONGEST_START = max(map(len, COMPRESSED))

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
        If the file is compressed in another way than its name says. While reading, if a gzip file
        is damaged, or unpacks to more than `common.memory` allows.
    """
    try:
        note_file(path)
        with open(path, "rb") as file:
            if path.suffix.lower() == ".gz":
                with io.BufferedReader(_GzipFile(path, file), BLOCK_BYTES) as plain:
                    yield plain
            else:
                refuse_compressed(path, file)
                yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: damaged gzip file ({error})") from None
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None  # Python omits the name


def refuse_compressed(path: Path, file: IO[bytes]) -> None:
    """InputError if a file, opened at its beginning, is compressed."""
    if file.peek(LONGEST_START).startswith(COMPRESSED):  # type: ignore[attr-defined]
        raise InputError(
            f"{path}: a compressed file; unpack it first. Only text files that are compressed with "
            "gzip are read as they are, and their names must end in .gz"
        )


class _GzipFile(io.RawIOBase):
    """A gzip file, decompressed, which may unpack to what `require_unpacked` allows."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path, self._plain = path, gzip.GzipFile(fileobj=file)
        self._packed = os.fstat(file.fileno()).st_size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._plain.seek(offset, whence)

    def readinto(self, buffer: Any) -> int:
        count: int = self._plain.readinto(buffer)
        require_unpacked(self._path, self._plain.tell(), self._packed)
        return count


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
                raise InputError(f"{path}:{line}: not a text file in UTF-8") from None
            yield from io.StringIO(text, newline="\n")


def numbered_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Lines of a UTF-8 text file, each with its location: ``file:number``."""
    for number, line in enumerate(text_lines(path), 1):
        yield f"{path}:{number}", line


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: readers see the whole file or no change, even if the write fails.

    A link to a regular file stays a link: the target of the link is replaced.

    Raises
    ------
    ValueError
        When the path must not be replaced: see `check_writable`.
    """
    check_writable(path, _kind_of(content))
    real = path.resolve()
    new = hidden_beside(real)
    try:
        try:
            with open(new, "xb") as file:
                file.write(content)
            os.replace(new, real)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


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
    new = hidden_beside(path)
    try:
        new.mkdir()
        fill(new)
        new.rename(path)
    except OSError as error:
        if error.filename is None:
            raise
        name = str(error.filename).replace(str(new), str(path))
        raise OSError(error.errno, error.strerror, name) from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


def hidden_beside(path: Path) -> Path:
    """A new name in the same folder, under which something is written before it has its name."""
    return path.with_name(f".{path.name}.{os.urandom(4).hex()}")


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text file atomically; ``.gz`` is compressed."""
    content = "".join(f"{line}\n" for line in lines).encode()
    write_whole(path, gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


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
        When the path is a pipe or a device, links to a pipe or a device, or is a read-only file, or
        a file of another kind.
    IsADirectoryError
        When the path is a folder.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, not a file")
    if not path.exists():
        return False
    if not path.is_file():
        raise InputError(f"{path}: only a regular file can be replaced; this is a pipe or a device")
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
