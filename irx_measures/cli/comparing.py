"""What ``irx compare`` and ``irx report`` compare: runs, or scores from files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from ..comparison.compare import compare
from ..comparison.result import Comparison
from ..exceptions import InputError
from ..io.table import Table
from ..runsets.runset import RunSet
from .collections import scores_of_collections
from .from_function import add_options, asked
from .options import names_of
from .reading import read

# The options that say how runs are read and scored.
OF_RUNS = (
    "qrels", "runs", "priors", "reference", "groups", "format", "ignore_identical_ids", "unjudged",
)  # fmt: skip

# The parameters of `compare` that are options, with their lines in the helps of commands.
METHOD = {
    "test": "the test of each pair",
    "correction": "the correction for several comparisons",
    "level": "confidence level",
    "resamples": "random samples of randomisation and bootstrap",
    "seed": "random seed",
    "unjudged": "in addition, draw the grades of unjudged documents",
}


def add_method(parser: Any, *names: str, whole: bool = False) -> None:
    """Add these parameters of `compare`, keys of `METHOD`; with `whole`, with their long texts."""
    add_options(parser, compare, *names, short=None if whole else METHOD)


def compared(
    options: argparse.Namespace, how: Sequence[str], by: Mapping[str, str] | None = None
) -> tuple[Comparison, RunSet | None, Table | None]:
    """What the options name, compared as the parameters `how` of `compare` say.

    `by` has the group of each query, if systems are to be compared within groups. The runs and the
    qrels that were read follow the result.
    """
    result, runset, qrels = _compared(options, how, by)
    if not options.names:
        return result, runset, qrels
    named = result.renamed(names_of(options))
    if runset is not None:
        new = dict(zip(result.matrix.systems, named.matrix.systems, strict=True))
        runset = _renamed(runset, new)
    return named, runset, qrels


def _renamed(runset: RunSet, new: Mapping[str, str]) -> RunSet:
    """The same runs under other names."""
    sources = {new.get(name, name): source for name, source in runset.sources.items()}
    groups = runset.group_of
    if groups is not None:
        groups = {new.get(name, name): group for name, group in groups.items()}
    return runset.of_sources(sources, groups)


def _compared(
    options: argparse.Namespace, how: Sequence[str], by: Mapping[str, str] | None
) -> tuple[Comparison, RunSet | None, Table | None]:
    """The same under the names of the files."""
    if options.scores and options.collections:
        raise InputError("--scores has scores already: omit --collections")
    if options.lower_is_better and not options.scores:
        raise InputError("--lower-is-better goes with --scores")
    method = asked(options, *how, "progress") | {"by": by, "macro": options.macro}
    baseline = options.baselines or None
    if options.collections:
        scores = scores_of_collections(options)
        return compare(scores=scores, baseline=baseline, **method), None, None
    if options.scores:
        _refuse_runs(options)
        result = compare(
            scores=options.scores, measures=options.measures or None, strict=options.strict,
            lower_is_better=options.lower_is_better, baseline=baseline, **method,
        )  # fmt: skip
        return result, None, None
    inputs = read(options)
    result = compare(
        inputs.qrels, inputs.runset, inputs.measures, strict=inputs.strict,
        unjudged=options.unjudged, baseline=inputs.baselines or None, **method,
    )  # fmt: skip
    return result, inputs.runset, inputs.qrels


def _refuse_runs(options: argparse.Namespace) -> None:
    """InputError if an option of runs is beside ``--scores``."""
    for name in OF_RUNS:
        if getattr(options, name) != options.parser.get_default(name):
            raise InputError(f"`{name}` goes with runs; --scores has scores already")
