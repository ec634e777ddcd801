"""``irx meta stability``: whether measures say the same over other topics."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...meta import stability
from ..options import Parser
from .study import Study, add_study, add_topic_sets, by_measure, scores_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_stability(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = add_study(
        studies,
        "stability",
        "compare all pairs of systems over random sets of topics (Buckley and Voorhees)",
        "the stability of every pair",
        "irx meta stability qrels.txt runs/* -m AP P@10 --fuzziness 0.05",
        _stability,
    )
    add_topic_sets(parser)
    parser.add_argument(
        "--fuzziness",
        type=float,
        default=0.05,
        help="mean scores this close are tied (default: %(default)s)",
    )
    parser.add_argument(
        "--relative", action="store_true", help="the fuzziness is a share of the larger score"
    )


def _stability(options: argparse.Namespace) -> Study:
    matrix = scores_of(options)
    results = {
        measure: stability(
            scores, matrix.systems, topics=options.topics, trials=options.trials,
            fuzziness=options.fuzziness, relative=options.relative, seed=options.seed,
        )
        for measure, scores in by_measure(options, matrix)
    }  # fmt: skip

    def draw() -> Axes:
        from ...plots import stability_curves

        return stability_curves(results)

    return [
        {
            "measure": measure,
            "topics": result.topics,
            "trials": result.trials,
            "stability": result.value,
            "error_rate": result.error_rate,
            "ties": result.ties,
        }
        for measure, result in results.items()
    ], draw
