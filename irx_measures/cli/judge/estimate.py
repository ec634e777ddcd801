"""``irx judge estimate``: scores from human and machine judgments together."""

from __future__ import annotations

import argparse

from ...comparison.prediction_powered import prediction_powered
from ...reporting.prediction_powered import prediction_powered_text
from ...stats.prediction_powered import METHODS
from ..compare import baselines_of
from ..meta.study import fraction
from ..options import Parser, add_scoring_options, evaluate_runs, named_measures
from ..output import check_output
from .arguments import add_both_qrels, add_level


def add_estimate(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "estimate",
        help="estimate scores from human judgments of some topics and machine judgments of more",
        formatter_class=argparse.RawDescriptionHelpFormatter,
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
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="TREC run files (.gz too), named after the files"
    )
    add_scoring_options(parser, None, places=None)
    parser.add_argument(
        "--baseline",
        dest="baselines",
        metavar="RUN",
        action="append",
        default=[],
        help="estimate every system's difference from this one: the name of a RUN, or another run "
        "file, which is added. May be repeated",
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="ppi++",
        help="(default: %(default)s). ppi: the machine's scores always count in full; human: they "
        "do not count",
    )
    add_level(parser)
    parser.set_defaults(run=_estimate)


def _estimate(options: argparse.Namespace) -> str:
    check_output(options)
    level = fraction(options.level, "--level")
    baselines = baselines_of(options)
    measures = named_measures(options)
    human, machine = (
        evaluate_runs(options, qrels, options.runs, measures)
        for qrels in (options.human, options.machine)
    )
    result = prediction_powered(
        human, machine, baseline=baselines or None, level=level, method=options.method
    )
    return prediction_powered_text(result, options.output_format, options.places)
