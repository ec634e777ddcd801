"""``irx simulate``: a simulated campaign as TREC files."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..common.escapes import printable
from ..simulate import simulate_campaign
from .argument_types import count
from .options import add_quiet, add_seed
from .parser import Parser


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx simulate``."""
    parser.describe(
        description=(
            "Write a simulated campaign (qrels.txt, groups.csv, runs/*.run.gz) to a folder. "
            "It has graded relevance and families of systems; a third of the systems are not "
            "pooled."
        ),
    )
    parser.epilog = "example: irx simulate campaign --systems 20 --seed 7"
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="the folder for the files; created if missing"
    )
    parser.add_argument(
        "--systems",
        metavar="N",
        type=count,
        default=12,
        help="number of systems, three per family (default: %(default)s)",
    )
    parser.add_argument(
        "--queries",
        metavar="N",
        type=count,
        default=50,
        help="number of queries (default: %(default)s)",
    )
    parser.add_argument(
        "--depth",
        metavar="N",
        type=count,
        default=1000,
        help="documents per query (default: %(default)s)",
    )
    add_seed(parser, 0)
    add_quiet(parser)
    parser.set_defaults(run=_simulate)


def _simulate(options: argparse.Namespace) -> str:
    campaign = simulate_campaign(options.systems, options.queries, options.depth, options.seed)
    files = campaign.write(options.folder)
    return "".join(f"{printable(str(file))}\n" for file in files)
