"""Which files are the qrels and the runs of several collections: folders, or a table of files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..common.writing import some
from ..exceptions import InputError
from .block import Block
from .formats import TABLES, extension_of
from .irds import IRDS
from .qrels_files import judging_log_of
from .reading import glob_matches
from .rows import Wanted, entries

QRELS, RUNS = "qrels", "runs"
BEIR = Path("qrels", "test.tsv")

WANTED: Wanted = {
    ("collection",): Block.texts,
    (QRELS,): Block.texts,
    ("run",): Block.texts,
    ("system",): Block.if_any,
}

# Endings of files beside qrels that are none: what editors and tools leave.
NO_QRELS = (".log", ".bak", ".orig", ".old", ".swp", ".tmp", ".md5", ".sha256", ".md")

WITH_COLUMNS = "with the columns collection, qrels and run"
TABLE = f"a table {WITH_COLUMNS} says which files are meant"

MOST_NAMED = 3  # files in a message, a choice


@dataclass(frozen=True)
class CollectionFiles:
    """The files of a collection."""

    name: str
    qrels: str  # a file, or an ir_datasets id
    runs: Sequence[str]
    systems: Mapping[str, str] | None  # a table's: the name of the run in a file, where it has one


def collection_files(paths: Sequence[Path]) -> list[CollectionFiles]:
    """The files of the collections in folders, or in one table.

    A folder is called as its collection. It has one file ``qrels`` or ``qrels.*``, or
    ``qrels/test.tsv`` as BEIR has it, and a folder ``runs`` of runs: files or folders of files. A
    table (csv, tsv or json lines) has the columns collection, qrels (a file or an ir_datasets id),
    run (a file or a glob) and optionally system, the name of the run. Its paths are relative to it.

    InputError if a file is missing or cannot be told, or two collections have the same name.
    """
    if len(paths) == 1 and extension_of(paths[0]) in TABLES and not paths[0].is_dir():
        return _of_table(paths[0])
    found: dict[str, Path] = {}
    for path in paths:
        folder = path.resolve()
        if not folder.is_dir():
            got = "a file" if folder.exists() else "no such folder"
            raise InputError(
                f"{path}: collections must be folders with qrels and runs, or one table (csv, tsv, "
                f"jsonl) {WITH_COLUMNS}; got {got}"
            )
        other = found.setdefault(folder.name, folder)
        if other != folder:
            raise InputError(f"{other} and {folder} would both be called {folder.name!r}: {TABLE}")
    if len(found) < len(paths):
        raise InputError("a folder of a collection must be named once")
    return [_of_folder(folder) for folder in found.values()]


def are_collections(paths: Sequence[str]) -> bool:
    """Whether all paths are folders with a folder of runs, as those of collections."""
    return all(os.path.isdir(os.path.join(path, RUNS)) for path in paths)


def _of_folder(folder: Path) -> CollectionFiles:
    runs = folder / RUNS
    files = _visible(runs) if runs.is_dir() else []
    if not files:
        within = [path.parent.name for path in sorted(folder.glob(f"*/{RUNS}"))]
        hint = f"; collections in it: {some(within, MOST_NAMED)}" if within else ""
        raise InputError(f"{folder}: a collection must have run files in a folder {RUNS!r}{hint}")
    return CollectionFiles(folder.name, str(_qrels_in(folder)), [*map(str, files)], None)


def _qrels_in(folder: Path) -> Path:
    """The qrels of a collection."""
    candidates = [
        file for file in _visible(folder) if file.is_file() and file.name.partition(".")[0] == QRELS
    ]
    logs = {judging_log_of(file) for file in candidates}
    files = [
        file
        for file in candidates
        if file not in logs and not file.name.endswith("~") and file.suffix not in NO_QRELS
    ]
    names = [file.name for file in files]
    if (folder / QRELS).is_dir():
        names.append(f"{QRELS}/")
    if len(names) > 1:
        raise InputError(
            f"{folder}: a collection must have one file of qrels; got {some(names, MOST_NAMED)}: "
            f"{TABLE}"
        )
    if files:
        return files[0]
    if (folder / BEIR).is_file():
        return folder / BEIR
    raise InputError(
        f"{folder}: a collection must have a file {QRELS!r}, '{QRELS}.*' or '{BEIR.as_posix()}'"
    )


def _visible(folder: Path) -> list[Path]:
    """What is in a folder, as a shell's `*` lists it: files, folders, and links to nothing."""
    return [folder / name for name in sorted(os.listdir(folder)) if not name.startswith(".")]


def _of_table(path: Path) -> list[CollectionFiles]:
    found: dict[str, CollectionFiles] = {}
    for where, name, qrels, pattern, system in entries(path, WANTED):
        if (path.parent / qrels).exists():  # else it is an id of ir_datasets
            qrels = str(path.parent / qrels)
        before = found.get(name) or CollectionFiles(name, qrels, [], {})
        if before.qrels != qrels:
            raise InputError(
                f"{where}: collection {name!r} must have one file of qrels; got {before.qrels} "
                f"and {qrels}"
            )
        files = _runs_of_row(path, where, pattern)
        again = [file for file in files if file in before.runs]
        if again:
            raise InputError(f"{where}: collection {name!r} has the run {again[0]} twice")
        systems = dict(before.systems or {})
        if system:
            systems[_only(where, pattern, files)] = system
        found[name] = CollectionFiles(name, qrels, [*before.runs, *files], systems)
    if not found:
        raise InputError(f"{path}: the table must have at least one row; got none")
    return [*found.values()]


def _only(where: str, pattern: str, files: Sequence[str]) -> str:
    if len(files) > 1:
        raise InputError(
            f"{where}: a system must have one run; got {pattern!r}, which matches "
            f"{len(files)} files"
        )
    return files[0]


def _runs_of_row(table: Path, where: str, pattern: str) -> list[str]:
    if pattern.startswith(IRDS):
        return [pattern]
    pattern = str(table.parent / pattern)
    if os.path.lexists(pattern):
        return [pattern]
    found = glob_matches(pattern)
    if not found:
        raise InputError(f"{where}: {pattern}: no such file")
    return found
