"""``irx meta``: judge measures by the runs they score."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ir_measures import Measure
from tqdm import tqdm

from .cli_options import (
    Parser,
    add_groups,
    add_measures_option,
    add_output_format,
    add_places,
    add_quiet,
    check_output,
    named_runs,
    progress_of,
)
from .experiment import evaluate, parse_all
from .meta import (
    COEFFICIENTS,
    CORRECTIONS,
    TESTS,
    DiscriminativePower,
    RankCorrelation,
    concordance,
    discriminative_power,
    percentage_absolute_difference,
    rank_correlation,
    split_swap_rate,
    stability,
    swap_rate,
    system_impact,
)
from .records import Value, records_table
from .runset import OTHERS, RunSet
from .score_matrix import ScoreMatrix
from .strings import split_measures
from .subsets import SubsetScorer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = Mapping[str, Value]
Study = tuple[Sequence[Row], Callable[[], "Axes"]]


def add_meta(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command to those of ``irx``."""
    parser = commands.add_parser(
        "meta",
        help="judge measures: power, stability, swaps, systems, correlation",
        description="Judge measures by how well and how steadily they tell systems apart.",
    )
    studies = parser.add_subparsers(dest="study", required=True, metavar="STUDY")
    _add_power(studies)
    _add_stability(studies)
    _add_swap(studies)
    _add_systems(studies)
    _add_correlation(studies)


def _study(
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
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help=f"draw {picture} (.png, .svg or .pdf)"
    )
    parser.add_argument(
        "--seed", type=int, default=42, help="of all that is drawn at random (default: %(default)s)"
    )
    add_quiet(parser)
    parser.set_defaults(run=_run, make=run)
    return parser


def _run(options: argparse.Namespace) -> str:
    note = check_output(options)
    if options.plot is not None:
        _check_plot(options.plot)
    if note:
        _tell(options, note)
    rows, draw = options.make(options)
    text = records_table(rows, options.output_format, options.places)
    if options.plot is not None:
        from .plots import save

        save(draw(), options.plot)
        _tell(options, f"picture: {options.plot}")
    return text


def _check_plot(path: Path) -> None:
    """Refuse a picture that cannot be drawn before hours of work, not after."""
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise ValueError(f"--plot must end in .png, .svg or .pdf; got {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"--plot: no folder {path.absolute().parent}")
    if path.is_dir():
        raise ValueError(f"--plot: {path} is a folder")
    if not os.access(path.absolute().parent, os.W_OK):
        raise ValueError(f"--plot: the folder {path.absolute().parent} cannot be written to")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError("--plot needs matplotlib: pip install 'irx-measures[plots]'") from None


def _tell(options: argparse.Namespace, message: str) -> None:
    print(f"irx meta {options.study}: {message}", file=sys.stderr)


def _scores(options: argparse.Namespace) -> ScoreMatrix:
    return evaluate(
        named_runs(options.runs),
        options.qrels,
        _measures(options),
        options.groups,
        progress=progress_of(options),
    )


def _measures(options: argparse.Namespace) -> list[Measure]:
    return parse_all(split_measures(options.measures))


def _by_measure(options: argparse.Namespace, matrix: ScoreMatrix) -> Iterator[tuple[str, Any]]:
    """Every measure's name and scores, with a progress bar."""
    for measure in _bar(options, matrix.measures, "measure"):
        yield str(measure), matrix[measure]


def _bar(options: argparse.Namespace, work: Sequence[Any], unit: str) -> Any:
    quiet = True if options.quiet else None  # None: where stderr is no terminal
    return tqdm(work, unit=unit, disable=quiet, delay=0.5, leave=False)


def _fraction(percent: float, name: str) -> float:
    if not 0 < percent < 100:
        raise ValueError(f"{name} must lie in (0, 100); got {percent:g}")
    return percent / 100


def _add_power(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = _study(
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
    levels = {level: _fraction(level, "--levels") for level in options.levels}
    if options.heatmap and (len(tests) > 1 or len(_measures(options)) > 1):
        raise ValueError("--heatmap goes with one measure and one test")
    if options.pad and (options.pairs or options.concordance):
        raise ValueError("--pad goes without --pairs and --concordance")
    if options.concordance and len(_measures(options)) < 2:
        raise ValueError("--concordance needs at least two measures")
    matrix = _scores(options)
    how = {"correction": options.correction, "resamples": options.resamples, "seed": options.seed}
    work = [(str(measure), test) for measure in matrix.measures for test in tests]
    results: dict[tuple[str, str], DiscriminativePower] = {}
    for measure, test in _bar(options, work, "test"):
        results[measure, test] = discriminative_power(
            matrix[measure], matrix.systems, test=test, **how
        )
        _tell_of_resolution(options, results[measure, test], max(levels.values()))

    def draw() -> Axes:
        from .plots import asl_curves, significance_heatmap

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
        _tell(
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


def _add_topic_sets(parser: Parser) -> None:
    parser.add_argument(
        "--topics", type=int, help="how many a set of topics has (default: half of them)"
    )
    parser.add_argument(
        "--trials", type=int, default=1000, help="sets to draw (default: %(default)s)"
    )


def _add_stability(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = _study(
        studies,
        "stability",
        "compare all pairs of systems over random sets of topics (Buckley and Voorhees)",
        "the stability of every pair",
        "irx meta stability qrels.txt runs/* -m AP P@10 --fuzziness 0.05",
        _stability,
    )
    _add_topic_sets(parser)
    parser.add_argument(
        "--fuzziness",
        type=float,
        default=0.05,
        help="mean scores this close are tied (default: %(default)s)",
    )
    parser.add_argument(
        "--relative", action="store_true", help="the fuzziness is a share of the larger score"
    )


def _stability(options: argparse.Namespace) -> Study:
    matrix = _scores(options)
    results = {
        measure: stability(
            scores, matrix.systems, topics=options.topics, trials=options.trials,
            fuzziness=options.fuzziness, relative=options.relative, seed=options.seed,
        )
        for measure, scores in _by_measure(options, matrix)
    }  # fmt: skip

    def draw() -> Axes:
        from .plots import stability_curves

        return stability_curves(results)

    return [
        {
            "measure": measure,
            "topics": result.topics,
            "trials": result.trials,
            "stability": result.value,
            "error_rate": result.error_rate,
            "ties": result.ties,
        }
        for measure, result in results.items()
    ], draw


def _add_swap(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = _study(
        studies,
        "swap",
        "swap rates between random disjoint sets of topics, or against other topics",
        "swap rates by difference",
        "irx meta swap qrels.txt runs/* -m AP nDCG@10 --rate 5",
        _swap,
    )
    _add_topic_sets(parser)
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
    rate = _fraction(options.rate, "--rate")
    if options.versus:
        return _swap_versus(options)
    matrix = _scores(options)
    results = {
        measure: split_swap_rate(
            scores, matrix.systems, topics=options.topics, trials=options.trials, seed=options.seed
        )
        for measure, scores in _by_measure(options, matrix)
    }

    def draw() -> Axes:
        from .plots import swap_curves

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
        raise ValueError("--versus goes without --plot and --bins")
    matrix = _scores(options)
    qrels, *runs = options.versus
    again = argparse.Namespace(**{**vars(options), "qrels": qrels, "runs": runs or options.runs})
    other = _scores(again)
    if set(other.systems) != set(matrix.systems):
        differing = sorted(set(other.systems) ^ set(matrix.systems))
        raise ValueError(f"--versus must have the same systems; {differing[0]!r} is in one only")
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
        raise ValueError("--versus goes without --plot")

    return rows, draw


def _add_coefficient(parser: Parser, several: bool) -> None:
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


def _add_systems(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = _study(
        studies,
        "systems",
        "correlate rankings among few systems with their ranking among all",
        "the correlation by number of systems",
        "irx meta systems qrels.txt runs/* -m 'P_Rareness(systems=others)@100' --sizes 2 8 32",
        _systems,
    )
    parser.add_argument(
        "--sizes",
        metavar="N",
        nargs="+",
        type=int,
        help="numbers of systems (default: 2, 4, 8, ... 64, as far as there are so many)",
    )
    parser.add_argument(
        "--trials", type=int, default=1000, help="choices per number (default: %(default)s)"
    )
    _add_coefficient(parser, several=False)


def _systems(options: argparse.Namespace) -> Study:
    runs = RunSet(named_runs(options.runs), name=OTHERS, groups=options.groups)
    results = {}
    for measure in _measures(options):
        scorer = SubsetScorer(runs, options.qrels, measure, progress=progress_of(options))
        with _bar(options, (), "evaluation") as bar:

            def counted(positions: Any, scorer: SubsetScorer = scorer, bar: Any = bar) -> Any:
                bar.update()
                return scorer(positions)

            results[str(measure)] = system_impact(
                counted, scorer.systems, sizes=options.sizes, trials=options.trials,
                coefficient=options.coefficient, phi=options.phi, seed=options.seed,
            )  # fmt: skip

    def draw() -> Axes:
        from .plots import impact_curves

        return impact_curves(results)

    return [
        {"measure": measure, "systems": size, options.coefficient: mean, "error": error}
        for measure, result in results.items()
        for size, mean, error in zip(
            result.sizes.tolist(), result.mean.tolist(), result.error.tolist(), strict=True
        )
    ], draw


def _add_correlation(studies: argparse._SubParsersAction[Parser]) -> None:
    parser = _study(
        studies,
        "correlation",
        "correlate the rankings of systems by the first measure and by each other",
        "systems by the two measures where there are two; else the coefficients, against the "
        "parameter in which the other measures differ where it is a number",
        "irx meta correlation qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10' --plot it.svg",
        _correlation,
    )
    _add_coefficient(parser, several=True)
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
    confidence = _fraction(options.confidence, "--confidence")
    if len(_measures(options)) < 2:
        raise ValueError("a correlation needs at least two measures")
    matrix = _scores(options)
    pairs = [
        pair
        for pair in combinations(map(str, matrix.measures), 2)
        if options.all_pairs or pair[0] == str(matrix.measures[0])
    ]
    work = [(*pair, name) for name in dict.fromkeys(options.coefficient) for pair in pairs]
    results: dict[tuple[str, str, str], RankCorrelation] = {}
    for first, second, name in _bar(options, work, "correlation"):
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
    from .plots import correlation_bars, correlation_curves, system_scatter

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
