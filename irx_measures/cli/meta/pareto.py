"""``irx meta pareto``: which systems are Pareto-optimal in cost and score."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ... import plots
from ...exceptions import InputError
from ...io.groups import read_costs
from ...meta.pareto import ParetoFront, pareto_front
from ..parser import COSTS, Parser
from .study import StudyOutput, add_study, measures_of, scores_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx meta pareto``."""
    add_study(
        parser,
        picture="scores against costs, by one measure",
        example="irx meta pareto - first-stage/* --reference second-stage.run "
        "-m 'RBR(phi=0.9)@20' --costs costs.csv",
        study=_pareto,
    )
    parser.add_argument(
        "--costs",
        metavar="CSV",
        type=Path,
        required=True,
        role=COSTS,
        help="a file (csv, tsv or json lines) with columns run and cost, in any unit",
    )


def _pareto(options: argparse.Namespace) -> StudyOutput:
    if options.plot is not None and len(measures_of(options)) > 1:
        raise InputError("--plot goes with one measure")
    cost_of = read_costs(options.costs)
    matrix = scores_of(options)
    missing = [system for system in matrix.systems if system not in cost_of]
    if missing:
        raise InputError(f"{options.costs}: every run must have a cost; missing {missing[:3]}")
    costs = [cost_of[system] for system in matrix.systems]
    means = zip(matrix.measures, matrix.aggregates, strict=True)
    fronts = {str(measure): pareto_front(costs, mean, matrix.systems) for measure, mean in means}
    rows = [
        {"measure": measure, "run": system, "cost": cost, "score": score, "on_front": on_front}
        for measure, front in fronts.items()
        for system, cost, score, on_front in zip(
            front.names, front.cost.tolist(), front.score.tolist(), front.on_front.tolist(),
            strict=True,
        )
    ]  # fmt: skip
    return StudyOutput(rows, partial(_draw, fronts))


def _draw(fronts: Mapping[str, ParetoFront], width: float | None) -> Axes:
    ((measure, front),) = fronts.items()
    return plots.pareto_front(front, measure=measure, width=width)
