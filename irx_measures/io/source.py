"""A run that is in memory, or that is read when it is needed."""

from __future__ import annotations

import os
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from ..exceptions import InputError
from .columns import SCORE_NAMES
from .containers import is_ranked, run_table
from .core import Text
from .files import rows_of_file
from .lines import table_of_text
from .opened import FileState
from .predictions import is_of_mteb
from .rank_column import HeadRow, contradiction
from .table import IDENTICAL_ASIDE, SAMPLE, Table, joined, run_label, tell_empty
from .trec import read_run

DICTS = (dict, defaultdict, Counter, OrderedDict)
"""Dicts that hold what they seem to hold; a class of the user may not."""

Rows: TypeAlias = dict[str, Any] | Table | Text
"""The rows of a run as they came: a dict of dicts, or of lists of documents; columns; lines."""


@dataclass(frozen=True)
class Source:
    """A run that is in memory, or that is read when it is needed."""

    run: str  # what errors call the run, as `Table.label`
    rows: Callable[[], Rows]  # as they came; raises the errors of its reader
    place: str = ""  # the file, the files or the id that it comes from; empty in memory
    state: str = ""  # of files: what a digest covers, such as their times; in memory: empty
    # Whether invalid rows are errors, or left out with a warning; None: they are not looked at.
    strict: bool | None = None
    may_be_empty: bool = False  # whether it may have no rows, since it is a part of a run
    # Whether documents with the id of their query are left out: of what is read, not of the rows.
    without_identical: bool = False

    @classmethod
    def of_table(cls, table: Table) -> Source:
        """A run that was read."""
        return cls(table.label, partial(_same, table))

    @property
    def label(self) -> str:
        """What errors call the run, with its place."""
        return f"{self.run} ({self.place})" if self.place else self.run

    def without_identical_ids(self) -> Source:
        """The same run without the documents whose id is that of their query."""
        if self.without_identical:
            return self
        state = f"{self.state} without identical ids" if self.state else ""
        return replace(self, state=state, without_identical=True)

    def read(self) -> Table:
        """All rows."""
        return self.table(self.rows())

    def table(self, rows: Rows) -> Table:
        """The rows as a table, checked as `strict` says."""
        if isinstance(rows, Text):
            table = replace(table_of_text(Path(self.place), rows), label=self.run)
        elif isinstance(rows, dict):
            table = run_table(rows, self.run)
        else:
            table = rows
        if self.without_identical:
            table = table.without_identical_ids()
        if self.strict is None:
            return table
        if self.strict:
            table.refuse_comment()
        else:
            table = table.without_invalid()
        if not len(table) and not self.may_be_empty:
            aside = IDENTICAL_ASIDE if self.without_identical else ""
            tell_empty(self.label, self.strict, aside)
        return table


def _same(rows: Rows) -> Rows:
    return rows


def beginning(rows: Rows, head: Sequence[HeadRow] = ()) -> tuple[list[tuple[str, str]], str]:
    """Query and document of some rows at the beginning, and how ranks contradict scores there.

    The second is empty if they do not. `head` is that of a text.
    """
    if isinstance(rows, Text):
        return [(row.query, row.doc) for row in head], contradiction(head)
    if isinstance(rows, Table):
        return rows.first_rows, rows.ranks
    pairs = ((query, doc) for query, documents in rows.items() for doc in documents)
    return list(islice(pairs, SAMPLE)), ""


def source_of_data(run: Any, name: str | None, borrowed: bool = False) -> Source:
    """A run in memory; one that is borrowed is not copied, for a source of one call only."""
    held = _held(run, borrowed)
    if held is None:
        table = read_run(run, name)
        return Source.of_table(table if borrowed else table.numbered())
    return Source(run_label(name), partial(_same, held))


def _held(run: Any, borrowed: bool) -> dict[str, Any] | None:
    """A dict of dicts, or of lists of documents, which is copied unless it is borrowed.

    None for other runs. The order of an OrderedDict is not that of the dict beneath it.
    """
    if type(run) not in DICTS or is_of_mteb(run):
        return None
    kinds = {*map(type, run.values())}
    if kinds <= {list, tuple}:
        if not is_ranked(run):
            return None
        return dict(run) if borrowed else {query: [*docs] for query, docs in run.items()}
    if not kinds <= {*DICTS}:
        return None
    if not borrowed or OrderedDict in kinds:
        return {query: dict(documents) for query, documents in run.items()}
    return dict(run) if type(run) is OrderedDict else run


def source_of_file(path: str | os.PathLike[str], name: str, form: str | None = None) -> Source:
    """A run file, which must exist, read each time it is needed; it must not change meanwhile."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: no such file")
    state = FileState.of(path)
    key: tuple[Any, ...] = (os.path.abspath(path), state)
    if form:
        key += (form,)
    rows = partial(_rows_of_file, Path(path), run_label(name), form, state)
    return Source(run_label(name), rows, os.fspath(path), repr(key))


def _rows_of_file(path: Path, label: str, form: str | None, state: FileState) -> Rows:
    rows = rows_of_file(path, form, SCORE_NAMES)
    if FileState.of(path) != state:
        raise InputError(f"{path}: the file has changed since the RunSet was created")
    return rows if isinstance(rows, Text) else replace(rows, label=label)


def source_of_files(label: str, place: str, files: Mapping[str, Source]) -> Source:
    """A run in several files, by path, each of which has other queries."""
    state = repr([file.state for file in files.values()])
    return Source(label, partial(_rows_of_files, label, place, files), place, state)


def _rows_of_files(label: str, place: str, files: Mapping[str, Source]) -> Table:
    file_of: dict[str, str] = {}
    parts = []
    for path, file in files.items():
        parts.append(file.read())
        for query in parts[-1].query_ids:
            if query in file_of:
                raise InputError(
                    f"{label} ({place}): query {query!r} is in {file_of[query]} and in {path}; the "
                    "files of one run must have different queries (files without a name are runs "
                    "of their own: a glob, or a list)"
                )
            file_of[query] = path
    return joined(parts, label)
