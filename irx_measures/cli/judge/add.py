"""``irx judge add``: add judgments that people filled in to qrels."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from ...common.writing import counted
from ...io.judged_files import filled_rows
from ...io.qrels_files import add_judgments
from ...judging.planning.merging import Merged, agreement_lines, merge
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
            "  two people who judged the same documents:\n"
            "    irx judge add qrels.txt ann.csv --judge ann\n"
            "    irx judge add qrels.txt bob.csv --judge bob"
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
        "--judge",
        metavar="NAME",
        help="who judged. Judges who are named may differ: the log has all judgments, and the "
        "first one counts. A column judge in a FILE names the judge of each row",
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
    check = partial(merge, rows, log, judge=options.judge, unasked=options.unasked)
    check(qrels=grades_in(path))  # before the lock makes a log
    with log.locked():  # another process may have written since
        qrels = grades_in(path)
        merged = check(qrels=qrels)
        if merged.new or not path.exists():
            add_judgments(path, [(*pair, grade) for pair, grade in merged.new.items()])
        for judge, judgments in merged.opinions.items():
            log.add_judgments(judgments, judge)
        opinions = log.opinions()
    tell(options, _summary(path, merged, len(qrels)))
    return "".join(f"{line}\n" for line in agreement_lines(opinions))


def _summary(path: Path, merged: Merged, before: int) -> str:
    others = sum(map(len, merged.opinions.values())) - len(merged.new)
    parts = [
        f"added {counted(len(merged.new), 'judgment')} to {path}, which has "
        f"{before + len(merged.new):,}",
        f"{counted(others, 'judgment')} of judged documents in the log only" if others > 0 else "",
        f"{counted(merged.waiting, 'document')} without a grade" if merged.waiting else "",
    ]
    return "; ".join(filter(None, parts))
