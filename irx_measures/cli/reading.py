"""What the arguments of a command name: measures, runs, qrels, baselines, groups of queries."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ir_measures import Measure

from ..common.writing import nearest_of
from ..exceptions import InputError
from ..io.collection_files import are_collections
from ..io.groups import read_query_groups
from ..io.irds import IRDS
from ..io.table import Table
from ..measures.naming.strings import parse_measures, split_measures, takes_runs
from ..runsets.given import judged_documents
from ..runsets.registry import OTHERS, register_runs
from ..runsets.runset import RunSet
from ..runsets.sources import run_name
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix

Files = Mapping[str, "str | Path"]
"""Run files and ir_datasets ids by the names of their runs."""


@dataclass(frozen=True)
class Inputs:
    """What the arguments of a command name."""

    measures: Sequence[Measure]
    runset: RunSet  # the runs, and the baselines that are files
    qrels: Table
    baselines: Sequence[str]  # their names
    strict: bool
    progress: bool | None

    def scores(
        self, measures: Sequence[Measure] | None = None, qrels: Table | None = None
    ) -> ScoreMatrix:
        """The scores of the runs; by default, on the measures and qrels of the command."""
        return evaluate(
            self.qrels if qrels is None else qrels,
            self.runset,
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
    source = options.qrels if qrels is None else qrels
    folders = [source, *options.runs]
    if hasattr(options, "collections") and are_collections(folders):
        raise InputError(
            f"QRELS must be a file; {source} is a folder; of several collections: --collections "
            f"{shlex.join(folders)}"
        )
    return inputs_of(options, named_runs(options.runs), source)


def inputs_of(options: argparse.Namespace, runs: dict[str, str | Path], source: str) -> Inputs:
    """What the options name beside these runs and qrels."""
    given = getattr(options, "baselines", ())
    baselines = [run_named(runs, "--baseline", each) for each in given]
    return Inputs(
        named_measures(options, runs, source),
        run_set(options, runs),
        judged(source, options.strict),
        baselines,
        options.strict,
        options.progress,
    )


def judged(qrels: str, strict: bool) -> Table:
    """The judgments of a file or an ir_datasets id; ``-`` means no qrels."""
    return judged_documents(_source(qrels), strict)


def _source(qrels: str) -> str | dict[str, dict[str, int]]:
    """What an argument QRELS stands for."""
    return {} if qrels == "-" else qrels


def run_set(options: argparse.Namespace, runs: Files) -> RunSet:
    """The runs, grouped according to the options; nothing is read."""
    return RunSet(
        runs,
        OTHERS,
        groups=options.groups,
        strict=options.strict,
        format=options.format,
        ignore_identical_ids=options.ignore_identical_ids,
    )


def query_groups(options: argparse.Namespace) -> dict[str, str] | None:
    """The group of each query; None without ``--by``."""
    return None if options.by is None else read_query_groups(options.by)


def named_measures(options: argparse.Namespace, runs: Files, qrels: str = "-") -> list[Measure]:
    """The requested measures; the options fill in a missing prior or reference."""
    known = dict(runs)
    references = [] if options.reference is None else [options.reference]
    filled_in = {
        "prior": [run_named(known, "--prior", given) for given in options.priors],
        "reference": [run_named(known, "--reference", given) for given in references],
    }
    how = {"strict": options.strict, "format": options.format}
    for name in known.keys() - runs.keys():
        register_runs(name, {name: known[name]}, replace=True, **how)
    measures = parse_measures(
        split_measures(options.measures),
        allow_files=options.allow_files,
        names=runs,
        qrels=_source(qrels),
    )
    for param, names in filled_in.items():
        measures = [_with(measure, param, names) for measure in measures]
    return measures


def _with(measure: Measure, param: str, names: Sequence[str]) -> Measure:
    """The measure; if `param` takes runs and is not set, it becomes these names."""
    if not names or not takes_runs(measure, param) or measure[param] is not None:
        return measure
    return measure(**{param: "+".join(dict.fromkeys(names))})


def run_named(runs: dict[str, str | Path], option: str, given: str) -> str:
    """The name of a RUN that an option names, or of another file, which is added to `runs`."""
    if given in runs:
        return given
    if not given.startswith(IRDS) and not Path(given).exists():
        some = ", ".join(map(repr, list(runs)[:5]))
        raise InputError(
            f"{option} must be a file or the name of a RUN, such as {some}; got {given!r}"
            f"{nearest_of(given, runs)}"
        )
    ((name, run),) = named_runs([given]).items()
    if name not in runs:
        name = name.replace("#", "-")  # its set is registered, and no set has a name with "#"
    known = runs.setdefault(name, run)
    if Path(known).resolve() != Path(run).resolve():  # an ir_datasets id is equal to itself only
        raise InputError(f"{known} and {run} would both be called {name!r}")
    return name


def named_runs(
    paths: Sequence[str], names: Mapping[str, str] | None = None
) -> dict[str, str | Path]:
    """Run files and ir_datasets ids by the names of their runs; a table `names` those of some."""
    named: dict[str, str | Path] = {}
    for path in paths:
        name = (names or {}).get(path) or run_name(path)
        if not name:
            raise InputError(f"a run must be a file or an ir_datasets id; got {path!r}")
        if not name.isprintable():
            raise InputError(f"runs must have printable names; got {name!r}")
        if name in named:
            hint = "" if names is None else "; the column 'system' names runs"
            raise InputError(f"{named[name]} and {path} would both be called {name!r}{hint}")
        named[name] = path if path.startswith(IRDS) else Path(path)
    return named
