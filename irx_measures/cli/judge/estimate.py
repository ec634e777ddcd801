"""``irx judge estimate``: scores from human and machine judgments together."""

from __future__ import annotations

import argparse

from ...judging.prediction_powered import prediction_powered
from ...reporting.prediction_powered import prediction_powered_text
from ..argument_types import level_of
from ..options import (
    add_baselines,
    add_both_qrels,
    add_level,
    add_runs,
    add_scoring_options,
)
from ..output import check_output
from ..parser import Parser
from ..scoring import baselines_of, evaluate_runs, named_measures


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge estimate``."""
    parser.describe(
        description="Estimate mean scores from topics with human judgments and more topics that "
        "only a machine judged.\nThe machine's bias is measured on the topics that both judged, "
        "and removed (PPI++).",
        epilog=(
            "examples:\n"
            "  irx judge estimate human.qrels gpt4.qrels runs/* -m nDCG@10\n"
            "  irx judge estimate human.qrels gpt4.qrels my.run bm25.run -m nDCG@10 AP \\\n"
            "      --baseline bm25"
        ),
    )
    add_both_qrels(parser, "n topics", "the same topics and others of the same kind")
    add_runs(parser)
    add_scoring_options(parser, None, places=None)
    add_baselines(
        parser,
        "estimate every system's difference from this one: the name of a RUN, or another run file, "
        "which is added. May be repeated",
    )
    add_level(parser)
    parser.set_defaults(run=_estimate)


def _estimate(options: argparse.Namespace) -> str:
    check_output(options)
    level = level_of(options.level, "--level")
    baselines = baselines_of(options)
    measures = named_measures(options)
    human, machine = (
        evaluate_runs(options, qrels, options.runs, measures)
        for qrels in (options.human, options.machine)
    )
    result = prediction_powered(human, machine, baseline=baselines or None, level=level)
    return prediction_powered_text(result, options.output_format, options.places)
