"""``irx meta power``: how many pairs of systems measures distinguish significantly."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ... import plots
from ...common.numbers import level_text
from ...common.progress import with_bar
from ...exceptions import InputError
from ...meta import concordance
from ...meta.power import TESTS, DiscriminativePower, discriminative_power
from ...meta.upper_expected import percentage_absolute_difference
from ...scoring.score_matrix import ScoreMatrix
from ...stats.decisions import CORRECTIONS, rejects
from ..argument_types import count, level_of
from ..options import add_prior_topics
from ..output import progress_of, tell
from ..parser import Parser
from .study import Row, StudyOutput, add_study, measures_of, scores_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Results = Mapping[tuple[str, str], DiscriminativePower]
"""By measure and test."""


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx meta power``."""
    add_study(
        parser,
        picture="the curves of achieved significance levels",
        example="irx meta power qrels.txt runs/* -m AP nDCG@10 --test tukey-blocks t",
        study=_power,
    )
    parser.epilog = (
        "This judges measures. Only numbers of pairs are compared, so the default test is a Tukey "
        "HSD, as in the\nrareness paper's study of measures. To find the better systems, use irx "
        f"compare: its default is t with\nholm.\n\n{parser.epilog}"
    )
    parser.add_argument(
        "--test",
        nargs="+",
        choices=[*TESTS, "all"],
        default=["tukey-blocks"],
        help="(default: tukey-blocks); "
        + "; ".join(f"{name}: {test.title}" for name, test in TESTS.items())
        + "; tukey-blocks and tukey-randomised keep the family-wise error only where all "
        "differences have the same variance (simulations on TREC collections: .07 to .36 at a "
        "nominal .05)",
    )
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        help="correction for the number of pairs (default: holm for t, moderated-t and wilcoxon, "
        "none for the others); the three tests called tukey adjust for it themselves and accept "
        "only none",
    )
    parser.add_argument(
        "--levels",
        metavar="LEVEL",
        nargs="+",
        type=float,
        default=[0.95, 0.99],
        help="confidence levels, such as .95 or 95 (default: .95 .99)",
    )
    parser.add_argument(
        "--resamples",
        metavar="N",
        type=count,
        default=10_000,
        help="samples of the tests that resample, at most a million (default: %(default)s)",
    )
    add_prior_topics(parser)
    parser.add_argument(
        "--pad", action="store_true", help="add the mean percentage absolute difference"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--pairs", action="store_true", help="a row for every pair of systems")
    shown.add_argument(
        "--concordance",
        action="store_true",
        help="a row for every two measures, which counts the pairs of systems where their "
        "conclusions are the same (agree), only one of them finds a difference (disagree), or they "
        "find different systems better (conflict); at the first of --levels",
    )


def _power(options: argparse.Namespace) -> StudyOutput:
    tests = list(TESTS) if "all" in options.test else list(dict.fromkeys(options.test))
    levels = [level_of(level, "--levels") for level in options.levels]
    _check(options)
    matrix = scores_of(options)
    how = {
        "correction": options.correction,
        "resamples": options.resamples,
        "seed": options.seed,
        "prior_topics": options.prior_topics,
    }
    lowest, highest = min(levels), max(levels)
    work: list[tuple[str, Any]] = [
        (str(measure), test) for measure in matrix.measures for test in tests
    ]
    results: dict[tuple[str, str], DiscriminativePower] = {}
    for measure, test in with_bar(work, "test", progress_of(options)):
        results[measure, test] = discriminative_power(
            matrix[measure],
            matrix.systems,
            test=test,
            level=lowest,
            progress=progress_of(options),
            **how,
        )
        _tell_of_resolution(options, results[measure, test], highest)
    if options.pairs:
        rows = [row for key, result in results.items() for row in _pair_rows(*key, result)]
    elif options.concordance:
        rows = [row for test in tests for row in _concordance_rows(matrix, levels[0], test, **how)]
    else:
        rows = _rows(matrix, results, levels, options.pad)
    return StudyOutput(rows, partial(_draw, results))


def _check(options: argparse.Namespace) -> None:
    """Reject incompatible options before hours of computation."""
    if options.pad and (options.pairs or options.concordance):
        raise InputError("--pad cannot be combined with --pairs or --concordance")
    if options.concordance and len(measures_of(options)) < 2:
        raise InputError("--concordance needs at least two measures")


def _tell_of_resolution(
    options: argparse.Namespace, result: DiscriminativePower, level: float
) -> None:
    """Report if resamples are too few for any significant pair at a level."""
    if not rejects(result.least_p_value, level):
        tell(
            options,
            f"{result.test}: {result.resamples} resamples and {result.correction} over "
            f"{result.pairs} pairs give no p-value below {result.least_p_value:.2g}; "
            "raise --resamples",
        )


def _rows(matrix: ScoreMatrix, results: Results, levels: Sequence[float], pad: bool) -> list[Row]:
    return [
        {
            "measure": measure,
            "test": test,
            "correction": result.correction,
            "pairs": result.pairs,
            **{level_text(level): result.significant(level) for level in levels},
            **(
                {"PAD": float(percentage_absolute_difference(matrix[measure]).mean())}
                if pad
                else {}
            ),
        }
        for (measure, test), result in results.items()
    ]


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


def _concordance_rows(matrix: ScoreMatrix, level: float, test: Any, **how: Any) -> Iterator[Row]:
    for first, second in combinations(matrix.measures, 2):
        result = concordance(
            matrix[first], matrix[second], matrix.systems, level=level, test=test, **how
        )
        yield {
            "test": test,
            "first": str(first),
            "second": str(second),
            "agree": result.agree,
            "disagree": result.disagree,
            "conflict": result.conflict,
            "only_first": result.only_first,
            "only_second": result.only_second,
        }


def _draw(results: Results, width: float | None) -> Axes:
    several_tests = len({test for _, test in results}) > 1
    return plots.asl_curves(
        {
            f"{measure}, {test}" if several_tests else measure: result
            for (measure, test), result in results.items()
        },
        width=width,
    )
