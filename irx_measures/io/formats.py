"""The formats of run and qrels files, and how they are told apart."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..common.validators import choice
from ..exceptions import InputError
from .columns import QUERY_NAMES
from .files import unpacked

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

BEIR_HEADER = [b"query-id", b"corpus-id", b"score"]

LONGEST_HEADER = 1 << 16  # bytes that are looked at, a choice


def format_of(path: Path) -> str:
    """The format that a file's extension names; TREC if the extension is unknown."""
    return DATA_SUFFIXES.get(extension_of(path), TREC)


def extension_of(path: Path) -> str:
    """The extension of a file, in lower case; of a compressed one, that before ``.gz``."""
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return plain.suffix.lower()


def has_header(file: IO[bytes]) -> bool:
    """Whether the first line of a text file names the column of the queries."""
    first = file.readline(LONGEST_HEADER).removeprefix(codecs.BOM_UTF8)
    file.seek(0)
    heads = (head.strip(' \r\n"') for head in re.split("[,;\t]", first.decode(errors="replace")))
    return any(head in QUERY_NAMES for head in heads)


def is_table(path: Path) -> bool:
    """Whether a file has a header although its extension does not say whether it has one."""
    if extension_of(path) != TSV or not path.is_file():
        return False
    with unpacked(path) as file:
        return has_header(file)


def has_beir_header(file: IO[bytes]) -> bool:
    """Whether qrels begin with BEIR's header, which calls the grade ``score``."""
    header = file.readline(1000).removeprefix(codecs.BOM_UTF8).split() == BEIR_HEADER
    file.seek(0)
    return header


@contextmanager
def mistakes_in(path: Path) -> Iterator[None]:
    """Convert TypeError to InputError: a bad file is not a mistake in the caller's code."""
    try:
        yield
    except TypeError as error:
        raise InputError(str(error)) from None
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None
