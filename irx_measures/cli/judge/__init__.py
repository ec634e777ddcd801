"""``irx judge``: judgments of machines, such as language models."""

from __future__ import annotations

from ..parser import Command, Parser

COMMANDS = {
    "audit": Command(
        "judge.audit",
        "compare a machine's judgments with human ones: labels, rankings of systems",
    ),
    "estimate": Command(
        "judge.estimate",
        "estimate scores from human judgments of some topics and machine judgments of more",
    ),
    "calibrate": Command(
        "judge.calibrate", "complete human qrels by calibrated judgments of a machine"
    ),
}


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge``."""
    parser.describe(
        description="Check judgments of machines, such as language models, against human ones; "
        "estimate scores from both; complete human qrels.",
    )
    parser.add_commands("study", "COMMAND", COMMANDS)
