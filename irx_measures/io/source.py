"""A run that is in memory, or that is read when it is needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from ..exceptions import InputError
from .containers import run_table
from .files import TREC, FileState, format_of, is_table, text_blocks, unpacked
from .predictions import is_of_mteb
from .rank_column import contradiction, head_rows
from .table import SAMPLE, Head, Table, joined, run_label
from .trec import read_run

Unread: TypeAlias = dict[str, Any] | Table | bytes
"""What the native core may rank: a dict of dicts, a table as it came, the text of a TREC file."""


@dataclass(frozen=True)
class Source:
    """A run that is in memory, or that is read when it is needed."""

    label: str  # what errors call the run
    read: Callable[[], Table]  # raises the errors of its reader
    state: str = ""  # of files: what a digest covers, such as their times; in memory: empty
    memory: dict[str, Any] | Table | None = None  # a run in memory, if it may be ranked as it is
    # Gives the text of a TREC file that may be ranked as it is; None if it declines.
    text: Callable[[], bytes | None] | None = None
    may_be_empty: bool = False  # whether it may have no rows, since it is a part of a run

    @classmethod
    def of_table(cls, table: Table) -> Source:
        """A run that was read."""
        return cls(table.label, partial(_same, table), memory=table)

    def unread(self) -> Unread | None:
        """What the native core may rank; None if the run must be read."""
        return self.memory if self.text is None else self.text()

    def has_rows_of(self, other: Source) -> bool:
        """Whether two runs in memory are equal as they came; False if they need reading for it."""
        one, two = self.memory, other.memory
        if isinstance(one, Table) and isinstance(two, Table):
            return one.equals(two)
        try:
            return isinstance(one, dict) and one == two
        except (TypeError, ValueError):  # a score is no number, which the reader refuses
            return False


def _same(table: Table) -> Table:
    return table


def head_of(unread: Unread) -> Head:
    """The beginning of a run that was not read."""
    if isinstance(unread, Table):
        return unread.head
    if isinstance(unread, dict):
        pairs = ((query, doc) for query, documents in unread.items() for doc in documents)
        return Head(list(islice(pairs, SAMPLE)))
    rows = head_rows(unread)
    return Head([(row.query, row.doc) for row in rows], contradiction(rows))


def source_of_data(run: Any, name: str | None, borrowed: bool = False) -> Source:
    """A run in memory; one that is borrowed is not copied, for a source of one call only."""
    of_dicts = type(run) is dict and all(type(inner) is dict for inner in run.values())
    if of_dicts and not is_of_mteb(run):
        held = run if borrowed else {query: dict(documents) for query, documents in run.items()}
        label = run_label(name)
        return Source(label, partial(run_table, held, label), memory=held)
    return Source.of_table(read_run(run, name, borrowed=borrowed))


def source_of_file(path: str | os.PathLike[str], name: str, form: str | None = None) -> Source:
    """A run file, which must exist, read each time it is needed; it must not change meanwhile."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: no such file")
    state = FileState.of(path)
    is_trec = (form or format_of(Path(path))) == TREC and not is_table(Path(path))
    return Source(
        f"{run_label(name)} ({path})",
        partial(_read_file, path, name, form, state),
        repr((os.path.abspath(path), state, *([form] if form else []))),
        text=partial(_text_of, Path(path), state) if is_trec else None,
    )


def _read_file(
    path: str | os.PathLike[str], name: str, form: str | None, state: FileState
) -> Table:
    run = read_run(path, name, form, strict=False)  # the RunSet says whether it is strict
    if FileState.of(path) != state:
        raise InputError(f"{path}: the file has changed since the RunSet was created")
    return run


def _text_of(path: Path, state: FileState) -> bytes | None:
    """The content of a file, decompressed; None if the file has changed."""
    try:
        with unpacked(path) as file:
            text = b"".join(block for _, block in text_blocks(path, file))
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None
    return text if FileState.of(path) == state else None


def source_of_files(label: str, files: Mapping[str, Source]) -> Source:
    """A run in several files, by path, each of which has other queries."""
    state = repr([file.state for file in files.values()])
    return Source(label, partial(_read_files, label, files), state)


def _read_files(label: str, files: Mapping[str, Source]) -> Table:
    file_of: dict[str, str] = {}
    parts = []
    for path, file in files.items():
        parts.append(file.read())
        for query in parts[-1].query_ids:
            if query in file_of:
                raise InputError(
                    f"{label}: query {query!r} is in {file_of[query]} and in {path}; the files of "
                    "one run must have different queries (files without a name are runs of their "
                    "own: a glob, or a list)"
                )
            file_of[query] = path
    return joined(parts)
