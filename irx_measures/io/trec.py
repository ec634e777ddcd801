"""Readers of runs and qrels: TREC files (.gz too), ir_datasets ids, and data in memory."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from ..exceptions import InputError
from ..typing import QrelsLike, RunLike
from . import arrow
from .checked_columns import GRADE, NUMBER, TEXT, checked
from .columns import (
    BESIDE,
    DOC_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RESULTS,
    SCORE_NAMES,
    SWAPPED,
    ColumnNames,
    names_in,
)
from .containers import (
    AS_SETS,
    hold_several_runs,
    is_ranked,
    qrels_table,
    run_table,
    selection,
    table_in,
    table_of_columns,
)
from .formats import CSV, JSONL, MSMARCO, OF_ROWS, PARQUET, TREC, format_of, header_of, is_table
from .identifiers import Ids, Numbering, objects
from .irds import IRDS, records
from .lines import MSMARCO as MSMARCO_LAYOUT
from .lines import QRELS, RUN, Layout, read_lines, read_regular
from .predictions import with_results
from .rank_column import HEAD_BYTES, contradiction, head_rows
from .reading import glob_matches, mistakes_in, unpacked
from .row_blocks import Block, block_of_records, blocks, listed
from .rows import DELIMITERS, read_json
from .table import Table, run_label


def read_run(
    source: RunLike | Table,
    name: str | None = None,
    form: str | None = None,
    borrowed: bool = False,
    strict: bool = True,
) -> Table:
    """A run as a table, from any accepted form.

    The source is a path to a TREC run file (``query Q0 document rank score tag``, separated by
    spaces or tabs; ``.gz`` is decompressed; blank lines and comments with ``#`` are skipped),
    or to a ``.parquet``, ``.json``, ``.jsonl`` or ``.csv`` file, an ir_datasets id with scoreddocs
    (``irds:...``), or data in memory: see `containers`. Errors call the run by its name. If a file
    is malformed, an InputError names file and line.

    `form` is the format of a file; None if its extension names the format. ``msmarco`` has three
    columns: query, document, rank. `borrowed` says whether the caller's data does not change as
    long as the table is used. If `strict`, a comment that reads as a row is an InputError.
    """
    label = run_label(name)
    if isinstance(source, Table):
        return replace(source, label=label)
    if isinstance(source, str) and source.startswith(IRDS):
        return run_table(records(source, "scoreddocs"), label)
    if isinstance(source, (str, PathLike)):
        path = Path(source)
        return _of_file(path, form or format_of(path), SCORE_NAMES, label, strict)
    run = run_table(source, label)
    return run if borrowed else run.owned()


def read_qrels(source: QrelsLike | Table, strict: bool = True) -> Table:
    """Qrels as a table, from any accepted form; see `read_run`.

    A string is the path of a TREC qrels file (``query iteration document grade``) if that file
    exists, otherwise an ir_datasets id. The prefix ``irds:`` always means an ir_datasets id.
    """
    if isinstance(source, Table):
        return source
    kind = _kind_of_runs(source)
    if kind:
        raise InputError(f"qrels must be judgments; got {kind}: {SWAPPED}")
    if is_dataset(source):
        table = qrels_table(records(source, "qrels"))
        return replace(table, dataset=source.removeprefix(IRDS))
    if isinstance(source, (str, PathLike)):
        path = Path(source)
        return _of_file(path, format_of(path), GRADE_NAMES, "qrels", strict)
    return qrels_table(source).owned()


def _kind_of_runs(source: object) -> str:
    """What is known to be runs: several of them, rankings without grades; empty if it is not."""
    if hold_several_runs(source):
        return f"several runs ({type(source).__name__})"
    if is_ranked(source):
        return f"rankings (lists of documents; {AS_SETS})"
    if isinstance(source, (list, tuple)) and source and isinstance(source[0], (str, PathLike)):
        return "a list of files"
    if isinstance(source, str) and not Path(source).exists() and glob_matches(source):
        return "a glob of files"
    return ""


def _of_file(path: Path, form: str, value_names: ColumnNames, label: str, strict: bool) -> Table:
    """A run or qrels in a file, with its label."""
    table = replace(_read_file(path, form, value_names), label=label)
    if strict:
        table.refuse_comment()
    return table


def _read_file(path: Path, form: str, value_names: ColumnNames) -> Table:
    """A run or qrels in a file, by the accepted names of the column of scores or grades."""
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, not a file; name files, such as {path}/*")
    with mistakes_in(path):
        if form == TREC and is_table(path):
            form = CSV
        if form in (TREC, MSMARCO):
            return _of_lines(path, form, value_names)
        if form in OF_ROWS:
            table = _of_tabs(path, value_names) if form == CSV else None
            return table or _of_rows(path, form, value_names)
        if form == PARQUET:
            data = arrow.read_parquet(path, selection(value_names, f"{path}"))
        else:
            data = read_json(path)
        return replace(table_in(data, value_names, f"{path}"), path=path)


def _of_lines(path: Path, form: str, value_names: ColumnNames) -> Table:
    """Lines of TREC or MS MARCO."""
    ranks = ""
    layout = RUN if value_names is SCORE_NAMES else QRELS
    if form == MSMARCO:
        layout = MSMARCO_LAYOUT
    with unpacked(path) as file:
        table, is_pipe = None, not path.is_file()  # which has one reader, who cannot go back
        if layout is RUN and not is_pipe:
            ranks = contradiction(head_rows(file.read(HEAD_BYTES)))
            file.seek(0)
        if not is_pipe and arrow.pays_off(file):
            table = read_regular(path, file, layout)
            file.seek(0)
        table = table or read_lines(path, file, layout)
    if layout is MSMARCO_LAYOUT:
        return replace(table, value=-table.value.astype(np.float64))
    return replace(table, ranks=ranks)


def _of_tabs(path: Path, value_names: ColumnNames) -> Table | None:
    """A table of three columns that are read, separated by tabs; None if it is anything else.

    Qrels of BEIR are such tables, of up to a million rows.
    """
    if not path.is_file():  # a pipe has one reader, who cannot go back
        return None
    with unpacked(path) as file:
        heads = header_of(file)
        wanted = [names_in(names, heads) for names in (QUERY_NAMES, DOC_NAMES, value_names)]
        places = [heads.index(present[0]) for present in wanted if len(present) == 1]
        are_distinct = len({*heads}) == len(heads) and not {*"".join(heads)} & {*DELIMITERS}
        if len(places) < len(wanted) or not are_distinct or {*heads} & {*BESIDE}:
            return None
        if places[0] != 0 or not arrow.pays_off(file):
            return None
        of_grades = value_names is GRADE_NAMES
        layout = Layout(len(heads), places[1], places[2], "", of_grades)
        return read_regular(path, file, layout, headed=True)


def _of_rows(path: Path, form: str, value_names: ColumnNames) -> Table:
    """The rows of csv, tsv or JSON lines."""
    queries = Numbering()  # documents are not numbered: most are one row
    query, values = [np.zeros(0, np.int32)], [np.zeros(0)]
    doc: list[Any] = []
    line = [np.zeros(0, np.int64)]
    beside: dict[str, list[Any]] = {}
    count = 0
    of_value = NUMBER if value_names is SCORE_NAMES else GRADE
    wanted = {QUERY_NAMES: TEXT, DOC_NAMES: TEXT, value_names: of_value}
    found = blocks(path, tuple(wanted), form)
    if form == JSONL:
        found = map(_with_results, found)
    for block, (query_ids, doc_ids, numbers) in checked(found, lambda block: wanted):
        query.append(queries.codes(query_ids))
        doc.append(doc_ids)
        values.append(np.asarray(numbers, np.float64))
        line.append(block.lines())
        for name in BESIDE:
            if name in block.cells or name in beside:
                beside.setdefault(name, [None] * count).extend(block.beside(name))
        count += len(block.line)
    table = table_of_columns(
        queries.column(np.concatenate(query)),
        _joined_ids(doc),
        np.concatenate(values),
        value_names,
        str(path),
        beside,
    )
    return replace(table, path=path, line=np.concatenate(line))


def _joined_ids(parts: list[Any]) -> Ids:
    """The identifiers of some blocks below each other."""
    if parts and all(map(arrow.is_arrow, parts)):
        return Ids(arrow.below(parts))
    return Ids.of(np.concatenate([objects([]), *(objects(listed(part)) for part in parts)]))


def _with_results(block: Block) -> Block:
    """A block, of which rows with results become several: see `predictions.with_results`."""
    if RESULTS not in block.cells:
        return block
    found = [(row.line, cells) for row in block.rows() for cells in with_results([row.cells])]
    lines, records = [line for line, _ in found], [cells for _, cells in found]
    return block_of_records(block.path, lines, records)


def is_dataset(source: object) -> TypeGuard[str]:
    """Whether qrels are named by an ir_datasets id: by its prefix, or because there is no file.

    A folder may have the same name as an id.
    """
    if not isinstance(source, str):
        return False
    return source.startswith(IRDS) or not Path(source).exists() or Path(source).is_dir()
