"""The measures, runs and scores that the options of a command ask for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ir_measures import Measure

from ..exceptions import InputError
from ..io.groups import GROUP, read_query_groups
from ..io.irds import IRDS
from ..measures.strings import parse_measures, split_measures, takes_runs
from ..runsets.registry import OTHERS, register_runs
from ..runsets.runset import RunSet
from ..runsets.sources import path_name
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix
from .output import progress_of


def qrels_of(given: str) -> Any:
    """The source of the qrels; ``-`` means no qrels."""
    return {} if given == "-" else given


def named_measures(options: argparse.Namespace) -> list[Measure]:
    """The requested measures; the options fill in a missing prior or reference."""
    _name_files(options)
    priors, references = _registered(options)
    measures = parse_measures(
        split_measures(options.measures),
        allow_files=options.allow_files,
        names=named_runs(options.runs),
        qrels=qrels_of(getattr(options, "qrels", "-")),
    )
    return _fill_in(_fill_in(measures, "prior", priors), "reference", references)


def _name_files(options: argparse.Namespace) -> None:
    """Replace the names of RUNs in ``--prior`` and ``--reference`` by the files of the RUNs."""
    scored = named_runs(options.runs)
    options.priors = [str(scored.get(prior, prior)) for prior in options.priors]
    if options.reference is not None:
        options.reference = str(scored.get(options.reference, options.reference))


def _registered(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Register the runs of ``--prior`` and ``--reference`` for measures; returns their names."""
    references = [] if options.reference is None else [options.reference]
    priors, referred = named_runs(options.priors), named_runs(references)
    known = named_runs(options.runs)
    for name, run in [*priors.items(), *referred.items()]:
        if name not in known:
            known[name] = run
            register_runs(
                name, {name: run}, replace=True, strict=options.strict, format=options.format
            )
        elif not same_run(known[name], run):
            raise InputError(f"{known[name]} and {run} would both be called {name!r}")
    return list(priors), list(referred)


def same_run(one: str | Path, other: str | Path) -> bool:
    """Whether two arguments name the same file or the same ir_datasets id."""
    if str(one).startswith(IRDS) or str(other).startswith(IRDS):
        return str(one) == str(other)
    return Path(one).resolve() == Path(other).resolve()


def _fill_in(measures: Sequence[Measure], param: str, names: Sequence[str]) -> list[Measure]:
    """The measures; if `param` of a measure is not set, it becomes these names."""
    if not names:
        return list(measures)
    return [
        measure(**{param: "+".join(names)})
        if takes_runs(measure, param) and measure[param] is None
        else measure
        for measure in measures
    ]


def named_runs(paths: Sequence[str]) -> dict[str, str | Path]:
    """Run files and ir_datasets ids by the names of their runs."""
    named: dict[str, str | Path] = {}
    for path in paths:
        of_dataset = path.startswith(IRDS)
        name = path_name(path)
        if not name:
            raise InputError(f"a run must be a file or an ir_datasets id; got {path!r}")
        if not name.isprintable():
            raise InputError(f"runs must have printable names; got {name!r}")
        if name in named:
            raise InputError(f"{named[name]} and {path} would both be called {name!r}")
        named[name] = path if of_dataset else Path(path)
    return named


def baselines_of(options: argparse.Namespace) -> list[str]:
    """The names of the baselines; files that are no RUN are added to the runs."""
    names = []
    for given in options.baselines:
        known = named_runs(options.runs)
        if given in known:
            names.append(given)
            continue
        name = path_name(given)
        if name in known and same_run(known[name], given):
            names.append(name)
            continue
        if not given.startswith(IRDS) and not Path(given).is_file():
            raise InputError(
                f"--baseline must be a file or the name of a RUN, such as "
                f"{', '.join(map(repr, list(known)[:5]))}; got {given!r}"
            )
        options.runs = [*options.runs, given]
        names.append(name)
    return names


def query_groups(options: argparse.Namespace) -> dict[str, str] | None:
    """The group of each query, as the options for groups name them; None without ``--by``."""
    if options.by is None:
        if options.by_column is not None:
            raise InputError("--by-column goes with --by")
        return None
    options.by_column = options.by_column or GROUP  # it is in the json
    return read_query_groups(options.by, options.by_column)


def evaluate_runs(
    options: argparse.Namespace, qrels: Any, runs: Sequence[str], measures: Sequence[Measure]
) -> ScoreMatrix:
    """The scores of runs, which are read and grouped according to the options."""
    return evaluate_set(options, qrels, run_set(options, runs), measures)


def run_set(options: argparse.Namespace, runs: Sequence[str]) -> RunSet:
    """The runs, named and grouped according to the options; nothing is read."""
    return RunSet(
        named_runs(runs),
        OTHERS,
        groups=options.groups,
        strict=options.strict,
        format=options.format,
    )


def evaluate_set(
    options: argparse.Namespace, qrels: Any, runset: RunSet, measures: Sequence[Measure]
) -> ScoreMatrix:
    """The scores of the runs of a set."""
    return evaluate(runset, qrels, measures, strict=options.strict, progress=progress_of(options))
