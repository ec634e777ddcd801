"""The sources of the runs of a set: memory, files, ir_datasets."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeGuard

from ..common.writing import some
from ..exceptions import InputError
from ..io import native
from ..io.columns import RunColumns, joined, run_label
from ..io.containers import (
    is_frame,
    is_one_run,
    is_row,
    snapshot_frame,
)
from ..io.formats import DATA_SUFFIXES
from ..io.irds import IRDS
from ..io.trec import borrow_run, read_run
from ..judgments.digests import digest, run_digest
from ..typing import PathOrName

RUN_SUFFIXES = frozenset(
    {".run", ".res", ".txt", ".trec", ".tsv", ".results", ".gz", *DATA_SUFFIXES}
)

SEVERAL_FILES = (
    "a run in several files is a folder or a list of files with a name, as in "
    "{'bm25': 'runs/bm25'} and {'bm25': ['1.run', '2.run']}"
)
"""The forms of such runs; it completes errors."""


class Source(Protocol):
    """The source of one run."""

    in_file: bool

    def label(self, name: str) -> str:
        """The label of the run in error messages."""

    def read(self, name: str, lazy: bool = False) -> RunColumns:
        """Read the run.

        Parameters
        ----------
        name
            The name of the run in error messages.
        lazy
            Whether rows may be checked, and columns made, when they are first needed.
        """

    def digest(self, name: str) -> str:
        """A digest of the content; equal digests mean equal content."""


@dataclass(frozen=True)
class HeldRun:
    """A run in memory."""

    held: Any
    in_file = False

    def label(self, name: str) -> str:
        return run_label(name)

    def read(self, name: str, lazy: bool = False) -> RunColumns:
        return borrow_run(self.held, name)

    def digest(self, name: str) -> str:
        return run_digest(self.read(name), name)


class FileState(NamedTuple):
    """Properties of a file that change when the file is modified or replaced."""

    modified: int
    changed: int
    size: int
    inode: int

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> FileState:
        status = os.stat(path)
        return cls(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


@dataclass(frozen=True)
class RunFile:
    """A run file, read each time it is needed; it must not change after the set is created."""

    path: str | os.PathLike[str]
    state: FileState
    form: str | None = None
    in_file = True

    @classmethod
    def of(cls, path: str | os.PathLike[str], form: str | None) -> RunFile:
        """The file as it is now; FileNotFoundError if there is none."""
        if not os.path.isfile(path):
            raise FileNotFoundError(f"{path}: no such file")
        return cls(path, FileState.of(path), form)

    def label(self, name: str) -> str:
        return f"{run_label(name)} ({self.path})"

    def read(self, name: str, lazy: bool = False) -> RunColumns:
        run = read_run(self.path, name, self.form, lazy and native.BUILT)
        if FileState.of(self.path) != self.state:
            raise InputError(f"{self.path}: the file has changed since the RunSet was created")
        return run

    def digest(self, name: str) -> str:
        form = () if self.form is None else (self.form,)
        return digest(repr((os.path.abspath(self.path), self.state, *form)).encode())


@dataclass(frozen=True)
class RunFiles:
    """A run in several files, each of which has other queries.

    Attributes
    ----------
    files
        In the order in which they are read.
    folder
        The folder of the files; None if the caller listed the files.
    """

    files: tuple[RunFile, ...]
    folder: str | os.PathLike[str] | None = None
    in_file = True

    @classmethod
    def of_folder(cls, folder: str | os.PathLike[str], form: str | None) -> RunFiles:
        """The files of a folder by name; FileNotFoundError if there are none."""
        files = files_of_folder(folder)
        if not files:
            raise FileNotFoundError(f"{folder}: the folder has no files")
        return cls(tuple(RunFile.of(file, form) for file in files), folder)

    @classmethod
    def of_list(cls, paths: Sequence[str | os.PathLike[str]], form: str | None) -> RunFiles:
        """The files that a list names."""
        return cls(tuple(RunFile.of(path, form) for path in paths))

    def label(self, name: str) -> str:
        paths = [str(file.path) for file in self.files]
        return f"{run_label(name)} ({some(paths, 3) if self.folder is None else self.folder})"

    def read(self, name: str, lazy: bool = False) -> RunColumns:
        parts = [(str(file.path), file.read(name)) for file in self.files]
        file_of: dict[str, str] = {}
        for file, part in parts:
            for query in part.query_ids:
                if query in file_of:
                    raise InputError(
                        f"{self.label(name)}: query {query!r} is in {file_of[query]} and in "
                        f"{file}; {self._how_each_is_a_run()}"
                    )
                file_of[query] = file
        return joined([part for _, part in parts])

    def _how_each_is_a_run(self) -> str:
        what, fix = "a list of files with a name", "the list without a name"
        if self.folder is not None:
            what, fix = "a folder", os.path.join(self.folder, "*")
        return f"{what} is one run (to score each file as a run: {fix})"

    def digest(self, name: str) -> str:
        return digest("".join(file.digest(name) for file in self.files).encode())


def files_of_folder(path: str | os.PathLike[str]) -> list[Path]:
    """The files of a folder, sorted, without those whose first sign says that they are no data."""
    return sorted(file for file in Path(path).iterdir() if not file.name.startswith((".", "_")))


@dataclass(frozen=True)
class DatasetRun:
    """The scoreddocs of an ir_datasets id."""

    dataset: str
    in_file = False

    def label(self, name: str) -> str:
        return f"{run_label(name)} ({self.dataset})"

    def read(self, name: str, lazy: bool = False) -> RunColumns:
        return read_run(self.dataset, name)

    def digest(self, name: str) -> str:
        return digest(self.dataset.encode())


def snapshot(run: Any, name: str, form: str | None = None) -> Source:
    """A source that is independent of later changes to the caller's data."""
    return _file_or_dataset(run, name, form) or HeldRun(
        snapshot_frame(run, run_label(name)) if is_frame(run) else read_run(run, name, form)
    )


def borrow(run: Any, name: str, form: str | None = None) -> Source:
    """A source that is valid for one call only: DataFrames and dicts are not copied."""
    borrowed = is_frame(run) or isinstance(run, Mapping)
    return _file_or_dataset(run, name, form) or HeldRun(
        run if borrowed else read_run(run, name, form)
    )


def _file_or_dataset(run: Any, name: str, form: str | None) -> Source | None:
    """A source that can be read again; None for data in memory and for pipes."""
    if isinstance(run, str) and run.startswith(IRDS):
        return DatasetRun(run)
    if isinstance(run, (str, os.PathLike)) and os.path.isfile(run):
        return RunFile.of(run, form)
    if isinstance(run, (str, os.PathLike)) and os.path.isdir(run):
        return RunFiles.of_folder(run, form)
    if are_paths(run):
        return RunFiles.of_list(run, form)
    if isinstance(run, str) and (files := matching_files(run)):
        raise InputError(f"{run_label(name)}: {SEVERAL_FILES}; got a glob of {len(files)}: {run}")
    return None


class NamedSources(NamedTuple):
    """The sources of runs, by name.

    Attributes
    ----------
    sources
        In the order of the runs.
    named
        Whether the caller gave the names.
    may_be_empty
        Whether a run may have no rows.
    """

    sources: dict[str, Source]
    named: bool
    may_be_empty: bool = False


def snapshots(runs: Any, form: str | None = None) -> NamedSources:
    """Sources that later changes to the caller's data do not change; see `runs_by_name`.

    Parameters
    ----------
    runs
        Runs in any accepted form.
    form
        The format of files, if given.
    """
    by_name, named = runs_by_name(runs)
    return NamedSources({name: snapshot(run, name, form) for name, run in by_name.items()}, named)


def borrowed(runs: Any) -> NamedSources:
    """Sources that are valid for one call only: data in memory is not copied."""
    by_name, named = runs_by_name(runs)
    return NamedSources({name: borrow(run, name) for name, run in by_name.items()}, named)


def runs_by_name(runs: Any) -> tuple[dict[str, Any], bool]:
    """What a value of `runs` is: each run by its name, and whether the caller gave the names.

    Paths, globs and ``irds:`` ids name their runs, and so do dicts and pairs. A dict or a list that
    holds the rows or the rankings of one run is that run, called ``run``. The runs of another list
    are called ``run1``, ``run2``, ...

    Raises
    ------
    ValueError
        When there are no runs, or two runs have the same name.
    TypeError
        When the form of `runs` is not accepted, or a name is empty or not a string.
    FileNotFoundError, IsADirectoryError
        When a path or a glob names no file.
    """
    if isinstance(runs, (str, os.PathLike)):
        return _of_path(os.fspath(runs)), True
    if isinstance(runs, Mapping) and (_is_of_files(runs) or not is_one_run(runs)):
        by_name, named = dict(zip(run_names(runs), runs.values(), strict=True)), True
    elif isinstance(runs, Sequence) and not is_one_run(runs):
        by_name, named = _of_sequence(runs)
    elif is_one_run(runs) or isinstance(runs, Iterable):
        by_name, named = {"run": runs}, False
    else:
        raise TypeError(
            "RunSet: `runs` must be a dict of runs, a list of runs, a run, a glob of files or an "
            f"'irds:' id; got {type(runs).__name__}"
        )
    if not by_name:
        raise InputError(f"RunSet: `runs` must hold at least one run; got {runs!r}")
    return by_name, named


def _of_path(text: str) -> dict[str, Any]:
    """The runs that an ``irds:`` id, a path or a glob names."""
    if text.startswith(IRDS):
        return {path_name(text): text}
    files = matching_files(text)
    if not files and os.path.isdir(text):
        raise IsADirectoryError(
            f"{text}: a directory, not a file; a glob such as {text}/*.run names runs, and "
            f"{SEVERAL_FILES}"
        )
    if not files:
        raise FileNotFoundError(f"{text}: no such file")
    return _distinct((run_name(path), Path(path)) for path in files)


def _of_sequence(runs: Sequence[Any]) -> tuple[dict[str, Any], bool]:
    """The runs of a list: paths, pairs of a name and a run, rows of one run, or runs."""
    first = next(iter(runs), None)
    if are_paths(runs):
        return _distinct((path_name(path), path) for path in runs), True
    if is_row(first):
        return {"run": runs}, False
    if all(isinstance(run, (tuple, list)) and len(run) == 2 and _is_name(run[0]) for run in runs):
        run_names(name for name, _ in runs)
        return _distinct(runs), True
    if isinstance(first, tuple) and len(first) > 2 and _is_name(first[0]):
        return {"run": runs}, False  # its reader says how rows get names
    return {f"run{number}": run for number, run in enumerate(runs, 1)}, False


def _is_name(value: object) -> bool:
    return isinstance(value, str)


def _is_of_files(runs: Mapping[Any, Any]) -> bool:
    """Whether a dict maps names to lists of files, not queries to lists of documents."""
    first = next(iter(runs.values()), None)
    if not are_paths(first):
        return False
    path = first[0]
    is_named_so = Path(path).suffix.lower() in RUN_SUFFIXES
    return isinstance(path, os.PathLike) or (is_named_so and os.path.isfile(path))


def are_paths(source: object) -> TypeGuard[Sequence[PathOrName]]:
    """Whether a source is a list or tuple of paths."""
    return (
        isinstance(source, (list, tuple))
        and bool(source)
        and all(isinstance(path, (str, os.PathLike)) for path in source)
    )


def _distinct(runs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Runs by name; InputError if two runs have the same name."""
    named: dict[str, Any] = {}
    for name, run in runs:
        if name in named:
            both = f"{named[name]} and {run}" if isinstance(run, (str, os.PathLike)) else "two runs"
            raise InputError(f"RunSet: {both} would both be called {name!r}")
        named[name] = run
    return named


def run_names(runs: Iterable[Any]) -> tuple[str, ...]:
    """The names of runs; TypeError if a name is empty or not a string."""
    names = tuple(runs)
    for name in names:
        if not isinstance(name, str) or not name:
            raise TypeError(f"RunSet: runs must be named by non-empty strings; got {name!r}")
    return names


def matching_files(text: str) -> list[str]:
    """The file of a path, or the files that a glob matches, sorted."""
    return [text] if os.path.isfile(text) else sorted(filter(os.path.isfile, glob.glob(text)))


def path_name(path: str | os.PathLike[str]) -> str:
    """The name of a run in a file or in ir_datasets."""
    text = os.fspath(path)
    return text.removeprefix(IRDS) if text.startswith(IRDS) else run_name(path)


def run_name(path: str | os.PathLike[str]) -> str:
    """A run file's name without its folder and its endings: ``runs/bm25.run.gz`` is ``bm25``."""
    file = Path(path)
    while file.suffix.lower() in RUN_SUFFIXES and file.stem:
        file = file.with_suffix("")
    return file.name
