"""``irx report``: one HTML file that shows which differences between systems are real."""

from __future__ import annotations

import argparse
import os
from datetime import date, datetime, timezone
from pathlib import Path

from ..common.writing import shown
from ..exceptions import InputError
from ..reporting.report import name_of, report
from ..results.tables import FORMATS
from .comparing import add_method, compared
from .files import input_path
from .options import INPUTS, READING, add_shared
from .output import PAGES, check_file, tell_written
from .parser import Parser
from .reading import query_groups

EPOCH = "SOURCE_DATE_EPOCH"  # as https://reproducible-builds.org/specs/source-date-epoch says

HOW = ("test", "correction", "level")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx report``."""
    parser.describe(
        "One HTML file: leaderboard, what cannot be told apart, two systems topic by topic, what "
        "each system adds, unjudged documents, method, references. The file needs no network.",
        "QRELS RUN [RUN ...] -m MEASURE [MEASURE ...] [options]",
        "  irx report qrels.txt runs/* -m nDCG@10 AP --baseline bm25\n"
        "  irx report qrels.txt runs/* -m nDCG@10 --by languages.csv -o languages.html\n"
        "  irx report qrels.txt runs/* -m nDCG@10 --texts msmarco-passage/trec-dl-2019",
    )
    add_shared(parser, *INPUTS, "collections", "scores")
    add_shared(parser, "macro")
    against = "compare the others with this system, instead of the best one of each measure"
    add_shared(parser, "baselines", about=against)
    add_shared(parser, "by", about="add a section for the groups")
    add_shared(parser, "texts", about="quote its topics and documents")
    parser.add_argument(
        "--topics",
        metavar="FILE",
        type=input_path,
        help="the texts of topics: .csv, .tsv or .jsonl with the columns query_id and text",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        default=Path("report.html"),
        help="the HTML file to write; only a page of this command is replaced (default: "
        "%(default)s)",
    )
    add_shared(parser, "rename")
    more = parser.more
    add_method(more, *HOW, "unjudged")
    add_shared(more, "direction", *READING, "limits")
    parser.set_defaults(run=_report)


def _facts(options: argparse.Namespace) -> dict[str, str]:
    """What the first lines of the page say beside the numbers."""
    qrels = {} if options.scores else name_of(options.qrels)
    return {**qrels, "Date": _date(), "Command": options.command_line}


def _date() -> str:
    """Today, or the day of SOURCE_DATE_EPOCH: with it, the same input has the same bytes."""
    epoch = os.environ.get(EPOCH)
    if not epoch:
        return date.today().isoformat()
    try:
        return datetime.fromtimestamp(int(epoch), timezone.utc).date().isoformat()
    except (ValueError, OverflowError, OSError):
        reason = f"{EPOCH} must be a number of seconds since 1970; got {shown(epoch)}"
        raise InputError(reason) from None


def _report(options: argparse.Namespace) -> str:
    facts = _facts(options)
    if str(options.output) in FORMATS:
        raise InputError(
            f"--output (-o) names the file of the report, such as report.html; got "
            f"{str(options.output)!r}, a format of irx compare"
        )
    replaces = check_file(options.output, "--output", PAGES)
    by = query_groups(options)
    is_macro = options.macro not in (None, "none")
    result, runset, qrels = compared(options, HOW, by if is_macro else None)
    if result.groups:
        raise InputError("a report of several collections needs macro means: omit --macro none")
    if result.macro is not None:
        runset, qrels, by = None, None, None
    report(
        result,
        options.output,
        runs=runset,
        qrels=qrels,
        texts=options.texts,
        topics=options.topics,
        strict=options.strict,
        by=by,
        facts=facts,
        progress=options.progress,
    )
    tell_written(options, options.output, replaces)
    return ""
