"""``irx report``: one HTML file that shows which differences between systems are real."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..reporting.report import report
from ..reporting.report.page import TITLE
from .argument_types import count, level_of
from .comparing import add_compared, baselines_compared, compared
from .options import (
    add_by,
    add_measure_options,
    add_reading_options,
    add_test_options,
)
from .output import PAGES, check_file, progress_of, tell
from .parser import TEXTS, Parser
from .scoring import query_groups


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx report``."""
    parser.describe(
        description="Write one HTML file: leaderboard, what cannot be told apart, two systems "
        "topic by topic,\nwhat each system adds, unjudged documents, method, references. The file "
        "needs no network.",
        epilog=(
            "examples:\n"
            "  irx report qrels.txt runs/* -m nDCG@10 AP --baseline bm25 -o report.html\n"
            "  with the means and differences of each group of queries:\n"
            "    irx report qrels.txt runs/* -m nDCG@10 --by languages.csv -o report.html\n"
            "  with the texts of topics and documents:\n"
            "    irx report qrels.txt runs/* -m nDCG@10 --texts msmarco-passage/trec-dl-2019 \\\n"
            "        -o report.html"
        ),
    )
    add_compared(parser)
    add_measure_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        default=Path("report.html"),
        help="the HTML file to write; only a page of this command is replaced (default: "
        "%(default)s)",
    )
    parser.add_argument(
        "--baseline",
        metavar="RUN",
        help="the system to which the others are compared: the name of a RUN, or another run file, "
        "which is added (default: the best system of each measure)",
    )
    parser.add_argument("--title", default=TITLE, help="the heading (default: %(default)s)")
    parser.add_argument(
        "--texts",
        metavar="DATASET",
        role=TEXTS,
        help="an ir_datasets id with topics and documents to quote",
    )
    parser.add_argument(
        "--topics",
        metavar="FILE",
        type=Path,
        role=TEXTS,
        help="the texts of topics: .csv, .tsv or .jsonl with the columns query_id and text",
    )
    parser.add_argument(
        "--depth",
        metavar="K",
        type=count,
        help="how many documents of a ranking are shown (default: the first measure's cutoff, or "
        "10)",
    )
    add_reading_options(parser)
    add_test_options(parser)
    add_by(parser, "add a section with the means and differences of each group")
    parser.set_defaults(run=_report)


def _report(options: argparse.Namespace) -> str:
    replaces = check_file(options.output, "--output", PAGES)
    level = level_of(options.level, "--level")
    query_group = query_groups(options)
    options.baselines = [] if options.baseline is None else [options.baseline]
    baselines = baselines_compared(options)
    result, runset, qrels = compared(options, level, baselines)
    report(
        result,
        options.output,
        runs=runset,
        qrels=qrels,
        title=options.title,
        depth=options.depth,
        texts=options.texts,
        topics=options.topics,
        strict=options.strict,
        by=query_group,
        progress=progress_of(options),
    )
    tell(options, f"{'replaced' if replaces else 'wrote'} {options.output}")
    return ""
