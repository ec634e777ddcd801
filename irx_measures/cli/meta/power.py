"""``irx meta power``: how many pairs of systems measures tell apart."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ...exceptions import InputError
from ...meta import concordance
from ...meta.absolute_difference import percentage_absolute_difference
from ...meta.power import TESTS, DiscriminativePower, discriminative_power
from ...scoring.score_matrix import ScoreMatrix
from ...stats.corrections import CORRECTIONS
from ..options import Parser, tell
from .study import Row, Study, add_study, fraction, measures_of, progress_bar, scores_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_power(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = add_study(
        studies,
        "power",
        "count the pairs of systems that measures tell apart significantly",
        "the curves of achieved significance levels, or see --heatmap",
        "irx meta power qrels.txt runs/* -m AP nDCG@10 --test tukey-blocks t",
        _power,
    )
    parser.add_argument(
        "--test",
        nargs="+",
        choices=[*TESTS, "all"],
        default=["tukey-blocks"],
        help="(default: tukey-blocks); "
        + "; ".join(f"{name}: {test.title}" for name, test in TESTS.items()),
    )
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        help="for the number of pairs (default: holm for t and wilcoxon, none for the others); "
        "the three tests called tukey need none and take none",
    )
    parser.add_argument(
        "--levels",
        metavar="PERCENT",
        nargs="+",
        type=float,
        default=[95.0, 99.0],
        help="confidence levels (default: 95 99)",
    )
    parser.add_argument(
        "--resamples",
        type=int,
        default=10_000,
        help="of the tests that draw samples (default: %(default)s)",
    )
    parser.add_argument(
        "--pad", action="store_true", help="add the mean percentage absolute difference"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--pairs", action="store_true", help="a row for every pair of systems")
    shown.add_argument(
        "--concordance",
        action="store_true",
        help="a row for every two measures: in how many pairs of systems they agree, one finds a "
        "difference (disagree), or they find different systems better (conflict); at the first "
        "of --levels",
    )
    parser.add_argument(
        "--heatmap",
        action="store_true",
        help="--plot draws who differs from whom by one measure and one test",
    )


def _power(options: argparse.Namespace) -> Study:
    tests = list(TESTS) if "all" in options.test else list(dict.fromkeys(options.test))
    levels = {level: fraction(level, "--levels") for level in options.levels}
    if options.heatmap and (len(tests) > 1 or len(measures_of(options)) > 1):
        raise InputError("--heatmap goes with one measure and one test")
    if options.pad and (options.pairs or options.concordance):
        raise InputError("--pad goes without --pairs and --concordance")
    if options.concordance and len(measures_of(options)) < 2:
        raise InputError("--concordance needs at least two measures")
    matrix = scores_of(options)
    how = {"correction": options.correction, "resamples": options.resamples, "seed": options.seed}
    work = [(str(measure), test) for measure in matrix.measures for test in tests]
    results: dict[tuple[str, str], DiscriminativePower] = {}
    for measure, test in progress_bar(options, work, "test"):
        results[measure, test] = discriminative_power(
            matrix[measure], matrix.systems, test=test, **how
        )
        _tell_of_resolution(options, results[measure, test], max(levels.values()))

    def draw() -> Axes:
        from ...plots import asl_curves, significance_heatmap

        if options.heatmap:
            (result,) = results.values()
            return significance_heatmap(result)
        return asl_curves(
            {
                measure if len(tests) == 1 else f"{measure}, {test}": result
                for (measure, test), result in results.items()
            }
        )

    if options.pairs:
        return [row for key in results for row in _pair_rows(*key, results[key])], draw
    if options.concordance:
        level = next(iter(levels.values()))
        return [
            {"test": test, **row}
            for test in tests
            for row in _concordance_rows(matrix, level, test=test, **how)
        ], draw
    return [
        {
            "measure": measure,
            "test": test,
            "correction": result.correction,
            "pairs": result.pairs,
            **{f"{percent:g}%": result.significant(level) for percent, level in levels.items()},
            **(_pad(matrix, measure) if options.pad else {}),
        }
        for (measure, test), result in results.items()
    ], draw


def _tell_of_resolution(
    options: argparse.Namespace, result: DiscriminativePower, level: float
) -> None:
    """Say so where no pair could have been significant, for want of resamples."""
    if result.least_p_value + level >= 1.0:
        tell(
            options,
            f"{result.test}: {result.resamples} resamples and {result.correction} over "
            f"{result.pairs} pairs give no p-value below {result.least_p_value:.2g}; "
            "raise --resamples",
        )


def _pad(matrix: ScoreMatrix, measure: str) -> Row:
    return {"PAD": percentage_absolute_difference(matrix[measure]).value}


def _pair_rows(measure: str, test: str, result: DiscriminativePower) -> list[Row]:
    return [
        {"measure": measure, "test": test, "first": first, "second": second,
         "difference": difference, "p_value": p_value}
        for (first, second), difference, p_value in zip(
            combinations(result.systems, 2),
            result.difference.tolist(),
            result.p_value.tolist(),
            strict=True,
        )
    ]  # fmt: skip


def _concordance_rows(matrix: ScoreMatrix, level: float, **how: Any) -> Iterator[Row]:
    for first, second in combinations(matrix.measures, 2):
        found = concordance(matrix[first], matrix[second], matrix.systems, level=level, **how)
        yield {
            "first": str(first),
            "second": str(second),
            "agree": found.agree,
            "disagree": found.disagree,
            "conflict": found.conflict,
            "only_first": found.only_first,
            "only_second": found.only_second,
        }
