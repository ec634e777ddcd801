"""The sources of the runs of a set: memory, files, ir_datasets."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from ..common.writing import some
from ..exceptions import InputError
from ..io.containers import is_nested, is_one_run, is_row
from ..io.formats import DATA_SUFFIXES
from ..io.irds import IRDS
from ..io.source import (
    FileState as FileState,
)
from ..io.source import (
    Source,
    source_of_data,
    source_of_dataset,
    source_of_file,
    source_of_files,
)
from ..io.table import run_label
from ..io.trec import read_run
from ..typing import PathOrName, RunsLike
from .manifest import MANIFEST

RUN_SUFFIXES = frozenset(
    {".run", ".res", ".txt", ".trec", ".tsv", ".results", ".gz", *DATA_SUFFIXES}
)

SEVERAL_FILES = (
    "a run in several files is a folder or a list of files with a name, as in "
    "{'bm25': 'runs/bm25'} and {'bm25': ['1.run', '2.run']}"
)
"""The forms of such runs; it completes errors."""


def files_of_folder(path: str | os.PathLike[str]) -> list[Path]:
    """The files of a folder, sorted, without those whose first sign says that they are no data."""
    return sorted(file for file in Path(path).iterdir() if not file.name.startswith((".", "_")))


def snapshot(run: Any, name: str, form: str | None = None) -> Source:
    """A source that is independent of later changes to the caller's data."""
    return _file_or_dataset(run, name, form) or source_of_data(_read(run, name, form), name)


def borrow(run: Any, name: str, form: str | None = None) -> Source:
    """A source that is valid for one call only: DataFrames and dicts are not copied."""
    found = _file_or_dataset(run, name, form)
    return found or source_of_data(_read(run, name, form), name, borrowed=True)


def _read(run: Any, name: str, form: str | None) -> Any:
    """What a pipe holds, which can be read once only; data in memory as it is."""
    return read_run(run, name, form) if isinstance(run, (str, os.PathLike)) else run


def _file_or_dataset(run: Any, name: str, form: str | None) -> Source | None:
    """A source that can be read again; None for data in memory and for pipes."""
    if isinstance(run, str) and run.startswith(IRDS):
        return source_of_dataset(run, name)
    if isinstance(run, (str, os.PathLike)) and os.path.isfile(run):
        return source_of_file(run, name, form)
    if isinstance(run, (str, os.PathLike)) and os.path.isdir(run):
        return _of_folder(run, name, form)
    if are_paths(run):
        label = f"{run_label(name)} ({some(list(map(str, run)), 3)})"
        return _of_paths(run, label, name, form, "a list of files with a name", "the list without a name")
    if isinstance(run, str) and (files := matching_files(run)):
        raise InputError(f"{run_label(name)}: {SEVERAL_FILES}; got a glob of {len(files)}: {run}")
    return None


def _of_folder(folder: str | os.PathLike[str], name: str, form: str | None) -> Source:
    """The files of a folder by name; FileNotFoundError if there are none."""
    if os.path.isfile(os.path.join(folder, MANIFEST)):
        raise IsADirectoryError(f"{folder}: a folder; if it is a saved set, use RunSet.load")
    files = files_of_folder(folder)
    if not files:
        raise FileNotFoundError(f"{folder}: the folder has no files")
    label = f"{run_label(name)} ({folder})"
    return _of_paths(files, label, name, form, "a folder", os.path.join(folder, "*"))


def _of_paths(
    paths: Sequence[PathOrName], label: str, name: str, form: str | None, what: str, fix: str
) -> Source:
    files = {str(path): source_of_file(path, name, form) for path in paths}
    return source_of_files(label, files, f"{what} is one run (to score each file as a run: {fix})")


class NamedSources(NamedTuple):
    """The sources of runs, by name.

    Attributes
    ----------
    sources
        In the order of the runs.
    named
        Whether the caller gave the names.
    """

    sources: dict[str, Source]
    named: bool


def named_sources(
    runs: RunsLike | NamedSources,
    hold: Callable[[Any, str, str | None], Source] = snapshot,
    form: str | None = None,
) -> NamedSources:
    """The sources of runs in any accepted form; `form` is the format of files, if given.

    Raises
    ------
    ValueError
        When there are no runs, or two runs have the same name.
    TypeError
        When the form of `runs` is not accepted.
    """
    if isinstance(runs, NamedSources):
        return runs
    by_name = _by_name(runs)
    if not by_name:
        raise InputError(f"RunSet: `runs` must hold at least one run; got {runs!r}")
    named = _has_names(runs)
    return NamedSources({name: hold(run, name, form) for name, run in by_name.items()}, named)


def _has_names(runs: Any) -> bool:
    if isinstance(runs, Sequence) and not isinstance(runs, str):
        return are_paths(runs) or _are_pairs(runs)
    return _has_lists_of_files(runs) or (
        isinstance(runs, (str, os.PathLike, Mapping)) and not is_nested(runs)
    )


def are_paths(source: object) -> TypeGuard[Sequence[PathOrName]]:
    """Whether a source is a list or tuple of paths."""
    return (
        isinstance(source, (list, tuple))
        and bool(source)
        and all(isinstance(path, (str, os.PathLike)) for path in source)
    )


def _has_lists_of_files(runs: Any) -> bool:
    """Whether a dict maps names to lists of files, not queries to lists of documents."""
    first = next(iter(runs.values()), None) if isinstance(runs, Mapping) else None
    if not are_paths(first):
        return False
    if isinstance(first[0], os.PathLike):
        return True
    return Path(first[0]).suffix.lower() in RUN_SUFFIXES and os.path.isfile(first[0])


def _are_pairs(runs: Sequence[Any]) -> bool:
    """Whether runs are pairs of a name and a run."""
    return all(
        isinstance(run, (tuple, list)) and len(run) == 2 and isinstance(run[0], str) for run in runs
    ) and not any(hasattr(run, "_fields") for run in runs)


def _by_name(runs: Any) -> dict[str, Any]:
    if isinstance(runs, (str, os.PathLike)):
        text = os.fspath(runs)
        if text.startswith(IRDS):
            return {text.removeprefix(IRDS): text}
        return _by_stem(text, matching_files(text))
    if is_one_run(runs) and not _has_lists_of_files(runs):
        return {"run": runs}
    if isinstance(runs, Mapping):
        return dict(zip(run_names(runs), runs.values(), strict=True))
    if isinstance(runs, Sequence) and not is_row(next(iter(runs), None)):
        return _of_list(runs)
    if isinstance(runs, Iterable):
        return {"run": runs}
    raise TypeError(
        "RunSet: `runs` must be a dict of runs, a list of runs, a run, a glob of files or an "
        f"'irds:' id; got {type(runs).__name__}"
    )


def _of_list(runs: Sequence[Any]) -> dict[str, Any]:
    if are_paths(runs):
        return _named((path_name(path), path) for path in runs)
    if runs and _are_pairs(runs):
        run_names(name for name, _ in runs)
        return _named(runs)
    if runs and isinstance(runs[0], tuple) and len(runs[0]) > 2 and isinstance(runs[0][0], str):
        return {"run": runs}  # rows without names: the reader of one run rejects these
    return {f"run{number}": run for number, run in enumerate(runs, 1)}


def path_name(path: str | os.PathLike[str]) -> str:
    """The name of a run in a file or in ir_datasets."""
    text = os.fspath(path)
    return text.removeprefix(IRDS) if text.startswith(IRDS) else run_name(path)


def _named(runs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
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


def _by_stem(text: str, paths: list[str]) -> dict[str, Any]:
    if not paths:
        if os.path.isfile(os.path.join(text, MANIFEST)):
            raise IsADirectoryError(f"{text}: a folder; if it is a saved set, use RunSet.load")
        if os.path.isdir(text):
            raise IsADirectoryError(
                f"{text}: a directory, not a file; a glob such as {text}/*.run names runs, and "
                f"{SEVERAL_FILES}"
            )
        raise FileNotFoundError(f"{text}: no such file")
    return _named((run_name(path), Path(path)) for path in paths)


def run_name(path: str | os.PathLike[str]) -> str:
    """A run file's name without its folder and its endings: ``runs/bm25.run.gz`` is ``bm25``."""
    file = Path(path)
    while file.suffix.lower() in RUN_SUFFIXES and file.stem:
        file = file.with_suffix("")
    return file.name
