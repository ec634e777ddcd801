"""``irx compare``: which system is better, by how much, and what is tied."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from .. import plots
from ..common.tables import FOR_READERS
from ..comparison.paper_table import PLACES
from ..comparison.result import Comparison
from ..exceptions import InputError
from ..reporting.comparison import SHOWN, comparison_text
from .argument_types import level_of
from .comparing import add_compared, baselines_compared, compared, compared_by_group
from .options import (
    add_baselines,
    add_by,
    add_scoring_options,
    add_test_options,
)
from .output import check_output, write_plot
from .parser import Effect, Parser
from .scoring import query_groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPERS = ("latex", "markdown", "html")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx compare``."""
    parser.describe(
        description="Test which systems differ: which is better than a baseline, or which may be "
        "the best of all.",
        epilog=(
            "examples:\n"
            "  which systems cannot be told apart from the best?\n"
            "    irx compare qrels.txt runs/* -m nDCG@10\n"
            "  is my system better than both baselines, and by how much?\n"
            "    irx compare qrels.txt my.run bm25.run dense.run -m nDCG@10 AP \\\n"
            "        --baseline bm25 --baseline dense\n"
            "  how many topics would settle it?\n"
            "    irx compare qrels.txt my.run bm25.run -m nDCG@10 --baseline bm25 --show topics\n"
            "  in which language is it better?\n"
            "    irx compare qrels.txt my.run bm25.run -m nDCG@10 --baseline bm25 \\\n"
            "        --by languages.csv\n"
            "  the table for the paper:\n"
            "    irx compare qrels.txt runs/* -m nDCG@10 AP --baseline bm25 -o latex\n"
            "  scores that were computed elsewhere, such as accuracy and seconds:\n"
            "    irx compare --scores scores.csv --lower-is-better seconds --baseline bm25\n"
            "  every test, for a spreadsheet or a program:\n"
            "    irx compare qrels.txt runs/* -m nDCG@10 -o csv"
        ),
    )
    add_compared(parser)
    add_scoring_options(
        parser,
        "the leaderboard, or the differences to each --baseline; with --by, those of each group",
        "; by default, latex, markdown and html print the scores, and csv, tsv, json and jsonl the "
        "differences",
        places=None,
    )
    add_baselines(
        parser,
        "compare every system with this one: the name of a RUN, or another run file, which is "
        "added. May be repeated. Without this option, all pairs are compared",
    )
    add_test_options(parser)
    add_by(parser, "compare the systems within each group, with one correction for all groups")
    parser.add_argument(
        "--show",
        choices=SHOWN,
        help="what to print. leaderboard: the systems with their means and rank intervals; "
        "differences: every test; scores: systems x measures, as papers print them; topics: how "
        "many topics a comparison with a baseline needs. A table shows, by default, the "
        "differences if there is a --baseline, else the leaderboard of each measure",
    )
    parser.add_argument(
        "--top",
        metavar="N",
        type=int,
        role=Effect.DISPLAY,
        help="with --plot: draw the best N systems by the first measure, and every --baseline; "
        "ranks and tests are those of all systems",
    )
    parser.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> str:
    check_output(options)
    level = level_of(options.level, "--level")
    baselines = baselines_compared(options)
    _check(options, baselines)
    query_group = query_groups(options)
    if query_group is None:
        result = compared(options, level, baselines).result
    else:
        result = compared_by_group(options, level, baselines, query_group)
    text = _text(result, options)
    write_plot(options, partial(_draw, result, options.top))
    return text


def _check(options: argparse.Namespace, baselines: list[str]) -> None:
    """Reject incompatible options before runs are read."""
    if options.show == "topics" and not baselines:
        raise InputError("--show topics needs a --baseline: a plan is for chosen pairs of systems")
    if options.by is not None:
        if options.unjudged is not None:
            raise InputError("--unjudged is for all queries: omit --by")
        if options.top is not None:
            raise InputError("--top goes without --by")
    if options.top is not None and options.plot is None:
        raise InputError("--top goes with --plot")
    if options.top is not None and options.top < 2:
        raise InputError(f"--top must be at least 2; got {options.top}")


def _text(result: Comparison, options: argparse.Namespace) -> str:
    form, places = options.output_format, options.places
    shown = options.show or _shown_by_default(result, form)
    if places is None:
        places = PLACES if form in FOR_READERS else -1
    if form in PAPERS and shown == "scores":
        return result.paper_table(form, places=places)
    return comparison_text(result, shown, form, places)


def _shown_by_default(result: Comparison, form: str) -> str:
    if form in PAPERS:
        return "scores"
    return "differences" if form != "table" or result.baselines else "leaderboard"


def _draw(result: Comparison, top: int | None, width: float | None) -> Axes:
    """The picture of the first measure."""
    measure = result.boards[0].measure
    if result.groups:
        return plots.group_means(result, measure, width=width)
    return plots.leaderboard(result, measure, width=width, top=top)
