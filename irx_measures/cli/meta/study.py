"""What the studies share: arguments, scores, tables, pictures, progress."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ir_measures import Measure
from tqdm import tqdm

from ...exceptions import InputError
from ...reporting.records import Value, records_table
from ...scoring.evaluate import evaluate, parse_all
from ...scoring.score_matrix import ScoreMatrix
from ...stats.correlation import COEFFICIENTS
from ..options import (
    Parser,
    add_care,
    add_groups,
    add_measures_option,
    add_output_format,
    add_places,
    add_plot,
    add_quiet,
    check_output,
    draw_plot,
    named_measures,
    named_runs,
    progress_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Value]

Study = tuple[Sequence[Row], Callable[[], "Axes"]]


def add_study(
    studies: argparse._SubParsersAction[Parser],
    name: str,
    summary: str,
    picture: str,
    example: str,
    run: Callable[[argparse.Namespace], Study],
) -> Parser:
    """A parser with the arguments that all studies share."""
    parser = studies.add_parser(
        name,
        help=summary,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"example:\n  {example}",
    )
    parser.add_argument(
        "qrels", metavar="QRELS", help="a TREC qrels file (.gz too), else an ir_datasets id"
    )
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="TREC run files (.gz too); `others` in measures"
    )
    add_measures_option(parser)
    add_groups(parser)
    add_places(parser)
    add_output_format(parser)
    add_plot(parser, picture)
    parser.add_argument(
        "--seed", type=int, default=42, help="of all that is drawn at random (default: %(default)s)"
    )
    add_care(parser)
    add_quiet(parser)
    parser.set_defaults(run=_run, make=run)
    return parser


def _run(options: argparse.Namespace) -> str:
    check_output(options)
    rows, draw = options.make(options)
    text = records_table(rows, options.output_format, options.places)
    draw_plot(options, draw)
    return text


def scores_of(options: argparse.Namespace) -> ScoreMatrix:
    return evaluate(
        named_runs(options.runs),
        options.qrels,
        measures_of(options),
        options.groups,
        strict=options.strict,
        progress=progress_of(options),
    )


def measures_of(options: argparse.Namespace) -> list[Measure]:
    return parse_all(named_measures(options))


def by_measure(options: argparse.Namespace, matrix: ScoreMatrix) -> Iterator[tuple[str, Any]]:
    """Every measure's name and scores, with a progress bar."""
    for measure in progress_bar(options, matrix.measures, "measure"):
        yield str(measure), matrix[measure]


def progress_bar(options: argparse.Namespace, work: Sequence[Any], unit: str) -> Any:
    quiet = True if options.quiet else None  # None: where stderr is no terminal
    return tqdm(work, unit=unit, disable=quiet, delay=0.5, leave=False)


def fraction(percent: float, name: str) -> float:
    if not 0 < percent < 100:
        raise InputError(f"{name} must lie in (0, 100); got {percent:g}")
    return percent / 100


def add_topic_sets(parser: Parser) -> None:
    parser.add_argument(
        "--topics", type=int, help="how many a set of topics has (default: half of them)"
    )
    parser.add_argument(
        "--trials", type=int, default=1000, help="sets to draw (default: %(default)s)"
    )


def add_coefficient(parser: Parser, several: bool) -> None:
    parser.add_argument(
        "--coefficient",
        nargs="+" if several else None,
        choices=COEFFICIENTS,
        default=["tau_b"] if several else "tau_b",
        help="of rank correlation (default: tau_b)",
    )
    parser.add_argument(
        "--phi", type=float, default=0.9, help="persistence of RBO and RBA (default: %(default)s)"
    )
