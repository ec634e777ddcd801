"""``irx explain``: why a run has its score on a query."""

from __future__ import annotations

import argparse

from ..exceptions import InputError
from ..explaining.explain import explain
from ..measures.naming.labels import short_labels
from ..reporting.explanation import explanation_output
from ..results.column import Column
from ..results.output import Output
from ..results.tables import TextTable
from ..runsets.runset import RunSet
from .from_function import add_options
from .options import INPUTS, READING, add_shared
from .output import places
from .parser import Parser
from .reading import Inputs, read

PLACES = 4  # contributions are small: with 3, many differ from 0 and show .000

MOST = 5  # queries of each kind: what a reader looks at


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx explain``."""
    parser.describe(
        "Why has a run its score on a query? What each document adds, and the formula with the "
        "numbers in it. With --against: the queries on which a run gains and loses most.",
        "QRELS RUN [RUN ...] -m MEASURE (--query ID | --against NAME) [options]",
        "  irx explain qrels.txt my.run -m nDCG@10 --query 19335 --missing\n"
        "  irx explain qrels.txt runs/* -m 'NRG(prior=others)@10' --system my --query 19335\n"
        "  irx explain qrels.txt my.run bm25.run -m nDCG@10 --system my --against bm25",
    )
    add_shared(parser, *INPUTS)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--query", metavar="ID", help="the query whose score is explained")
    asked.add_argument(
        "--against", metavar="NAME", help="in place of --query: the run with which it is compared"
    )
    parser.add_argument(
        "--system",
        metavar="NAME",
        help="the run whose score is explained (needed if there are several)",
    )
    add_options(parser, explain, "missing")
    add_shared(parser, "texts", about="show the texts of the query and the documents")
    add_shared(parser, "format", about="; table has at most 30 documents, the others all")
    add_shared(parser.more, "places", about=f"{PLACES}, and all digits in csv and tsv")
    add_shared(parser.more, *READING)
    parser.set_defaults(run=_explain)


def _explain(options: argparse.Namespace) -> Output:
    if options.query is None and (options.missing or options.texts is not None):
        raise InputError("--missing and --texts go with --query")
    inputs = read(options)
    system = _system(options, inputs.runset)
    if options.query is None:
        return _changes(options, inputs, system)
    explanation = explain(
        inputs.qrels,
        system,
        inputs.measure,
        inputs.runset,
        options.query,
        options.missing,
        strict=inputs.strict,
        texts=options.texts,
    )
    form, shown = options.output_format, places(options, PLACES)
    return explanation_output(explanation, form, shown, listing="--missing")


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


def _changes(options: argparse.Namespace, inputs: Inputs, system: str) -> Output:
    """The queries on which the system gains and loses most, as `compare` has the difference."""
    against = _named("--against", options.against, inputs.runset)
    if against == system:
        raise InputError(f"--against must be another run than --system; got {against!r}")
    scores = inputs.scores([inputs.measure])
    found = scores.compare(baseline=against).difference(system, against)
    rising = [row for row in found.order.tolist() if found.by_topic[row] > 0][:MOST]
    falling = [row for row in found.order.tolist() if found.by_topic[row] < 0][-MOST:]
    rows, by_topic = [*rising, *falling], dict(zip(scores.systems, scores.scores[0], strict=True))
    names = [scores.query_ids[row] for row in rows]
    columns = [Column("query_id", names, meaning="the query", key=True)]
    for name in (system, against):
        values = by_topic[name][rows].tolist()
        columns.append(Column(name, values, meaning=f"the score of {name}"))
    lost = found.by_topic[rows].tolist()
    columns.append(Column("difference", lost, meaning=f"the score of {system} minus {against}"))
    table = TextTable(columns, places(options, PLACES))
    (label,) = short_labels(scores.measures)
    said = f"{system} minus {against}: {found.sentence(label)} --query ID shows why."
    return Output(options.output_format, [table], [said])
