"""``irx simulate``: a simulated campaign as TREC files."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..simulate import simulate_campaign
from .options import Parser


def add_simulate(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "simulate",
        help="write a simulated campaign as TREC files",
        description=(
            "Write a simulated campaign (qrels.txt, groups.csv, runs/*.run.gz) to a folder: "
            "families of systems over graded relevance, a third of them not pooled."
        ),
        epilog="example: irx simulate campaign --systems 20 --seed 7",
    )
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="where the files go; made where it is missing"
    )
    parser.add_argument(
        "--systems", type=int, default=12, help="three to a family (default: %(default)s)"
    )
    parser.add_argument("--queries", type=int, default=50, help="(default: %(default)s)")
    parser.add_argument(
        "--depth", type=int, default=1000, help="documents per query (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    parser.set_defaults(run=_simulate)


def _simulate(options: argparse.Namespace) -> str:
    campaign = simulate_campaign(options.systems, options.queries, options.depth, options.seed)
    files = campaign.write(options.folder)
    return "".join(f"{file}\n" for file in files)
