"""``irx meta correlation``: whether measures rank systems in the same order."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ...common.progress import with_bar
from ...exceptions import InputError
from ...meta.correlation import RankCorrelation, rank_correlation
from ...plots import correlation_curves, system_scatter
from ...plots.style import NothingToDrawError
from ...scoring.score_matrix import ScoreMatrix
from ..argument_types import count, level_of
from ..options import add_coefficient
from ..output import progress_of
from ..parser import Parser
from .study import (
    Row,
    StudyOutput,
    add_study,
    measures_of,
    scores_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Results = Mapping[tuple[str, str, str], RankCorrelation]
"""By first measure, second measure and coefficient."""


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx meta correlation``."""
    add_study(
        parser,
        picture="the systems by both measures if there are two; else the coefficients of measures "
        "that differ in one numeric parameter, against this parameter",
        example="irx meta correlation qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10' "
        "--plot it.svg",
        study=_correlation,
    )
    add_coefficient(parser, several=True)
    parser.add_argument(
        "--all-pairs", action="store_true", help="correlate every measure with every other"
    )
    parser.add_argument(
        "--samples",
        metavar="N",
        type=count,
        default=1000,
        help="bootstrap samples of the topics (default: %(default)s)",
    )
    parser.add_argument(
        "--level",
        type=float,
        default=0.95,
        help="confidence level of the intervals, which are symmetric bootstrap intervals "
        "(default: %(default)s)",
    )


def _correlation(options: argparse.Namespace) -> StudyOutput:
    level = level_of(options.level, "--level")
    if len(measures_of(options)) < 2:
        raise InputError("a correlation needs at least two measures")
    matrix = scores_of(options)
    pairs = [
        pair
        for pair in combinations(map(str, matrix.measures), 2)
        if options.all_pairs or pair[0] == str(matrix.measures[0])
    ]
    work = [(*pair, name) for name in dict.fromkeys(options.coefficient) for pair in pairs]
    results: dict[tuple[str, str, str], RankCorrelation] = {}
    for first, second, name in with_bar(work, "correlation", progress_of(options)):
        results[first, second, name] = rank_correlation(
            matrix[first], matrix[second], matrix.systems, coefficient=name, phi=options.phi,
            samples=options.samples, level=level, seed=options.seed,
        )  # fmt: skip
    return StudyOutput(_rows(results), partial(_draw, matrix, results))


def _rows(results: Results) -> list[Row]:
    return [
        {
            "first": first,
            "second": second,
            "coefficient": name,
            "value": result.value,
            **dict(zip(("lower", "upper"), result.interval, strict=True)),
            "undefined": result.undefined,
        }
        for (first, second, name), result in results.items()
    ]


def _draw(matrix: ScoreMatrix, results: Results, width: float | None) -> Axes:
    if len(matrix.measures) == 2:
        return system_scatter(matrix, *matrix.measures, width=width)
    swept = _swept_parameter(matrix.measures[1:])
    if swept is None:
        raise NothingToDrawError("the measures do not differ in one numeric parameter")
    parameter, value_of = swept
    curves: dict[str, dict[float, RankCorrelation]] = {}
    for (first, second, name), result in results.items():
        if first == str(matrix.measures[0]):
            curves.setdefault(f"{name} to {first}", {})[value_of[second]] = result
    measure = matrix.measures[1].NAME
    return correlation_curves(
        curves, parameter, measure=measure, reference=matrix.measures[0], width=width
    )


def _swept_parameter(measures: Sequence[Any]) -> tuple[str, dict[str, float]] | None:
    """The name of the parameter that varies, and its value in each measure.

    None unless the measures have the same name and differ in exactly one numeric parameter.
    """
    if len({measure.NAME for measure in measures}) != 1:
        return None
    differing = [
        name
        for name in measures[0].SUPPORTED_PARAMS
        if len({str(measure[name]) for measure in measures}) > 1
    ]
    if len(differing) != 1:
        return None
    values = {str(measure): measure[differing[0]] for measure in measures}
    if not all(isinstance(value, (int, float)) for value in values.values()):
        return None
    return differing[0], values
