"""``irx meta systems``: what the number of systems does to measures."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ...meta.system_impact import system_impact
from ...runsets.registry import OTHERS
from ...runsets.runset import RunSet
from ...scoring.subset_scorer import SubsetScorer
from ..options import Parser, named_runs, progress_of
from .study import Study, add_coefficient, add_study, measures_of, progress_bar

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_systems(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = add_study(
        studies,
        "systems",
        "correlate rankings among few systems with their ranking among all",
        "the correlation by number of systems",
        "irx meta systems qrels.txt runs/* -m 'P_Rareness(systems=others)@100' --sizes 2 8 32",
        _systems,
    )
    parser.add_argument(
        "--sizes",
        metavar="N",
        nargs="+",
        type=int,
        help="numbers of systems (default: 2, 4, 8, ... 64, as far as there are so many)",
    )
    parser.add_argument(
        "--trials", type=int, default=1000, help="choices per number (default: %(default)s)"
    )
    add_coefficient(parser, several=False)


def _systems(options: argparse.Namespace) -> Study:
    runs = RunSet(
        named_runs(options.runs), name=OTHERS, groups=options.groups, strict=options.strict
    )
    results = {}
    for measure in measures_of(options):
        scorer = SubsetScorer(
            runs, options.qrels, measure, strict=options.strict, progress=progress_of(options)
        )
        with progress_bar(options, (), "evaluation") as bar:

            def counted(positions: Any, scorer: SubsetScorer = scorer, bar: Any = bar) -> Any:
                bar.update()
                return scorer(positions)

            results[str(measure)] = system_impact(
                counted, scorer.systems, sizes=options.sizes, trials=options.trials,
                coefficient=options.coefficient, phi=options.phi, seed=options.seed,
            )  # fmt: skip

    def draw() -> Axes:
        from ...plots import impact_curves

        return impact_curves(results)

    return [
        {"measure": measure, "systems": size, options.coefficient: mean, "error": error}
        for measure, result in results.items()
        for size, mean, error in zip(
            result.sizes.tolist(), result.mean.tolist(), result.error.tolist(), strict=True
        )
    ], draw
