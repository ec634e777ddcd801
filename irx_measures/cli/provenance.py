"""``-o json``: the results of a command, with what they were computed from and by."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures

from ..common.version import VERSION
from ..io.files import sha256_of
from ..io.irds import IRDS
from ..io.trec import read_qrels, read_run
from ..measures.strings import NamedFiles, files_named, parse_measures, split_measures
from ..reporting.text_formats import json_value
from ..runsets.sources import matching_files, path_name

SCHEMA = "irx_measures.results/1"

NOT_PARAMETERS = frozenset(
    {
        *("command", "study", "run", "study_of"),  # the command itself
        *("debug", "quiet", "output_format", "places", "plot", "picture", "heatmap", "no_labels"),
        *("cite", "limits", "yes"),
    }
)
"""Options that do not change the results."""


class _Input(NamedTuple):
    """An option that names inputs.

    Attributes
    ----------
    role
        What the inputs are to the command.
    queries
        Counts the queries of an input, given the format of run files; None if it has none.
    named
        Whether an input is a run, which has a name in the results.
    """

    role: str
    queries: Callable[[str, str | None], int] | None = None
    named: bool = False


def _run_queries(path: str, form: str | None) -> int:
    return len(read_run(path, form=form).query_ids)


def _qrels_queries(path: str, form: str | None) -> int:
    return len(read_qrels(path).query_ids)


INPUTS: dict[str, _Input] = {
    "qrels": _Input("qrels", _qrels_queries),
    "human": _Input("human qrels", _qrels_queries),
    "machine": _Input("machine qrels", _qrels_queries),
    "more": _Input("machine qrels", _qrels_queries),
    "dataset": _Input("qrels", _qrels_queries),
    "runs": _Input("run", _run_queries, True),
    "priors": _Input("prior", _run_queries, True),
    "reference": _Input("reference", _run_queries, True),
    "other_qrels": _Input("other qrels", _qrels_queries),
    "other_runs": _Input("other run", _run_queries, True),
    # `--format` is for the RUN files of the command line only.
    "measure_runs": _Input("run of a measure", lambda path, _: _run_queries(path, None), True),
    "measure_qrels": _Input("machine qrels", _qrels_queries),
    "groups": _Input("groups"),
    "costs": _Input("costs"),
    "letor": _Input("letor"),
    "texts": _Input("texts"),
}


def with_provenance(command: str, options: argparse.Namespace, results: str) -> str:
    """The results of a command as one JSON object.

    Parameters
    ----------
    command
        The command as typed, without its arguments.
    options
        Its arguments.
    results
        The results, as ``json`` of `text_formats.FORMATS` writes them.

    Notes
    -----
    There is no date in it: the same input has the same bytes.
    """
    given = {name: value for name, value in vars(options).items() if name not in NOT_PARAMETERS}
    head = {
        "schema": SCHEMA,
        "irx_measures": VERSION,
        "ir_measures": ir_measures.__version__,
        "command": command,
        "parameters": {
            name: _plain(value)
            for name, value in given.items()
            if name not in INPUTS and name != "versus"
        },
        "inputs": list(_inputs(given)),
    }
    # The results are text already: they are not parsed and written a second time.
    opened = json.dumps(head, indent=1, allow_nan=False).removesuffix("\n}")
    return f'{opened},\n "results": {results.rstrip()}\n}}\n'


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, Path) else json_value(value)


def _inputs(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every file and ir_datasets id that the options name, once per role."""
    form = given.get("format")
    versus = given.get("versus") or []
    in_measures = _of_measures(given)
    named = {
        **given,
        "other_qrels": versus[:1],
        "other_runs": versus[1:],
        "measure_runs": in_measures.runs,
        "measure_qrels": in_measures.qrels,
    }
    seen = set()
    for option, kind in INPUTS.items():
        for path in _paths(option, named.get(option)):
            if path != "-" and (kind.role, path) not in seen:  # `-` means no qrels
                seen.add((kind.role, path))
                yield _described(path, kind, form)


def _of_measures(given: Mapping[str, Any]) -> NamedFiles:
    """What the measures name that is no run of the command."""
    names = {path_name(path) for path in [*given.get("runs", ()), *given.get("priors", ())]}
    measures = parse_measures(split_measures(given.get("measures") or []))
    found = [files_named(measure, names) for measure in measures]
    return NamedFiles(
        [path for files in found for path in files.runs],
        [path for files in found for path in files.qrels],
    )


def _paths(option: str, value: Any) -> list[str]:
    """The paths and ids of an option; globs are replaced by files, a folder by what is read."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    paths = [str(each) for each in values]
    if option == "letor":
        from ..reproductions.upper_expected.rankers import letor_files  # slow to import

        return [str(file) for path in paths for file in letor_files(Path(path))]
    if option in ("runs", "measure_runs"):
        return [file for path in paths for file in matching_files(path) or [path]]
    return paths


def _described(path: str, kind: _Input, form: str | None) -> dict[str, Any]:
    """An input; a pipe, which cannot be read again, has neither digest nor queries."""
    is_file = not path.startswith(IRDS) and Path(path).is_file()
    is_id = not is_file and not Path(path).exists()
    described: dict[str, Any] = {"role": kind.role}
    if kind.named:
        described["name"] = path_name(path)
    described |= {"path": path, "sha256": sha256_of(Path(path)) if is_file else None}
    if kind.queries is not None:
        described["queries"] = kind.queries(path, form) if is_file or is_id else None
    return described
