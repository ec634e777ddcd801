"""``irx meta``: judge measures by the scores of runs. `STUDIES` has a row per study."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from itertools import compress
from typing import Any, TypeAlias

import numpy as np

from .. import meta, plots
from ..common.progress import with_bar
from ..common.warn import warn
from ..comparison.result import left_out_of
from ..exceptions import InputError
from ..io.groups import read_costs
from ..measures.naming.labels import heads_of_measures
from ..results.column import DEFAULT_PLACES, Column, stacked
from ..results.output import Output
from ..results.tables import TextTable
from ..scoring.evaluate import SubsetScorer, parse_all
from ..scoring.score_matrix import ScoreMatrix
from ..typing import Axes
from .files import input_path
from .from_function import add_options, asked
from .options import INPUTS, READING, add_shared
from .output import add_plot, places
from .parser import Parser
from .reading import Inputs, read

Results: TypeAlias = Mapping[tuple[str, ...], Any]
"""The results of a study by their measure, or by the two measures that they compare."""

OfScores: TypeAlias = Callable[..., Any]
"""A function of the scores of one measure, or of those of two: matrices of one measure each."""

ONE = {"measure": "the measure"}
TWO = {"first_measure": "the first measure", "second_measure": "the measure beside it"}
"""The columns that name the measures of a result, and what they mean."""

DESCRIBED_IN: dict[str, Callable[..., Any]] = {
    "seed": meta.discriminative_power,
    "coefficient": meta.rank_correlation,
    "phi": meta.rank_correlation,
    "rate": plots.swap_curves,
}
"""The functions that describe options of several studies, or of pictures."""


def _of_costs(study: Callable[..., Any], inputs: Inputs, options: argparse.Namespace) -> OfScores:
    """The study of mean scores and of costs from a file."""
    cost_of = read_costs(options.costs)

    def of_scores(matrix: ScoreMatrix) -> Any:
        missing = [system for system in matrix.systems if system not in cost_of]
        if missing:
            raise InputError(f"{options.costs}: every run must have a cost; missing {missing[:3]}")
        costs = [cost_of[system] for system in matrix.systems]
        return study(costs, matrix.aggregates[0], matrix.systems)

    return of_scores


def _of_subsets(study: Callable[..., Any], inputs: Inputs, options: argparse.Namespace) -> OfScores:
    """The study of scores that depend on the other systems: a few of them are scored again."""
    runset, strict = inputs.runset, inputs.strict

    def of_scores(matrix: ScoreMatrix) -> Any:
        (measure,) = matrix.measures
        places = np.array([runset.names.index(system) for system in matrix.systems])
        scorer = SubsetScorer(inputs.qrels, runset, measure, strict=strict, progress=False)
        return study(lambda chosen: scorer(places[chosen]), matrix.systems)

    return of_scores


def _of_each(study: OfScores, scores: ScoreMatrix, progress: bool | None) -> Results:
    """The study of each measure."""
    measures = with_bar(scores.measures, "measure", progress)
    return {(str(each),): study(scores.select(each)) for each in measures}


def _with_first(study: OfScores, scores: ScoreMatrix, progress: bool | None) -> Results:
    """The study of the first measure with each other one."""
    first, *others = scores.measures
    return {
        (str(first), str(each)): study(scores.select(first), scores.select(each))
        for each in with_bar(others, "measure", progress)
    }


def _concordance(study: OfScores, scores: ScoreMatrix, progress: bool | None) -> Results:
    """The concordance of the tests by the first measure with those by each other one."""
    (first, power), *others = _of_each(study, scores, progress).items()
    return {first + other: meta.concordance(power, result) for other, result in others}


def _curves(draw: Callable[..., Axes], results: Results, scores: ScoreMatrix, **how: Any) -> Axes:
    """A picture with a curve for each measure."""
    return draw({measure: result for (measure,), result in results.items()}, **how)


def _agreement(results: Results, scores: ScoreMatrix, **how: Any) -> Axes:
    """The systems by two measures."""
    return plots.system_scatter(scores, scores.measures[0], scores.measures[1], **how)


def _front(results: Results, scores: ScoreMatrix, **how: Any) -> Axes:
    (((measure,), front),) = results.items()
    return plots.pareto_front(front, measure=measure, **how)


@dataclass(frozen=True)
class Study:
    """A study of measures."""

    summary: str
    example: str
    function: Callable[..., Any]  # in `irx_measures.meta`
    options: Sequence[str]  # those that are its parameters
    heads: Mapping[str, str]  # the columns that name the measures of a result
    results: Callable[[OfScores, ScoreMatrix, bool | None], Results]
    # Makes a function of scores of one that needs more, which the arguments name.
    of_more: Callable[..., OfScores] | None = None
    has_row: bool = True  # whether a result is shown as its `row`, and as its columns if asked for
    shown_by: Sequence[str] = ()  # options that are parameters of this row, and of the picture
    picture: str = ""  # what ``--plot`` draws; empty: nothing
    draw: Callable[..., Axes] | None = None  # draws results and scores
    draws_one: bool = False  # whether it draws one result only


STUDIES = {
    "power": Study(
        "count the pairs of systems that measures distinguish significantly",
        "qrels.txt runs/* -m AP nDCG@10 --test t",
        meta.discriminative_power, ("test", "correction", "level", "resamples", "seed"),
        ONE, _of_each,
        picture="the curves of achieved significance levels",
        draw=partial(_curves, plots.asl_curves),
    ),
    "concordance": Study(
        "count the pairs of systems on which the first measure and each other one draw the same "
        "conclusion (agree), one conclusion (disagree), or opposite ones (conflict)",
        "qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10'",
        meta.discriminative_power, ("test", "correction", "level", "resamples", "seed"),
        TWO, _concordance,
    ),
    "stability": Study(
        "compare all pairs of systems over random sets of topics (Buckley and Voorhees)",
        "qrels.txt runs/* -m AP P@10 --fuzziness 0.05",
        meta.stability, ("topics", "trials", "fuzziness", "relative", "seed"),
        ONE, _of_each,
        picture="the stability of every pair", draw=partial(_curves, plots.stability_curves),
    ),
    "swap": Study(
        "measure swap rates between random disjoint sets of topics",
        "qrels.txt runs/* -m AP nDCG@10",
        meta.split_swap_rate, ("topics", "trials", "seed"),
        ONE, _of_each, shown_by=("rate",),
        picture="swap rates by difference", draw=partial(_curves, plots.swap_curves),
    ),
    "systems": Study(
        "correlate rankings of a few systems with their ranking among all systems",
        "qrels.txt runs/* -m 'P_Rareness(systems=others)@100' --sizes 2 8 32",
        meta.system_impact, ("sizes", "trials", "coefficient", "phi", "seed"),
        ONE, _of_each, _of_subsets, has_row=False,
        picture="the correlation by number of systems", draw=partial(_curves, plots.impact_curves),
    ),
    "correlation": Study(
        "correlate the ranking of systems by the first measure with that by each other measure",
        "qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10' --plot it.svg",
        meta.rank_correlation, ("coefficient", "phi", "samples", "level", "seed"),
        TWO, _with_first,
        picture="the systems by two measures", draw=_agreement, draws_one=True,
    ),
    "pareto": Study(
        "find the systems for which no other system is cheaper and at least as good",
        "- first-stage/* --reference second.run -m 'RBR(phi=0.9)@20' --costs costs.csv",
        meta.pareto_front, (), ONE, _of_each, _of_costs, has_row=False,
        picture="scores against costs, by one measure", draw=_front, draws_one=True,
    ),
}  # fmt: skip


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx meta``."""
    parser.describe(
        "Judge measures by how well and how consistently they distinguish systems; find the "
        "systems that are Pareto-optimal in cost and score."
    )
    summaries = {name: study.summary for name, study in STUDIES.items()}
    parser.add_commands("study", "STUDY", summaries, _add_study)


def _add_study(parser: Parser, name: str) -> None:
    study = STUDIES[name]
    parser.describe(
        str(parser.description),
        "QRELS RUN [RUN ...] -m MEASURE [MEASURE ...] [options]",
        f"  {parser.prog} {study.example}",
    )
    add_shared(parser, *INPUTS)
    if name == "pareto":
        parser.add_argument(
            "--costs",
            metavar="CSV",
            type=input_path,
            required=True,
            help="a file (csv, tsv or json lines) with columns run and cost, in any unit",
        )
    for option in (*study.options, *study.shown_by):
        add_options(parser, DESCRIBED_IN.get(option, study.function), option)
    if study.has_row:
        parser.add_argument(
            "--details", action="store_true", help="the table of every result, instead of a row"
        )
    add_shared(parser, "format")
    if study.draw is not None:
        add_shared(parser, "plot", about=study.picture)
        add_shared(parser.more, "width")
    add_shared(parser.more, "places", about=f"{DEFAULT_PLACES}, and all digits in csv and tsv")
    add_shared(parser.more, *READING, "limits")
    parser.set_defaults(run=partial(_run, study))


def _run(study: Study, options: argparse.Namespace) -> Output:
    inputs = read(options)
    if len(inputs.measures) < len(study.heads):
        raise InputError(f"--measures must be at least two; got {inputs.measures[0]}")
    if study.draws_one and options.plot is not None and len(inputs.measures) > len(study.heads):
        count = {1: "one measure", 2: "two measures"}[len(study.heads)]
        raise InputError(f"--plot goes with {count}; got {len(inputs.measures)}")
    scores = _scored(inputs)
    function: OfScores = partial(study.function, **_how(study, options))
    if study.of_more is not None:
        function = study.of_more(function, inputs, options)
    results = study.results(function, scores, options.progress)
    shown_by = asked(options, *study.shown_by)
    if study.has_row and not options.details:
        tables = {names: result.row(**shown_by) for names, result in results.items()}
    else:
        tables = {names: result.columns() for names, result in results.items()}
    if study.draw is not None:
        draw = partial(study.draw, results, scores, **shown_by)
        add_plot(options, [lambda _plots, width: draw(width=width)])
    return _output(study.heads, tables, options)


def _how(study: Study, options: argparse.Namespace) -> dict[str, Any]:
    """The options that are parameters of the study's function."""
    names = list(study.options)
    if "progress" in signature(study.function).parameters:
        names.append("progress")
    return asked(options, *names)


def _scored(inputs: Inputs) -> ScoreMatrix:
    """The scores of the systems that all measures score; a warning names the others."""
    matrix = inputs.scores(parse_all(inputs.measures))
    for measure, systems in left_out_of(matrix).items():
        warn(f"left out {', '.join(map(repr, systems))}: no score on {measure}")
    scored = np.asarray(~matrix.undefined.any(axis=0))
    return replace(
        matrix,
        systems=tuple(compress(matrix.systems, scored.tolist())),
        scores=matrix.scores[:, scored],
        groups=matrix.groups and tuple(compress(matrix.groups, scored.tolist())),
    )


def _output(
    heads: Mapping[str, str],
    tables: Mapping[tuple[str, ...], Sequence[Column]],
    options: argparse.Namespace,
) -> Output:
    """The tables of all results, one below the other, with the measures of each row.

    Tables for terminals have short names of measures, and say which.
    """
    on_screen = options.output_format == "table"
    measures = list(dict.fromkeys(name for names in tables for name in names))
    short = heads_of_measures(measures) if on_screen else {}
    parts = []
    for names, table in tables.items():
        shown = [short.get(name, name) for name in names]
        parts.append([*_naming(heads, shown, len(table[0].listed)), *table])
    legend = [f"{head} = {name}" for name, head in short.items() if head != name]
    text_table = TextTable(stacked(parts), places(options, DEFAULT_PLACES), legend=legend)
    return Output(options.output_format, [text_table])


def _naming(heads: Mapping[str, str], names: Sequence[str], rows: int) -> list[Column]:
    """The columns that name the measures of a result."""
    return [
        Column(head, [name] * rows, meaning=meaning, key=True)
        for (head, meaning), name in zip(heads.items(), names, strict=True)
    ]
