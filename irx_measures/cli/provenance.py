"""``-o json``: the results of a command, with what they were computed from and by."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ir_measures

from ..common.tables import json_value
from ..common.version import VERSION
from ..io.files import sha256_of
from ..measures.strings import files_named, parse_measures, split_measures
from ..runsets.sources import files_of_folder, matching_files, path_name
from .parser import (
    COSTS,
    GROUPS,
    HUMAN_QRELS,
    LETOR,
    MACHINE_QRELS,
    OTHER_QRELS,
    OTHER_RUN,
    PRIOR,
    QRELS,
    QRELS_OF_MEASURE,
    QUERY_GROUPS,
    REFERENCE,
    RUN,
    RUN_OF_MEASURE,
    SCORES,
    TEXTS,
    Effect,
    Input,
    Role,
)

SCHEMA = "irx_measures.results/2"

IN_ORDER = (
    *(SCORES, QRELS, HUMAN_QRELS, MACHINE_QRELS, RUN, PRIOR, REFERENCE, OTHER_QRELS, OTHER_RUN),
    *(RUN_OF_MEASURE, QRELS_OF_MEASURE, GROUPS, QUERY_GROUPS, COSTS, LETOR, TEXTS),
)
"""The order of the inputs in the output."""

OF_RUNS = (RUN, PRIOR, REFERENCE, OTHER_RUN, RUN_OF_MEASURE)

State = tuple[int, int, int]
"""Inode, size and time of a file."""

States = Mapping[str, State | None]
"""The states of files by their paths; None for pipes, and for ir_datasets ids."""


def states_of(options: argparse.Namespace) -> States:
    """The files that the options name, as they are before the command runs, which may take long.

    A baseline may be a file, too: the command adds it to its runs.
    """
    given = vars(options)
    named = [path for paths in _paths(_roles(options), given).values() for path in paths]
    return {path: _state(path) for path in [*named, *_values(given.get("baselines"))]}


def with_provenance(
    command: str,
    options: argparse.Namespace,
    results: str,
    warnings: Sequence[str],
    states: States,
) -> str:
    """The results of a command as one JSON object.

    Parameters
    ----------
    command
        The command as typed, without its arguments.
    options
        Its arguments.
    results
        The results, as ``json`` of `common.table.FORMATS` writes them.
    warnings
        What the command warned of.
    states
        The files as they were before the command ran. They are hashed now; one that changed in
        between has no digest, because nobody knows which content was read.

    Notes
    -----
    There is no date in it: the same input has the same bytes.
    """
    given = vars(options)
    head = {
        "schema": SCHEMA,
        "irx_measures": VERSION,
        "ir_measures": ir_measures.__version__,
        "command": command,
        "parameters": {
            name: _plain(given[name])
            for name, role in _roles(options).items()
            if role in (Effect.PARAMETER, Effect.MEASURES)
        },
        "inputs": [_described(kind, path, states) for kind, path in _inputs(options)],
        "warnings": list(warnings),
    }
    # The results are text already: they are not parsed and written a second time.
    opened = json.dumps(head, indent=1, allow_nan=False).removesuffix("\n}")
    return f'{opened},\n "results": {results.rstrip()}\n}}\n'


def _roles(options: argparse.Namespace) -> dict[str, Role]:
    return {name: role for name, role in options.parser.roles().items() if name in vars(options)}


def _inputs(options: argparse.Namespace) -> list[tuple[Input, str]]:
    """Every file and ir_datasets id that the options name, once per role."""
    paths = _paths(_roles(options), vars(options))
    named = {(kind.role, path): kind for kind in IN_ORDER for path in paths[kind]}
    return [(kind, path) for (_, path), kind in named.items() if path != "-"]  # `-`: no qrels


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, Path) else json_value(value)


def _paths(roles: Mapping[str, Role], given: Mapping[str, Any]) -> dict[Input, list[str]]:
    """The paths and ids by what they are; globs and folders are replaced by files."""
    named: dict[Input, list[str]] = {kind: [] for kind in IN_ORDER}
    for name, role in roles.items():
        if isinstance(role, Effect):
            continue
        first, later = role if isinstance(role, tuple) else (role, role)
        for place, value in enumerate(_values(given[name])):
            named[later if place else first].append(str(value))
    for name, role in roles.items():
        if role is Effect.MEASURES and not named[SCORES]:  # measures of scores are only names
            runs, qrels = _named_by(_values(given[name]), [*named[RUN], *named[PRIOR]])
            named[RUN_OF_MEASURE] += runs
            named[QRELS_OF_MEASURE] += qrels
    for kind in OF_RUNS:
        named[kind] = [file for path in named[kind] for file in _files(path)]
    if named[LETOR]:
        from ..reproductions.upper_expected import letor_files  # slow to import

        named[LETOR] = [str(file) for path in named[LETOR] for file in letor_files(Path(path))]
    return named


def _files(path: str) -> list[str]:
    """The files of a path, a glob or a folder; an id stands for itself."""
    if os.path.isdir(path):
        return list(map(str, files_of_folder(path)))
    return matching_files(path) or [path]


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _named_by(measures: list[str], runs: list[str]) -> tuple[list[str], list[str]]:
    """The runs and the qrels of machines that measures name, which no option names."""
    parsed = parse_measures([text for text in split_measures(measures) if "(" in text])
    return files_named(parsed, {path_name(path) for path in runs})


def _described(kind: Input, path: str, states: States) -> dict[str, Any]:
    """An input with its digest, or with the reason why it has none."""
    name = {"name": path_name(path)} if kind.is_run else {}
    described = {"role": kind.role, **name, "path": path}
    before = states.get(path)
    digest = sha256_of(Path(path)) if before is not None and _state(path) == before else None
    if digest is None or _state(path) != before:
        reason = "not a file" if before is None else "changed while the command ran"
        return {**described, "sha256": None, "no_digest": reason}
    return {**described, "sha256": digest}


def _state(path: str) -> State | None:
    """What changes when somebody writes to a file."""
    if not os.path.isfile(path):
        return None
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns
