"""The formats of run and qrels files, and the readers of all formats except TREC."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ..common.validators import choice
from ..common.writing import cell
from ..exceptions import InputError
from .columns import DOC_NAMES, GRADE_NAMES, QUERY_NAMES, SCORE_NAMES
from .csv_tables import rows_of_csv
from .files import numbered_lines, unpacked
from .line_blocks import BLOCK_BYTES
from .parquet import ParquetTable

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

OF_ROWS = (JSONL, CSV)  # formats with a row per line

LARGEST_JSON = 1 << 30  # bytes: a JSON file is parsed whole, into objects that are larger still

BEIR_HEADER = [b"query-id", b"corpus-id", b"score"]


def format_of(path: Path) -> str:
    """The format that a file's extension names; TREC if the extension is unknown."""
    return DATA_SUFFIXES.get(extension_of(path), TREC)


def extension_of(path: Path) -> str:
    """The extension of a file, in lower case; of a compressed one, that before ``.gz``."""
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return plain.suffix.lower()


def read_data(path: Path, form: str, value_names: tuple[str, ...]) -> Any:
    """A Parquet, JSON, JSON lines or CSV file as a table, a dict or rows.

    Parameters
    ----------
    path, form
        The file, and its format.
    value_names
        The accepted names of the column of scores or grades.
    """
    if form == PARQUET:
        return ParquetTable(path)
    if form == JSON:
        return _read_json(path)
    return [row for _, row in numbered_rows(path, form, value_names)]


def numbered_rows(
    path: Path, form: str, value_names: tuple[str, ...]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file of rows, JSON lines or CSV, each with its line number."""
    return _json_rows(path) if form == JSONL else rows_of_csv(path, value_names)


def lines_of_row(path: Path, query_id: str, doc_id: str, form: str) -> Iterator[int]:
    """The lines of a file of rows that contain a query and a document."""
    for number, row in numbered_rows(path, form, SCORE_NAMES + GRADE_NAMES):
        if query_id in map(row.get, QUERY_NAMES) and doc_id in map(row.get, DOC_NAMES):
            yield number


@contextmanager
def mistakes_in(path: Path) -> Iterator[None]:
    """Convert TypeError to InputError: a bad file is not a mistake in the caller's code."""
    try:
        yield
    except TypeError as error:
        raise InputError(str(error)) from None
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None


def has_beir_header(file: IO[bytes]) -> bool:
    """Whether qrels begin with BEIR's header, which calls the grade ``score``."""
    header = file.readline(1000).removeprefix(codecs.BOM_UTF8).split() == BEIR_HEADER
    file.seek(0)
    return header


def _read_json(path: Path) -> Any:
    parts = []
    with unpacked(path) as file:
        while part := file.read(BLOCK_BYTES):
            if b"\0" in part:
                raise InputError(f"{path}: a null byte; not JSON")
            parts.append(part)
            if len(parts) * BLOCK_BYTES > LARGEST_JSON:
                raise InputError(
                    f"{path}: a JSON file must have at most {LARGEST_JSON} bytes, unpacked; "
                    "JSON lines and Parquet may have more"
                )
    return parse_json(str(path), b"".join(parts).removeprefix(codecs.BOM_UTF8))


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, (where, line) in enumerate(numbered_lines(path), 1):
        if line.strip():
            row = parse_json(where, line)
            if not isinstance(row, dict):
                raise InputError(f"{where}: a line must be a JSON object; got {cell(line).strip()}")
            yield number, row


def parse_json(where: str, text: str | bytes) -> Any:
    """The value of a JSON text; an InputError names the place of the text."""
    try:
        return json.loads(text, object_pairs_hook=_distinct)
    except _DuplicateKeyError as error:
        raise InputError(f"{where}: an object has the key {error.args[0]!r} twice") from None
    except RecursionError:
        raise InputError(f"{where}: not JSON (nested too deeply)") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON ({error})") from None


class _DuplicateKeyError(ValueError):
    """A JSON object has a duplicate key; Python would keep only the last value."""


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _DuplicateKeyError(name)
            seen.add(name)
    return named
