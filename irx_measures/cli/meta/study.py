"""Shared by all studies: arguments, scores, output."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from ir_measures import Measure

from ...common.numeric import BoolArray
from ...common.progress import with_bar
from ...common.tables import TextTable, Value, write
from ...common.warn import warn
from ...measures.labels import heads_of_measures
from ...plots.style import NothingToDrawError
from ...scoring.evaluate import parse_all
from ...scoring.score_matrix import ScoreMatrix
from ..options import add_qrels, add_runs, add_scoring_options, add_seed
from ..output import check_output, progress_of, tell, write_plot
from ..parser import Parser
from ..scoring import evaluate_runs, named_measures, qrels_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Value]

OF_MEASURES = ("measure", "first", "second")
"""The columns that may name measures."""


@dataclass(frozen=True)
class StudyOutput:
    """The rows that a study prints, and the function that plots them; None without a plot.

    The function takes the ``width`` of the plot.
    """

    rows: Sequence[Row]
    draw: Callable[..., Axes] | None = None


def add_study(
    parser: Parser,
    *,
    picture: str,
    example: str,
    study: Callable[[argparse.Namespace], StudyOutput],
) -> None:
    """Add the arguments shared by all studies to the parser of a study.

    Parameters
    ----------
    parser
        The parser; its description is the summary in the table of studies.
    picture
        Description of the plot that ``--plot`` draws.
    example
        Example command line.
    study
        Function that runs the study.
    """
    parser.describe(str(parser.description), epilog=f"example:\n  {example}")
    add_qrels(parser)
    add_runs(parser, "TREC run files (.gz too); `others` in measures")
    add_scoring_options(parser, picture)
    add_seed(parser)
    parser.set_defaults(run=_run, study_of=study)


def _run(options: argparse.Namespace) -> str:
    check_output(options)
    output = options.study_of(options)
    text = _text(output.rows, options)
    if output.draw is not None:
        try:
            write_plot(options, output.draw)
        except NothingToDrawError as error:  # the table shows the undefined values
            tell(options, f"no picture: {error}")
    return text


def _text(rows: Sequence[Row], options: argparse.Namespace) -> str:
    """The rows as text; tables for terminals have short names of measures, and say which."""
    table = TextTable.of_records(rows, options.places)
    if options.output_format == "table":
        heads = heads_of_measures(measures_of(options))
        columns = [
            replace(column, values=[heads.get(str(value), value) for value in column.values or ()])
            if column.name in OF_MEASURES
            else column
            for column in table.columns
        ]
        legend = [f"{head} = {name}" for name, head in heads.items() if head != name]
        table = replace(table, columns=columns, legend=legend)
    return write(table, options.output_format)


def scores_of(options: argparse.Namespace) -> ScoreMatrix:
    return without_undefined(
        evaluate_runs(options, qrels_of(options.qrels), options.runs, measures_of(options))
    )


def without_undefined(matrix: ScoreMatrix) -> ScoreMatrix:
    """Scores of the systems that all measures score; warns about the other systems.

    All measures are evaluated on the same systems.
    """
    scored = np.asarray(~matrix.undefined.any(axis=0))
    if scored.all():
        return matrix
    for measure, undefined in zip(matrix.measures, matrix.undefined, strict=True):
        tell_left_out(measure, matrix.systems, undefined)
    return replace(
        matrix,
        systems=tuple(compress(matrix.systems, scored.tolist())),
        scores=matrix.scores[:, scored],
        groups=matrix.groups and tuple(compress(matrix.groups, scored.tolist())),
    )


def tell_left_out(measure: Measure, systems: Sequence[str], undefined: BoolArray) -> None:
    """Warn about systems that a study leaves out because a measure does not score them."""
    names = ", ".join(map(repr, compress(systems, undefined.tolist())))
    if names:
        warn(f"left out {names}: no score on {measure}")


def measures_of(options: argparse.Namespace) -> list[Measure]:
    return parse_all(named_measures(options))


def by_measure(options: argparse.Namespace, matrix: ScoreMatrix) -> Iterator[tuple[str, Any]]:
    """Yield every measure's name and scores, with a progress bar."""
    for measure in with_bar(matrix.measures, "measure", progress_of(options)):
        yield str(measure), matrix[measure]
