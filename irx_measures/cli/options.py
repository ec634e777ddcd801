"""The options that several commands share. Those of a function come `from_function`."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..exceptions import InputError
from ..io.formats import FORMAT_NAMES
from ..results.tables import FORMATS
from ..runsets.sources import RUN_SUFFIXES
from ..stats.intervals import METHODS
from .files import file_or_name, input_file
from .from_function import level
from .parser import Instead, takes_all

MEMORY = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([KMGT]?)B?", re.IGNORECASE)

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}  # SI prefixes: a GB has 10^9 bytes


def memory(text: str) -> int:
    """The argparse type of amounts of memory: 2GB, 500 MB, or a number of bytes."""
    amount = MEMORY.fullmatch(text)
    size = int(float(amount[1]) * UNITS[amount[2].upper()]) if amount else 0
    if not size:
        raise argparse.ArgumentTypeError(f"must be an amount of memory such as 2GB; got {text!r}")
    return size


def measure(text: str) -> str:
    """The argparse type of measures: no file that another argument is meant to take."""
    is_path = len(Path(text).parts) > 1 or Path(text).suffix.lower() in RUN_SUFFIXES
    if is_path and Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{text} is a file; {takes_all('-m')}")
    return text


def renaming(text: str) -> tuple[str, str]:
    """The argparse type of a name and another one in its place: OLD=NEW."""
    old, _, new = text.rpartition("=")
    if not old or not new:
        raise argparse.ArgumentTypeError(
            f"must be a name and another one, such as lexical-a=BM25; got {text!r}"
        )
    return old, new


def names_of(options: argparse.Namespace) -> dict[str, str]:
    """The new names of ``--rename``."""
    names: dict[str, str] = {}
    for old, new in options.names:
        if old in names:
            raise InputError(f"--rename must name each once; got {old!r} twice")
        names[old] = new
    return names


@dataclass(frozen=True)
class Shared:
    """An option, or an argument, that commands share."""

    flags: tuple[str, ...]  # or the name of an argument
    short: str  # its line in the helps of commands; {} stands for what it is in one command
    long: str  # its text in `irx help options`; empty: the line says all
    how: dict[str, Any]  # argparse reads it


SHARED = {
    "qrels": Shared(
        ("qrels",),
        "TREC qrels, an ir_datasets id, or '-' for no qrels",
        "a TREC qrels file (.gz too), else an ir_datasets id; 'irds:' forces the id; '-' for no "
        "qrels",
        {"metavar": "QRELS", "type": input_file},
    ),
    "human": Shared(
        ("human",), "qrels of human judges, or an ir_datasets id: {}", "",
        {"metavar": "HUMAN", "type": input_file},
    ),
    "machine": Shared(
        ("machine",), "qrels of a machine: {}", "", {"metavar": "MACHINE", "type": input_file},
    ),
    "runs": Shared(
        ("runs",),
        "run files, named after the files{}",
        "TREC run files (.gz too), named after the files, or files of another --format; a folder "
        "is one run; 'others' in measures",
        {"metavar": "RUN", "type": input_file, "nargs": "+", "default": []},
    ),
    "collections": Shared(
        ("--collections",),
        "several collections (folders, or a table), instead of QRELS and RUN",
        "several collections, instead of QRELS and RUN: folders, each with a file qrels or "
        "qrels.* (or qrels/test.tsv) and a folder runs; or one table (csv, tsv, json lines) with "
        "the columns collection, qrels, run and optionally system. Each has the same weight in the "
        "macro mean",
        {"metavar": "DIR", "nargs": "+", "type": input_file, "action": Instead,
         "replaces": ("qrels", "runs")},
    ),
    "measures": Shared(
        ("-m", "--measures"),
        "measures, such as nDCG@10 (see 'irx measures'){}",
        "measures of this package (see 'irx measures') and of ir_measures",
        {"metavar": "MEASURE", "nargs": "+", "type": measure, "required": True, "default": []},
    ),
    "baselines": Shared(
        ("--baseline",),
        "{}; may be repeated",
        "the system with which others are compared: the name of a RUN, or another run file, which "
        "is added. May be repeated",
        {"dest": "baselines", "metavar": "RUN", "type": file_or_name, "action": "append",
         "default": []},
    ),
    "scores": Shared(
        ("--scores",),
        "scores in files, instead of QRELS and RUN",
        "compare the scores in these files, instead of QRELS and RUN: what irx evaluate -q "
        "-o json, jsonl or csv wrote; or .csv, .tsv, .jsonl or .parquet with the columns system, "
        "query_id, measure and value, or system, query_id and a column per measure, or query_id "
        "and a column per system. -m then chooses measures, or names the only one",
        {"metavar": "FILE", "type": input_file, "nargs": "+", "action": Instead,
         "replaces": ("qrels", "runs", "measures")},
    ),
    "macro": Shared(
        ("--macro",),
        "the macro means to compare, with --collections or --by",
        "compare macro means, in which each collection (or group, with --by) has the same "
        "weight. queries: of these collections, if other queries might have been drawn; groups: of "
        "collections like these; none: within each (default: queries with --collections, none with "
        "--by)",
        {"choices": ("queries", "groups", "none")},
    ),
    "direction": Shared(
        ("--lower-is-better",),
        "with --scores: measures of which lower scores are better",
        "with --scores: measures of which lower scores are better, such as seconds",
        {"metavar": "MEASURE", "nargs": "+", "default": []},
    ),
    "by": Shared(
        ("--by",),
        "groups of queries: {}",
        "groups of queries. FILE (csv, tsv, json lines) has the columns query_id and group. irx "
        "evaluate adds the means of each group; irx compare compares the systems within each "
        "group, with one correction for all groups; irx report adds a section with the means and "
        "differences of each group. (--groups is for groups of runs)",
        {"metavar": "FILE", "type": input_file},
    ),
    "texts": Shared(
        ("--texts",), "an ir_datasets id: {}", "", {"metavar": "DATASET"},
    ),
    "rename": Shared(
        ("--rename",),
        "other names in the output",
        "other names in what is printed and drawn, such as those of a paper: lexical-a=BM25. OLD "
        "is a system or a measure, and the last = is before NEW. csv, tsv, json and jsonl keep "
        "the names of measures",
        {"dest": "names", "metavar": "OLD=NEW", "nargs": "+", "type": renaming, "default": []},
    ),
    "show": Shared(
        ("--show",),
        "{} (the default depends on -o and --baseline)",
        "the table that irx compare prints. leaderboard: the systems with their means and rank "
        "intervals; differences: every test; scores: systems x measures, as papers print them; "
        "topics: how many topics a comparison with a baseline needs. By default, table prints the "
        "differences if there is a --baseline, else the leaderboard; latex, markdown and html the "
        "scores; csv, tsv, json and jsonl the differences",
        {"metavar": "TABLE"},
    ),
    "format": Shared(
        ("-o", "--output_format"),
        f"{', '.join(FORMATS)} (default: %(default)s){{}}",
        f"{', '.join(FORMATS)} (default: %(default)s); csv-safe: no name is a formula in "
        "a spreadsheet; json: the results with versions, the command and digests of the inputs. "
        "The tsv and jsonl of irx evaluate are as ir_measures prints them",
        {"metavar": "FORMAT", "choices": FORMATS, "default": "table"},
    ),
    "plot": Shared(
        ("--plot",),
        "draw {} (.png, .svg or .pdf)",
        "draw a picture (.png, .svg or .pdf). irx compare draws the leaderboard, or the "
        "differences to each --baseline; with --by, of each group; a panel for each measure. "
        "Of macro means of two systems it draws a forest: their difference in each collection",
        {"metavar": "FILE", "type": Path},
    ),
    "width": Shared(
        ("--width",),
        "width of the picture (default: 7)",
        "width of the picture, such as 3.3 for a column of a paper; below 5, the caption "
        "is printed on stderr instead of above the picture (default: 7)",
        {"metavar": "INCHES", "type": float},
    ),
    "places": Shared(
        ("-p", "--places"),
        "decimal places; -1: all digits (default: {})",
        "decimal places; -1: all digits, which json and jsonl always have. The default depends on "
        "the command",
        {"metavar": "N", "type": int},
    ),
    "interval": Shared(
        ("--interval",),
        "add lower and upper bounds of this level, such as .9: over topics, or over missing "
        "judgments for BootNDCG and Boot",
        "irx evaluate adds lower and upper bounds. Over topics, for every measure: the interval of "
        "its mean that --interval-method names. Over missing judgments, for BootNDCG and Boot: the "
        "central share of the bootstrapped scores; with prior=learned, for a system, of its mean. "
        "LEVEL is .9, for example, or 90",
        {"metavar": "LEVEL", "type": level},
    ),
    "interval method": Shared(
        ("--interval-method",),
        "with --interval: the interval over topics (default: t)",
        "with --interval, the interval over topics: Student's t interval (t, the default), as in "
        "irx compare, or the percentile bootstrap interval (bootstrap)",
        {"choices": tuple(METHODS)},
    ),
    "worse": Shared(
        ("--fail-if-worse",),
        "exit status 1 if a system is significantly worse than a --baseline",
        "for builds: irx compare exits with status 1 if a system is significantly worse than a "
        "--baseline on a measure, with 0 if none is, and with 2 after an error, and where a "
        "measure or a system was not tested. Baselines are not compared with each other for this",
        {"action": "store_true"},
    ),
    "priors": Shared(
        ("--prior",),
        "the prior of measures that name no prior",
        "a run file, which is not scored, or the name of a RUN: the prior of measures "
        "that name no prior. Measures can name it, too: bm25.run is called bm25. May be repeated",
        {"dest": "priors", "metavar": "RUN", "type": file_or_name, "action": "append",
         "default": []},
    ),
    "reference": Shared(
        ("--reference",),
        "the reference of measures that name no reference",
        "a run file or the name of a RUN: the reference of measures that name no "
        "reference; QRELS may then be '-', for no qrels",
        {"metavar": "RUN", "type": file_or_name},
    ),
    "groups": Shared(
        ("--groups",),
        "groups of the runs, such as teams",
        "the groups of the runs, such as teams, for select= in measures: FILE (csv, tsv, "
        "json lines) has columns run, group",
        {"metavar": "FILE", "type": input_file},
    ),
    "strict": Shared(
        ("--no-strict",),
        "warnings, not errors, about NaN scores and duplicates",
        "drop NaN scores and documents returned or judged twice, and score runs of which "
        "no document is judged, with a warning; without this option they are errors",
        {"dest": "strict", "action": "store_false"},
    ),
    "identical ids": Shared(
        ("--ignore-identical-ids",),
        "leave out documents with the id of their query",
        "leave out documents whose id is that of their query, as BEIR does: of the runs, "
        "and of the runs of measures",
        {"action": "store_true"},
    ),
    "files": Shared(
        ("--no-files",),
        "measures may not name files",
        "measures may not name files or ir_datasets ids: for untrusted measure strings",
        {"dest": "allow_files", "action": "store_false"},
    ),
    "run format": Shared(
        ("--format",),
        "the format of the RUN files",
        "the format of the RUN files; by default their endings say it. msmarco: three "
        "columns (query, document, rank)",
        {"choices": FORMAT_NAMES},
    ),
    "quiet": Shared(
        ("--quiet",),
        "no progress bar, no evaluation warnings (doubts about scores)", "",
        {"dest": "progress", "action": "store_const", "const": False},
    ),
    "limits": Shared(
        ("--limits",),
        "memory limit, such as 2GB",
        "memory that a measure or the pairs of systems may take, and size that a "
        "compressed file may unpack to, such as 2GB (default: a quarter of the machine's; for a "
        "file also 100 times its size)",
        {"metavar": "MEMORY", "type": memory},
    ),
}  # fmt: skip
"""The options that several commands share, and those of one that need a long text."""

INPUTS = ("qrels", "runs", "measures")

READING = (
    "priors", "reference", "groups", "strict", "identical ids", "files", "run format", "quiet",
)  # fmt: skip
"""How runs, qrels and measures are read."""


def add_shared(
    parser: Any, *names: str, about: str = "", whole: bool = False, **changed: Any
) -> None:
    """Add shared options, keys of `SHARED`, to a parser or a group of its arguments.

    `about` is what the helps say of this command, in place of ``{}``, and `changed` what is
    different in it. With `whole`, they have their long texts.
    """
    for name in names:
        shared = SHARED[name]
        line = shared.short.replace("{}", about)
        text = (shared.long or line) if whole else line
        keywords = {"help": text, **shared.how, **changed}
        action = parser.add_argument(*shared.flags, **keywords)
        action.is_shortened = keywords["help"] == line and bool(shared.long)
