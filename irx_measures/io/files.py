"""Files: reading with errors that name the line, and writing all or nothing."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import os
import stat
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from ..exceptions import InputError
from .line_blocks import BlockError, blocks

WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, unpacking ``.gz``; errors while reading name the file.

    Raises
    ------
    ValueError
        While reading, where a gzip file is damaged.
    """
    packed = path.suffix.lower() == ".gz"
    try:
        with (gzip.open if packed else open)(path, "rb") as file:
            yield cast(IO[bytes], file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: damaged gzip file ({error})") from None
    except OSError as error:
        raise _naming(error, path) from None


def _naming(error: OSError, path: Path) -> OSError:
    """The error with its file; Python leaves the file out when it reads or writes."""
    if error.filename is not None or error.errno is None:
        return error
    return OSError(error.errno, error.strerror, str(path))


def text_blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """A text file in blocks of whole lines, each after the number of lines before it.

    Raises
    ------
    ValueError
        Naming file and line at a null byte or a line that is too long.
    """
    lines_before = 0
    with unpacked(path) as file:
        try:
            for block in blocks(file):
                yield lines_before, block
                lines_before += block.count(b"\n")
        except BlockError as error:
            raise InputError(f"{path}:{lines_before + error.line}: {error}") from None


def numbered_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Lines of a text file in UTF-8, each after its place: ``file:number``.

    Raises
    ------
    ValueError
        Where a line is not UTF-8.
    """
    for lines_before, block in text_blocks(path):
        for number, line in enumerate(io.BytesIO(block), lines_before + 1):
            where = f"{path}:{number}"
            try:
                yield where, line.removeprefix(codecs.BOM_UTF8 if number == 1 else b"").decode()
            except UnicodeDecodeError:
                raise InputError(f"{where}: not a text file in UTF-8") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: readers see all of it or nothing, even if writing fails.

    A link to a regular file stays a link: the file that it leads to is replaced.

    Raises
    ------
    ValueError
        When there is something at the path that must not be replaced: see `check_writable`.
    """
    check_writable(path)
    real = path.resolve()
    try:
        hidden = f".{real.name}."
        with tempfile.NamedTemporaryFile(dir=real.parent, prefix=hidden, delete=False) as new:
            try:
                new.write(content)
                new.flush()
                os.chmod(new.name, 0o666 & ~_umask())
                os.replace(new.name, real)
            except BaseException:
                os.unlink(new.name)
                raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def check_writable(path: Path) -> bool:
    """Whether writing to a path replaces a file; only regular files may be replaced.

    Raises
    ------
    ValueError
        When the path is a pipe or a device, leads to one, or is a file that is read-only.
    IsADirectoryError
        When it is a folder.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, not a file")
    if not path.exists():
        return False
    if not path.is_file():
        raise InputError(f"{path}: only a regular file can be replaced; this is a pipe or a device")
    if not path.stat().st_mode & WRITABLE or not os.access(path, os.W_OK):
        raise InputError(f"{path}: the file is read-only; it was not replaced")
    return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def csv_rows(path: Path, names: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Some columns of a CSV file, row by row, with the number of the line.

    Raises
    ------
    ValueError
        When the file is not CSV in UTF-8, or a column or the content of a cell is missing.
    """
    rows = csv.DictReader(_csv_lines(path))
    try:
        if not {*names} <= {*(rows.fieldnames or ())}:
            raise InputError(
                f"{path}:1: the header must name columns {' and '.join(names)}; "
                f"got {rows.fieldnames}"
            )
        for row in rows:
            cells = tuple(row[name] for name in names)
            if not all(cells):
                raise InputError(f"{path}:{rows.line_num}: {' and '.join(names)} must not be empty")
            yield rows.line_num, cells
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV file in UTF-8 ({error})") from None


def _csv_lines(path: Path) -> Iterator[str]:
    """Lines as the csv module wants them: in text, with their ends."""
    for lines_before, block in text_blocks(path):
        text = block if lines_before else block.removeprefix(codecs.BOM_UTF8)
        yield from io.StringIO(text.decode(), newline="")
