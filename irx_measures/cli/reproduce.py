"""``irx reproduce``: the tables, figures and claims of the papers, computed again."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..common.escapes import FOR_PEOPLE
from ..common.tables import DEFAULT_PLACES, FOR_READERS, FORMATS, TextTable, Value, write
from ..exceptions import InputError
from ..reproductions import PAPERS, entries, load_data, reproduce
from ..reproductions.material import Material
from ..reproductions.paper import NO_VERDICT, Reproduction, in_shape, is_printed
from ..runsets.sources import matching_files
from .options import add_groups, add_quiet, add_width
from .output import check_can_draw, check_width, progress_of, save_plot, tell
from .parser import LETOR, QRELS, RUN, Effect, Parser

if TYPE_CHECKING:
    from ..io.frames import DataFrame

OPEN = "all"

LINE = 80  # characters: the usual width of a terminal, also in files

EXAMPLES = """examples:
  irx reproduce rareness
  irx reproduce residual-gain --plot pictures
  irx reproduce bootstrap --dataset qrels.txt --runs 'runs/*.run.gz' --groups groups.csv
  irx reproduce all --dataset vaswani
  irx reproduce --list

Without --dataset and --runs, qrels come from ir_datasets, or else from the folder IRX_DATA, and
runs come from the folder IRX_DATA. Where they are missing, a simulated campaign takes their
place. Claims have verdicts on the paper's data only."""


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx reproduce``."""
    parser.describe(
        description=(
            "Compute the tables and claims of a paper: each number as printed, as computed here, "
            "and the difference. With --dataset and --runs, the same tables of your data. 'all' "
            "builds about a dozen systems for a collection and runs all five papers on them."
        ),
        epilog=EXAMPLES,
    )
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
        role=QRELS,
        help="an ir_datasets id or a qrels file, in place of the paper's qrels",
    )
    parser.add_argument(
        "--runs",
        metavar="GLOB",
        nargs="+",
        default=[],
        role=RUN,
        help="run files, in place of the paper's",
    )
    add_groups(parser, "")
    parser.add_argument(
        "--letor",
        metavar="DIR",
        type=Path,
        role=LETOR,
        help="a folder with letor-train.txt.gz and letor-test.txt.gz, for upper-expected",
    )
    parser.add_argument(
        "-o",
        "--output_format",
        choices=FORMATS,
        default="table",
        role=Effect.DISPLAY,
        help="(default: %(default)s); claims are part of table, markdown, latex and html only",
    )
    parser.add_argument(
        "--plot",
        metavar="DIR",
        type=Path,
        role=Effect.DISPLAY,
        help="draw the figures into this folder",
    )
    add_width(parser)
    parser.add_argument(
        "--yes",
        action="store_true",
        role=Effect.DISPLAY,
        help=f"start the downloads of '{OPEN}' without a question",
    )
    add_quiet(parser)
    parser.set_defaults(run=_reproduce)


def _reproduce(options: argparse.Namespace) -> str:
    form = options.output_format
    if options.list:
        papers = [options.paper] if options.paper in PAPERS else PAPERS
        listed: list[dict[str, Value]] = [
            {"paper": name, **entry} for name in papers for entry in entries(name)
        ]
        return write(TextTable.of_records(listed, DEFAULT_PLACES), form)
    _check(options)
    found = _found(options)
    for line in dict.fromkeys(line for one in found.values() for line in one.data):
        tell(options, line)
    _draw(found, options)
    if form in FOR_READERS:
        return "\n".join(part for one in found.values() for part in _for_readers(one, form))
    records = [
        record
        for one in found.values()
        for table in one.tables.values()
        for record in _numbers(one, table, with_data=form == "json")
    ]
    return write(TextTable.of_records(records, -1), form)


def _check(options: argparse.Namespace) -> None:
    """Reject what cannot work before the long computation starts."""
    if options.paper is None:
        raise InputError(f"PAPER must be one of {', '.join([*PAPERS, OPEN])}, or use --list")
    check_width(options)
    if options.plot is not None:
        if options.plot.exists() and not options.plot.is_dir():
            raise InputError(f"--plot must be a folder; got the file {options.plot}")
        check_can_draw()
    named = options.dataset is not None or options.runs
    if options.paper == OPEN:
        if options.dataset is None or options.runs or options.groups or options.letor:
            raise InputError(f"{OPEN} takes --dataset ID, and builds runs and groups itself")
    elif named and (options.dataset is None or not options.runs):
        missing = "--dataset" if options.dataset is None else "--runs"
        raise InputError(
            f"{missing} must be given too: a reproduction on other data needs qrels and runs"
        )
    elif options.groups and not named:
        raise InputError("--groups is for the runs of --runs, which must be given too")
    if options.letor is not None and named:
        raise InputError("--letor brings its own queries: it excludes --dataset and --runs")


def _found(options: argparse.Namespace) -> Mapping[str, Reproduction]:
    """The reproduction of the paper, or of all papers."""
    progress = progress_of(options)
    if options.paper == OPEN:
        from ..reproductions.built import reproduce_all

        return reproduce_all(options.dataset, progress=progress, yes=options.yes).found
    material: Material | None = None
    if options.runs:
        files = [file for text in options.runs for file in matching_files(text) or [text]]
        material = load_data(options.dataset, files, options.groups)
    found = reproduce(options.paper, material, letor=options.letor, progress=progress)
    return {options.paper: found}


def _numbers(found: Reproduction, table: DataFrame, with_data: bool) -> Iterator[dict[str, Value]]:
    """A record for every number; in ``json`` with the data that it is computed from."""
    for (row, column), paper, here, difference in table.itertuples():
        yield {
            "paper": OPEN if found.paper is None else found.paper.key,
            "table": table.attrs["label"],
            "row": row,
            "column": column,
            "printed": paper,
            "here": here,
            "difference": difference,
            **({"data": table.attrs["data"]} if with_data else {}),
        }


def _for_readers(found: Reproduction, form: str) -> Iterator[str]:
    if found.paper is not None:
        yield f"{_wrapped(found.paper.text, form)}\n"
    said = ""  # data and remark are said where they change
    for table in found.tables.values():
        of = table.attrs
        heading = _wrapped(f"{of['label']}. {of['title']}", form)
        if of["why"]:
            yield f"{heading}\n\n{_wrapped(of['why'], form)}\n"
            continue
        lines = filter(None, (f"Data: {of['data']}", of["remark"]))
        about = "".join(f"{_wrapped(line, form)}\n" for line in lines)
        yield f"{heading}\n{'' if about == said else about}\n{_table(table, form)}"
        said = about
    if len(found.claims):
        elsewhere = found.claims["verdict"].eq(NO_VERDICT).any()
        note = f"\n{NO_VERDICT}: not the paper's, so there is no verdict\n" if elsewhere else "\n"
        yield f"Claims{note}\n{_claims(found.claims, form)}"


def _table(table: DataFrame, form: str) -> str:
    """A row per number where numbers are printed, otherwise the shape of the paper's table."""
    places = table.attrs["places"]
    shape = in_shape(table).rename_axis(columns=None).rename_axis(index="")
    shown = (table if is_printed(table) else shape).round(places) + 0.0  # no zero with a sign
    return write(TextTable.of_records(_records(shown.reset_index()), places), form)


def _records(table: DataFrame) -> list[dict[str, Value]]:
    names = list(map(str, table.columns))
    return [dict(zip(names, row, strict=True)) for row in table.to_numpy(object).tolist()]


def _claims(claims: DataFrame, form: str) -> str:
    if form != "table":
        return write(TextTable.of_records(_records(claims), DEFAULT_PLACES), form)
    texts = (
        f"{_wrapped(f'{verdict.upper()}: {claim}', form)}\n{_wrapped(evidence, form, '    ')}\n"
        for claim, verdict, evidence in claims.itertuples(index=False)
    )
    return "\n".join(texts)


def _wrapped(text: str, form: str, indent: str = "") -> str:
    """A text in lines, with the escape of the format."""
    lines = textwrap.wrap(
        text, LINE, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
    return "\n".join(map(FOR_PEOPLE[form], lines))


def _draw(found: Mapping[str, Reproduction], options: argparse.Namespace) -> None:
    if options.plot is None:
        return
    options.plot.mkdir(parents=True, exist_ok=True)
    for one in found.values():
        key = OPEN if one.paper is None else one.paper.key
        for label, draw in one.figures.items():
            words = "".join(letter if letter.isalnum() else " " for letter in label.lower())
            save_plot(options, draw, options.plot / f"{key}-{'-'.join(words.split())}.png")
