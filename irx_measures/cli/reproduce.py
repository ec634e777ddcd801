"""``irx reproduce``: the tables, figures and claims of the papers, computed again."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..exceptions import InputError
from ..reproductions import PAPERS, entries, load_data, reproduce
from ..reproductions.paper import Reproduction, about, is_printed
from ..results.column import Value
from ..results.frames import DataFrame
from ..results.output import Output
from ..results.screen import sentence
from ..results.tables import FOR_READERS, TextTable, write
from .files import input_file
from .options import add_shared
from .output import draw_picture, tell
from .parser import Parser

OPEN = "all"

PLACES = 4  # for readers: the papers print two to four

MEANINGS = {
    "paper": "the paper, as PAPER names it",
    "label": "the table or the figure of the paper",
    "content": "what it shows",
    "status": "reproduced, needs the TREC runs, repeated on other data, or not possible",
    "data": "the data from which the numbers are, or would be, computed",
    "table": "the table, the figure or the section of the paper",
    "row": "the row of the number",
    "column": "the column of the number",
    "printed": "the number as the paper prints it; null where it prints none",
    "here": "the number as it is computed here",
    "difference": "here minus printed; null where nothing is printed",
}
"""What the columns for programs mean."""

Records = list[dict[str, Value]]


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx reproduce``."""
    parser.describe(
        "Compute the tables and claims of a paper: each number as printed, as computed here, and "
        "the difference. With --dataset and --runs, the same tables of your data. 'all' builds "
        "about a dozen systems for a collection and runs all five papers on them. Without "
        "--dataset and --runs, qrels come from ir_datasets, or else from the folder IRX_DATA, and "
        "runs come from the folder IRX_DATA. Where they are missing, a simulated campaign takes "
        "their place. Claims have verdicts on the paper's data only.",
        "[PAPER] [options]",
        "  irx reproduce rareness\n"
        "  irx reproduce bootstrap --dataset qrels.txt --runs 'runs/*.run.gz'\n"
        "  irx reproduce all --dataset vaswani\n"
        "  irx reproduce --list",
    )
    _add_options(parser)
    parser.set_defaults(run=_reproduce)


def _add_options(parser: Parser) -> None:
    parser.add_argument(
        "paper",
        metavar="PAPER",
        nargs="?",
        choices=[*PAPERS, OPEN],
        help=f"{', '.join(PAPERS)}; {OPEN}: all of them, on systems that are built here",
    )
    parser.add_argument(
        "--list", action="store_true", help="list every table and figure, and what can be done"
    )
    parser.add_argument(
        "--dataset",
        metavar="ID",
        type=input_file,
        help="an ir_datasets id or a qrels file, in place of the paper's qrels",
    )
    parser.add_argument(
        "--runs",
        metavar="RUN",
        type=input_file,
        nargs="+",
        default=[],
        help="run files, in place of the paper's",
    )
    add_shared(parser, "groups")
    add_shared(parser, "format", about="; claims are part of table only")
    parser.add_argument(
        "--plot",
        dest="figures",
        metavar="DIR",
        type=Path,
        help="draw the figures into this folder",
    )
    add_shared(parser, "width")
    parser.add_argument(
        "--yes", action="store_true", help=f"start the downloads of '{OPEN}' without a question"
    )
    add_shared(parser, "quiet")


def _reproduce(options: argparse.Namespace) -> Output | str:
    if options.list:
        papers = [options.paper] if options.paper in PAPERS else PAPERS
        return _listed(papers, options)
    _check(options)
    found = _found(options)
    for line in dict.fromkeys(line for one in found.values() for line in one.data):
        tell(options, line)
    _add_figures(found, options)
    form = options.output_format
    if form == "table":
        return "\n".join(map(_on_screen, found.values()))
    numbers = []
    for key, one in found.items():
        for table in one.tables.values():
            records = _numbers(table, {"paper": key, "table": table.attrs["label"]})
            if form == "json":
                records = [{**record, "data": table.attrs["data"]} for record in records]
            numbers += records
    shown_places = PLACES if form in FOR_READERS else -1
    return _for_programs(numbers, form, shown_places)


def _for_programs(records: Records, form: str, places: int) -> Output:
    """Records as a table whose columns say what they mean."""
    table = TextTable.of_records(records, places)
    columns = [replace(column, meaning=MEANINGS[column.name]) for column in table.columns]
    return Output(form, [replace(table, columns=columns)])


def _listed(papers: Iterable[str], options: argparse.Namespace) -> Output:
    """What can be done with each table and figure of papers; for readers, a table a paper."""
    of_papers = {name: entries(name) for name in papers}
    if options.output_format == "table":
        tables = [_paper_listed(*each) for each in of_papers.items()]
        return Output("table", tables, apart=True)
    listed: Records = [
        {"paper": name, **entry} for name, found in of_papers.items() for entry in found
    ]
    return _for_programs(listed, options.output_format, PLACES)


def _paper_listed(name: str, found: Sequence[Mapping[str, str]]) -> TextTable:
    """The tables and figures of a paper; the data of several of them are named once, below."""
    labels_of: dict[str, list[str]] = {}
    for entry in found:
        labels_of.setdefault(entry["data"], []).append(entry["label"])
    shown = ("label", "content", "status")
    columns = {head: [entry[head] for entry in found] for head in shown}
    data = [f"{', '.join(labels)}: {text}." for text, labels in labels_of.items()]
    return replace(TextTable.of(columns, PLACES), title=name, legend=data)


def _check(options: argparse.Namespace) -> None:
    """Reject what cannot work before the long computation starts."""
    if options.paper is None:
        raise InputError(f"PAPER must be one of {', '.join([*PAPERS, OPEN])}, or use --list")
    if options.figures is not None and options.figures.exists() and not options.figures.is_dir():
        raise InputError(f"--plot must be a folder; got the file {options.figures}")
    if options.paper == OPEN:
        _check_open(options)
    else:
        _check_data(options)


def _check_open(options: argparse.Namespace) -> None:
    if options.dataset is None or options.runs or options.groups:
        raise InputError(f"{OPEN} takes --dataset ID, and builds runs and groups itself")


def _check_data(options: argparse.Namespace) -> None:
    if (options.dataset is None) != (not options.runs):
        raise InputError("a reproduction on other data needs both --dataset and --runs")
    if options.groups and not options.runs:
        raise InputError("--groups is for the runs of --runs, which must be given too")


def _found(options: argparse.Namespace) -> Mapping[str, Reproduction]:
    """The reproduction of the paper, or of all papers."""
    progress = options.progress
    if options.paper == OPEN:
        from ..reproductions.built import reproduce_all

        _, found = reproduce_all(options.dataset, progress=progress, yes=options.yes)
        return found
    material = None
    if options.runs:
        material = load_data(options.dataset, options.runs, options.groups)
    return {options.paper: reproduce(options.paper, material, progress=progress)}


def _numbers(table: DataFrame, start: Mapping[str, Value]) -> Records:
    """A record for every number of a table."""
    named = table.reset_index().rename(columns={"paper": "printed"})
    records: list[Any] = named.to_dict("records")
    return [{**start, **record} for record in records]


def _on_screen(found: Reproduction) -> str:
    """The paper, its tables with a row per number, and its claims; one evidence stands once."""
    parts = [] if found.paper is None else [sentence(found.paper.text)]
    for table in found.tables.values():
        title, places = "\n".join(map(sentence, about(table))), table.attrs["places"]
        if not table.attrs["why"]:
            rounded = table.round(places) + 0.0  # no zero with a sign
            records = TextTable.of_records(_numbers(rounded, {}), places)
            beside = () if is_printed(table) else ("printed", "difference")
            shown = [column for column in records.columns if column.name not in beside]
            title += f"\n\n{write(replace(records, columns=shown), 'table').rstrip()}"
        parts.append(title)
    for (verdict, evidence), alike in groupby(found.claims.to_numpy().tolist(), itemgetter(1, 2)):
        claims = [sentence(f"{verdict.upper()}: {claim}") for claim, *_ in alike]
        parts.append("\n".join([*claims, sentence(evidence)]))
    return "\n\n".join([*parts, ""])


def _add_figures(found: Mapping[str, Reproduction], options: argparse.Namespace) -> None:
    """Have the figures drawn after the tables are printed."""
    if options.figures is None:
        return
    options.pictures.append(partial(options.figures.mkdir, parents=True, exist_ok=True))
    for key, one in found.items():
        for label, draw in one.figures.items():
            words = "".join(letter if letter.isalnum() else " " for letter in label.lower())
            path = options.figures / f"{key}-{'-'.join(words.split())}.png"
            options.pictures.append(partial(draw_picture, options, [draw], path))
