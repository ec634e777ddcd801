"""``irx evaluate``: score runs against qrels."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ir_measures import Measure

from ..exceptions import InputError
from ..io.table import Table
from ..reporting.tables import Scores, rows_of_groups, score_columns, score_table
from ..runsets.runset import RunSet
from ..scoring.evaluate import judged_documents
from ..scoring.score_matrix import ScoreMatrix
from ..stats.intervals import DEFAULT_METHOD, METHODS
from .argument_types import level_of
from .options import add_by, add_qrels, add_runs, add_scoring_options
from .output import check_output, progress_of, write_plot
from .parser import Parser
from .scoring import evaluate_set, named_measures, qrels_of, query_groups, run_set

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx evaluate``."""
    parser.describe(
        description="Score runs against qrels. `others` in measures are the runs given.",
        epilog=(
            "examples:\n"
            "  irx evaluate qrels.txt bm25.run -m nDCG@10 AP -o tsv\n"
            "  irx evaluate qrels.txt runs/*.run.gz -m 'NRG(prior=others)@10' nDCG@10\n"
            "  irx evaluate qrels.txt runs/* --groups groups.csv \\\n"
            "      -m 'NRG(prior=others, select=best-per-group)@10'\n"
            "  irx evaluate qrels.txt runs/* -m nDCG@10 --by languages.csv\n"
            "  irx evaluate irds:msmarco-passage/trec-dl-2019/judged a.run b.run \\\n"
            "      -m 'P_Rareness(systems=others, alpha=0.5)@10' -q -n -o csv\n"
            "  irx evaluate - first-stage*.run --reference second-stage.run \\\n"
            "      -m 'RBR(phi=0.9)@20' RBA 'RBO(bound=upper)'\n"
            "  irx evaluate qrels.txt new.run -m 'BootNDCG(prior=pool+run)@10' --interval 90"
        ),
    )
    add_qrels(parser)
    add_runs(parser)
    add_scoring_options(
        parser,
        "the distributions of one BootNDCG or Boot of one run, by query, with the other scores "
        "marked",
        "; tsv and jsonl as ir_measures prints them",
    )
    parser.add_argument(
        "-q", "--by_query", action="store_true", help="a row for every query, then the summary row"
    )
    parser.add_argument(
        "-n", "--no_summary", action="store_true", help="with -q: omit the summary rows"
    )
    parser.add_argument(
        "--interval",
        metavar="LEVEL",
        type=float,
        help="add lower and upper bounds. Over topics, for every measure: the interval of its mean "
        "that --interval-method names. Over missing judgments, for BootNDCG and Boot: the central "
        "share of the bootstrapped scores; with prior=learned, for a system, of its mean. LEVEL is "
        ".9, for example, or 90",
    )
    parser.add_argument(
        "--interval-method",
        choices=tuple(METHODS),
        help="with --interval, the interval over topics: Student's t interval (t, the default), as "
        "in irx compare, or the percentile bootstrap interval (bootstrap)",
    )
    add_by(parser, "add the means of each group")
    parser.set_defaults(run=_evaluate)


def _evaluate(options: argparse.Namespace) -> str:
    level = _level(options)
    measures = named_measures(options)
    if options.plot is not None:
        _check_distributions(options, measures)
    query_group = query_groups(options)
    runset = run_set(options, options.runs)
    qrels = judged_documents(qrels_of(options.qrels), options.strict)
    if level is None:
        matrix = evaluate_set(options, qrels, runset, measures)
        columns_of: Callable[[ScoreMatrix], list[Scores]] = score_columns
    else:
        from ..reporting.intervals import interval_columns, learned_intervals, with_quantiles

        matrix = evaluate_set(options, qrels, runset, with_quantiles(measures, level))
        learned = learned_intervals(measures, level, runset, qrels, progress_of(options))
        if learned and query_group:
            raise InputError("--interval of a prior=learned is for all queries: omit --by")
        columns_of = partial(
            interval_columns,
            measures=measures,
            level=level,
            learned=learned,
            method=options.interval_method,
        )
    table = score_table(
        columns_of(matrix),
        matrix.systems,
        matrix.query_ids,
        options.output_format,
        options.places,
        options.by_query,
        not options.no_summary,
        [] if query_group is None else rows_of_groups(matrix.by(query_group), columns_of),
    )
    write_plot(options, partial(_draw_distributions, runset, qrels, matrix.select(measures)))
    return table


def _level(options: argparse.Namespace) -> float | None:
    """The confidence level of the intervals, if there are any; rejects incompatible options."""
    if options.no_summary and not options.by_query:
        raise InputError("--no_summary (-n) goes with --by_query (-q)")
    if options.interval_method is not None and options.interval is None:
        raise InputError("--interval-method goes with --interval")
    check_output(options)
    if options.interval is None:
        return None
    options.interval_method = options.interval_method or DEFAULT_METHOD  # it is in the json
    return level_of(options.interval, "--interval")


def _bootstrapped(measures: Iterable[Measure]) -> list[Any]:
    from ..reporting.intervals import BOOTSTRAPPED

    return [measure for measure in measures if isinstance(measure, BOOTSTRAPPED)]


def _check_distributions(options: argparse.Namespace, measures: Sequence[Measure]) -> None:
    if len(options.runs) != 1 or len(_bootstrapped(measures)) != 1:
        raise InputError(
            "--plot draws one BootNDCG or Boot of one run; "
            "scores of several systems are drawn by irx meta"
        )


def _draw_distributions(
    runset: RunSet, qrels: Table, marks: ScoreMatrix, width: float | None
) -> Axes:
    from .. import plots
    from ..measures.bootstrap import samples_of

    (measure,) = _bootstrapped(marks.measures)
    samples = samples_of(measure, qrels, runset.run(0))
    return plots.score_distributions(samples, marks, measure=f"samples of {measure}", width=width)
