"""Files: what they are by name and beginning, how they are opened and noted, atomic writes."""

from __future__ import annotations

import codecs
import glob
import gzip
import io
import os
import re
import shutil
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, NamedTuple, cast

from ..common.memory import require_unpacked
from ..common.validators import choice
from ..exceptions import InputError
from .columns import DOC_NAMES, GRADE_NAMES, QUERY_NAMES, SCORE_NAMES, names_in

BLOCK_BYTES = 1 << 22  # a choice: the lists made of a block are some times larger

# Bytes, a choice: far above the lines of runs and qrels, and of LETOR files with all features.
LONGEST_LINE = 1 << 20

NOT_TEXT = "not a text file in UTF-8 (a compressed file must be gzip, and its name end in .gz)"

TREC, MSMARCO, PARQUET, JSON, JSONL, CSV = "trec", "msmarco", "parquet", "json", "jsonl", "csv"

FORMAT_NAMES = (TREC, MSMARCO, PARQUET, JSON, JSONL, CSV)

FORMAT = choice(*FORMAT_NAMES)

DATA_SUFFIXES = {
    ".parquet": PARQUET,
    ".json": JSON,
    ".jsonl": JSONL,
    ".ndjson": JSONL,
    ".csv": CSV,
}

TSV = ".tsv"  # a table if it has a header, else lines of TREC or MS MARCO

TABLES = (".csv", TSV, ".jsonl", ".ndjson")
"""The endings of tables that people write."""

OF_ROWS = (JSONL, CSV)  # formats with a row per line

LONGEST_HEADER = 1 << 16  # bytes that are looked at, a choice

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


class FileState(NamedTuple):
    """Properties of a file that change when the file is modified or replaced."""

    modified: int
    changed: int
    size: int
    inode: int

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> FileState:
        status = os.stat(path)
        return cls(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def glob_matches(pattern: str) -> list[str]:
    """The files and folders that a glob matches, sorted; a folder that exists is no glob.

    So ``runs [a]/*.run`` names the runs in the folder ``runs [a]``.
    """
    folder = os.path.dirname(pattern)
    while folder and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return sorted(glob.glob(f"{glob.escape(folder)}{pattern[len(folder) :]}"))


Opened = dict[str, "FileState | None"]
"""By path or ir_datasets id, in the order of the first reading; None for ids and for pipes."""

_opened: ContextVar[Opened | None] = ContextVar("_opened", default=None)


@contextmanager
def noting_opened() -> Iterator[Opened]:
    """What is read in the context: a dict that fills up."""
    opened: Opened = {}
    before = _opened.set(opened)
    try:
        yield opened
    finally:
        _opened.reset(before)


def note_file(path: str | os.PathLike[str]) -> None:
    """Note a file that is about to be opened."""
    opened = _opened.get()
    if opened is not None and os.fspath(path) not in opened:
        opened[os.fspath(path)] = FileState.of(path) if os.path.isfile(path) else None


def note_dataset(name: str) -> None:
    """Note an ir_datasets id that is about to be read."""
    opened = _opened.get()
    if opened is not None:
        opened.setdefault(name, None)


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading and decompress ``.gz``; read errors name the file.

    Reading is an InputError if a gzip file is damaged, or unpacks to more than `common.memory`
    allows.
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


def text_blocks(path: Path, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole lines of a text file, each with the number of lines before the block.

    A mark of the byte order is left out. Each block is checked before the next one is read. The
    file is decompressed, and at its beginning; errors call it by its path.

    InputError, which names file and line, at a null byte, or at a line longer than `LONGEST_LINE`
    bytes. This stops endless devices, and small files that decompress to huge ones.
    """
    lines_before, before = 0, b""
    while block := file.read(BLOCK_BYTES):
        lines_before += before.count(b"\n")
        if block[-1:] != b"\n":
            block += file.readline(LONGEST_LINE + 1)
        for place, what in (
            (block.find(b"\0"), f"a null byte; {NOT_TEXT}"),
            (longer_line(block, LONGEST_LINE), f"a line must have at most {LONGEST_LINE} bytes"),
        ):
            if place >= 0:
                line = lines_before + block.count(b"\n", 0, place) + 1
                raise InputError(f"{path}:{line}: {what}")
        yield lines_before, block if lines_before else without_mark(block)
        before = block


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


def text_lines(path: Path) -> Iterator[str]:
    """Lines, with their ends, of a text file; errors as `text_blocks`, and if it is not UTF-8."""
    with unpacked(path) as file:
        for lines_before, block in text_blocks(path, file):
            try:
                text = block.decode()
            except UnicodeDecodeError as error:
                line = lines_before + block.count(b"\n", 0, error.start) + 1
                raise InputError(f"{path}:{line}: {NOT_TEXT}") from None
            yield from io.StringIO(text, newline="\n")


def format_of(path: Path) -> str:
    """The format that a file's extension names; TREC if the extension is unknown."""
    return DATA_SUFFIXES.get(extension_of(path), TREC)


def extension_of(path: Path) -> str:
    """The extension of a file, in lower case; of a compressed one, that before ``.gz``."""
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return plain.suffix.lower()


def has_header(file: IO[bytes]) -> bool:
    """Whether the first line of a text file names the column of the queries, and one more."""
    heads = [head.strip(' "') for cell in header_of(file) for head in re.split("[,;]", cell)]
    others = (DOC_NAMES, SCORE_NAMES, GRADE_NAMES)
    return bool(names_in(QUERY_NAMES, heads)) and any(names_in(names, heads) for names in others)


def header_of(file: IO[bytes]) -> list[str]:
    """The cells of the first line of a text file, separated by tabs."""
    first = without_mark(file.readline(LONGEST_HEADER))
    file.seek(0)
    return first.decode(errors="replace").rstrip("\r\n").split("\t")


def is_table(path: Path) -> bool:
    """Whether a file has a header although its extension does not say whether it has one."""
    if format_of(path) != TREC or not path.is_file():
        return False
    with unpacked(path) as file:
        return has_header(file)


@contextmanager
def mistakes_in(path: Path) -> Iterator[None]:
    """Convert TypeError to InputError: a bad file is not a mistake in the caller's code."""
    try:
        yield
    except TypeError as error:
        raise InputError(str(error)) from None
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None


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
