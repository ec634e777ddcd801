"""``irx meta``: judge measures by the scores of runs. `STUDIES` has a row per study."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from itertools import compress
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from ir_measures import Measure

from .. import meta, plots
from ..common.progress import with_bar
from ..common.warn import warn
from ..comparison.result import left_out_of
from ..exceptions import InputError
from ..io.groups import read_costs
from ..measures.naming.labels import heads_of_measures
from ..results.column import DEFAULT_PLACES, Value, listed
from ..results.tables import TextTable, write
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

ONE, TWO = ("measure",), ("first_measure", "second_measure")
"""The columns that name measures."""

DESCRIBED_IN: dict[str, Callable[..., Any]] = {
    "seed": meta.discriminative_power,
    "coefficient": meta.rank_correlation,
    "phi": meta.rank_correlation,
    "rate": plots.swap_curves,
}
"""The functions that describe options of several studies, or of pictures."""


class Work(NamedTuple):
    """What a study is done with: its function with its options, and what the arguments name."""

    function: Callable[..., Any]
    scores: ScoreMatrix
    inputs: Inputs
    options: argparse.Namespace


@dataclass(frozen=True)
class Study:
    """A study of measures."""

    summary: str
    example: str
    function: Callable[..., Any]  # in `irx_measures.meta`
    options: Sequence[str]  # those that are its parameters, or those of the picture
    heads: tuple[str, ...]  # the columns that name the measures of a result
    results: Callable[[Work], Results]
    # What is printed of a result, with the options: values by names. None: its table.
    row: Callable[[Any, argparse.Namespace], Mapping[str, Value]] | None = None
    picture: str = ""  # what ``--plot`` draws; empty: nothing
    draw: Callable[..., Axes] | None = None  # draws results, with the work and the width
    draws_one: bool = False  # whether it draws one result only


def _scores(of: Work, measure: Measure) -> tuple[Any, ...]:
    return (of.scores[measure],)


def _costs_and_means(of: Work, measure: Measure) -> tuple[Any, ...]:
    """Costs from a file, and mean scores."""
    cost_of, matrix = read_costs(of.options.costs), of.scores
    missing = [system for system in matrix.systems if system not in cost_of]
    if missing:
        raise InputError(f"{of.options.costs}: every run must have a cost; missing {missing[:3]}")
    costs = [cost_of[system] for system in matrix.systems]
    return costs, matrix.aggregates[matrix.measures.index(measure)]


def _scorer(of: Work, measure: Measure) -> tuple[Any, ...]:
    """A function of the positions of systems, for scores that depend on the other systems."""
    runset, strict = of.inputs.runset, of.options.strict
    places = np.array([runset.names.index(system) for system in of.scores.systems])
    scorer = SubsetScorer(of.inputs.qrels, runset, measure, strict=strict, progress=False)
    return (lambda chosen: scorer(places[chosen]),)


def _of_each(of: Work, arguments: Callable[[Work, Measure], tuple[Any, ...]] = _scores) -> Results:
    """The study of each measure; `arguments` are those of its function before the systems."""
    work = with_bar(of.scores.measures, "measure", of.options.progress)
    return {(str(each),): of.function(*arguments(of, each), of.scores.systems) for each in work}


def _with_first(of: Work) -> Results:
    """The study of the scores of the first measure with those of each other one."""
    first, *others = of.scores.measures
    return {
        (str(first), str(each)): of.function(of.scores[first], of.scores[each], of.scores.systems)
        for each in with_bar(others, "measure", of.options.progress)
    }


def _concordance(of: Work) -> Results:
    """The concordance of the tests by the first measure with those by each other one."""
    (first, power), *others = _of_each(of).items()
    return {first + other: meta.concordance(power, result) for other, result in others}


def _curves(draw: Callable[..., Axes], *names: str) -> Callable[..., Axes]:
    """A picture with a curve for each measure, and with these options."""

    def drawn(results: Results, of: Work, width: float | None) -> Axes:
        curves = {measure: result for (measure,), result in results.items()}
        return draw(curves, width=width, **asked(of.options, *names))

    return drawn


def _agreement(results: Results, of: Work, width: float | None) -> Axes:
    """The systems by two measures."""
    one, other = of.scores.measures
    return plots.system_scatter(of.scores, one, other, width=width)


def _front(results: Results, of: Work, width: float | None) -> Axes:
    (((measure,), front),) = results.items()
    return plots.pareto_front(front, measure=measure, width=width)


STUDIES = {
    "power": Study(
        "count the pairs of systems that measures distinguish significantly",
        "qrels.txt runs/* -m AP nDCG@10 --test t",
        meta.discriminative_power, ("test", "correction", "level", "resamples", "seed"),
        ONE, _of_each,
        lambda result, options: {
            "test": result.method.test, "correction": result.method.correction,
            "pairs": result.pairs, "significant": result.significant(),
        },
        "the curves of achieved significance levels", _curves(plots.asl_curves),
    ),
    "concordance": Study(
        "count the pairs of systems on which the first measure and each other one draw the same "
        "conclusion (agree), one conclusion (disagree), or opposite ones (conflict)",
        "qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10'",
        meta.discriminative_power, ("test", "correction", "level", "resamples", "seed"),
        TWO, _concordance,
        lambda result, options: {
            "agree": result.agree, "disagree": result.disagree, "conflict": result.conflict,
            "only_first": result.only_first, "only_second": result.only_second,
        },
    ),
    "stability": Study(
        "compare all pairs of systems over random sets of topics (Buckley and Voorhees)",
        "qrels.txt runs/* -m AP P@10 --fuzziness 0.05",
        meta.stability, ("topics", "trials", "fuzziness", "relative", "seed"),
        ONE, _of_each,
        lambda result, options: {
            "topics": result.topics, "trials": result.trials, "stability": result.value,
            "error_rate": result.error_rate, "ties": result.ties,
        },
        "the stability of every pair", _curves(plots.stability_curves),
    ),
    "swap": Study(
        "measure swap rates between random disjoint sets of topics",
        "qrels.txt runs/* -m AP nDCG@10",
        meta.split_swap_rate, ("topics", "trials", "seed", "rate"),
        ONE, _of_each,
        lambda result, options: {
            "topics": result.topics, "trials": result.trials, "swap_rate": result.value,
            "required_difference": result.required_difference(options.rate),
            "sensitivity": result.sensitivity(options.rate),
        },
        "swap rates by difference", _curves(plots.swap_curves, "rate"),
    ),
    "systems": Study(
        "correlate rankings of a few systems with their ranking among all systems",
        "qrels.txt runs/* -m 'P_Rareness(systems=others)@100' --sizes 2 8 32",
        meta.system_impact, ("sizes", "trials", "coefficient", "phi", "seed"),
        ONE, partial(_of_each, arguments=_scorer),
        picture="the correlation by number of systems", draw=_curves(plots.impact_curves),
    ),
    "correlation": Study(
        "correlate the ranking of systems by the first measure with that by each other measure",
        "qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10' --plot it.svg",
        meta.rank_correlation, ("coefficient", "phi", "samples", "level", "seed"),
        TWO, _with_first,
        lambda result, options: {
            "coefficient": result.coefficient, "value": result.value, "lower": result.interval[0],
            "upper": result.interval[1], "undefined": result.undefined,
        },
        "the systems by two measures", _agreement, draws_one=True,
    ),
    "pareto": Study(
        "find the systems for which no other system is cheaper and at least as good",
        "- first-stage/* --reference second.run -m 'RBR(phi=0.9)@20' --costs costs.csv",
        meta.pareto_front, (), ONE, partial(_of_each, arguments=_costs_and_means),
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
    for option in study.options:
        add_options(parser, DESCRIBED_IN.get(option, study.function), option)
    if study.row is not None:
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


def _run(study: Study, options: argparse.Namespace) -> str:
    inputs = read(options)
    if len(inputs.measures) < len(study.heads):
        raise InputError(f"--measures must be at least two; got {inputs.measures[0]}")
    if study.draws_one and options.plot is not None and len(inputs.measures) > len(study.heads):
        count = {1: "one measure", 2: "two measures"}[len(study.heads)]
        raise InputError(f"--plot goes with {count}; got {len(inputs.measures)}")
    taken = [*signature(study.function).parameters]
    names = [name for name in (*study.options, "progress") if name in taken]
    function = partial(study.function, **asked(options, *names))
    of = Work(function, _scored(inputs), inputs, options)
    results = study.results(of)
    text = _text(study, results, options)
    if study.draw is not None:
        add_plot(options, [partial(_draw, study.draw, results, of)])
    return text


def _draw(
    draw: Callable[..., Axes], results: Results, of: Work, _plots: object, width: float | None
) -> Axes:
    return draw(results, of, width)


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


def _text(study: Study, results: Results, options: argparse.Namespace) -> str:
    """The rows of all results; tables for terminals have short names of measures, and say which."""
    measures = list(dict.fromkeys(name for names in results for name in names))
    short = heads_of_measures(measures) if options.output_format == "table" else {}
    columns: dict[str, list[Value]] = {}
    for names, result in results.items():
        if study.row is None or options.details:
            part = {name: listed(values) for name, values in result.to_columns().items()}
        else:
            part = {name: [value] for name, value in study.row(result, options).items()}
        rows = len(next(iter(part.values())))
        named = zip(study.heads, names, strict=True)
        measured: dict[str, list[Value]] = {head: [short.get(n, n)] * rows for head, n in named}
        for name, values in {**measured, **part}.items():
            columns.setdefault(name, []).extend(values)
    legend = [f"{head} = {name}" for name, head in short.items() if head != name]
    table = TextTable.of(columns, places(options, DEFAULT_PLACES), study.heads)
    table = replace(table, legend=legend)
    return write(table, options.output_format)
