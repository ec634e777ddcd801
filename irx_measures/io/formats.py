"""Formats of runs and qrels: what a file's name and its first line say."""

from __future__ import annotations

import re
from pathlib import Path

from ..common.validators import choice
from .columns import DOC_NAMES, GRADE_NAMES, QUERY_NAMES, SCORE_NAMES, names_in
from .reading import unpacked, without_mark

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


def format_of(path: Path) -> str:
    """The format that a file's extension names; TREC if the extension is unknown."""
    return DATA_SUFFIXES.get(extension_of(path), TREC)


def extension_of(path: Path) -> str:
    """The extension of a file, in lower case; of a compressed one, that before ``.gz``."""
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return plain.suffix.lower()


def is_table(path: Path) -> bool:
    """Whether a file has a header although its extension does not say whether it has one."""
    if format_of(path) != TREC or not path.is_file():
        return False
    with unpacked(path) as file:
        return has_header(file.readline(LONGEST_HEADER))


def has_header(text: bytes) -> bool:
    """Whether the first line of a text names the column of the queries, and one more."""
    first = without_mark(text[:LONGEST_HEADER]).partition(b"\n")[0].decode(errors="replace")
    heads = [head.strip(' "\r') for head in re.split("[\t,;]", first)]
    others = (DOC_NAMES, SCORE_NAMES, GRADE_NAMES)
    return bool(names_in(QUERY_NAMES, heads)) and any(names_in(names, heads) for names in others)
