"""``irx demo``: a simulated campaign through every family of measures."""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
from pathlib import Path
from typing import NamedTuple

from ..reporting.intervals import score_columns
from ..reporting.tables import score_table
from ..scoring.evaluate import evaluate
from ..simulate import simulate_campaign
from .options import Parser, add_quiet, progress_of


def add_demo(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "demo",
        help="a simulated campaign through every family of measures",
        description=(
            "Simulate a campaign, evaluate it with every family of measures, print tables, and "
            "draw pictures where matplotlib is installed."
        ),
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="where campaign and pictures go (default: a new folder for temporary files)",
    )
    add_quiet(parser)
    parser.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> str:
    folder = options.folder or Path(tempfile.mkdtemp(prefix="irx-demo-"))
    tables, pictures = run_demo(folder, progress_of(options))
    drawn = " ".join(map(str, pictures)) or (
        "none: they need matplotlib (pip install 'irx-measures[plots]')"
    )
    files = f"{folder}/qrels.txt {folder}/runs/*"
    return (
        f"{tables}\nCampaign: {folder} (TREC files: qrels.txt, groups.csv, runs/)\n"
        f"Pictures: {drawn}\n\nNext:\n"
        "  irx measures NRG\n"
        f"  irx evaluate {files} -m nDCG@10 'NRG(prior=others)@10'\n"
        f"  irx meta power {files} -m nDCG@10 'NRG(prior=others)@10'\n"
        "and with your own qrels and runs: irx evaluate --help\n"
    )


class Family(NamedTuple):
    """Measures that go in one table, and what to see there."""

    title: str
    remark: str
    measures: tuple[str, ...]


FAMILIES = (
    Family(
        "What a system adds to the best of every other family: NRG, UniqueRel, TaSC",
        "family4 was not pooled: what it alone found is unjudged, and adds nothing that is known.",
        (
            "nDCG@10",
            "NRG(prior=others,select=best-per-group)@10",
            "UniqueRel(prior=others,select=best-per-group)@10",
            "TaSC(prior=others,select=best-per-group)@10",
        ),
    ),
    Family(
        "Reward for relevant documents that others miss: P_Rareness, AP_Rareness",
        "A relevant document is worth up to 1 + alpha, the more the fewer systems have it.",
        (
            "P@10",
            "P_Rareness(systems=others,alpha=0.5)@10",
            "P_Rareness(systems=others)@10",
            "AP@100",
            "AP_Rareness(systems=others)@100",
        ),
    ),
    Family(
        "Against the qrels as a ranking: RBR of the top 20 as a set, RBA, RBO; RBP and its bound",
        "Most of what family4 returned is unjudged: its RBP may be nearly anything above it.",
        ("RBR(phi=0.9)@20", "RBA(phi=0.9)", "RBO(phi=0.9)", "RBPBound", "RBPBound(bound=upper)"),
    ),
    Family(
        "Corrected for what a random order scores: nDCG_UE, AP_UE, UE",
        "0 is a random order of the judged documents, 1 the ideal one; version 1 is never below 0.",
        (
            "nDCG_UE(version=1)@10",
            "nDCG_UE@10",
            "AP_UE(expectation=exact)@100",
            "UE(base=RR)@10",
            "Expected(base=nDCG, normalized=True)@10",
        ),
    ),
    Family(
        "With unjudged documents in the top 10: nDCG, its bounds, and bootstrapped between them",
        "Pooled systems have one score; of family4 half the top 10 is unjudged, so it has a range.",
        (
            "Judged@10",
            "nDCG@10",
            "BootNDCG(stat=q05)@10",
            "BootNDCG@10",
            "BootNDCG(stat=q95)@10",
            "nDCGBound(bound=upper)@10",
        ),
    ),
)

PICTURES = {
    "nrg.png": ("nDCG@10", "NRG(prior=others,select=best-per-group)@10"),
    "rareness.png": ("P@10", "P_Rareness(systems=others)@10"),
}


def run_demo(folder: Path, progress: bool | None) -> tuple[str, list[Path]]:
    """Simulate, evaluate, and write campaign and pictures to a folder.

    Returns
    -------
    The tables as text, and the pictures written: none where matplotlib is not installed.
    """
    campaign = simulate_campaign(systems=12, queries=50, depth=200)
    campaign.write(folder)
    matrix = evaluate(
        campaign.runs,
        campaign.qrels,
        [measure for family in FAMILIES for measure in family.measures],
        campaign.groups,
        progress=progress,
    )
    parts = []
    for family in FAMILIES:
        columns = score_columns(matrix.select(family.measures))
        table = score_table(columns, matrix.systems, (), "table", 4, False, True)
        parts.append(f"{family.title}\n{family.remark}\n\n{table}")
    pictures = []
    if importlib.util.find_spec("matplotlib") is not None:
        from .. import plots

        for name, (x, y) in PICTURES.items():
            plots.save(plots.system_scatter(matrix, x, y), folder / name)
            pictures.append(folder / name)
    return "\n".join(parts), pictures
