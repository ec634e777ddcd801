"""What a value of `runs` is, and the sources of its runs: memory, files, ir_datasets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from ..common.writing import some
from ..exceptions import InputError
from ..io.containers import form_of, is_row, name_of, run_hint
from ..io.formats import DATA_SUFFIXES
from ..io.irds import IRDS
from ..io.reading import glob_matches
from ..io.source import Source, source_of_data, source_of_file, source_of_files
from ..io.table import run_label
from ..io.trec import read_run
from ..typing import PathOrName

RUN_SUFFIXES = frozenset(
    {".run", ".qrels", ".res", ".txt", ".trec", ".tsv", ".results", ".gz", *DATA_SUFFIXES}
)


class Sources(NamedTuple):
    """The sources of runs."""

    by_name: dict[str, Source]
    named: bool  # whether the caller gave the names


def sources_of(runs: Any, form: str | None = None, borrow: bool = False) -> Sources:
    """The sources of runs in any accepted form; `Sources` are returned unchanged.

    A `Source` is a run too; else see `runs_by_name`. Data in memory is copied, so that later
    changes do not change a source, unless it is borrowed for one call.
    """
    if isinstance(runs, Sources):
        return runs
    by_name, named = runs_by_name(runs)
    sources = {name: _source_of(run, name, form, borrow) for name, run in by_name.items()}
    return Sources(sources, named)


def _source_of(run: Any, name: str, form: str | None, borrow: bool) -> Source:
    """The source of one run: what can be read again is read when it is needed."""
    if isinstance(run, Source):
        return run
    if are_paths(run):
        return _of_files(run, some(list(map(str, run)), 3), name, form)
    if not isinstance(run, (str, os.PathLike)):
        return source_of_data(run, name, borrow)
    text = os.fspath(run)
    if text.startswith(IRDS):
        return Source(run_label(name), partial(read_run, text, name), text, text)
    if os.path.isfile(run):
        return source_of_file(run, name, form)
    if os.path.isdir(run):
        parts = files_of_folder(run)
        for part in parts:
            check_regular(part)
        return _of_files(parts, text, name, form)
    if files := matching_files(text):
        return _of_files(files, text, name, form)
    # A pipe, which can be read once only; the RunSet says whether it is strict.
    return Source.of_table(read_run(run, name, form, strict=False))


def _of_files(paths: Sequence[PathOrName], place: str, name: str, form: str | None) -> Source:
    if not paths:
        raise FileNotFoundError(f"{place}: the folder has no files")
    files = {str(path): source_of_file(path, name, form) for path in paths}
    return source_of_files(run_label(name), place, files)


def runs_by_name(runs: Any) -> tuple[dict[str, Any], bool]:
    """What a value of `runs` is: each run by its name, and whether the caller gave the names.

    Paths, globs and ``irds:`` ids name their runs, and so do dicts and pairs. A ``ranx.Run`` may
    have a name. A dict or a list that holds the rows or the rankings of one run is that run, called
    ``run``. The runs of another list that have no name are called ``run1``, ``run2``, ...

    InputError if there are no runs; TypeError if the form of `runs` is not accepted;
    FileNotFoundError or IsADirectoryError if a path or a glob names no file; and as `distinct`.
    """
    if isinstance(runs, (str, os.PathLike)):
        return _of_path(os.fspath(runs)), True
    is_one = bool(form_of(runs))
    if isinstance(runs, Mapping) and (_is_of_files(runs) or not is_one):
        by_name, named = distinct(runs.items()), True
    elif isinstance(runs, Sequence) and not is_one:
        by_name, named = _of_sequence(runs)
    elif is_one or isinstance(runs, Iterable):
        by_name, named = _of_one(runs)
    else:
        raise TypeError(
            "RunSet: `runs` must be a dict of runs, a list of runs, a run, a glob of files or an "
            f"'irds:' id; got {type(runs).__name__}{run_hint(runs)}"
        )
    if not by_name:
        raise InputError(f"RunSet: `runs` must hold at least one run; got {runs!r}")
    return by_name, named


def _of_one(run: Any) -> tuple[dict[str, Any], bool]:
    """One run by its own name, if it has one."""
    own = name_of(run)
    return ({own: run}, True) if own else ({"run": run}, False)


def _of_path(text: str) -> dict[str, Any]:
    """The runs that an ``irds:`` id, a path or a glob names."""
    if text.startswith(IRDS):
        return {run_name(text): text}
    files = matching_files(text)
    if not files and os.path.isdir(text):
        raise IsADirectoryError(
            f"{text}: a directory, not a file; a glob such as {text}/*.run names runs, and a run "
            "in several files is a folder with a name, as in {'bm25': 'runs/bm25'}"
        )
    if not files:
        raise FileNotFoundError(f"{text}: no such file")
    return distinct((run_name(path), Path(path)) for path in files)


def _of_sequence(runs: Sequence[Any]) -> tuple[dict[str, Any], bool]:
    """The runs of a list: paths, pairs of a name and a run, rows of one run, or runs."""
    first = next(iter(runs), None)
    if are_paths(runs):
        return distinct((run_name(path), path) for path in runs), True
    if is_row(first):
        return {"run": runs}, False
    are_pairs = all(isinstance(run, (tuple, list)) and len(run) == 2 for run in runs)
    if are_pairs and all(isinstance(name, str) for name, _ in runs):
        return distinct(runs), True
    if isinstance(first, tuple) and len(first) > 2 and isinstance(first[0], str):
        return {"run": runs}, False  # its reader says how rows get names
    own = [name_of(run) for run in runs]
    names = [name or f"run{number}" for number, name in enumerate(own, 1)]
    return distinct(zip(names, runs, strict=True)), all(own)


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


def distinct(runs: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """Runs by name; TypeError if one is no text or empty, InputError if two runs have the same."""
    named: dict[str, Any] = {}
    for name, run in runs:
        if not isinstance(name, str) or not name:
            raise TypeError(f"RunSet: runs must be named by non-empty strings; got {name!r}")
        if name in named:
            both = f"{named[name]} and {run}" if isinstance(run, (str, os.PathLike)) else "two runs"
            advice = "name them, as in {'bm25': run, 'dense': run}"
            raise InputError(f"RunSet: {both} would both be called {name!r}; {advice}")
        named[name] = run
    return named


def files_of_folder(path: str | os.PathLike[str]) -> list[Path]:
    """The files of a folder, sorted, without those whose first sign says that they are no data."""
    return sorted(file for file in Path(path).iterdir() if not file.name.startswith((".", "_")))


def check_regular(file: Path) -> None:
    """InputError if a name in a folder is no file: a pipe would wait for a writer, for ever."""
    if not file.is_file():
        raise InputError(f"{file}: no file, but a folder, a pipe, a device or a link to nothing")


def matching_files(text: str) -> list[str]:
    """The file of a path, or the files that a glob matches, sorted."""
    return [text] if os.path.isfile(text) else [*filter(os.path.isfile, glob_matches(text))]


def run_name(path: str | os.PathLike[str]) -> str:
    """The name of a run: an ir_datasets id, or a file's name without its folder and its endings.

    The run of ``runs/bm25.run.gz`` is ``bm25``.
    """
    if os.fspath(path).startswith(IRDS):
        return os.fspath(path).removeprefix(IRDS)
    file = Path(path)
    while file.suffix.lower() in RUN_SUFFIXES and file.stem:
        file = file.with_suffix("")
    return file.name
