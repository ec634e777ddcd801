"""``irx meta swap``: how often different topics order two systems differently."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial

from ... import plots
from ...exceptions import InputError
from ...meta.swap import SwapCurve, split_swap_rate, swap_rate
from ..argument_types import fraction
from ..options import add_topic_sets
from ..output import progress_of
from ..parser import OTHER_QRELS, OTHER_RUN, Parser
from ..scoring import evaluate_runs, qrels_of
from .study import (
    Row,
    StudyOutput,
    add_study,
    by_measure,
    scores_of,
    without_undefined,
)


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx meta swap``."""
    add_study(
        parser,
        picture="swap rates by difference",
        example="irx meta swap qrels.txt runs/* -m AP nDCG@10 --rate 5",
        study=_swap,
    )
    add_topic_sets(parser)
    parser.add_argument(
        "--rate",
        metavar="PERCENT",
        type=float,
        default=5.0,
        help="the swap rate to stay within (default: %(default)g)",
    )
    parser.add_argument("--bins", action="store_true", help="a row for every bin of differences")
    parser.add_argument(
        "--versus",
        metavar="FILE",
        nargs="+",
        role=(OTHER_QRELS, OTHER_RUN),
        help="compare with other topics instead of splitting the topics: other qrels, then the "
        "same systems' runs on them if these are in other files (with the same names)",
    )


def _swap(options: argparse.Namespace) -> StudyOutput:
    rate = fraction(options.rate, "--rate")
    if options.versus:
        return _swap_versus(options)
    matrix = scores_of(options)
    results = {
        measure: split_swap_rate(
            scores, matrix.systems, topics=options.topics, trials=options.trials,
            seed=options.seed, progress=progress_of(options),
        )
        for measure, scores in by_measure(options, matrix)
    }  # fmt: skip
    rows = _bin_rows(results) if options.bins else _rows(results, rate)
    return StudyOutput(rows, partial(plots.swap_curves, results, rate=rate))


def _rows(results: Mapping[str, SwapCurve], rate: float) -> list[Row]:
    return [
        {
            "measure": measure,
            "topics": result.topics,
            "trials": result.trials,
            "swap_rate": result.value,
            "required_difference": result.required_difference(rate),
            "sensitivity": result.sensitivity(rate),
        }
        for measure, result in results.items()
    ]


def _bin_rows(results: Mapping[str, SwapCurve]) -> list[Row]:
    return [
        {"measure": measure, "difference": difference, "compared": compared,
         "swapped": swapped, "swap_rate": share}
        for measure, result in results.items()
        for difference, compared, swapped, share in zip(
            result.difference.tolist(), result.compared.tolist(), result.swapped.tolist(),
            result.rate.tolist(), strict=True,
        )
    ]  # fmt: skip


def _swap_versus(options: argparse.Namespace) -> StudyOutput:
    if options.plot is not None or options.bins:
        raise InputError("--versus cannot be combined with --plot or --bins")
    matrix = scores_of(options)
    qrels, *runs = options.versus
    other = without_undefined(
        evaluate_runs(options, qrels_of(qrels), runs or options.runs, matrix.measures)
    )
    if set(other.systems) != set(matrix.systems):
        differing = sorted(set(other.systems) ^ set(matrix.systems))
        raise InputError(f"--versus must have the same systems; {differing[0]!r} is in one only")
    order = [other.systems.index(system) for system in matrix.systems]
    rows: list[Row] = []
    for measure in matrix.measures:
        result = swap_rate(matrix[measure], other[measure][order])
        rows.append(
            {
                "measure": str(measure),
                "pairs": len(result.swapped),
                "swapped": int(result.swapped.sum()),
                "swap_rate": result.value,
            }
        )
    return StudyOutput(rows)
