"""What the commands of a judging campaign share: its files, its options and its plan."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...exceptions import InputError
from ...io.files import unpacked
from ...io.formats import TREC, format_of, has_beir_header, has_header
from ...io.irds import IRDS
from ...io.lines import read_integer
from ...io.qrels_files import judging_log_of
from ...io.table import by_pair
from ...io.trec import read_qrels
from ...judging.planning.log import JudgingLog
from ...judging.planning.plan import JudgingPlan
from ...judging.planning.questions import RANKING, TOLERANCE
from ...judging.planning.scorers import DCG
from ...measures.strings import split_measures
from ...scoring.evaluate import judged_documents
from ...typing import MeasureLike
from ..argument_types import level_of
from ..options import add_level, add_measure_options, add_reading_options, add_runs, add_seed
from ..output import progress_of, tell
from ..parser import MACHINE_QRELS, QRELS, Parser
from ..scoring import named_measures, run_set

OPTIONS = {
    "runs": "RUN", "measure": "--measures", "question": "--question", "tolerance": "--tolerance",
    "grades": "--grades", "seed": "--seed", "n": "-n",
}  # fmt: skip
"""What the command line calls the parameters of `JudgingPlan`."""


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
        help="the campaign's log: what was asked for with which forecasts, and what was judged "
        "(default: QRELS.log.jsonl)",
    )


def add_campaign(parser: Parser) -> None:
    """Add QRELS, the runs, and the options of the campaign's question."""
    add_campaign_files(parser)
    add_runs(parser)
    parser.add_argument(
        "--question",
        default=RANKING,
        help="ranking: the ranking of all systems, up to a Kendall's tau of .9; best: the best "
        "system; A,B: which of two systems is better (default: %(default)s)",
    )
    parser.add_argument(
        "--tolerance",
        metavar="SCORE",
        type=float,
        help="with --question best: a system that is better by no more than this does not count "
        f"(default: {TOLERANCE:g}; 0 on RBP)",
    )
    parser.add_argument(
        "--grades",
        metavar="N,N",
        help="the grades that judges give, from 0 (default: those of the log or of QRELS, else "
        "0,1)",
    )
    parser.add_argument(
        "--machine",
        metavar="QRELS",
        role=MACHINE_QRELS,
        help="labels by a machine, as qrels; they help to predict grades",
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
    return by_pair(read_qrels(path)) if path.exists() else {}


@contextmanager
def named_as_options() -> Iterator[None]:
    """Name options in errors of `JudgingPlan`: `grades` is --grades."""
    try:
        yield
    except InputError as error:
        named = re.sub(r"`(\w+)`", lambda found: OPTIONS.get(found[1], found[0]), str(error))
        raise InputError(named) from None


def plan_of(options: argparse.Namespace) -> JudgingPlan:
    """The campaign as it is now."""
    level = level_of(options.level, "--level")
    measure = _measure(options)
    path = qrels_path(options)
    question: str = options.question
    with named_as_options():
        plan = JudgingPlan(
            run_set(options, options.runs),
            judged_documents(path, options.strict) if path.exists() else None,
            measure,
            question.split(",") if "," in question else question,
            level=level,
            tolerance=options.tolerance,
            grades=_grades(options),
            seed=options.seed,
            log=log_of(options, path),
            machine=options.machine,
            progress=progress_of(options),
        )
    if not path.exists():
        tell(options, f"{path} does not exist yet: nothing is judged")
    return plan


def _measure(options: argparse.Namespace) -> MeasureLike:
    texts = split_measures(options.measures)
    # DCG@k is no measure that other commands know.
    measures = texts if texts[0].startswith(DCG) else named_measures(options)
    if len(measures) != 1:
        raise InputError(f"--measures (-m) must name one measure; got {len(measures)}")
    return measures[0]


def _grades(options: argparse.Namespace) -> tuple[int, ...] | None:
    if options.grades is None:
        return None
    try:
        return tuple(read_integer(grade.encode()) for grade in options.grades.split(","))
    except ValueError:
        raise InputError(
            f"--grades must be whole numbers such as 0,1,2; got {options.grades!r}"
        ) from None
