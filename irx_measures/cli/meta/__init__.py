"""``irx meta``: evaluate measures by the scores they give to runs. Each study has its own file."""

from __future__ import annotations

from ..parser import Command, Parser

COMMANDS = {
    "power": Command(
        "meta.power", "count the pairs of systems that measures distinguish significantly"
    ),
    "stability": Command(
        "meta.stability",
        "compare all pairs of systems over random sets of topics (Buckley and Voorhees)",
    ),
    "swap": Command(
        "meta.swap",
        "measure swap rates between random disjoint sets of topics, or against other topics",
    ),
    "systems": Command(
        "meta.system_impact",
        "correlate rankings of a few systems with their ranking among all systems",
    ),
    "correlation": Command(
        "meta.correlation",
        "correlate the ranking of systems by the first measure with that by each other measure",
    ),
    "pareto": Command(
        "meta.pareto",
        "find the systems for which no other system is cheaper and at least as good",
    ),
}


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx meta``."""
    parser.describe(
        description="Judge measures by how well and how consistently they distinguish systems; "
        "find the systems that are Pareto-optimal in cost and score.",
    )
    parser.add_commands("study", "STUDY", COMMANDS)
