"""The options that several commands share. Those of a function come `from_function`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from ..io.formats import FORMAT_NAMES
from ..results.tables import FORMATS
from ..runsets.sources import RUN_SUFFIXES
from .files import file_or_name, input_file
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


SHARED: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "qrels": (("qrels",), {
        "metavar": "QRELS", "type": input_file,
        "help": "a TREC qrels file (.gz too), else an ir_datasets id; 'irds:' forces the id; '-' "
        "for no qrels",
    }),
    "human": (("human",), {
        "metavar": "HUMAN", "type": input_file,
        "help": "qrels of human judges, or an ir_datasets id: {}",
    }),
    "machine": (("machine",), {
        "metavar": "MACHINE", "type": input_file, "help": "qrels of a machine: {}",
    }),
    "runs": (("runs",), {
        "metavar": "RUN", "type": input_file, "nargs": "+", "default": [],
        "help": "TREC run files (.gz too), named after the files; a folder is one run; 'others' in "
        "measures{}",
    }),
    "collections": (("--collections",), {
        "metavar": "DIR", "nargs": "+", "type": input_file, "action": Instead,
        "replaces": ("qrels", "runs"),
        "help": "several collections, instead of QRELS and RUN: folders, each with a file qrels or "
        "qrels.* (or qrels/test.tsv) and a folder runs; or one table (csv, tsv, json lines) with "
        "the columns collection, qrels, run and optionally system. Each has the same weight in the "
        "macro mean",
    }),
    "measures": (("-m", "--measures"), {
        "metavar": "MEASURE", "nargs": "+", "type": measure, "required": True, "default": [],
        "help": "measures of this package (see 'irx measures') and of ir_measures{}",
    }),
    "baselines": (("--baseline",), {
        "dest": "baselines", "metavar": "RUN", "type": file_or_name, "action": "append",
        "default": [],
        "help": "{}: the name of a RUN, or another run file, which is added. May be repeated",
    }),
    "scores": (("--scores",), {
        "metavar": "FILE", "type": input_file, "nargs": "+", "action": Instead,
        "replaces": ("qrels", "runs", "measures"),
        "help": "compare the scores in these files, instead of QRELS and RUN: what irx evaluate -q "
        "-o json, jsonl or csv wrote; or .csv, .tsv, .jsonl or .parquet with the columns system, "
        "query_id, measure and value, or system, query_id and a column per measure, or query_id "
        "and a column per system. -m then chooses measures, or names the only one",
    }),
    "macro": (("--macro",), {
        "choices": ("queries", "groups", "none"),
        "help": "compare macro means, in which each collection (or group, with --by) has the same "
        "weight. queries: of these collections, if other queries might have been drawn; groups: of "
        "collections like these; none: within each (default: queries with --collections, none with "
        "--by)",
    }),
    "direction": (("--lower-is-better",), {
        "metavar": "MEASURE", "nargs": "+", "default": [],
        "help": "with --scores: measures of which lower scores are better, such as seconds",
    }),
    "by": (("--by",), {
        "metavar": "FILE", "type": input_file,
        "help": "groups of queries: {}. FILE (csv, tsv, json lines) has the columns query_id and "
        "group (--groups is for groups of runs)",
    }),
    "texts": (("--texts",), {"metavar": "DATASET", "help": "an ir_datasets id: {}"}),
    "format": (("-o", "--output_format"), {
        "metavar": "FORMAT", "choices": FORMATS, "default": "table",
        "help": f"{', '.join(FORMATS)} (default: %(default)s); csv-safe: no name is a formula in "
        "a spreadsheet; json: the results with versions, the command and digests of the inputs{}",
    }),
    "plot": (("--plot",), {
        "metavar": "FILE", "type": Path, "help": "draw {} (.png, .svg or .pdf)",
    }),
    "width": (("--width",), {
        "metavar": "INCHES", "type": float,
        "help": "width of the picture, such as 3.3 for a column of a paper; below 5, the caption "
        "is printed on stderr instead of above the picture (default: 7)",
    }),
    "places": (("-p", "--places"), {
        "metavar": "N", "type": int,
        "help": "decimal places; -1: all digits, which json and jsonl always have (default: {})",
    }),
    "priors": (("--prior",), {
        "dest": "priors", "metavar": "RUN", "type": file_or_name, "action": "append",
        "default": [],
        "help": "a run file, which is not scored, or the name of a RUN: the prior of measures "
        "that name no prior. Measures can name it, too: bm25.run is called bm25. May be repeated",
    }),
    "reference": (("--reference",), {
        "metavar": "RUN", "type": file_or_name,
        "help": "a run file or the name of a RUN: the reference of measures that name no "
        "reference; QRELS may then be '-', for no qrels",
    }),
    "groups": (("--groups",), {
        "metavar": "FILE", "type": input_file,
        "help": "the groups of the runs, such as teams, for select= in measures: FILE (csv, tsv, "
        "json lines) has columns run, group",
    }),
    "strict": (("--no-strict",), {
        "dest": "strict", "action": "store_false",
        "help": "drop NaN scores and documents returned or judged twice, and score runs of which "
        "no document is judged, with a warning; without this option they are errors",
    }),
    "identical ids": (("--ignore-identical-ids",), {
        "action": "store_true",
        "help": "leave out documents whose id is that of their query, as BEIR does: of the runs, "
        "and of the runs of measures",
    }),
    "files": (("--no-files",), {
        "dest": "allow_files", "action": "store_false",
        "help": "measures may not name files or ir_datasets ids: for untrusted measure strings",
    }),
    "run format": (("--format",), {
        "choices": FORMAT_NAMES,
        "help": "the format of the RUN files; by default their endings say it. msmarco: three "
        "columns (query, document, rank)",
    }),
    "quiet": (("--quiet",), {
        "dest": "progress", "action": "store_const", "const": False,
        "help": "no progress bar, and no evaluation warnings: doubts about what scores mean",
    }),
    "limits": (("--limits",), {
        "metavar": "MEMORY", "type": memory,
        "help": "memory that a measure or the pairs of systems may take, and size that a "
        "compressed file may unpack to, such as 2GB (default: a quarter of the machine's; for a "
        "file also 100 times its size)",
    }),
}  # fmt: skip
"""The flags of an option, or its name, and how argparse reads and describes it."""

INPUTS = ("qrels", "runs", "measures")

READING = (
    "priors", "reference", "groups", "strict", "identical ids", "files", "run format", "quiet",
)  # fmt: skip
"""How runs, qrels and measures are read."""


def add_shared(parser: Any, *names: str, about: str = "", **changed: Any) -> None:
    """Add shared options, keys of `SHARED`, to a parser or a group of its arguments.

    `about` is what the helps say of this command, in place of ``{}``, and `changed` what is
    different in it.
    """
    for name in names:
        flags, keywords = SHARED[name]
        keywords = keywords | changed
        keywords["help"] = keywords["help"].replace("{}", about)
        parser.add_argument(*flags, **keywords)
