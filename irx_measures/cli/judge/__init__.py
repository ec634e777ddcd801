"""``irx judge``: judgments of machines, such as language models."""

from __future__ import annotations

import argparse

from ..options import Parser
from .audit import add_audit
from .calibrate import add_calibrate
from .estimate import add_estimate


def add_judge(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add ``judge`` to the commands of ``irx``."""
    parser = commands.add_parser(
        "judge",
        help="use judgments of machines: audit, estimate, calibrate",
        description="Check judgments of machines, such as language models, against human ones; "
        "estimate scores from both; complete human qrels.",
    )
    studies = parser.add_subparsers(dest="study", required=True, metavar="COMMAND")
    add_audit(studies)
    add_estimate(studies)
    add_calibrate(studies)
