"""``irx demo``: a simulated campaign by a measure of each paper, compared and reported."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from ..common.escapes import printable
from ..comparison.result import Comparison
from ..exceptions import MissingExtraError
from ..reporting.report import report
from ..reporting.tables import score_output
from ..results.screen import sentence
from ..scoring.evaluate import evaluate
from ..simulate import Campaign, simulate_campaign
from .options import add_shared
from .parser import Parser

BASE = "nDCG@10"

MEASURES = (
    BASE,
    "NRG(prior=others)@10",
    "AP_Rareness(systems=others)@100",
    "RBR(phi=.8)",
    "nDCG_UE@10",
    "BootNDCG(prior=learned)@10",
)

TITLE = "A simulated campaign, by nDCG@10 and a measure of each of five papers"

REMARK = (
    "The family reranker was not pooled, so half of its top 10 is unjudged: nDCG@10 takes these "
    "documents as not relevant, BootNDCG draws their grades."
)

REPORT = "report.html"


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx demo``."""
    parser.describe(
        "Simulate a campaign, print its systems by a measure of each paper and what compare finds, "
        "and write a report if jinja2 is installed.",
        "[DIR] [options]",
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="the folder for campaign and report (default: a new temporary folder)",
    )
    add_shared(parser, "quiet")
    parser.set_defaults(run=_demo)


FACTS = {"Qrels": "qrels.txt", "Command": "irx demo"}  # in the first lines of the page


def _demo(options: argparse.Namespace) -> str:
    folder = options.folder or Path(tempfile.mkdtemp(prefix="irx-demo-"))
    progress = options.progress
    campaign = simulate_campaign(systems=12, queries=50, depth=200)
    campaign.write(folder)
    matrix = evaluate(campaign.qrels, campaign.runs, MEASURES, campaign.groups, progress=progress)
    table = score_output(matrix, "table", 3).text
    compared = matrix.select([BASE]).compare()
    shown = printable(str(folder))
    files = f"{shown}/qrels.txt {shown}/runs/*"
    return "\n".join(
        [
            sentence(TITLE),
            sentence(REMARK),
            "",
            table,
            sentence(compared.summary),
            "",
            f"Campaign: {shown} (TREC files: qrels.txt, groups.csv, runs/)",
            *_report(compared, campaign, folder, files),
            "Next:",
            f"  irx compare {files} -m {BASE}",
            f"  irx explain {shown}/qrels.txt {shown}/runs/reranker-a.run.gz -m {BASE} --query q01",
            "  irx measures NRG",
            "and with your own qrels and runs: irx evaluate --help\n",
        ]
    )


def _report(compared: Comparison, campaign: Campaign, folder: Path, files: str) -> list[str]:
    """Write the report if jinja2 is installed; the lines that say so, or how to get it."""
    page = folder / REPORT
    try:
        report(compared, page, qrels=campaign.qrels, runs=campaign.runs, facts=FACTS)
    except MissingExtraError:
        command = f"  irx report {files} -m {BASE} -o {printable(str(page))}"
        return ["No report, which needs jinja2: pip install 'irx-measures[report]', and", command]
    return [f"Report, for your browser: {printable(str(page))}"]
