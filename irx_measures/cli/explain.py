"""``irx explain``: why a run has its score on a query."""

from __future__ import annotations

import argparse

import numpy as np
from ir_measures import Measure

from ..common.numeric import FloatArray
from ..common.screen import sentence
from ..common.tables import TextTable, write
from ..exceptions import InputError
from ..explaining.explain import explain
from ..io.table import Table
from ..measures.labels import short_labels
from ..reporting.explanation import explanation_records, explanation_text
from ..runsets.runset import RunSet
from ..scoring.evaluate import judged_documents
from ..scoring.score_matrix import ScoreMatrix
from .argument_types import count
from .options import add_qrels, add_runs, add_scoring_options
from .output import check_output
from .parser import TEXTS, Parser
from .scoring import evaluate_set, named_measures, qrels_of, run_set

PLACES = 4  # contributions are small: with 3, many differ from 0 and show .000


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx explain``."""
    parser.describe(
        description="Show what each document adds to a score, and the formula with the numbers in "
        "it. Without\n--query: the queries on which a system gains and loses most against another.",
        epilog=(
            "examples:\n"
            "  why is my run's NRG so low on this query?\n"
            "    irx explain qrels.txt runs/* -m 'NRG(prior=others)@10' --system my --query 19335\n"
            "  which relevant documents does it lack?\n"
            "    irx explain qrels.txt my.run -m nDCG@10 --query 19335 --missing\n"
            "  on which queries does it lose against bm25?\n"
            "    irx explain qrels.txt my.run bm25.run -m nDCG@10 --system my --against bm25"
        ),
    )
    add_qrels(parser)
    add_runs(parser)
    add_scoring_options(
        parser,
        None,
        "; table has at most 30 documents, the others all",
        places=None,
    )
    parser.add_argument("--query", metavar="ID", help="the query whose score is explained")
    parser.add_argument(
        "--system",
        metavar="NAME",
        help="the run whose score is explained (needed if there are several)",
    )
    parser.add_argument(
        "--missing",
        action="store_true",
        help="also list the documents that could add to the score and are not in the top k",
    )
    parser.add_argument(
        "--texts",
        metavar="DATASET",
        role=TEXTS,
        help="show the texts of documents of an ir_datasets id",
    )
    parser.add_argument(
        "--against", metavar="NAME", help="without --query: the run with which it is compared"
    )
    parser.add_argument(
        "--top",
        metavar="N",
        type=count,
        default=5,
        help="with --against: the number of queries of each kind (default: %(default)s)",
    )
    parser.set_defaults(run=_explain)


def _explain(options: argparse.Namespace) -> str:
    check_output(options)
    _check(options)
    measures = named_measures(options)
    if len(measures) != 1:
        raise InputError(f"--measures must be one measure; got {len(measures)} of them")
    runset = run_set(options, options.runs)
    system = _system(options, runset)
    qrels = judged_documents(qrels_of(options.qrels), options.strict)
    if options.query is None:
        return _changes(options, qrels, runset, measures[0], system)
    explanation = explain(
        system,
        qrels,
        measures[0],
        runset,
        options.query,
        options.missing,
        strict=options.strict,
        texts=options.texts,
    )
    places = options.places
    if options.output_format == "table":
        return explanation_text(explanation, PLACES if places is None else places)
    return explanation_records(explanation, options.output_format, -1 if places is None else places)


def _check(options: argparse.Namespace) -> None:
    """Reject incompatible options before runs are read."""
    if options.top < 1:
        raise InputError(f"--top must be at least 1; got {options.top}")
    if options.query is None and options.against is None:
        raise InputError("--query names the query to explain, or --against a run to compare with")
    if options.query is not None and options.against is not None:
        raise InputError("--against cannot be combined with --query")
    if options.query is None and (options.missing or options.texts is not None):
        raise InputError("--missing and --texts go with --query")


def _system(options: argparse.Namespace, runset: RunSet) -> str:
    names = [name for name in runset.names if name != options.against]
    if options.system is None and len(names) == 1:
        return names[0]
    return _named("--system", options.system, runset)


def _named(option: str, name: str | None, runset: RunSet) -> str:
    if name is None or name not in runset.names:
        some = ", ".join(map(repr, runset.names[:5]))
        got = "none" if name is None else repr(name)
        raise InputError(f"{option} must be the name of a RUN, such as {some}; got {got}")
    return name


def _changes(
    options: argparse.Namespace,
    qrels: Table,
    runset: RunSet,
    measure: Measure,
    system: str,
) -> str:
    """The queries on which the system gains and loses most."""
    against = _named("--against", options.against, runset)
    if against == system:
        raise InputError(f"--against must be another run than --system; got {against!r}")
    matrix = evaluate_set(options, qrels, runset, [measure])
    ours, theirs = (matrix.scores[0, matrix.systems.index(name)] for name in (system, against))
    difference = ours - theirs
    if np.isnan(difference).any():
        raise InputError(
            f"{measure} has no score for {system!r} or {against!r}: a run is its own only prior"
        )
    order = np.argsort(-difference, kind="stable").tolist()
    gains = [row for row in order if difference[row] > 0][: options.top]
    losses = [row for row in reversed(order) if difference[row] < 0][: options.top]
    rows = [*gains, *reversed(losses)]
    form, places = options.output_format, options.places
    columns = ("score", "score_against") if form == "json" else (system, against)
    of_pair = {"system": system, "against": against} if form == "json" else {}
    records = [
        {
            **of_pair,
            "query_id": matrix.query_ids[row],
            columns[0]: float(ours[row]),
            columns[1]: float(theirs[row]),
            "difference": float(difference[row]),
        }
        for row in rows
    ]
    if form != "table":
        return write(TextTable.of_records(records, -1 if places is None else places), form)
    summary = _summary(matrix, difference, system, against)
    table = write(TextTable.of_records(records, PLACES if places is None else places), form)
    return "\n".join([sentence(summary), "", table])


def _summary(matrix: ScoreMatrix, difference: FloatArray, system: str, against: str) -> str:
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    (label,) = short_labels(matrix.measures)
    return (
        f"{label}: {system} minus {against} is {difference.mean():+.{PLACES}f} in the mean of "
        f"{len(difference)} queries; higher on {wins}, lower on {losses}, equal on "
        f"{len(difference) - wins - losses}. --query ID shows why."
    )
