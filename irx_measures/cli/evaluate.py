"""``irx evaluate``: score runs against qrels."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from ..exceptions import InputError
from ..reporting.collections import collections_output
from ..reporting.tables import Scores, score_columns, score_output
from ..results.column import DEFAULT_PLACES
from ..results.output import Output
from ..results.tables import FOR_READERS
from ..scoring.renaming import separated
from ..scoring.score_matrix import ScoreMatrix
from ..stats.intervals import DEFAULT_METHOD
from .collections import scores_of_collections
from .options import INPUTS, READING, add_shared, names_of
from .output import places
from .parser import Parser
from .reading import Inputs, query_groups, read

ROUNDED = (*FOR_READERS, "tsv")  # as ir_measures prints it


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx evaluate``."""
    parser.describe(
        "How good are the systems? Scores of runs, by any measure of this package and of "
        "ir_measures. 'others' in a measure are the runs given.",
        "QRELS RUN [RUN ...] -m MEASURE [MEASURE ...] [options]",
        "  irx evaluate qrels.txt bm25.run -m nDCG@10 AP\n"
        "  irx evaluate qrels.txt runs/* -m 'NRG(prior=others)@10' -q -o csv\n"
        "  irx evaluate irds:msmarco-passage/trec-dl-2019/judged a.run -m nDCG@10\n"
        "  irx evaluate - first*.run --reference second.run -m 'RBR(phi=0.9)@20'",
    )
    add_shared(parser, *INPUTS, "collections")
    parser.add_argument(
        "-q", "--by_query", action="store_true", help="a row for every query, then the summary row"
    )
    parser.add_argument(
        "-n", "--no_summary", action="store_true", help="with -q: omit the summary rows"
    )
    add_shared(parser, "by", about="add the means of each group")
    add_shared(parser, "interval", "rename", "format")
    more = parser.more
    add_shared(more, "interval method")
    add_shared(more, "places", about=f"{DEFAULT_PLACES}, and all digits in csv")
    add_shared(more, *READING, "limits")
    parser.set_defaults(run=_evaluate)


def _evaluate(options: argparse.Namespace) -> Output:
    if options.no_summary and not options.by_query:
        raise InputError("--no_summary (-n) goes with --by_query (-q)")
    if options.interval_method is not None and options.interval is None:
        raise InputError("--interval-method goes with --interval")
    if options.collections is not None:
        return _of_collections(options)
    groups = query_groups(options)
    scored, columns_of = _scored(options, read(options))
    systems, called = separated(scored.systems, scored.measures, names_of(options))
    matrix = scored.renamed(systems)
    return score_output(
        matrix,
        options.output_format,
        places(options, DEFAULT_PLACES, ROUNDED),
        None if groups is None else matrix.by(groups),
        columns_of,
        options.by_query,
        not options.no_summary,
        called,
    )


def _of_collections(options: argparse.Namespace) -> Output:
    form, decimals = options.output_format, places(options, DEFAULT_PLACES, ROUNDED)
    scored = scores_of_collections(options)
    matrix = scored.matrix
    systems, called = separated(matrix.systems, matrix.measures, names_of(options))
    scores = scored.renamed(systems)
    if form in FOR_READERS and not options.by_query:
        return collections_output(scores, form, decimals, called)
    summary = not options.no_summary
    return score_output(
        scores.macro, form, decimals, scores, by_query=options.by_query, summary=summary,
        called=called,
    )  # fmt: skip


def _scored(
    options: argparse.Namespace, inputs: Inputs
) -> tuple[ScoreMatrix, Callable[[ScoreMatrix], list[Scores]]]:
    """The scores, and the function that makes their columns."""
    if options.interval is None:
        return inputs.scores(), score_columns
    from ..reporting.intervals import interval_columns, learned_intervals, with_quantiles

    measures = inputs.measures
    matrix = inputs.scores(with_quantiles(measures, options.interval))
    learned = learned_intervals(
        measures, options.interval, inputs.qrels, inputs.runset, inputs.progress
    )
    if learned and options.by is not None:
        raise InputError("--interval of a prior=learned is for all queries: omit --by")
    return matrix, partial(
        interval_columns,
        measures=measures,
        level=options.interval,
        learned=learned,
        method=options.interval_method or DEFAULT_METHOD,
    )
