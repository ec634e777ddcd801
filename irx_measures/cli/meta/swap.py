"""``irx meta swap``: how often other topics turn systems round."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...exceptions import InputError
from ...meta.swap import split_swap_rate, swap_rate
from ..options import Parser
from .study import Row, Study, add_study, add_topic_sets, by_measure, fraction, scores_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_swap(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = add_study(
        studies,
        "swap",
        "swap rates between random disjoint sets of topics, or against other topics",
        "swap rates by difference",
        "irx meta swap qrels.txt runs/* -m AP nDCG@10 --rate 5",
        _swap,
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
        help="instead of splitting topics: other qrels, and the same systems' runs for them where "
        "they are in other files (of the same names)",
    )


def _swap(options: argparse.Namespace) -> Study:
    rate = fraction(options.rate, "--rate")
    if options.versus:
        return _swap_versus(options)
    matrix = scores_of(options)
    results = {
        measure: split_swap_rate(
            scores, matrix.systems, topics=options.topics, trials=options.trials, seed=options.seed
        )
        for measure, scores in by_measure(options, matrix)
    }

    def draw() -> Axes:
        from ...plots import swap_curves

        return swap_curves(results, rate=rate)

    if options.bins:
        return [
            {"measure": measure, "difference": difference, "compared": compared,
             "swapped": swapped, "swap_rate": share}
            for measure, result in results.items()
            for difference, compared, swapped, share in zip(
                result.difference.tolist(), result.compared.tolist(), result.swapped.tolist(),
                result.rate.tolist(), strict=True,
            )
        ], draw  # fmt: skip
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
    ], draw


def _swap_versus(options: argparse.Namespace) -> Study:
    if options.plot is not None or options.bins:
        raise InputError("--versus goes without --plot and --bins")
    matrix = scores_of(options)
    qrels, *runs = options.versus
    again = argparse.Namespace(**{**vars(options), "qrels": qrels, "runs": runs or options.runs})
    other = scores_of(again)
    if set(other.systems) != set(matrix.systems):
        differing = sorted(set(other.systems) ^ set(matrix.systems))
        raise InputError(f"--versus must have the same systems; {differing[0]!r} is in one only")
    order = [other.systems.index(system) for system in matrix.systems]
    rows: list[Row] = []
    for measure in matrix.measures:
        result = swap_rate(matrix[measure], other[measure][order], matrix.systems)
        rows.append(
            {
                "measure": str(measure),
                "pairs": len(result.swapped),
                "swapped": int(result.swapped.sum()),
                "swap_rate": result.value,
            }
        )

    def draw() -> Axes:
        raise InputError("--versus goes without --plot")

    return rows, draw
