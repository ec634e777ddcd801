"""Runs and qrels in files of every format; a file is opened once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from . import arrow
from .columns import DOC_NAMES, GRADE_NAMES, QUERY_NAMES, ColumnNames
from .containers import selection, table_in
from .core import Text
from .formats import CSV, MSMARCO, OF_ROWS, PARQUET, TREC, format_of, has_header
from .gather import gather
from .lines import MSMARCO as MSMARCO_LAYOUT
from .lines import QRELS, RUN, table_of_text
from .reading import decoded, mistakes_in, text_blocks, unpacked
from .rows import blocks, read_json
from .table import Table


def rows_of_file(path: Path, form: str | None, names: ColumnNames) -> Text | Table:
    """A run or qrels, as `names` says: the accepted names of scores, or those of grades.

    Lines of TREC and of MS MARCO stay text. `form` is the format; None if the extension names it.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, not a file; name files, such as {path}/*")
    form = form or format_of(path)
    with mistakes_in(path):
        if form in (TREC, MSMARCO):
            with unpacked(path) as file:
                return _of_lines(path, form, names, text_blocks(path, file))
        if form in OF_ROWS:
            return gather(blocks(path, (QUERY_NAMES, DOC_NAMES, names), form), names, f"{path}")
        if form == PARQUET:
            data = arrow.read_parquet(path, selection(names, f"{path}"))
        else:
            data = read_json(path)
        return replace(table_in(data, names, f"{path}"), path=path)


def _of_lines(path: Path, form: str, names: ColumnNames, parts: Iterator[bytes]) -> Text | Table:
    """Lines of TREC or MS MARCO, or a table with a header that the extension does not tell."""
    begin = next(parts, b"")
    if form == TREC and format_of(path) == TREC and has_header(begin):
        text = decoded(path, chain([begin], parts))
        return gather(blocks(path, (QUERY_NAMES, DOC_NAMES, names), CSV, text), names, f"{path}")
    layout = RUN
    if form == MSMARCO:
        layout = MSMARCO_LAYOUT
    elif names is GRADE_NAMES:
        layout = QRELS
    content = bytearray(begin)
    for part in parts:
        content += part
    return Text(content, layout.width)


def read_file(path: Path, form: str | None, names: ColumnNames) -> Table:
    """A run or qrels in a file; see `rows_of_file`."""
    rows = rows_of_file(path, form, names)
    return table_of_text(path, rows) if isinstance(rows, Text) else rows
