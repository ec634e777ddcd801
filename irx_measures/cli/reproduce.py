"""``irx reproduce``: the tables, figures and claims of the papers, computed again."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..common.escapes import FOR_PEOPLE
from ..common.tables import DEFAULT_PLACES, FOR_READERS, FORMATS, Column, TextTable, Value, write
from ..exceptions import InputError
from ..reproductions.material import Request
from ..reproductions.papers import PAPERS, entries, reproduce
from ..reproductions.results import Claim, PaperFigure, PaperTable, Reproduction
from .options import add_groups, add_quiet, add_width
from .output import check_can_draw, check_width, progress_of, save_plot, tell
from .parser import LETOR, QRELS, RUN, Effect, Parser

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
    if options.list:
        return _inventory([options.paper] if options.paper in PAPERS else [*PAPERS], options)
    if options.paper is None:
        raise InputError(f"PAPER must be one of {', '.join([*PAPERS, OPEN])}, or use --list")
    _check(options)
    if options.paper == OPEN:
        return _open(options)
    found = reproduce(options.paper, _request(options))
    for line in found.data:
        tell(options, line)
    _draw(_figures([found]), options)
    return _text([found], options.output_format)


def _open(options: argparse.Namespace) -> str:
    """All papers on systems that are built for a collection."""
    from ..reproductions.built_systems.experiment import run_open

    if options.dataset is None or options.runs or options.groups or options.letor:
        raise InputError(f"{OPEN} takes --dataset ID, and builds runs and groups itself")
    found = run_open(options.dataset, progress=progress_of(options), yes=options.yes)
    tell(options, found.material.description)
    papers = [*found.papers.values()]
    _draw([(OPEN, figure) for figure in found.figures] + _figures(papers), options)
    if options.output_format in FOR_READERS:
        table = _table(found.table, options.output_format)
        return f"{table}\n{_text(papers, options.output_format)}"
    tables = [
        (OPEN, found.table),
        *((one.paper.key, table) for one in papers for table in one.tables),
    ]
    return _records(tables, options.output_format)


def _check(options: argparse.Namespace) -> None:
    """Reject what cannot work before the long computation starts."""
    check_width(options)
    if options.plot is not None:
        if options.plot.exists() and not options.plot.is_dir():
            raise InputError(f"--plot must be a folder; got the file {options.plot}")
        check_can_draw()
    if options.letor is not None and options.paper not in ("upper-expected", OPEN):
        raise InputError(f"--letor is for upper-expected; got it with {options.paper}")


def _request(options: argparse.Namespace) -> Request:
    return Request(
        dataset=options.dataset,
        runs=options.runs,
        groups=None if options.groups is None else Path(options.groups),
        letor=options.letor,
        progress=progress_of(options),
    )


def _inventory(papers: Iterable[str], options: argparse.Namespace) -> str:
    """Every table and figure of the papers, as one table."""
    records: list[dict[str, Value]] = [
        {"paper": name, **entry._asdict()} for name in papers for entry in entries(name)
    ]
    return write(TextTable.of_records(records, DEFAULT_PLACES), options.output_format)


def _text(found: Iterable[Reproduction], form: str) -> str:
    if form in FOR_READERS:
        return "\n".join(part for one in found for part in _for_readers(one, form))
    return _records([(one.paper.key, table) for one in found for table in one.tables], form)


def _records(tables: Iterable[tuple[str, PaperTable]], form: str) -> str:
    """A record for every number of every table; in ``json`` with the data that it is computed from.

    The tables come with the keys of their papers.
    """
    records = [
        record | ({"data": table.data} if form == "json" else {})
        for paper, table in tables
        for record in _numbers_of(table, paper)
    ]
    return write(TextTable.of_records(records, -1), form)


def _numbers_of(table: PaperTable, paper: str) -> Iterator[dict[str, Value]]:
    for number in table.numbers:
        yield {
            "paper": paper,
            "table": table.label,
            "row": number.row,
            "column": number.column,
            "printed": number.printed,
            "here": number.here,
            "difference": number.difference,
        }


def _for_readers(found: Reproduction, form: str) -> Iterator[str]:
    yield f"{_wrapped(found.paper.text, form)}\n"
    said = ""  # data and remark are said where they change
    for table in found.tables:
        about = _about(table, form)
        yield _table(table, form, "" if about == said else about)
        said = said if table.why_not_shown else about
    if found.claims:
        note = f"{FOR_PEOPLE[form](found.claims.note)}\n" if found.claims.note else ""
        yield f"Claims\n{note}\n{_claims(found.claims, form)}"


def _about(table: PaperTable, form: str) -> str:
    lines = [f"Data: {table.data}", table.remark]
    return "".join(f"{_wrapped(line, form)}\n" for line in lines if line)


def _table(table: PaperTable, form: str, about: str | None = None) -> str:
    """A table under its heading and what is said about it; None: all there is to say."""
    heading = _wrapped(f"{table.label}. {table.title}", form)
    if table.why_not_shown:
        return f"{heading}\n\n{_wrapped(table.why_not_shown, form)}\n"
    said = _about(table, form) if about is None else about
    return f"{heading}\n{said}\n{_numbers(table, form)}"


def _wrapped(text: str, form: str, indent: str = "") -> str:
    """A text in lines, with the escape of the format."""
    lines = textwrap.wrap(
        text, LINE, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
    return "\n".join(map(FOR_PEOPLE[form], lines))


def _numbers(table: PaperTable, form: str) -> str:
    """A row per number where numbers are printed, otherwise the shape of the paper's table."""
    shown = table.to_frame() if table.printed else table.in_shape().reset_index(names="")
    texts = 2 if table.printed else 1
    columns = [
        Column(
            name,
            [_unsigned_zero(cell, table.places) for cell in shown[name].tolist()],
            key=place < texts,
            left=place < texts,
        )
        for place, name in enumerate(shown.columns)
    ]
    return write(TextTable(columns, table.places), form)


def _unsigned_zero(cell: Value, places: int) -> Value:
    """A cell without the sign of a difference that is rounded to zero."""
    return 0.0 if isinstance(cell, float) and round(cell, places) == 0 else cell


def _claims(claims: Iterable[Claim], form: str) -> str:
    if form == "table":
        return "\n".join(_in_lines(claim) for claim in claims)
    rows = [
        {"verdict": claim.verdict, "claim": claim.text, "evidence": claim.evidence}
        for claim in claims
    ]
    return write(TextTable.of_records(rows, DEFAULT_PLACES), form)


def _in_lines(claim: Claim) -> str:
    verdict = f"{claim.verdict.upper()}: "
    text, evidence = _wrapped(verdict + claim.text, "table"), claim.evidence
    return f"{text}\n{_wrapped(evidence, 'table', '    ')}\n"


def _figures(found: Iterable[Reproduction]) -> list[tuple[str, PaperFigure]]:
    """All figures, each with the key of its paper."""
    return [(one.paper.key, figure) for one in found for figure in one.figures]


def _draw(figures: Iterable[tuple[str, PaperFigure]], options: argparse.Namespace) -> None:
    if options.plot is None:
        return
    options.plot.mkdir(parents=True, exist_ok=True)
    for paper, figure in figures:
        save_plot(options, figure.draw, options.plot / f"{paper}-{figure.file_name}.png")
