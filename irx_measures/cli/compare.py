"""``irx compare``: which system is better, by how much, and what is tied."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from ir_measures import Measure

from ..comparison.compare import compare
from ..comparison.result import Comparison
from ..exceptions import InputError
from ..reporting.comparison import SHOWN, comparison_output
from ..results.output import Output
from ..results.tables import MARKUPS
from ..typing import Axes
from .comparing import compared
from .from_function import add_options
from .options import INPUTS, READING, add_shared
from .output import add_plot, places
from .parser import Parser
from .reading import query_groups

HOW = ("test", "correction", "level", "resamples", "seed")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx compare``."""
    parser.describe(
        "Which system is better, by how much, and which may be the best of all? Systems are "
        "tested pair by pair, or against each --baseline.",
        "QRELS RUN [RUN ...] -m MEASURE [MEASURE ...] [options]",
        "  which systems may be the best?\n"
        "    irx compare qrels.txt runs/* -m nDCG@10\n"
        "  is my system better than bm25, and by how much?\n"
        "    irx compare qrels.txt my.run bm25.run -m nDCG@10 AP --baseline bm25\n"
        "  the table for the paper:\n"
        "    irx compare qrels.txt runs/* -m nDCG@10 AP --baseline bm25 -o latex\n"
        "  scores that were computed elsewhere:\n"
        "    irx compare --scores scores.csv --baseline bm25",
    )
    add_shared(parser, *INPUTS, "collections", "scores")
    against = "compare every system with this one, instead of all pairs"
    add_shared(parser, "baselines", about=against)
    within = "compare the systems within each group, with one correction for all groups"
    add_shared(parser, "by", about=within)
    add_shared(parser, "macro")
    parser.add_argument(
        "--show",
        choices=SHOWN,
        help="leaderboard: the systems with their means and rank intervals; differences: every "
        "test; scores: systems x measures, as papers print them; topics: how many topics a "
        "comparison with a baseline needs. By default, table prints the differences if there is a "
        "--baseline, else the leaderboard; latex, markdown and html the scores; csv, tsv, json and "
        "jsonl the differences",
    )
    add_shared(parser, "format")
    drawn = (
        "the leaderboard, or the differences to each --baseline; with --by, of each group; a panel "
        "for each measure"
    )
    add_shared(parser, "plot", about=drawn)
    more = parser.more
    add_shared(more, "width")
    add_options(more, compare, *HOW, "unjudged")
    add_shared(more, "direction", *READING, "limits")
    add_shared(more, "places", about="3, and all digits in csv and tsv")
    parser.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> Output:
    if options.show == "topics" and not options.baselines:
        raise InputError("--show topics needs a --baseline: a plan is for chosen pairs of systems")
    result, *_ = compared(options, HOW, query_groups(options))
    form, shown = options.output_format, options.show
    if shown is None and form in MARKUPS:
        shown = "scores"
    elif shown is None:
        shown = "differences" if form != "table" or result.baselines else "leaderboard"
    output = comparison_output(result, shown, form, places(options))
    drawn = dict.fromkeys(board.measure for board in result.boards)
    panels = [partial(_draw, result, measure) for measure in drawn]
    add_plot(options, panels)
    return output


def _draw(result: Comparison, measure: Measure, plots: Any, **where: Any) -> Axes:
    """The leaderboard of a measure, in which each group has its rows."""
    board: Axes = plots.leaderboard(result, measure, **where)
    return board
