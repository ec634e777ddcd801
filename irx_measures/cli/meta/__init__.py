"""``irx meta``: evaluate measures by the scores they give to runs. Each study has its own file."""

from __future__ import annotations

import argparse

from ..options import Parser
from .correlation import add_correlation
from .pareto import add_pareto
from .power import add_power
from .stability import add_stability
from .swap import add_swap
from .system_impact import add_systems


def add_meta(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add ``meta`` to the commands of ``irx``."""
    parser = commands.add_parser(
        "meta",
        help="judge measures: power, stability, swap, systems, correlation; pareto",
        description="Judge measures by how well and how consistently they distinguish systems; "
        "find the systems that are Pareto-optimal in cost and score.",
    )
    studies = parser.add_subparsers(dest="study", required=True, metavar="STUDY")
    add_power(studies)
    add_stability(studies)
    add_swap(studies)
    add_systems(studies)
    add_correlation(studies)
    add_pareto(studies)
