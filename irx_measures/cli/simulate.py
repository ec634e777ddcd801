"""``irx simulate``: a simulated campaign as TREC files."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..common.escapes import printable
from ..simulate import simulate_campaign
from .from_function import add_options, asked
from .options import add_shared
from .parser import Parser

SIZES = ("systems", "queries", "depth", "seed")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx simulate``."""
    parser.describe(
        "Write a simulated campaign (qrels.txt, groups.csv, runs/*.run.gz) to a folder. It has "
        "graded relevance and families of systems; a third of the systems are not pooled.",
        "DIR [options]",
        "  irx simulate campaign --systems 20 --seed 7",
    )
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="the folder for the files; created if missing"
    )
    add_options(parser, simulate_campaign, *SIZES)
    add_shared(parser, "quiet")
    parser.set_defaults(run=_simulate)


def _simulate(options: argparse.Namespace) -> str:
    campaign = simulate_campaign(**asked(options, *SIZES))
    files = campaign.write(options.folder)
    return "".join(f"{printable(str(file))}\n" for file in files)
