"""``-o json``: the results of a command, with what they were computed from and by."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ir_measures

from ..common.table import json_value
from ..common.version import VERSION
from ..io.files import sha256_of
from ..io.irds import IRDS
from ..io.read_log import ReadLog
from ..io.trec import qrels_entry, read_qrels, read_run, run_entry
from ..measures.strings import NamedFiles, files_named, parse_measures, split_measures
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
    Content,
    Effect,
    Input,
    Role,
)

SCHEMA = "irx_measures.results/1"

IN_ORDER = (
    *(SCORES, QRELS, HUMAN_QRELS, MACHINE_QRELS, RUN, PRIOR, REFERENCE, OTHER_QRELS, OTHER_RUN),
    *(RUN_OF_MEASURE, QRELS_OF_MEASURE, GROUPS, QUERY_GROUPS, COSTS, LETOR, TEXTS),
)
"""The order of the inputs in the output."""

# `--format` is for the RUN files of the command line only.
OF_COMMAND_LINE = (RUN, PRIOR, REFERENCE, OTHER_RUN)


def with_provenance(
    command: str,
    options: argparse.Namespace,
    results: str,
    warnings: Sequence[str],
    log: ReadLog,
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
    log
        What the command read. It is still kept: what the command did not read is read now.

    Notes
    -----
    There is no date in it: the same input has the same bytes.
    """
    given = vars(options)
    roles = {name: role for name, role in options.parser.roles().items() if name in given}
    head = {
        "schema": SCHEMA,
        "irx_measures": VERSION,
        "ir_measures": ir_measures.__version__,
        "command": command,
        "parameters": {
            name: _plain(given[name])
            for name, role in roles.items()
            if role in (Effect.PARAMETER, Effect.MEASURES)
        },
        "inputs": list(_inputs(roles, given, log)),
        "warnings": list(warnings),
    }
    # The results are text already: they are not parsed and written a second time.
    opened = json.dumps(head, indent=1, allow_nan=False).removesuffix("\n}")
    return f'{opened},\n "results": {results.rstrip()}\n}}\n'


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, Path) else json_value(value)


def _inputs(
    roles: Mapping[str, Role], given: Mapping[str, Any], log: ReadLog
) -> Iterator[dict[str, Any]]:
    """Every file and ir_datasets id that the options name, once per role."""
    paths = _paths(roles, given)
    form = given.get("format")
    seen = set()
    for kind in IN_ORDER:
        for path in paths[kind]:
            if path != "-" and (kind.role, path) not in seen:  # `-` means no qrels
                seen.add((kind.role, path))
                yield _described(path, kind, form if kind in OF_COMMAND_LINE else None, log)


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
            found = _named_by(_values(given[name]), [*named[RUN], *named[PRIOR]])
            named[RUN_OF_MEASURE] += found.runs
            named[QRELS_OF_MEASURE] += found.qrels
    for kind in (*OF_COMMAND_LINE, RUN_OF_MEASURE):
        named[kind] = [file for path in named[kind] for file in _files(path)]
    if named[LETOR]:
        from ..reproductions.upper_expected.rankers import letor_files  # slow to import

        named[LETOR] = [str(file) for path in named[LETOR] for file in letor_files(Path(path))]
    return named


def _files(path: str) -> list[str]:
    """The files of a path, a glob or a folder; an id stands for itself."""
    if os.path.isdir(path):
        return list(map(str, files_of_folder(path)))
    return matching_files(path) or [path]


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _named_by(measures: list[str], runs: list[str]) -> NamedFiles:
    """What measures name that is no run of the command."""
    names = {path_name(path) for path in runs}
    parsed = parse_measures([text for text in split_measures(measures) if "(" in text])
    found = [files_named(measure, names) for measure in parsed]
    return NamedFiles(
        [path for files in found for path in files.runs],
        [path for files in found for path in files.qrels],
    )


def _described(path: str, kind: Input, form: str | None, log: ReadLog) -> dict[str, Any]:
    """An input; a pipe, which cannot be read again, has neither digest nor queries."""
    is_file = not path.startswith(IRDS) and Path(path).is_file()
    is_id = not is_file and not Path(path).exists()
    described: dict[str, Any] = {"role": kind.role}
    if kind.content is Content.RUN:
        described["name"] = path_name(path)
    # The digest follows the queries: reading the file for these adds its digest to the log.
    queries = _queries(path, kind, form, log) if is_file or is_id else None
    described |= {"path": path, "sha256": _digest(path, log) if is_file else None}
    if kind.content is not Content.OTHER:
        described["queries"] = queries
    return described


def _queries(path: str, kind: Input, form: str | None, log: ReadLog) -> int | None:
    """The number of queries of a run or of qrels, which are read now if they were not before."""
    if kind.content is Content.OTHER:
        return None
    of_run = kind.content is Content.RUN
    entry = run_entry(path, form) if of_run else qrels_entry(path)
    if entry is None:
        return None
    if entry not in log.queries:
        if of_run:
            read_run(path, form=form)
        else:
            read_qrels(path)
    return log.queries[entry]


def _digest(path: str, log: ReadLog) -> str:
    """The digest of a file, which is read now if it was not before."""
    return log.digests.get(os.path.realpath(path)) or sha256_of(Path(path))
