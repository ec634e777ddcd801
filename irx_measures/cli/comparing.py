"""What ``irx compare`` and ``irx report`` compare: runs, or scores from files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ir_measures import Measure

from ..comparison.compare import compare
from ..comparison.result import Comparison
from ..exceptions import InputError
from ..io.table import Table
from ..runsets.runset import RunSet
from ..scoring.evaluate import judged_documents
from ..scoring.score_matrix import ScoreMatrix
from .options import add_qrels, add_runs
from .output import progress_of
from .parser import SCORES, Instead, Parser
from .scoring import baselines_of, evaluate_set, named_measures, qrels_of, run_set

# The options that say how runs are read and scored.
OF_RUNS = {
    "qrels": "QRELS",
    "runs": "RUN",
    "priors": "--prior",
    "reference": "--reference",
    "groups": "--groups",
    "format": "--format",
    "unjudged": "--unjudged",
    "depth": "--depth",
}


class Compared(NamedTuple):
    """A comparison, and the runs and qrels that were read for it, if any were."""

    result: Comparison
    runset: RunSet | None
    qrels: Table | None


def add_compared(parser: Parser) -> None:
    """Add the arguments that name what is compared."""
    add_qrels(parser)
    add_runs(parser)
    parser.add_argument(
        "--scores",
        metavar="FILE",
        nargs="+",
        action=Instead,
        replaces=("qrels", "runs", "measures"),
        role=SCORES,
        help="compare the scores in these files, instead of QRELS and RUN: .csv, .tsv, .jsonl or "
        ".parquet with the columns system, query_id, measure and value, or system, query_id and a "
        "column per measure, or query_id and a column per system. -m then chooses measures, or "
        "names the only one",
    )
    parser.add_argument(
        "--lower-is-better",
        metavar="MEASURE",
        nargs="+",
        default=[],
        help="with --scores: measures of which lower scores are better, such as seconds",
    )


def baselines_compared(options: argparse.Namespace) -> list[str]:
    """The names of the baselines; of runs, files that are no RUN are added to the runs."""
    return list(options.baselines) if options.scores else baselines_of(options)


class GivenRuns(NamedTuple):
    """What the options name where they name no scores."""

    measures: list[Measure]
    runset: RunSet
    qrels: Table


def given(options: argparse.Namespace) -> ScoreMatrix | GivenRuns:
    """Read what the options name, once: a file may be a pipe."""
    if options.scores:
        return _scores(options)
    if options.lower_is_better:
        raise InputError("--lower-is-better goes with --scores")
    measures = named_measures(options)
    runset = run_set(options, options.runs)
    qrels = judged_documents(qrels_of(options.qrels), options.strict)
    return GivenRuns(measures, runset, qrels)


def compared(
    options: argparse.Namespace,
    level: float,
    baselines: Sequence[str],
) -> Compared:
    """What the options of a command name, compared as they ask for; `level` is a fraction."""
    how, named = _how(options, level, baselines), given(options)
    if isinstance(named, ScoreMatrix):
        return Compared(compare(named, **how), None, None)
    measures, runset, qrels = named
    result = compare(
        runset, qrels, measures, strict=options.strict, unjudged=options.unjudged, **how
    )
    return Compared(result, runset, qrels)


def compared_by_group(
    options: argparse.Namespace,
    level: float,
    baselines: Sequence[str],
    query_group: Mapping[str, str],
) -> Comparison:
    """What the options of a command name, compared within groups of queries."""
    scores = _matrix(options, given(options))
    return scores.by(query_group).compare(**_how(options, level, baselines))


def _matrix(options: argparse.Namespace, named: ScoreMatrix | GivenRuns) -> ScoreMatrix:
    """The scores of the RUNs, or those in the files of ``--scores``."""
    if isinstance(named, ScoreMatrix):
        return named
    return evaluate_set(options, named.qrels, named.runset, named.measures)


def _how(options: argparse.Namespace, level: float, baselines: Sequence[str]) -> dict[str, Any]:
    """The arguments of `compare` that say how systems are compared."""
    return {
        "baseline": baselines or None,
        "test": options.test,
        "correction": options.correction,
        "level": level,
        "resamples": options.resamples,
        "seed": options.seed,
        "prior_topics": options.prior_topics,
        "progress": progress_of(options),
    }


def _scores(options: argparse.Namespace) -> ScoreMatrix:
    """The scores in the files of ``--scores``."""
    for dest, name in OF_RUNS.items():
        default = options.parser.get_default(dest)
        if getattr(options, dest, default) != default:
            raise InputError(f"{name} goes with runs; --scores has scores already")
    return ScoreMatrix.from_files(
        options.scores,
        options.measures or None,
        higher_is_better=dict.fromkeys(options.lower_is_better, False),
        strict=options.strict,
    )
