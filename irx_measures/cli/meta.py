"""``irx meta``: judge measures by the scores of runs. `STUDIES` has a row per study."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from inspect import signature
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from ir_measures import Measure

from .. import meta, plots
from ..common.numeric import BoolArray
from ..common.progress import counting_bar, with_bar
from ..common.tables import TextTable, Value, listed, write
from ..common.warn import warn
from ..exceptions import InputError
from ..io.groups import read_costs
from ..measures.labels import heads_of_measures
from ..plots.style import NothingToDrawError
from ..scoring.evaluate import parse_all
from ..scoring.score_matrix import ScoreMatrix
from ..scoring.subset_scorer import SubsetScorer
from .from_function import add_options, asked
from .options import add_format, add_inputs, add_limits, add_places, add_plot, add_reading
from .output import check_output, tell, write_plot
from .parser import Parser
from .reading import Inputs, read

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Names = tuple[str, ...]
"""The measure of a result, or the two measures that it compares."""

Results = Mapping[Names, Any]
"""The results of a study by the names of their measures."""


class Material:
    """What a study is about."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs

    @cached_property
    def scores(self) -> ScoreMatrix:
        """The scores of the systems that all measures score; a warning names the others."""
        matrix = self.inputs.scores(parse_all(self.inputs.measures))
        scored = np.asarray(~matrix.undefined.any(axis=0))
        if scored.all():
            return matrix
        for measure, undefined in zip(matrix.measures, matrix.undefined, strict=True):
            _tell_left_out(measure, matrix.systems, undefined)
        return replace(
            matrix,
            systems=tuple(compress(matrix.systems, scored.tolist())),
            scores=matrix.scores[:, scored],
            groups=matrix.groups and tuple(compress(matrix.groups, scored.tolist())),
        )


HEADS = {1: ("measure",), 2: ("first_measure", "second_measure")}
"""The columns that name measures, by their number."""


@dataclass(frozen=True)
class Study:
    """A study of measures.

    Attributes
    ----------
    summary, example
    function
        Its function in `irx_measures.meta`.
    options
        The parameters that are options, by the function that describes them.
    picture, draw
        What ``--plot`` draws, and the function of results, material, options and width that draws
        it; None: nothing.
    row
        What is printed of a result: values by names. None: its table.
    results
        A function of study, material and options.
    """

    summary: str
    example: str
    function: Callable[..., Any]
    options: Mapping[Callable[..., Any], Sequence[str]]
    row: Callable[[Any, argparse.Namespace], dict[str, Value]] | None
    results: Callable[[Study, Material, argparse.Namespace], Results]
    picture: str = ""
    draw: Callable[..., Axes] | None = None

    def ask(self, options: argparse.Namespace) -> dict[str, Any]:
        """The arguments that the options of the command line are."""
        taken = signature(self.function).parameters
        names = [name for described in self.options.values() for name in described]
        return asked(options, *(name for name in [*names, "progress"] if name in taken))


def _of_each(study: Study, material: Material, options: argparse.Namespace) -> Results:
    """The study of the scores of each measure."""
    matrix, how = material.scores, study.ask(options)
    work = with_bar(matrix.measures, "measure", material.inputs.progress)
    return {(str(each),): study.function(matrix[each], matrix.systems, **how) for each in work}


def _with_first(study: Study, material: Material, options: argparse.Namespace) -> Results:
    """The study of the first measure with each other one."""
    if len(material.inputs.measures) < 2:
        raise InputError(f"--measures must be at least two; got {material.inputs.measures[0]}")
    matrix, how = material.scores, study.ask(options)
    first, *others = matrix.measures
    return {
        (str(first), str(other)): study.function(
            matrix[first], matrix[other], matrix.systems, **how
        )
        for other in with_bar(others, "measure", material.inputs.progress)
    }


def _with_costs(study: Study, material: Material, options: argparse.Namespace) -> Results:
    """The study of costs, from a file, and mean scores."""
    cost_of, matrix = read_costs(options.costs), material.scores
    missing = [system for system in matrix.systems if system not in cost_of]
    if missing:
        raise InputError(f"{options.costs}: every run must have a cost; missing {missing[:3]}")
    costs = [cost_of[system] for system in matrix.systems]
    means = zip(matrix.measures, matrix.aggregates, strict=True)
    return {(str(each),): study.function(costs, mean, matrix.systems) for each, mean in means}


def _of_subsets(study: Study, material: Material, options: argparse.Namespace) -> Results:
    """The study of scores that depend on the other systems."""
    inputs, found = material.inputs, dict[Names, Any]()
    for measure in parse_all(inputs.measures):
        scorer = SubsetScorer(
            inputs.runset, inputs.qrels, measure, strict=inputs.strict, progress=inputs.progress
        )
        _tell_left_out(measure, scorer.systems, scorer.undefined)
        scored = np.flatnonzero(~scorer.undefined)
        names = [scorer.systems[place] for place in scored.tolist()]
        with counting_bar(None, "evaluation", inputs.progress) as counted:
            score = partial(_of_chosen, scorer, scored, counted)
            found[(str(measure),)] = study.function(score, names, **study.ask(options))
    return found


def _of_chosen(
    scorer: SubsetScorer, scored: Any, counted: Callable[[int], None], chosen: Any
) -> Any:
    counted(1)
    return scorer(scored[chosen])


def _tell_left_out(measure: Measure, systems: Sequence[str], undefined: BoolArray) -> None:
    names = ", ".join(map(repr, compress(systems, undefined.tolist())))
    if names:
        warn(f"left out {names}: no score on {measure}")


def _power(result: Any, options: argparse.Namespace) -> dict[str, Value]:
    return {
        "test": result.test,
        "correction": result.correction,
        "pairs": result.pairs,
        "significant": result.significant(options.level),
    }


def _swap(result: Any, options: argparse.Namespace) -> dict[str, Value]:
    return {
        "topics": result.topics,
        "trials": result.trials,
        "swap_rate": result.value,
        "required_difference": result.required_difference(options.rate),
        "sensitivity": result.sensitivity(options.rate),
    }


def _correlation(result: Any, options: argparse.Namespace) -> dict[str, Value]:
    lower, upper = result.interval
    return {
        "coefficient": result.coefficient,
        "value": result.value,
        "lower": lower,
        "upper": upper,
        "undefined": result.undefined,
    }


def _attributes(*names: str) -> Callable[..., dict[str, Value]]:
    """A row of these attributes of a result."""
    return lambda result, options: {name: getattr(result, name) for name in names}


def _curves(draw: Callable[..., Axes]) -> Callable[..., Axes]:
    """A picture with a curve for each measure."""

    def drawn(
        results: Results, material: Material, options: argparse.Namespace, width: float | None
    ) -> Axes:
        rate = {"rate": options.rate} if "rate" in options else {}
        named = {names[-1]: result for names, result in results.items()}
        return draw(named, width=width, **rate)

    return drawn


def _agreement(
    results: Results, material: Material, options: argparse.Namespace, width: float | None
) -> Axes:
    """The systems by two measures."""
    if len(results) > 1:
        raise InputError("--plot goes with two measures")
    one, other = material.scores.measures
    return plots.system_scatter(material.scores, one, other, width=width)


def _front(
    results: Results, material: Material, options: argparse.Namespace, width: float | None
) -> Axes:
    if len(results) > 1:
        raise InputError("--plot goes with one measure")
    (((measure,), front),) = results.items()
    return plots.pareto_front(front, measure=measure, width=width)


STUDIES = {
    "power": Study(
        "count the pairs of systems that measures distinguish significantly",
        "qrels.txt runs/* -m AP nDCG@10 --test t",
        meta.discriminative_power,
        {meta.discriminative_power: ("test", "correction", "level", "resamples", "seed")},
        _power, _of_each,
        "the curves of achieved significance levels", _curves(plots.asl_curves),
    ),
    "concordance": Study(
        "count the pairs of systems on which the first measure and each other one draw the same "
        "conclusion (agree), one conclusion (disagree), or opposite ones (conflict)",
        "qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10'",
        meta.concordance,
        {meta.discriminative_power: ("test", "correction", "level", "resamples", "seed")},
        _attributes("agree", "disagree", "conflict", "only_first", "only_second"), _with_first,
    ),
    "stability": Study(
        "compare all pairs of systems over random sets of topics (Buckley and Voorhees)",
        "qrels.txt runs/* -m AP P@10 --fuzziness 0.05",
        meta.stability,
        {meta.stability: ("topics", "trials", "fuzziness", "relative", "seed")},
        lambda result, options: {
            "topics": result.topics, "trials": result.trials, "stability": result.value,
            "error_rate": result.error_rate, "ties": result.ties,
        }, _of_each,
        "the stability of every pair", _curves(plots.stability_curves),
    ),
    "swap": Study(
        "measure swap rates between random disjoint sets of topics",
        "qrels.txt runs/* -m AP nDCG@10",
        meta.split_swap_rate,
        {meta.split_swap_rate: ("topics", "trials", "seed"), plots.swap_curves: ("rate",)},
        _swap, _of_each,
        "swap rates by difference", _curves(plots.swap_curves),
    ),
    "systems": Study(
        "correlate rankings of a few systems with their ranking among all systems",
        "qrels.txt runs/* -m 'P_Rareness(systems=others)@100' --sizes 2 8 32",
        meta.system_impact,
        {
            meta.system_impact: ("sizes", "trials", "seed"),
            meta.rank_correlation: ("coefficient", "phi"),
        },
        None, _of_subsets,
        "the correlation by number of systems", _curves(plots.impact_curves),
    ),
    "correlation": Study(
        "correlate the ranking of systems by the first measure with that by each other measure",
        "qrels.txt runs/* -m nDCG@10 'NRG(prior=others)@10' --plot it.svg",
        meta.rank_correlation,
        {meta.rank_correlation: ("coefficient", "phi", "samples", "level", "seed")},
        _correlation, _with_first,
        "the systems by two measures", _agreement,
    ),
    "pareto": Study(
        "find the systems for which no other system is cheaper and at least as good",
        "- first-stage/* --reference second.run -m 'RBR(phi=0.9)@20' --costs costs.csv",
        meta.pareto_front,
        {},
        None, _with_costs,
        "scores against costs, by one measure", _front,
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
    add_inputs(parser, "TREC run files (.gz too); `others` in measures")
    if name == "pareto":
        parser.add_argument(
            "--costs",
            metavar="CSV",
            type=Path,
            required=True,
            help="a file (csv, tsv or json lines) with columns run and cost, in any unit",
        )
    for function, names in study.options.items():
        add_options(parser, function, *names)
    if study.row is not None:
        parser.add_argument(
            "--details", action="store_true", help="the table of every result, instead of a row"
        )
    add_format(parser)
    if study.draw is not None:
        add_plot(parser, study.picture)
    add_places(parser.more)
    add_reading(parser.more)
    add_limits(parser.more)
    parser.set_defaults(run=partial(_run, study))


def _run(study: Study, options: argparse.Namespace) -> str:
    check_output(options)
    material = Material(read(options))
    results = study.results(study, material, options)
    text = _text(study, results, options)
    if study.draw is not None:
        try:
            write_plot(options, partial(study.draw, results, material, options))
        except NothingToDrawError as error:  # the table shows the undefined values
            tell(options, f"no picture: {error}")
    return text


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
        heads = zip(HEADS[len(names)], names, strict=True)
        rows = len(next(iter(part.values())))
        named: dict[str, list[Value]] = {head: [short.get(n, n)] * rows for head, n in heads}
        for name, values in {**named, **part}.items():
            columns.setdefault(name, []).extend(values)
    legend = [f"{head} = {name}" for name, head in short.items() if head != name]
    table = replace(TextTable.of(columns, options.places, HEADS[len(names)]), legend=legend)
    return write(table, options.output_format)
