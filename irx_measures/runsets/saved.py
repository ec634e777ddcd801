"""A RunSet as a folder: compressed TREC run files, and a manifest."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..common.version import VERSION as PACKAGE_VERSION
from ..exceptions import InputError
from ..io.table import Table
from ..io.files import sha256_of, write_lines, write_whole
from ..io.folders import write_folder
from ..io.formats import TREC
from ..io.identifiers import Names
from ..io.trec import read_run
from ..judgments.digests import run_digest, set_digest
from ..judgments.ranking import Ranking
from .manifest import (
    ENDING,
    FORMAT,
    MANIFEST,
    RUNS,
    VERSION,
    file_stems,
    read_manifest,
)
from .runset import RunSet
from .sources import FileState, NamedSources, RunFile

ARTIFACT_FILE = "pt_meta.json"

ARTIFACT = {"type": "run_set", "format": "irx", "package_hint": "irx-measures"}
"""By this file PyTerrier recognises the folder as one of its artifacts."""

NOT_IN_TREC = re.compile(r"[ \t\n\r\x0b\x0c\0\ud800-\udfff]|^$")

# A query must not begin like a comment or a byte order mark.
NOT_A_QUERY = re.compile(rf"{NOT_IN_TREC.pattern}|^[#\ufeff]")


@dataclass(frozen=True)
class SavedRun(RunFile):
    """A run file of a saved set; `content` is the digest of its content, by the manifest."""

    content: str = ""

    def digest(self, name: str) -> str:
        return self._digest

    @cached_property
    def _digest(self) -> str:
        """The digest of the content; InputError if it is not the one in the manifest."""
        if run_digest(self.read(os.fspath(self.path))) != self.content:
            raise InputError(
                f"{self.path}: changed: its queries, documents and scores do not have the digest "
                f"that {MANIFEST} gives"
            )
        return self.content


def write_set(runset: RunSet, path: Path, licence: str | None, replace: bool) -> None:
    """Write a set; see `RunSet.save`."""
    if licence is not None and not isinstance(licence, str):
        raise TypeError(f"`licence` must be a string; got {type(licence).__name__}")
    if replace and os.path.lexists(path):
        _check_replaceable(path)
    write_folder(path, lambda folder: _write(runset, folder, licence), replace)


def _write(runset: RunSet, folder: Path, licence: str | None) -> None:
    (folder / RUNS).mkdir()
    groups = runset.groups or [None] * len(runset)
    runs = [
        {"name": name, "group": group, **_write_run(runset.columns(place), name, folder, stem)}
        for place, (name, group, stem) in enumerate(
            zip(runset.names, groups, file_stems(runset.names), strict=True)
        )
    ]
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "irx_measures": PACKAGE_VERSION,
        "name": runset.name,
        "licence": licence,
        "strict": runset.strict,
        "named": runset.named,
        "digest": set_digest(runset.names, runset.groups, (run["digest"] for run in runs)),
        "runs": runs,
    }
    _write_json(folder / MANIFEST, manifest)
    _write_json(folder / ARTIFACT_FILE, ARTIFACT)


def _write_json(path: Path, content: dict[str, Any]) -> None:
    write_whole(path, (json.dumps(content, indent=1) + "\n").encode())


def _write_run(run: Table, name: str, folder: Path, stem: str) -> dict[str, Any]:
    """Write a run, read it again, and return what the manifest says of the file."""
    _check_identifiers(run, name)
    file = f"{RUNS}/{stem}{ENDING}"
    content = run_digest(run, name)
    write_lines(folder / file, _trec_lines(run, name, stem))
    if run_digest(read_run(folder / file, name, TREC)) != content:
        raise InputError(f"run {name!r} is not the same after it was written as a TREC file")
    return {
        "file": file,
        "sha256": sha256_of(folder / file),
        "digest": content,
        "queries": len(run.query_ids),
        "documents": len(run.score),
    }


def _trec_lines(run: Table, name: str, tag: str) -> Iterator[str]:
    """Lines in the order of trec_eval, query by query; scores have all their digits."""
    ranking = rank_run(run, Names(run.query_ids), name)
    row = ranking.ordered_rows()
    rank = np.arange(len(row)) - ranking.start[ranking.query] + 1
    queries = map(run.query_ids.__getitem__, ranking.query.tolist())
    rows = zip(queries, run.doc.take(row), rank.tolist(), run.score[row].tolist(), strict=True)
    for query, doc, place, score in rows:
        yield f"{query} Q0 {doc} {place} {score!r} {tag}"


def _check_identifiers(run: Table, name: str) -> None:
    """InputError if a TREC file cannot hold an identifier of the run."""
    for what, ids, refused in (
        ("query", run.query_ids, NOT_A_QUERY),
        ("document", run.doc.all(), NOT_IN_TREC),
    ):
        wrong = next(filter(refused.search, ids), None)
        if wrong is not None:
            raise InputError(
                f"run {name!r}: a TREC file cannot hold the {what} {wrong!r}: an identifier must "
                "be valid Unicode, must not be empty or hold white space or null characters, and "
                "a query must not start with '#' or a byte order mark"
            )


def _check_replaceable(path: Path) -> None:
    """InputError unless a folder holds a saved set and nothing else."""
    if not path.is_dir():
        raise InputError(f"{path}: only a saved RunSet is replaced; this is not a folder")
    known = {MANIFEST, ARTIFACT_FILE, *(run["file"] for run in read_manifest(path)["runs"])}
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path).as_posix()
        if inside not in known and inside != RUNS:
            raise InputError(f"{path}: not replaced, because {inside} is no part of the saved set")


def read_set(path: Path) -> RunSet:
    """A saved set; every file is compared with its digest. See `RunSet.load`."""
    content = read_manifest(path)
    runs = content["runs"]
    sources: dict[str, Any] = {run["name"]: _checked_source(path, run) for run in runs}
    names = tuple(run["name"] for run in runs)
    groups = {run["name"]: run["group"] for run in runs if run["group"] is not None}
    digest = set_digest(names, tuple(groups.values()) or None, (run["digest"] for run in runs))
    if digest != content["digest"]:
        raise InputError(f"{path / MANIFEST}: damaged: names, groups or digests were changed")
    runset = RunSet(
        NamedSources(sources, content["named"]),
        content["name"],
        groups or None,
        strict=content["strict"],
    )
    runset.licence, runset.stated = content["licence"], digest
    return runset


def _checked_source(folder: Path, run: dict[str, Any]) -> SavedRun:
    """The file of a run; InputError if it is not the file that was saved."""
    path = folder / run["file"]
    if not path.is_file():
        raise InputError(f"{path}: missing; {MANIFEST} names it for run {run['name']!r}")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{path}: a link to a file outside of {folder}")
    state = FileState.of(path)
    if sha256_of(path) != run["sha256"]:
        raise InputError(
            f"{path}: damaged or changed: its SHA-256 digest is not the one in {MANIFEST}"
        )
    return SavedRun(path, state, TREC, run["digest"])
