"""Files that are written: as a whole or not at all, and never over a file of another kind."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..exceptions import InputError

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


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: readers see the whole file or no change, even if the write fails.

    A link to a regular file stays a link: the target of the link is replaced. InputError if the
    path must not be replaced: see `check_writable`.
    """
    check_writable(path, _kind_of(content))
    with _renamed_to(path.resolve()) as new:
        new.write_bytes(content)


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Write a folder that does not exist yet: it appears as a whole, or not at all.

    `fill` writes the files into an empty folder beside it, which is then renamed.
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
    if path.suffix == ".gz":
        content = gzip.compress(content, 6, mtime=0)
    write_whole(path, content)


def check_writable(path: Path, kind: str = "") -> bool:
    """Whether writing to a path replaces a file.

    Only regular files may be replaced, and a file of a kind in `BEGINNINGS` only an empty file or
    one of its kind: nobody loses a run because a page was to have its name.

    InputError if the path is no regular file, or a read-only one, or a file of another kind.
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
