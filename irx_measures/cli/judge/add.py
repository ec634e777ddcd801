"""``irx judge add``: add judgments that people filled in to qrels."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from ...common.writing import counted
from ...io.qrels_files import add_judgments, filled_rows
from ...judging.planning.filled import Added, added
from ..output import check_file, tell
from ..parser import Parser
from .campaign import add_campaign_files, grades_in, log_of, qrels_path


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge add``."""
    parser.describe(
        description="Add the judgments of filled files to QRELS and to the log beside it. If a row "
        "is wrong, every such row is\nnamed, and nothing is added. Rows with an empty grade are "
        "documents that are not judged yet.",
        epilog=(
            "examples:\n"
            "  irx judge add qrels.txt batch.tsv\n"
            "  two people who judged the same documents, compared:\n"
            "    irx judge add ann.txt ann.csv --unasked\n"
            "    irx judge add bob.txt bob.csv --unasked\n"
            "    irx judge audit ann.txt bob.txt"
        ),
    )
    add_campaign_files(parser)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="what irx judge next printed, filled in (.tsv, .csv, .jsonl), or TREC qrels",
    )
    parser.add_argument(
        "--unasked",
        action="store_true",
        help="also take judgments of documents that irx judge next did not ask for",
    )
    parser.set_defaults(run=_add)


def _add(options: argparse.Namespace) -> str:
    path = qrels_path(options)
    check_file(path, "QRELS")
    log = log_of(options, path)
    rows = [row for file in options.files for row in filled_rows(Path(file))]
    check = partial(added, rows, log, unasked=options.unasked)
    check(qrels=grades_in(path))  # before the lock makes a log
    with log.locked():  # another process may have written since
        qrels = grades_in(path)
        new = check(qrels=qrels)
        if new.to_qrels or not path.exists():
            add_judgments(path, [(*pair, grade) for pair, grade in new.to_qrels.items()])
        if new.to_log:
            log.add_judgments((*pair, grade) for pair, grade in new.to_log.items())
    tell(options, _summary(path, new, len(qrels)))
    return ""


def _summary(path: Path, new: Added, before: int) -> str:
    count = len(new.to_qrels)
    parts = [
        f"added {counted(count, 'judgment')} to {path}, which has {before + count:,}",
        f"{counted(new.waiting, 'document')} without a grade" if new.waiting else "",
    ]
    return "; ".join(filter(None, parts))
