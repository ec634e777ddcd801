"""A run that is in memory, or that is read when it is needed."""

from __future__ import annotations

import os
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from ..exceptions import InputError
from .containers import is_ranked, run_table
from .formats import MSMARCO, TREC, format_of, is_table
from .opened import FileState
from .predictions import is_of_mteb
from .rank_column import HEAD_BYTES, HeadRow, contradiction, head_rows
from .reading import text_blocks, unpacked
from .table import SAMPLE, Table, joined, run_label
from .trec import read_run

DICTS = (dict, defaultdict, Counter, OrderedDict)
"""Dicts that hold what they seem to hold; a class of the user may not."""


@dataclass(frozen=True)
class Text:
    """The text of a run in lines."""

    content: bytearray
    of_ranks: bool  # whether it is MS MARCO's, with ranks in place of scores

    @cached_property
    def beginning(self) -> list[HeadRow]:
        """The top lines and the last one of the first queries."""
        return head_rows(bytes(self.content[:HEAD_BYTES]), self.of_ranks)


Rows: TypeAlias = dict[str, Any] | Table | Text
"""The rows of a run as they came: a dict of dicts, or of lists of documents; columns; lines."""


@dataclass(frozen=True)
class Source:
    """A run that is in memory, or that is read when it is needed."""

    label: str  # what errors call the run
    read: Callable[[], Table]  # raises the errors of its reader
    state: str = ""  # of files: what a digest covers, such as their times; in memory: empty
    memory: dict[str, Any] | Table | None = None  # the rows of a run in memory
    text: Callable[[], Text | None] | None = None  # those of a file of lines; None if it changed
    may_be_empty: bool = False  # whether it may have no rows, since it is a part of a run
    # Whether documents with the id of their query are left out: of what is read, not of the rows.
    without_identical: bool = False

    @classmethod
    def of_table(cls, table: Table) -> Source:
        """A run that was read."""
        return cls(table.label, partial(_same, table), memory=table)

    def without_identical_ids(self) -> Source:
        """The same run without the documents whose id is that of their query."""
        if self.without_identical:
            return self
        state = f"{self.state} without identical ids" if self.state else ""
        read = partial(_without_identical, self.read)
        return replace(self, read=read, state=state, without_identical=True)

    def rows(self) -> Rows | None:
        """The rows as they came; None if only the reader knows them."""
        return self.memory if self.text is None else self.text()


def _same(table: Table) -> Table:
    return table


def _without_identical(read: Callable[[], Table]) -> Table:
    return read().without_identical_ids()


def first_rows(rows: Rows) -> list[tuple[str, str]]:
    """Query and document of some rows at the beginning: `SAMPLE`, or of a text up to 50."""
    if isinstance(rows, Table):
        return rows.first_rows
    if isinstance(rows, dict):
        pairs = ((query, doc) for query, documents in rows.items() for doc in documents)
        return list(islice(pairs, SAMPLE))
    return [(row.query, row.doc) for row in rows.beginning]


def contradiction_of(rows: Rows) -> str:
    """How the rank column of a run contradicts its scores; empty if it does not."""
    if isinstance(rows, Table):
        return rows.ranks
    return contradiction(rows.beginning) if isinstance(rows, Text) else ""


def source_of_data(run: Any, name: str | None, borrowed: bool = False) -> Source:
    """A run in memory; one that is borrowed is not copied, for a source of one call only."""
    held = _held(run, borrowed)
    if held is None:
        return Source.of_table(read_run(run, name, borrowed=borrowed))
    label = run_label(name)
    return Source(label, partial(run_table, held, label), memory=held)


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
    layout = form or format_of(Path(path))
    of_lines = layout == MSMARCO or (layout == TREC and not is_table(Path(path)))
    key: tuple[Any, ...] = (os.path.abspath(path), state)
    if form:
        key += (form,)
    text = None
    if of_lines:
        text = partial(_text_of, Path(path), state, layout == MSMARCO)
    read = partial(_read_file, path, name, form, state)
    return Source(f"{run_label(name)} ({path})", read, repr(key), text=text)


def _read_file(
    path: str | os.PathLike[str], name: str, form: str | None, state: FileState
) -> Table:
    run = read_run(path, name, form, strict=False)  # the RunSet says whether it is strict
    if FileState.of(path) != state:
        raise InputError(f"{path}: the file has changed since the RunSet was created")
    return run


def _text_of(path: Path, state: FileState, of_ranks: bool) -> Text | None:
    """The text of a file, decompressed, in one buffer; None if the file has changed."""
    content = bytearray()
    try:
        with unpacked(path) as file:
            for _, block in text_blocks(path, file):
                content += block
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None
    return Text(content, of_ranks) if FileState.of(path) == state else None


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
