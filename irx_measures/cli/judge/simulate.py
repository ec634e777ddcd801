"""``irx judge simulate``: what `irx judge next` would have saved on a judged collection."""

from __future__ import annotations

import argparse

from ...common.table import format_records
from ...judging.planning.simulation import SYSTEMS, TOPICS, simulate_judging
from ...scoring.evaluate import judged_documents
from ..argument_types import count, level_of
from ..options import add_level, add_qrels, add_runs, add_scoring_options
from ..output import check_output, progress_of, tell
from ..parser import Parser
from ..scoring import named_measures, qrels_of, run_set
from .asking import add_question, question_of


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge simulate``."""
    parser.describe(
        description="Judge a judged collection once more, as if nothing were known: how much of "
        "the pool is judged\nwhere a campaign stops, and how often its claim is wrong on all "
        "judgments. Each campaign draws systems\nand topics.",
        epilog=(
            "examples:\n"
            "  irx judge simulate qrels.txt runs/* --question ranking --seeds 20\n"
            "  irx judge simulate qrels.txt runs/* --question best --tolerance 0 -m P@10\n"
            "  irx judge simulate qrels.txt runs/* --question bm25,dense -o csv"
        ),
    )
    add_qrels(parser)
    add_runs(parser)
    add_question(parser)
    parser.add_argument(
        "--seeds",
        metavar="N",
        type=count,
        default=20,
        help="number of campaigns (default: %(default)s)",
    )
    parser.add_argument(
        "--systems",
        metavar="N",
        type=count,
        default=SYSTEMS,
        help="systems of a campaign; all if there are fewer (default: %(default)s)",
    )
    parser.add_argument(
        "--topics",
        metavar="N",
        type=count,
        default=TOPICS,
        help="topics of a campaign; all if there are fewer (default: %(default)s)",
    )
    add_level(parser)
    add_scoring_options(parser, None, measures=["nDCG@10"])
    parser.set_defaults(run=_simulate)


def _simulate(options: argparse.Namespace) -> str:
    check_output(options)
    level = level_of(options.level, "--level")
    measures = named_measures(options)
    qrels = judged_documents(qrels_of(options.qrels), options.strict)
    rows: list[dict[str, str | int | float | bool | None]] = []
    for measure in measures:
        result = simulate_judging(
            run_set(options, options.runs),
            qrels,
            measure,
            question_of(options),
            seeds=options.seeds,
            systems=options.systems,
            topics=options.topics,
            level=level,
            tolerance=options.tolerance,
            progress=progress_of(options),
        )
        tell(options, result.summary)
        rows.append(
            {
                "measure": str(measure),
                "question": result.question,
                "campaigns": len(result.seeds),
                "judged": result.share,
                "wrong": int(result.wrong.sum()),
            }
        )
    return format_records(rows, options.output_format, options.places)
