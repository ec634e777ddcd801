"""``irx meta correlation``: whether measures rank systems alike."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ...exceptions import InputError
from ...meta.correlation import RankCorrelation, rank_correlation
from ...scoring.score_matrix import ScoreMatrix
from ..options import Parser
from .study import (
    Row,
    Study,
    add_coefficient,
    add_study,
    fraction,
    measures_of,
    progress_bar,
    scores_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_correlation(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = add_study(
        studies,
        "correlation",
        "correlate the rankings of systems by the first measure and by each other",
        "systems by the two measures where there are two; else the coefficients, against the "
        "parameter in which the other measures differ where it is a number",
        "irx meta correlation qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10' --plot it.svg",
        _correlation,
    )
    add_coefficient(parser, several=True)
    parser.add_argument(
        "--all-pairs", action="store_true", help="correlate every measure with every other"
    )
    parser.add_argument(
        "--samples",
        type=int,
        default=1000,
        help="bootstrap samples of the topics (default: %(default)s)",
    )
    parser.add_argument(
        "--confidence",
        metavar="PERCENT",
        type=float,
        default=95.0,
        help="of the intervals (default: %(default)g)",
    )
    parser.add_argument(
        "--no-labels", action="store_true", help="do not name the systems in the picture"
    )


def _correlation(options: argparse.Namespace) -> Study:
    confidence = fraction(options.confidence, "--confidence")
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
    for first, second, name in progress_bar(options, work, "correlation"):
        results[first, second, name] = rank_correlation(
            matrix[first], matrix[second], matrix.systems, coefficient=name, phi=options.phi,
            samples=options.samples, confidence=confidence, seed=options.seed,
        )  # fmt: skip
    rows: list[Row] = []
    for (first, second, name), result in results.items():
        lower, upper = result.interval
        rows.append(
            {"first": first, "second": second, "coefficient": name, "value": result.value,
             "lower": lower, "upper": upper}
        )  # fmt: skip
    return rows, lambda: _draw_correlation(matrix, results, not options.no_labels)


def _draw_correlation(
    matrix: ScoreMatrix, results: Mapping[tuple[str, str, str], RankCorrelation], labels: bool
) -> Axes:
    from ...plots import correlation_bars, correlation_curves, system_scatter

    if len(matrix.measures) == 2:
        return system_scatter(matrix, *matrix.measures, labelled=matrix.systems if labels else ())
    firsts = {first for first, _, _ in results}
    swept = _swept_parameter(matrix.measures[1:])
    if len(firsts) == 1 and swept is not None:
        parameter, value_of = swept
        curves: dict[str, dict[float, RankCorrelation]] = {}
        for (first, second, name), result in results.items():
            curves.setdefault(f"{name} to {first}", {})[value_of[second]] = result
        return correlation_curves(curves, parameter)
    names = {name for _, _, name in results}
    return correlation_bars(
        {
            second
            + (f" to {first}" if len(firsts) > 1 else "")
            + (f", {name}" if len(names) > 1 else ""): result
            for (first, second, name), result in results.items()
        }
    )


def _swept_parameter(measures: Sequence[Any]) -> tuple[str, dict[str, float]] | None:
    """The only parameter in which measures of one kind differ, a number, and its value in each."""
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
