"""The options of a judging campaign's question."""

from __future__ import annotations

import argparse

from ...judging.planning.questions import RANKING, TOLERANCE
from ..parser import Parser


def add_question(parser: Parser) -> None:
    """Add ``--question`` and ``--tolerance``."""
    parser.add_argument(
        "--question",
        default=RANKING,
        help="ranking: the ranking of all systems, up to a Kendall's tau of .9; best: the best "
        "system; A,B: which of two systems is better (default: %(default)s)",
    )
    parser.add_argument(
        "--tolerance",
        metavar="SCORE",
        type=float,
        help="with --question best: a system that is better by no more than this does not count "
        f"(default: {TOLERANCE:g})",
    )


def question_of(options: argparse.Namespace) -> str | list[str]:
    """The question as `JudgingPlan` takes it."""
    question: str = options.question
    return question.split(",") if "," in question else question
