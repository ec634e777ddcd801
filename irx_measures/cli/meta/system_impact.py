"""``irx meta systems``: how the number of systems changes the ranking of systems."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np
from ir_measures import Measure

from ... import plots
from ...common.progress import counting_bar
from ...meta.system_impact import SystemImpact, system_impact
from ...runsets.runset import RunSet
from ...scoring.subset_scorer import SubsetScorer
from ..argument_types import count
from ..options import add_coefficient, add_trials
from ..output import progress_of
from ..parser import Parser
from ..scoring import qrels_of, run_set
from .study import (
    StudyOutput,
    add_study,
    measures_of,
    tell_left_out,
)


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx meta systems``."""
    add_study(
        parser,
        picture="the correlation by number of systems",
        example="irx meta systems qrels.txt runs/* -m 'P_Rareness(systems=others)@100' "
        "--sizes 2 8 32",
        study=_systems,
    )
    parser.add_argument(
        "--sizes",
        metavar="N",
        nargs="+",
        type=count,
        help="numbers of systems (default: 2, 4, 8, ... 64, up to the number of systems)",
    )
    add_trials(parser, "random choices of systems per number")
    add_coefficient(parser, several=False)


def _systems(options: argparse.Namespace) -> StudyOutput:
    runs = run_set(options, options.runs)
    results = {str(measure): _impact(options, runs, measure) for measure in measures_of(options)}
    rows = [
        {"measure": measure, "systems": size, options.coefficient: mean, "error": error,
         "undefined": undefined}
        for measure, result in results.items()
        for size, mean, error, undefined in zip(
            result.sizes.tolist(), result.mean.tolist(), result.error.tolist(),
            result.undefined.tolist(), strict=True,
        )
    ]  # fmt: skip
    return StudyOutput(rows, partial(plots.impact_curves, results))


def _impact(options: argparse.Namespace, runs: RunSet, measure: Measure) -> SystemImpact:
    scorer = SubsetScorer(
        runs, qrels_of(options.qrels), measure, strict=options.strict, progress=progress_of(options)
    )
    scored = np.flatnonzero(~scorer.undefined)
    tell_left_out(measure, scorer.systems, scorer.undefined)
    with counting_bar(None, "evaluation", progress_of(options)) as counted:

        def score(positions: Any) -> Any:
            if counted is not None:
                counted(1)
            return scorer(scored[positions])

        return system_impact(
            score, [scorer.systems[position] for position in scored.tolist()],
            sizes=options.sizes, trials=options.trials,
            coefficient=options.coefficient, phi=options.phi, seed=options.seed,
        )  # fmt: skip
