"""Files: reading with errors that name the line, and writing all or nothing."""

from __future__ import annotations

import codecs
import csv
import gzip
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from ..exceptions import InputError


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, unpacking ``.gz``.

    Raises
    ------
    ValueError
        While reading, where a gzip file is damaged.
    """
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            yield cast(IO[bytes], file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: damaged gzip file ({error})") from None


def numbered_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Lines of a text file in UTF-8, each after its place: ``file:number``.

    Raises
    ------
    ValueError
        Where a line is not UTF-8.
    """
    with unpacked(path) as file:
        for number, line in enumerate(file, 1):
            where = f"{path}:{number}"
            try:
                yield where, line.removeprefix(codecs.BOM_UTF8 if number == 1 else b"").decode()
            except UnicodeDecodeError:
                raise InputError(f"{where}: not a text file in UTF-8") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: readers see all of it or nothing, even if writing fails."""
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, not a file")
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as new:
        try:
            new.write(content)
            new.flush()
            os.chmod(new.name, 0o666 & ~_umask())
            os.replace(new.name, path)
        except BaseException:
            os.unlink(new.name)
            raise


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
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if not {*names} <= {*(rows.fieldnames or ())}:
                raise InputError(
                    f"{path}:1: the header must name columns {' and '.join(names)}; "
                    f"got {rows.fieldnames}"
                )
            for row in rows:
                cells = tuple(row[name] for name in names)
                if not all(cells):
                    raise InputError(
                        f"{path}:{rows.line_num}: {' and '.join(names)} must not be empty"
                    )
                yield rows.line_num, cells
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV file in UTF-8 ({error})") from None
