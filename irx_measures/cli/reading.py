"""What the arguments of a command name: measures, runs, qrels, baselines, groups of queries."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ir_measures import Measure

from ..exceptions import InputError
from ..io.groups import GROUP, read_query_groups
from ..io.irds import IRDS
from ..io.table import Table
from ..measures.strings import parse_measures, split_measures, takes_runs
from ..runsets.registry import OTHERS, register_runs
from ..runsets.runset import RunSet
from ..runsets.sources import path_name
from ..scoring.evaluate import evaluate, judged_documents
from ..scoring.score_matrix import ScoreMatrix

Files = Mapping[str, "str | Path"]
"""Run files and ir_datasets ids by the names of their runs."""


@dataclass(frozen=True)
class Inputs:
    """What the arguments of a command name.

    Attributes
    ----------
    measures
    runset
        The runs, and the baselines that are files.
    qrels
    baselines
        The names of the baselines.
    query_group
        The group of each query; None without ``--by``.
    strict, progress
    """

    measures: Sequence[Measure]
    runset: RunSet
    qrels: Table
    baselines: Sequence[str]
    query_group: Mapping[str, str] | None
    strict: bool
    progress: bool | None

    def scores(
        self, measures: Sequence[Measure] | None = None, qrels: Table | None = None
    ) -> ScoreMatrix:
        """The scores of the runs; by default, on the measures and qrels of the command."""
        return evaluate(
            self.runset,
            self.qrels if qrels is None else qrels,
            self.measures if measures is None else measures,
            strict=self.strict,
            progress=self.progress,
        )

    @property
    def measure(self) -> Measure:
        """The only measure."""
        if len(self.measures) != 1:
            raise InputError(f"--measures (-m) must name one measure; got {len(self.measures)}")
        return self.measures[0]


def read(options: argparse.Namespace, qrels: str | None = None) -> Inputs:
    """Read what the options name; `qrels` are those of another argument than QRELS."""
    runs, baselines = _with_baselines(options)
    source = options.qrels if qrels is None else qrels
    measures = named_measures(options, runs, source)
    query_group = query_groups(options)
    return Inputs(
        measures,
        run_set(options, runs),
        judged(source, options.strict),
        baselines,
        query_group,
        options.strict,
        options.progress,
    )


def judged(qrels: str, strict: bool) -> Table:
    """The judgments of a file or an ir_datasets id; ``-`` means no qrels."""
    return judged_documents(_qrels_of(qrels), strict)


def _qrels_of(given: str) -> Any:
    return {} if given == "-" else given


def run_set(options: argparse.Namespace, runs: Files) -> RunSet:
    """The runs, grouped according to the options; nothing is read."""
    return RunSet(runs, OTHERS, groups=options.groups, strict=options.strict, format=options.format)


def query_groups(options: argparse.Namespace) -> dict[str, str] | None:
    """The group of each query; None without ``--by``."""
    by = getattr(options, "by", None)
    return None if by is None else read_query_groups(by, GROUP)


def named_measures(options: argparse.Namespace, runs: Files, qrels: str = "-") -> list[Measure]:
    """The requested measures; the options fill in a missing prior or reference."""
    priors = [str(runs.get(prior, prior)) for prior in options.priors]
    references = [] if options.reference is None else [options.reference]
    references = [str(runs.get(reference, reference)) for reference in references]
    added = named_runs(priors), named_runs(references)
    _register(options, runs, *added)
    measures = parse_measures(
        split_measures(options.measures),
        allow_files=options.allow_files,
        names=runs,
        qrels=_qrels_of(qrels),
    )
    return _fill_in(_fill_in(measures, "prior", list(added[0])), "reference", list(added[1]))


def _register(options: argparse.Namespace, runs: Files, *added: Files) -> None:
    """Register the runs of ``--prior`` and ``--reference`` for measures."""
    known = dict(runs)
    for name, run in [item for files in added for item in files.items()]:
        if name not in known:
            known[name] = run
            register_runs(
                name, {name: run}, replace=True, strict=options.strict, format=options.format
            )
        elif not _same_run(known[name], run):
            raise InputError(f"{known[name]} and {run} would both be called {name!r}")


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
        name = path_name(path)
        if not name:
            raise InputError(f"a run must be a file or an ir_datasets id; got {path!r}")
        if not name.isprintable():
            raise InputError(f"runs must have printable names; got {name!r}")
        if name in named:
            raise InputError(f"{named[name]} and {path} would both be called {name!r}")
        named[name] = path if path.startswith(IRDS) else Path(path)
    return named


def _with_baselines(options: argparse.Namespace) -> tuple[Files, list[str]]:
    """The runs, with the files of ``--baseline`` that are no RUN, and the baselines' names."""
    runs, names = named_runs(options.runs), []
    for given in getattr(options, "baselines", ()):
        name = given if given in runs else path_name(given)
        if given not in runs and not (name in runs and _same_run(runs[name], given)):
            if not given.startswith(IRDS) and not Path(given).is_file():
                raise InputError(
                    "--baseline must be a file or the name of a RUN, such as "
                    f"{', '.join(map(repr, list(runs)[:5]))}; got {given!r}"
                )
            runs = named_runs([*map(str, runs.values()), given])
        names.append(name)
    return runs, names


def _same_run(one: str | Path, other: str | Path) -> bool:
    """Whether two arguments name the same file or the same ir_datasets id."""
    if str(one).startswith(IRDS) or str(other).startswith(IRDS):
        return str(one) == str(other)
    return Path(one).resolve() == Path(other).resolve()
