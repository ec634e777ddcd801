"""Readers of runs and qrels: files, ir_datasets ids, and data in memory."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TypeGuard

from ..typing import QrelsLike, RunLike
from .columns import GRADE_NAMES, SCORE_NAMES, ColumnNames
from .containers import qrels_table, refuse_swapped, run_table
from .files import read_file
from .irds import IRDS, records
from .table import Table, run_label


def read_run(
    source: RunLike | Table, name: str | None = None, form: str | None = None, strict: bool = True
) -> Table:
    """A run as a table, from any accepted form.

    The source is a path to a TREC run file (``query Q0 document rank score tag``, separated by
    spaces or tabs; ``.gz`` is decompressed; blank lines and comments with ``#`` are skipped),
    or to a ``.parquet``, ``.json``, ``.jsonl`` or ``.csv`` file, an ir_datasets id with scoreddocs
    (``irds:...``), or data in memory: see `containers`. Errors call the run by its name. If a file
    is malformed, an InputError names file and line.

    `form` is the format of a file; None if its extension names the format. ``msmarco`` has three
    columns: query, document, rank. If `strict`, a comment that reads as a row is an InputError.
    """
    label = run_label(name)
    if isinstance(source, Table):
        return replace(source, label=label)
    if isinstance(source, str) and source.startswith(IRDS):
        return run_table(records(source, "scoreddocs"), label)
    if isinstance(source, (str, PathLike)):
        return _of_file(Path(source), form, SCORE_NAMES, label, strict)
    return run_table(source, label)


def read_qrels(source: QrelsLike | Table, strict: bool = True) -> Table:
    """Qrels as a table, from any accepted form; see `read_run`.

    A string is the path of a TREC qrels file (``query iteration document grade``) if that file
    exists, otherwise an ir_datasets id. The prefix ``irds:`` always means an ir_datasets id.
    """
    if isinstance(source, Table):
        return source
    refuse_swapped(source, GRADE_NAMES, "qrels")
    if is_dataset(source):
        table = qrels_table(records(source, "qrels"))
        return replace(table, dataset=source.removeprefix(IRDS))
    if isinstance(source, (str, PathLike)):
        return _of_file(Path(source), None, GRADE_NAMES, "qrels", strict)
    return qrels_table(source)


def _of_file(path: Path, form: str | None, names: ColumnNames, label: str, strict: bool) -> Table:
    """A run or qrels in a file, with its label."""
    table = replace(read_file(path, form, names), label=label)
    if strict:
        table.refuse_comment()
    return table


def is_dataset(source: object) -> TypeGuard[str]:
    """Whether qrels are named by an ir_datasets id: by its prefix, or because there is no file.

    A folder may have the same name as an id.
    """
    if not isinstance(source, str):
        return False
    return source.startswith(IRDS) or not Path(source).exists() or Path(source).is_dir()
