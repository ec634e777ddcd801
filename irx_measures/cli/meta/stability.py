"""``irx meta stability``: whether different topics order systems the same way."""

from __future__ import annotations

import argparse
from functools import partial

from ... import plots
from ...meta import stability
from ..options import add_topic_sets
from ..output import progress_of
from ..parser import Parser
from .study import Row, StudyOutput, add_study, by_measure, scores_of


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx meta stability``."""
    add_study(
        parser,
        picture="the stability of every pair",
        example="irx meta stability qrels.txt runs/* -m AP P@10 --fuzziness 0.05",
        study=_stability,
    )
    add_topic_sets(parser)
    parser.add_argument(
        "--fuzziness",
        type=float,
        default=0.05,
        help="mean scores that differ by no more are tied (default: %(default)s)",
    )
    parser.add_argument(
        "--relative", action="store_true", help="the fuzziness is a share of the larger score"
    )


def _stability(options: argparse.Namespace) -> StudyOutput:
    matrix = scores_of(options)
    results = {
        measure: stability(
            scores, matrix.systems, topics=options.topics, trials=options.trials,
            fuzziness=options.fuzziness, relative=options.relative, seed=options.seed,
            progress=progress_of(options),
        )
        for measure, scores in by_measure(options, matrix)
    }  # fmt: skip
    rows: list[Row] = [
        {
            "measure": measure,
            "topics": result.topics,
            "trials": result.trials,
            "stability": result.value,
            "error_rate": result.error_rate,
            "ties": result.ties,
        }
        for measure, result in results.items()
    ]
    return StudyOutput(rows, partial(plots.stability_curves, results))
