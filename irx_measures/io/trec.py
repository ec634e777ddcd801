"""Readers of runs and qrels: TREC files (.gz too), ir_datasets ids, and data in memory."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..typing import QrelsLike, RunLike
from . import arrow
from .columns import BESIDE, DOC_NAMES, GRADE_NAMES, QUERY_NAMES, SCORE_NAMES, SWAPPED
from .containers import hold_several_runs, qrels_table, run_table
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
from .origin import Origin
from .parquet import ParquetTable
from .rank_column import contradiction, head_of
from .rows import Names, Row, rows
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
        return replace(_of_file(path, form or format_of(path), _RUN), label=label)
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
        path = Path(source)
        return replace(_of_file(path, format_of(path), _QRELS), label="qrels")
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


class _Kind(NamedTuple):
    """What a file is read as: a run, or qrels.

    Attributes
    ----------
    layout
        The columns of its lines in TREC's format.
    table_of
        Makes the table of data of other formats, given a label.
    value_names
        The accepted names of the column of scores or grades.
    value_of
        Checks and converts a cell of this column.
    """

    layout: Layout
    table_of: Callable[[Any, str], Table]
    value_names: Names
    value_of: Callable[[Row, Names], float]


_RUN = _Kind(RUN, run_table, SCORE_NAMES, Row.number)

_QRELS = _Kind(QRELS, qrels_table, GRADE_NAMES, Row.grade)


def _of_file(path: Path, form: str, kind: _Kind) -> Table:
    """A run or qrels in a file."""
    _refuse_no_file(path)
    with mistakes_in(path):
        if form not in (TREC, MSMARCO):
            return _of_data(path, form, kind)
        layout = MSMARCO_LAYOUT if form == MSMARCO else kind.layout
        with unpacked(path) as file:
            if not path.is_file():  # a pipe has one reader, who cannot go back
                query, doc, value = read_lines(path, file, layout)
                ranks, origin = "", None
            elif form == TREC and is_table(path, file):
                return _of_data(path, CSV, kind)
            else:
                layout = BEIR if kind is _QRELS and has_beir_header(file) else layout
                head = head_of(file) if layout is RUN else []
                ranks = contradiction((query, rank, score) for query, _, rank, score in head)
                query, doc, value = _columns(path, file, layout)
                origin = Origin(path, layout.doc)
        value = -value.astype(np.float64) if form == MSMARCO else value
        return Table(query, doc, value, origin=origin, ranks=ranks)


def _columns(path: Path, file: IO[bytes], layout: Layout) -> tuple[Ids, Ids, NDArray[Any]]:
    """Query, document and number of each line of a file, which is open at its beginning."""
    if not layout.header and arrow.pays_off(file):
        regular = arrow.read_columns(path, file, layout)
        if regular is not None:
            return regular
        file.seek(0)
    return read_lines(path, file, layout)


def _of_data(path: Path, form: str, kind: _Kind) -> Table:
    """A run or qrels in a file of another format than lines of TREC or MS MARCO."""
    if form == PARQUET:
        data: Any = ParquetTable(path)
    elif form == JSON:
        data = read_json(path)
    else:
        data = list(_document_rows(path, form, kind))
    origin = Origin(path, form=form if form in OF_ROWS else "") if path.is_file() else None
    return replace(kind.table_of(data, str(path)), origin=origin)


def _document_rows(path: Path, form: str, kind: _Kind) -> Iterator[dict[str, Any]]:
    """The rows of csv, tsv or JSON lines as dicts for `containers`; see `rows.rows`."""
    for row in rows(path, (QUERY_NAMES, DOC_NAMES, kind.value_names), form):
        yield {
            QUERY_NAMES[0]: row.text(QUERY_NAMES),
            DOC_NAMES[0]: row.text(DOC_NAMES),
            kind.value_names[0]: kind.value_of(row, kind.value_names),
            **{name: row.cells[name] for name in BESIDE if name in row.cells},
        }


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
