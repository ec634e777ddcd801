"""Blocks of rows become the table of a run or of qrels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.memory import require_memory
from ..exceptions import InputError
from .block import ABSENT, Block, as_list, block_of_records
from .columns import (
    DOC_NAMES,
    NAME,
    QUERY_NAMES,
    RANK,
    RESULTS,
    SCORE_NAMES,
    SYSTEM_NAMES,
    ColumnNames,
    by_system,
)
from .predictions import with_results
from .rank_column import HEAD_ROWS, contradiction
from .table import Table, joined, whole_grades

ROW_BYTES = (
    48  # a row of a file: two codes, its number and its line, and copies while they are made
)

NAME_BYTES = 100  # of an identifier, about


def gather(blocks: Iterable[Block], names: ColumnNames, what: str) -> Table:
    """A run or qrels, as `names` says: the accepted names of scores, or those of grades.

    InputError if a column is missing, a cell is wrong, a run has several systems, or the columns of
    a file would take more memory than `common.memory` allows; TypeError if an identifier in memory
    is no text.
    """
    parts: list[Table] = []
    beside = _Beside()
    needed = 0
    for block in map(_with_rows_of_results, blocks):
        if block.path is not None and not len(block):
            continue
        part = _part(block, names, what)
        if block.path is not None:
            named = len(part.query.names) + len(part.doc.names)
            needed += ROW_BYTES * len(part) + NAME_BYTES * named
            require_memory(block.path, needed)
        if names is SCORE_NAMES:
            beside.add(block)
        parts.append(part)
    path = parts[0].path if parts else None
    table = parts[0] if len(parts) == 1 else joined(parts, what, names is SCORE_NAMES, path)
    beside.refuse_several_systems(table)
    return replace(table, ranks=contradiction(table.head(beside.ranks)))


def _part(block: Block, names: ColumnNames, what: str) -> Table:
    query, doc = block.ids(QUERY_NAMES), block.ids(DOC_NAMES)
    value: NDArray[Any] = block.numbers(names)
    if names is SCORE_NAMES and block.path is None:
        return Table(query, doc, value, what)  # a run of one call is ranked without numbers
    if names is not SCORE_NAMES:
        value = whole_grades(value, block.where)
    line = None if block.path is None else np.array(block.line, np.int64)
    return Table(query, doc, value, what, block.path, line).numbered()


def _with_rows_of_results(block: Block) -> Block:
    """A block, of which rows with results become several: see `predictions.with_results`."""
    if RESULTS not in block.cells:
        return block
    rows: list[int] = []
    records: list[Any] = []
    listed = {head: as_list(cells) for head, cells in block.cells.items()}
    for row in range(len(block)):
        cells = {head: of_head[row] for head, of_head in listed.items()}
        present = {head: cell for head, cell in cells.items() if cell is not ABSENT}
        for record in with_results([present]):
            rows.append(row)
            records.append(record)
    line = [block.line[row] for row in rows if block.path is not None]
    return block_of_records(
        records, block.what, lambda row: block.where(rows[row]), block.number, block.path, line
    )


class _Beside:
    """What stands beside the scores of a run: names of systems, and ranks."""

    def __init__(self) -> None:
        self.systems: dict[str, set[str]] = {}  # by column
        self.names: list[str] = []  # of each row, which may be those of runs
        self.ranks: list[Any] = []  # of the first rows
        self._rows = 0

    def add(self, block: Block) -> None:
        """Keep those of some rows."""
        for column in SYSTEM_NAMES:
            if column in block.cells:
                self.systems.setdefault(column, set()).update(map(str, block.if_any((column,))))
        if NAME in block.cells:
            self.names.extend(map(str, block.if_any((NAME,))))
        if RANK in block.cells and len(self.ranks) == self._rows < HEAD_ROWS:
            cells = block.cells[RANK]
            self.ranks += as_list(getattr(cells, "array", cells)[: HEAD_ROWS - self._rows])
        self._rows += len(block)

    def refuse_several_systems(self, run: Table) -> None:
        """InputError if there are several systems in the run."""
        refuse_several_systems(self.systems, run.label)
        runs = len({*self.names})
        if runs > 1 and are_names_of_runs(run.query.all(), run.doc.all(), self.names):
            raise _several_systems(NAME, runs, run.label)


def refuse_several_systems(systems: Mapping[str, Collection[str]], what: str) -> None:
    """InputError if a column that names systems has more than one name."""
    for column, named in systems.items():
        count = len({*named})
        if count > 1:
            raise _several_systems(column, count, what)


def _several_systems(column: str, systems: int, what: str) -> InputError:
    return InputError(
        f"{what}: column {column!r} names {systems} systems in one table; {by_system(column)}"
    )


def are_names_of_runs(query: Sequence[str], doc: Sequence[str], names: Sequence[str]) -> bool:
    """Whether documents are returned again, and only under other names: those of several runs."""
    pairs = list(zip(query, doc, strict=False))
    named = {*zip(pairs, names, strict=False)}
    return len({*pairs}) < len(pairs) == len(named)
