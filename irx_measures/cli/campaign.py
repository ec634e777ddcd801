"""What the commands of a judging campaign share: its files, its options and its plan."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..exceptions import InputError
from ..io.files import unpacked
from ..io.formats import TREC, format_of, has_beir_header, has_header
from ..io.irds import IRDS
from ..io.qrels_files import judging_log_of
from ..io.table import by_pair
from ..io.trec import read_qrels
from ..judging.planning.plan import JudgingPlan
from ..judging.planning.questions import RANKING
from ..judging.planning.scorers import DCG
from ..measures.strings import split_measures
from .from_function import add_options, asked
from .options import add_limits, add_measures, add_reading, add_runs
from .output import tell
from .parser import Parser
from .reading import judged, named_measures, named_runs, run_set

OF_PLAN = ("tolerance", "grades", "level", "seed")


def add_qrels(parser: Parser) -> None:
    """Add QRELS."""
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        help="the campaign's TREC qrels file; it need not exist yet. The log beside it, "
        "QRELS.log.jsonl, has what was asked for with which forecasts, and what was judged",
    )


def add_campaign(parser: Parser) -> None:
    """Add QRELS, the runs, and the options of the campaign's question."""
    add_qrels(parser)
    add_runs(parser)
    add_measures(parser, ["nDCG@10"])
    parser.add_argument(
        "--question",
        default=RANKING,
        help="ranking: the ranking of all systems, up to a Kendall's tau of .9; best: the best "
        "system; A,B: which of two systems is better (default: %(default)s)",
    )
    add_options(parser, JudgingPlan, *OF_PLAN)
    parser.more.add_argument(
        "--machine",
        metavar="QRELS",
        help="labels by a machine, as qrels; they help to predict grades",
    )
    add_reading(parser.more)
    add_limits(parser.more)


def qrels_path(options: argparse.Namespace) -> Path:
    """The file of QRELS, to which judgments can be added."""
    path = Path(options.qrels)
    if options.qrels.startswith(IRDS) or not path.absolute().parent.is_dir():
        raise InputError(
            f"{options.qrels}: QRELS must be a file in a folder that exists; it gets the judgments"
        )
    if format_of(path) != TREC:
        raise InputError(f"{path}: QRELS must be a TREC file; got {format_of(path)}")
    if path.is_file():
        with unpacked(path) as file:
            if has_beir_header(file) or has_header(file):
                raise InputError(f"{path}: QRELS must be a TREC file; got one with a header")
    return path


def grades_in(path: Path) -> dict[tuple[str, str], int]:
    """The grade of each judged document."""
    return by_pair(read_qrels(path)) if path.exists() else {}


def plan_of(options: argparse.Namespace) -> JudgingPlan:
    """The campaign as it is now."""
    runs = named_runs(options.runs)
    measure = _measure(options, runs)
    path = qrels_path(options)
    question: str = options.question
    plan = JudgingPlan(
        run_set(options, runs),
        judged(options.qrels, options.strict) if path.exists() else None,
        measure,
        question.split(",") if "," in question else question,
        log=judging_log_of(path),
        machine=options.machine,
        progress=options.progress,
        **asked(options, *OF_PLAN),
    )
    if not path.exists():
        tell(options, f"{path} does not exist yet: nothing is judged")
    return plan


def _measure(options: argparse.Namespace, runs: Any) -> Any:
    texts = split_measures(options.measures)
    # DCG@k is no measure that other commands know.
    measures = texts if texts[0].startswith(DCG) else named_measures(options, runs)
    if len(measures) != 1:
        raise InputError(f"--measures (-m) must name one measure; got {len(measures)}")
    return measures[0]
