"""``irx judge``: what to judge next, and judgments of machines, such as language models."""

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
    "next": Command("judge.next", "print the documents to judge next"),
    "add": Command("judge.add", "add judgments that people filled in to qrels"),
    "status": Command(
        "judge.status", "the answer of a judging campaign, and whether judging can stop"
    ),
}


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge``."""
    parser.describe(
        description="Find out which documents to judge next, and when it is enough. Check "
        "judgments of machines, such as language models, against human ones; estimate scores from "
        "both.",
    )
    parser.add_commands("study", "COMMAND", COMMANDS)
