"""The options that several commands share. Those of a function come `from_function`.

Each function adds to a parser, or to a group of its arguments.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..common.tables import FORMATS, PAPER_PLACES
from ..io.formats import FORMAT_NAMES
from .parser import Parser

RUN_FILES = "TREC run files (.gz too), named after the files; a folder is one run"

MEMORY = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([KMGT]?)B?", re.IGNORECASE)

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}  # SI prefixes: a GB has 10^9 bytes


def add_inputs(parser: Any, runs: str = RUN_FILES) -> None:
    """Add QRELS, RUN and ``-m`` to a command that scores runs."""
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        help="a TREC qrels file (.gz too), else an ir_datasets id; 'irds:' forces the id; "
        "'-' for no qrels",
    )
    add_runs(parser, runs)
    add_measures(parser)


def add_both_qrels(parser: Any, human: str, machine: str) -> None:
    """Add HUMAN and MACHINE; the texts say which topics or pairs they judge."""
    parser.add_argument(
        "human", metavar="HUMAN", help=f"qrels of human judges, or an ir_datasets id: {human}"
    )
    parser.add_argument("machine", metavar="MACHINE", help=f"qrels of a machine: {machine}")


def add_runs(parser: Any, about: str = RUN_FILES, nargs: str = "+") -> None:
    """Add the argument for the runs."""
    parser.add_argument("runs", metavar="RUN", nargs=nargs, default=[], help=about)


def add_measures(parser: Any, measures: Sequence[str] | None = None) -> None:
    """Add ``-m``, with its default; None: the user must name measures."""
    default = "" if measures is None else f" (default: {' '.join(measures)})"
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        nargs="+",
        required=measures is None,
        default=measures or [],
        help=f"measures of this package (see 'irx measures') and of ir_measures{default}",
    )


def add_baselines(parser: Any, about: str) -> None:
    """Add the option for baselines; `about` says what is done with one, and without any."""
    parser.add_argument(
        "--baseline", dest="baselines", metavar="RUN", action="append", default=[], help=about
    )


def add_by(parser: Any, about: str) -> None:
    """Add the option for groups of queries; `about` says what is done with each group."""
    parser.add_argument(
        "--by",
        metavar="FILE",
        help=f"groups of queries: {about}. FILE (csv, tsv, json lines) has the columns query_id "
        "and group (--groups is for groups of runs)",
    )


def add_format(parser: Any, note: str = "") -> None:
    """Add ``-o``; `note` is appended to its help."""
    parser.add_argument(
        "-o",
        "--output_format",
        metavar="FORMAT",
        choices=FORMATS,
        default="table",
        help=f"{', '.join(FORMATS)} (default: %(default)s); csv-safe: no name is a formula in a "
        "spreadsheet; json: the results with versions, the command and digests of the inputs"
        f"{note}",
    )


def add_places(parser: Any, places: int | None = None, for_readers: int = PAPER_PLACES) -> None:
    """Add ``-p`` with its default; None: `for_readers`, and all digits for programs."""
    default = f"{for_readers}, and -1 in csv and tsv" if places is None else places
    parser.add_argument(
        "-p",
        "--places",
        metavar="N",
        type=int,
        default=places,
        help="decimal places; -1: all digits, as programs that read csv or tsv need them; json and "
        f"jsonl always have them (default: {default})",
    )


def add_plot(parser: Parser, picture: str) -> None:
    """Add ``--plot`` and ``--width``; `picture` says what is drawn."""
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help=f"draw {picture} (.png, .svg or .pdf)"
    )
    add_width(parser.more)


def add_width(parser: Any) -> None:
    """Add ``--width``, of what ``--plot`` draws."""
    parser.add_argument(
        "--width",
        metavar="INCHES",
        type=float,
        help="width of the picture, such as 3.3 for a column of a paper; below 5, the caption is "
        "printed on stderr instead of above the picture (default: 7)",
    )


def add_groups(parser: Any, about: str) -> None:
    """Add the option for the groups of the runs; `about` says what they are for."""
    parser.add_argument(
        "--groups",
        metavar="FILE",
        help=f"the groups of the runs: FILE (csv, tsv, json lines) has columns run, group{about}",
    )


def add_reading(parser: Any) -> None:
    """Add ``--quiet``, and the options that say how runs, qrels and measures are read."""
    parser.add_argument(
        "--prior",
        dest="priors",
        metavar="RUN",
        action="append",
        default=[],
        help="a run file, which is not scored, or the name of a RUN: the prior of measures that "
        "name no prior. Measures can name it, too: bm25.run is called bm25. May be repeated",
    )
    parser.add_argument(
        "--reference",
        metavar="RUN",
        help="a run file or the name of a RUN: the reference of measures that name no "
        "reference; QRELS may then be '-', for no qrels",
    )
    add_groups(parser, ", for select=")
    parser.add_argument(
        "--no-strict",
        dest="strict",
        action="store_false",
        help="drop NaN scores and documents returned or judged twice, and score runs of which no "
        "document is judged, with a warning; without this option they are errors",
    )
    parser.add_argument(
        "--no-files",
        dest="allow_files",
        action="store_false",
        help="measures may not name files or ir_datasets ids: for untrusted measure strings",
    )
    parser.add_argument(
        "--format",
        choices=FORMAT_NAMES,
        help="the format of the RUN files; by default their endings say it. msmarco: three "
        "columns (query, document, rank)",
    )
    add_quiet(parser)


def add_texts(parser: Any, about: str) -> None:
    """Add the option for a collection's texts; `about` says what is done with them."""
    parser.add_argument("--texts", metavar="DATASET", help=f"an ir_datasets id: {about}")


def memory(text: str) -> int:
    """The argparse type of amounts of memory: 2GB, 500 MB, or a number of bytes."""
    amount = MEMORY.fullmatch(text)
    size = int(float(amount[1]) * UNITS[amount[2].upper()]) if amount else 0
    if not size:
        raise argparse.ArgumentTypeError(f"must be an amount of memory such as 2GB; got {text!r}")
    return size


def add_limits(parser: Any) -> None:
    parser.add_argument(
        "--limits",
        metavar="MEMORY",
        type=memory,
        help="memory that a measure may take, and size that a compressed file may unpack to, such "
        "as 2GB (default: a quarter of the machine's; for a file also 100 times its size)",
    )


def add_quiet(parser: Any) -> None:
    """Add ``--quiet``: `progress` is False, otherwise None."""
    parser.add_argument(
        "--quiet",
        dest="progress",
        action="store_const",
        const=False,
        help="no progress bar, and no evaluation warnings: doubts about what scores mean",
    )
