"""A run that is in memory, or that is read when it is needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ..exceptions import InputError
from .containers import run_table
from .files import unpacked
from .formats import TREC, format_of, is_table
from .lines import text_blocks
from .opened import FileState
from .rank_column import head_of, ranks_of
from .table import Table, joined, run_label
from .trec import read_run

# Rows at the beginning of a run, a choice: of ids of which one of 50 is spelled otherwise, one is
# among them in 99 of 100 runs. Of a file, there are up to 50.
SAMPLE = 250

NUMBERS = {int, float}


class Head(NamedTuple):
    """The beginning of a run.

    Attributes
    ----------
    rows
        Query and document of some rows.
    ranks
        How the rank column contradicts the scores; empty if it does not.
    """

    rows: list[tuple[str, str]]
    ranks: str = ""


Unread: TypeAlias = Callable[[], bytes | None] | dict[str, Any] | Table
"""A dict of dicts, a table as it came, or what gives the text of a TREC file if there is one."""


@dataclass(frozen=True)
class Source:
    """A run that is in memory, or that is read when it is needed.

    Attributes
    ----------
    label
        What errors call the run.
    read
        Reads the run; raises the errors of its reader.
    head
        Reads its beginning.
    state
        What a digest of the run covers if it is not in memory, such as the times of files; empty
        if it is, since the digest then covers the content.
    unread
        What the native core may rank without reading: see `Unread`.
    queries
        Reads the queries; None: by reading the run.
    may_be_empty
        Whether the run may have no rows, since it is a part of a run.
    """

    label: str
    read: Callable[[], Table]
    head: Callable[[], Head]
    state: str = ""
    unread: Unread | None = None
    queries: Callable[[], tuple[str, ...]] | None = None
    may_be_empty: bool = False

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries of the run, in order of first appearance."""
        return self.read().query_ids if self.queries is None else self.queries()

    @classmethod
    def of_table(cls, table: Table) -> Source:
        """A run that was read."""
        return cls(table.label, partial(_same, table), partial(_head_of, table), unread=table)

    def has_rows_of(self, other: Source) -> bool:
        """Whether two runs in memory are equal as they came; False if they need reading for it."""
        one, two = self.unread, other.unread
        if isinstance(one, Table) and isinstance(two, Table):
            return one.equals(two)
        try:
            return isinstance(one, dict) and one == two
        except (TypeError, ValueError):  # a score is no number, which the reader refuses
            return False

    def checked(self, check: Callable[[Table], Table], unread: bool = True) -> Source:
        """The same run, with a check of what is read; the core may only rank it if `unread`."""
        read = self.read
        return replace(self, read=lambda: check(read()), unread=self.unread if unread else None)


def _same(table: Table) -> Table:
    return table


def _head_of(table: Table) -> Head:
    return Head(table.first_rows(SAMPLE), table.ranks)


def source_of_data(run: Any, name: str | None, borrowed: bool = False) -> Source:
    """A run in memory.

    Parameters
    ----------
    run, name
        The run, and its name in errors.
    borrowed
        Whether the source is valid for one call only: a dict of dicts is then not copied.
    """
    if type(run) is dict and all(type(inner) is dict for inner in run.values()):
        kept = run if borrowed else _copy_of_plain(run)
        if kept is not None:
            read, head = partial(run_table, kept, run_label(name)), partial(_head_of_dict, kept)
            queries = partial(_queries_of_dict, kept)
            return Source(run_label(name), read, head, unread=kept, queries=queries)
    return Source.of_table(read_run(run, name, borrowed=borrowed))


def _copy_of_plain(nested: dict[Any, dict[Any, Any]]) -> dict[str, dict[str, Any]] | None:
    """A copy, if identifiers are strings and scores numbers, so that nothing is left to refuse."""
    copy = {}
    try:
        "".join(nested)  # the fastest check that all are strings
        for query, documents in nested.items():  # one at a time, which stays in the CPU cache
            "".join(documents)
            if not set(map(type, documents.values())) <= NUMBERS:
                return None
            copy[query] = dict(documents)
    except TypeError:
        return None
    return copy


def _queries_of_dict(nested: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(query for query, documents in nested.items() if documents)


def _head_of_dict(nested: Mapping[str, Mapping[str, Any]]) -> Head:
    rows = ((query, doc) for query, documents in nested.items() for doc in documents)
    return Head(list(islice(rows, SAMPLE)))


class _RunFile:
    """A run file; what its beginning says is kept from when it was opened first."""

    def __init__(self, path: str | os.PathLike[str], name: str, form: str | None) -> None:
        self._path, self._name, self._form = path, name, form
        self.state = FileState.of(path)
        self._head: Head | None = None

    def read(self) -> Table:
        run = read_run(self._path, self._name, self._form)
        if FileState.of(self._path) != self.state:
            raise InputError(f"{self._path}: the file has changed since the RunSet was created")
        self._head = _head_of(run)
        return run

    def text(self) -> bytes | None:
        """The content of a TREC file, decompressed; None if it is a table, or has changed."""
        path = Path(self._path)
        if is_table(path):
            return None
        try:
            with unpacked(path) as file:
                text = b"".join(block for _, block in text_blocks(path, file))
        except MemoryError:
            raise MemoryError(f"{path} is too large") from None
        if FileState.of(path) != self.state:
            return None
        rows = head_of(BytesIO(text))
        self._head = Head([(row.query, row.doc) for row in rows], ranks_of(rows))
        return text

    def head(self) -> Head:
        return self._head or _head_of(self.read())


def source_of_file(path: str | os.PathLike[str], name: str, form: str | None = None) -> Source:
    """A run file, read each time it is needed; it must not change meanwhile.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    """
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: no such file")
    file = _RunFile(path, name, form)
    is_trec = (form or format_of(Path(path))) == TREC
    return Source(
        f"{run_label(name)} ({path})",
        file.read,
        file.head,
        repr((os.path.abspath(path), file.state, *([form] if form else []))),
        file.text if is_trec else None,
    )


@dataclass(frozen=True)
class _RunFiles:
    """A run in several files by their paths; see `source_of_files`."""

    label: str
    files: Mapping[str, Source]

    def read(self) -> Table:
        file_of: dict[str, str] = {}
        parts = []
        for path, file in self.files.items():
            parts.append(file.read())
            for query in parts[-1].query_ids:
                if query in file_of:
                    raise InputError(
                        f"{self.label}: query {query!r} is in {file_of[query]} and in {path}; the "
                        "files of one run must have different queries (files without a name are "
                        "runs of their own: a glob, or a list)"
                    )
                file_of[query] = path
        return joined(parts)

    def head(self) -> Head:
        heads = [file.head() for file in self.files.values()]
        return Head(heads[0].rows, next((head.ranks for head in heads if head.ranks), ""))


def source_of_files(label: str, files: Mapping[str, Source]) -> Source:
    """A run in several files, each of which has other queries.

    Parameters
    ----------
    label
        What errors call the run.
    files
        The files by path, in the order in which they are read.
    """
    several = _RunFiles(label, files)
    state = repr([file.state for file in files.values()])
    return Source(label, several.read, several.head, state)


def source_of_dataset(dataset: str, name: str) -> Source:
    """The scoreddocs of an ir_datasets id."""
    read = partial(read_run, dataset, name)
    return Source(f"{run_label(name)} ({dataset})", read, partial(_head_read_by, read), dataset)


def _head_read_by(read: Callable[[], Table]) -> Head:
    return _head_of(read())
