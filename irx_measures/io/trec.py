"""Readers of runs and qrels: TREC files (.gz too), ir_datasets ids, and data in memory."""

from __future__ import annotations

import glob
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..typing import QrelsLike, RunLike
from . import arrow
from .columns import SWAPPED
from .containers import hold_several_runs, qrels_table, run_table
from .document_rows import GRADES, SCORES, ValueColumn, document_rows, lines_of_row
from .files import unpacked
from .formats import (
    CSV,
    JSON,
    MSMARCO,
    OF_ROWS,
    PARQUET,
    TREC,
    format_of,
    has_beir_header,
    is_table,
    mistakes_in,
)
from .identifiers import Ids
from .irds import IRDS, records
from .json_text import read_json
from .lines import BEIR, QRELS, RUN, Layout, read_lines
from .lines import MSMARCO as MSMARCO_LAYOUT
from .origin import Origin, lines_of_text
from .parquet import ParquetTable
from .rank_column import contradiction, head_of
from .table import Table, run_label


def read_run(source: RunLike | Table, name: str | None = None, form: str | None = None) -> Table:
    """A run as a table, from any accepted form.

    Parameters
    ----------
    source
        A path to a TREC run file (``query Q0 document rank score tag``, separated by spaces or
        tabs; ``.gz`` is decompressed; blank lines and lines starting with ``#`` are skipped), or to
        a ``.parquet``, ``.json``, ``.jsonl`` or ``.csv`` file, an ir_datasets id with scoreddocs
        (``irds:...``), or data in memory: see `containers`.
    name
        The name in error messages.
    form
        The format of a file; None if its extension names the format. ``msmarco`` has three
        columns: query, document, rank.

    Raises
    ------
    ValueError
        When a file is malformed; the message names file and line.
    FileNotFoundError, OSError
        When a file cannot be read.
    """
    label = run_label(name)
    if isinstance(source, Table):
        return replace(source, label=label)
    if isinstance(source, str) and source.startswith(IRDS):
        return run_table(records(source, "scoreddocs"), label)
    if isinstance(source, (str, PathLike)):
        path = Path(source)
        return replace(_run_of_file(path, form or format_of(path)), label=label)
    return run_table(source, label)


def read_qrels(source: QrelsLike | Table) -> Table:
    """Qrels as a table, from any accepted form; see `read_run`.

    A string is the path of a TREC qrels file (``query iteration document grade``) if that file
    exists, otherwise an ir_datasets id. The prefix ``irds:`` always means an ir_datasets id.
    """
    if isinstance(source, Table):
        return source
    _refuse_runs(source)
    if is_dataset(source):
        table = qrels_table(records(source, "qrels"))
        return replace(table, dataset=source.removeprefix(IRDS))
    if isinstance(source, (str, PathLike)):
        return replace(_qrels_of_file(Path(source)), label="qrels")
    return qrels_table(source)


def _refuse_runs(source: object) -> None:
    """InputError if the caller passed several runs as qrels."""
    is_glob = (
        isinstance(source, str)
        and not _is_file(Path(source))  # whose name may have a bracket
        and glob.has_magic(source)
        and bool(glob.glob(source))
    )
    if is_glob or hold_several_runs(source):
        got = source if is_glob else type(source).__name__
        raise InputError(f"qrels must be judgments; got several runs ({got}): {SWAPPED}")


def _run_of_file(path: Path, form: str) -> Table:
    _refuse_no_file(path)
    if form == MSMARCO:
        query, doc, rank = _read_text(path, MSMARCO_LAYOUT)
        return Table(query, doc, -rank.astype(np.float64), origin=_origin(path, MSMARCO_LAYOUT))
    if form == TREC:
        if not path.is_file():  # a pipe has one reader, who cannot go back
            return Table(*_read_text(path, RUN))
        with unpacked(path) as file:
            if not is_table(path, file):
                ranks = contradiction(head_of(file))
                columns = _read_text(path, RUN, file)
                return Table(*columns, origin=_origin(path, RUN), ranks=ranks)
        form = CSV
    return _table_of_data(path, form, run_table, SCORES)


def _qrels_of_file(path: Path) -> Table:
    _refuse_no_file(path)
    form = format_of(path)
    if form == TREC:
        if not path.is_file():  # a pipe has one reader, who cannot go back
            return Table(*_read_text(path, QRELS))
        with unpacked(path) as file:
            if not is_table(path, file):
                layout = BEIR if has_beir_header(file) else QRELS
                return Table(*_read_text(path, layout, file), origin=_origin(path, layout))
        form = CSV
    return _table_of_data(path, form, qrels_table, GRADES)


def _table_of_data(
    path: Path, form: str, table_of: Callable[[Any, str], Table], value: ValueColumn
) -> Table:
    """A run or qrels in a file of another format than TREC."""
    with mistakes_in(path):
        if form == PARQUET:
            data: Any = ParquetTable(path)
        elif form == JSON:
            data = read_json(path)
        else:
            data = list(document_rows(path, form, value))
        lines = partial(lines_of_row, form=form) if form in OF_ROWS else None
        return replace(table_of(data, str(path)), origin=Origin.of(path, lines))


def _origin(path: Path, layout: Layout) -> Origin | None:
    return Origin.of(path, partial(lines_of_text, doc_place=layout.doc))


def _refuse_no_file(path: Path) -> None:
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, not a file; name files, such as {path}/*")


def is_dataset(source: object) -> TypeGuard[str]:
    """Whether qrels are named by an ir_datasets id: by its prefix, or because there is no file."""
    return isinstance(source, str) and (source.startswith(IRDS) or not _is_file(Path(source)))


def _is_file(path: Path) -> bool:
    """Whether there is a file or a pipe; a folder may have the same name as an ir_datasets id."""
    return path.exists() and not path.is_dir()


def _read_text(
    path: Path, layout: Layout, file: IO[bytes] | None = None
) -> tuple[Ids, Ids, NDArray[Any]]:
    """Columns of a text file; `file` is its decompressed content, where it is open already."""
    if file is None:
        with unpacked(path) as content:
            return _read_text(path, layout, content)
    try:
        can_be_read_twice = path.is_file()  # a pipe cannot
        if can_be_read_twice and not layout.header and arrow.pays_off(file):
            regular = arrow.read_columns(file, layout)
            if regular is not None:
                return regular
            file.seek(0)
        return read_lines(path, file, layout)
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None
