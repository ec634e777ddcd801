"""What the commands of a judging campaign share: its files, its options and its plan."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ...exceptions import InputError
from ...io.columns import nested
from ...io.files import unpacked
from ...io.formats import TREC, format_of, has_beir_header, has_header
from ...io.irds import IRDS
from ...io.qrels_files import judging_log_of
from ...io.trec import read_qrels
from ...judging.planning.log import JudgingLog
from ...judging.planning.plan import JudgingPlan
from ...measures.strings import split_measures
from ...scoring.evaluate import judged_documents
from ...typing import MeasureLike
from ..argument_types import level_of
from ..options import add_level, add_measure_options, add_reading_options, add_runs, add_seed
from ..output import progress_of, tell
from ..parser import MACHINE_QRELS, QRELS, Parser
from ..scoring import named_measures, run_set
from .asking import add_question, question_of

GRADES = (0, 1)  # not relevant and relevant, as `JudgingPlan` has them by default


def add_campaign_files(parser: Parser) -> None:
    """Add QRELS and ``--log``."""
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        role=QRELS,
        help="the campaign's TREC qrels file; it need not exist yet",
    )
    parser.add_argument(
        "--log",
        metavar="FILE",
        type=Path,
        help="the campaign's log: what was asked for with which forecasts, and who judged what "
        "(default: QRELS.log.jsonl)",
    )


def add_campaign(parser: Parser) -> None:
    """Add QRELS, the runs, and the options of the campaign's question."""
    add_campaign_files(parser)
    add_runs(parser)
    add_question(parser)
    parser.add_argument(
        "--grades",
        metavar="N,N",
        help="the grades that judges give, from 0 (default: those of the log, else 0,1)",
    )
    parser.add_argument(
        "--machine",
        metavar="QRELS",
        role=MACHINE_QRELS,
        help="labels by a machine, as qrels; they help to predict grades",
    )
    parser.add_argument(
        "--guarantee",
        action="store_true",
        help="with --question A,B and P@k, RBP@k or DCG@k: ask for documents in random order, so "
        "that a wrong decision has a probability of at most 1 - level, whenever judging stops",
    )
    add_level(parser)
    add_seed(parser)
    add_measure_options(parser, ["nDCG@10"])
    add_reading_options(parser)


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


def log_of(options: argparse.Namespace, qrels: Path) -> JudgingLog:
    """The log of the campaign."""
    if options.log is not None and options.log.resolve() == qrels.resolve():
        raise InputError(f"--log must be another file than QRELS; got {options.log}")
    return JudgingLog(judging_log_of(qrels) if options.log is None else options.log)


def grades_in(path: Path) -> dict[tuple[str, str], int]:
    """The grade of each judged document."""
    if not path.exists():
        return {}
    columns = read_qrels(path)
    by_query = nested(columns.query, columns.doc, columns.grade)
    return {(query, doc): grade for query, docs in by_query.items() for doc, grade in docs.items()}


def plan_of(options: argparse.Namespace) -> JudgingPlan:
    """The campaign as it is now."""
    level = level_of(options.level, "--level")
    # DCG@k is no measure that other commands know.
    measures: Sequence[MeasureLike] = (
        split_measures(options.measures) if options.guarantee else named_measures(options)
    )
    if len(measures) != 1:
        raise InputError(f"--measures (-m) must name one measure; got {len(measures)}")
    path = qrels_path(options)
    if not path.exists():
        tell(options, f"{path} does not exist yet: nothing is judged")
    log = log_of(options, path)
    return JudgingPlan(
        run_set(options, options.runs),
        judged_documents(path, options.strict) if path.exists() else None,
        measures[0],
        question_of(options),
        level=level,
        tolerance=options.tolerance,
        grades=_grades(options, log),
        seed=options.seed,
        log=log,
        machine=options.machine,
        guarantee=options.guarantee,
        progress=progress_of(options),
    )


def _grades(options: argparse.Namespace, log: JudgingLog) -> tuple[int, ...]:
    if options.grades is None:
        batches = log.batches()
        return batches[-1].grades if batches else GRADES
    try:
        return tuple(map(int, options.grades.split(",")))
    except ValueError:
        raise InputError(
            f"--grades must be whole numbers such as 0,1,2; got {options.grades!r}"
        ) from None
