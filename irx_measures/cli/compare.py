"""``irx compare``: which system is better, by how much, and what is tied."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from ir_measures import Measure

from ..common.writing import EXAMPLES, some
from ..comparison.gate import without_test, worse_than_baselines
from ..comparison.result import Comparison
from ..exceptions import InputError
from ..reporting.comparison import SHOWN, comparison_output
from ..results.output import Output
from ..results.tables import MARKUPS
from ..typing import Axes
from .comparing import add_method, compared
from .options import INPUTS, READING, add_shared
from .output import add_plot, places, tell
from .parser import Parser
from .reading import query_groups

WORSE = 1  # the exit status of --fail-if-worse; errors have another

HOW = ("test", "correction", "level", "resamples", "seed")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx compare``."""
    parser.describe(
        "Which system is better, by how much, and which may be the best? Systems are "
        "tested pair by pair, or against each --baseline.",
        "QRELS RUN [RUN ...] -m MEASURE [MEASURE ...] [options]",
        "  which systems may be the best?\n"
        "    irx compare qrels.txt runs/* -m nDCG@10\n"
        "  is my system better than bm25, and by how much?\n"
        "    irx compare qrels.txt my.run bm25.run -m nDCG@10 AP --baseline bm25\n"
        "  the table for the paper:\n"
        "    irx compare qrels.txt runs/* -m nDCG@10 AP --baseline bm25 -o latex\n"
        "  scores that were computed elsewhere:\n"
        "    irx compare --scores scores.csv --baseline bm25\n"
        "  may this build pass?\n"
        "    irx compare qrels.txt new.run main.run -m nDCG@10 --baseline main --fail-if-worse",
    )
    add_shared(parser, *INPUTS, "collections", "scores")
    against = "compare with this system, instead of all pairs"
    add_shared(parser, "baselines", about=against)
    add_shared(parser, "by", about="compare within each")
    add_shared(parser, "macro")
    add_shared(parser, "rename")
    add_shared(parser, "show", about=", ".join(SHOWN), choices=SHOWN)
    add_shared(parser, "format")
    drawn = "the leaderboard, differences to a --baseline, or a forest"
    add_shared(parser, "plot", about=drawn)
    more = parser.more
    add_shared(more, "worse", "width")
    add_method(more, *HOW, "unjudged")
    add_shared(more, "direction", *READING, "limits")
    add_shared(more, "places", about="3, and all digits in csv and tsv")
    parser.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> Output:
    if options.show == "topics" and not options.baselines:
        raise InputError("--show topics needs a --baseline: a plan is for chosen pairs of systems")
    if options.fail_if_worse:
        _check_gate(options)
    result, *_ = compared(options, HOW, query_groups(options))
    shown = options.show or _shown_by_default(options.output_format, result)
    output = comparison_output(result, shown, options.output_format, places(options))
    drawn = dict.fromkeys(board.measure for board in result.boards)
    panels = [partial(_draw, result, measure) for measure in drawn]
    add_plot(options, panels)
    if options.fail_if_worse:
        options.checks.append(partial(_status, options, result))
    return output


def _check_gate(options: argparse.Namespace) -> None:
    """InputError if ``--fail-if-worse`` has no baseline, or what is compared may be left out."""
    if not options.baselines:
        raise InputError("--fail-if-worse needs a --baseline")
    if not options.strict and (options.scores or options.collections):
        raise InputError(
            "--fail-if-worse compares all systems on all queries: omit --no-strict, which leaves "
            "some of them out"
        )


def _shown_by_default(form: str, result: Comparison) -> str:
    """What a format prints without ``--show``."""
    if form in MARKUPS:
        return "scores"
    return "differences" if form != "table" or result.baselines else "leaderboard"


def _status(options: argparse.Namespace, result: Comparison) -> int:
    """The exit status for a build; InputError if something that was asked for was not tested."""
    if {*result.matrix.systems} <= {*result.baselines}:
        raise InputError("--fail-if-worse needs a system that is no --baseline")
    untested = without_test(result)
    if untested:
        raise InputError(f"--fail-if-worse: not tested: {some(untested, EXAMPLES)}")
    worse = worse_than_baselines(result)
    if worse:
        tell(options, some(worse, EXAMPLES))
    return WORSE if worse else 0


def _draw(result: Comparison, measure: Measure, plots: Any, **where: Any) -> Axes:
    """The leaderboard of a measure, in which each group has its rows; of one pair the forest."""
    drawn: Axes
    if result.macro is not None and result.board(measure).hypotheses == 1:
        drawn = plots.forest(result, *result.board(measure).default_pair, measure, **where)
    else:
        drawn = plots.leaderboard(result, measure, **where)
    return drawn
