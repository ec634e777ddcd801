"""``irx demo``: a simulated campaign through every family of measures."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import NamedTuple

from .. import plots
from ..common.escapes import printable
from ..common.progress import with_bar
from ..common.screen import Screen
from ..common.table import format_records
from ..common.text_columns import wrapped
from ..exceptions import MissingExtraError
from ..judging.planning.plan import JudgingPlan
from ..reporting.report import report
from ..reporting.tables import score_columns, score_table
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix
from ..simulate import Campaign, simulate_campaign
from .options import add_quiet
from .output import can_draw, progress_of
from .parser import Parser


class Family(NamedTuple):
    """The measures of one table, and a note on its scores."""

    title: str
    remark: str
    measures: tuple[str, ...]


FAMILIES = (
    Family(
        "What a system adds to the best of every other family: NRG, UniqueRel, TaSC",
        "What only family4 found is unjudged, because family4 was not pooled; so it counts as "
        "adding nothing.",
        (
            "nDCG@10",
            "NRG(prior=others,select=best-per-group)@10",
            "UniqueRel(prior=others,select=best-per-group)@10",
            "TaSC(prior=others,select=best-per-group)@10",
        ),
    ),
    Family(
        "Reward for relevant documents that others miss: P_Rareness, AP_Rareness",
        "A relevant document is worth up to 1 + alpha: more if fewer systems retrieve it.",
        (
            "P@10",
            "P_Rareness(systems=others,alpha=0.5)@10",
            "P_Rareness(systems=others)@10",
            "AP@100",
            "AP_Rareness(systems=others)@100",
        ),
    ),
    Family(
        "The run compared with the qrels: RBR (a set, the top 20), RBA and RBO (rankings); "
        "RBP and its bound",
        "Most of what family4 returned is unjudged: its RBP may be nearly anything above the "
        "lower bound.",
        ("RBR(phi=0.9)@20", "RBA(phi=0.9)", "RBO(phi=0.9)", "RBPBound", "RBPBound(bound=upper)"),
    ),
    Family(
        "Corrected for what a random order scores: nDCG_UE, AP_UE, UE",
        "A random order of the judged documents scores 0, the ideal order 1; version 1 is never "
        "below 0.",
        (
            "nDCG_UE(version=1)@10",
            "nDCG_UE@10",
            "AP_UE(expectation=exact)@100",
            "UE(base=RR)@10",
            "Expected(base=nDCG, normalized=True)@10",
        ),
    ),
    Family(
        "With unjudged documents in the top 10: nDCG, its bounds, and bootstrapped scores between",
        "The pooled systems have one score. Half of family4's top 10 is unjudged, so its score is "
        "a range.",
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

LEADERBOARD, JUDGING = "leaderboard.png", "judging.png"

REPORT = "report.html"

STEPS, BATCH = 10, 80  # choices: the tenth batch is the last that the question needs

REPORTED = ("nDCG@10", "P@10", "NRG(prior=others,select=best-per-group)@10")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx demo``."""
    parser.describe(
        description=(
            "Simulate a campaign, evaluate it with every family of measures, print tables, and "
            "draw pictures if matplotlib is installed, and write a report if jinja2 is."
        ),
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="the folder for campaign, pictures and report (default: a new temporary folder)",
    )
    add_quiet(parser)
    parser.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> str:
    folder = options.folder or Path(tempfile.mkdtemp(prefix="irx-demo-"))
    progress = progress_of(options)
    campaign = simulate_campaign(systems=12, queries=50, depth=200, progress=progress)
    campaign.write(folder, progress=progress)
    matrix = evaluate(
        campaign.runs,
        campaign.qrels,
        [measure for family in FAMILIES for measure in family.measures],
        campaign.groups,
        progress=progress,
    )
    tables = "\n".join(_table(matrix, family) for family in FAMILIES)
    plan = _judged(campaign, progress)
    shown = printable(str(folder))
    files = f"{shown}/qrels.txt {shown}/runs/*"
    return (
        f"{tables}\n{_steps(plan)}\nCampaign: {shown} (TREC files: qrels.txt, groups.csv, runs/)\n"
        f"{_draw(matrix, plan, folder)}\n{_report(matrix, campaign, folder, progress)}\n\nNext:\n"
        "  irx measures NRG\n"
        f"  irx evaluate {files} -m nDCG@10 'NRG(prior=others)@10'\n"
        f"  irx meta power {files} -m nDCG@10 'NRG(prior=others)@10'\n"
        "and with your own qrels and runs: irx evaluate --help\n"
    )


def _table(matrix: ScoreMatrix, family: Family) -> str:
    columns = score_columns(matrix.select(family.measures))
    table = score_table(columns, matrix.systems, (), "table", 4, False, True)
    width = Screen.of_stdout().width
    about = [*wrapped(family.title, width), *wrapped(family.remark, width)]
    return "\n".join([*about, "", table])


def _judged(campaign: Campaign, progress: bool | None) -> JudgingPlan:
    """The campaign's documents, judged once more in a few steps to find the best system."""
    plan = JudgingPlan(campaign.runs, question="best", grades=(0, 1, 2, 3), progress=progress)
    for _ in with_bar(range(STEPS), "judging step", progress):
        batch = plan.next(BATCH)
        pairs = zip(batch["query_id"], batch["doc_id"], strict=True)
        grades = [campaign.qrels[query].get(doc, 0) for query, doc in pairs]
        plan.update(batch.assign(relevance=grades))
    return plan


def _steps(plan: JudgingPlan) -> str:
    title = (
        f"What to judge next, to find the best system by nDCG@10: {STEPS} steps of {BATCH} "
        "documents"
    )
    remark = (
        f"A start without judgments. Judging can stop where P(best) is at least "
        f"{plan.level:g}; P(best): no system is better by more than .01."
    )
    rows = [
        {
            "judged": state.judged,
            "of": state.pool,
            "best": state.answer,
            "P(best)": state.probability,
            "stop": "yes" if state.settled else "no",
        }
        for state in plan.history
    ]
    width = Screen.of_stdout().width
    about = [*wrapped(title, width), *wrapped(remark, width)]
    return "\n".join([*about, "", format_records(rows, "table", 2)])


def _draw(matrix: ScoreMatrix, plan: JudgingPlan, folder: Path) -> str:
    """Write the pictures if matplotlib is installed; returns the line that reports this."""
    if not can_draw():
        return "No pictures: they need matplotlib (pip install 'irx-measures[plots]')"
    for name, (x, y) in PICTURES.items():
        plots.save(plots.system_scatter(matrix, x, y), folder / name)
    compared = matrix.select(["nDCG@10"]).compare(baseline="family1-a")
    plots.save(plots.leaderboard(compared), folder / LEADERBOARD)
    plots.save(plots.judging_progress(plan.history), folder / JUDGING)
    pictures = " ".join(str(folder / name) for name in (LEADERBOARD, *PICTURES, JUDGING))
    return f"Pictures: {printable(pictures)}"


def _report(matrix: ScoreMatrix, campaign: Campaign, folder: Path, progress: bool | None) -> str:
    """Write the report if jinja2 is installed; returns the line that says so."""
    compared = matrix.select(REPORTED).compare(baseline="family1-a")
    try:
        report(
            compared,
            folder / REPORT,
            runs=campaign.runs,
            qrels=campaign.qrels,
            progress=progress,
        )
    except MissingExtraError:
        return "No report: it needs jinja2 (pip install 'irx-measures[report]')"
    return f"Report, for your browser: {printable(str(folder / REPORT))}"
