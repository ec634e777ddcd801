"""``irx explain``: why a run has its score on a query."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..exceptions import InputError
from ..explaining.explain import explain
from ..reporting.explanation import explanation_output
from ..results.output import Output
from ..results.tables import TextTable
from .files import file_or_name
from .from_function import add_options
from .options import INPUTS, READING, add_shared
from .output import places
from .parser import Parser
from .reading import Inputs, inputs_of, named_runs, run_named

PLACES = 4  # contributions are small: with 3, many differ from 0 and show .000

MOST = 5  # queries of each kind, and names in an error: what a reader looks at


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx explain``."""
    parser.describe(
        "Why has a run its score on a query? What each document adds, and the formula with the "
        "numbers in it. With --against: the queries on which a run gains and loses most.",
        "QRELS RUN [RUN ...] -m MEASURE (--query ID | --against RUN) [options]",
        "  irx explain qrels.txt my.run -m nDCG@10 --query 19335 --missing\n"
        "  irx explain qrels.txt runs/* -m 'NRG(prior=others)@10' --system my --query 19335\n"
        "  irx explain qrels.txt my.run bm25.run -m nDCG@10 --system my --against bm25",
    )
    add_shared(parser, *INPUTS)
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--query", metavar="ID", help="the query whose score is explained")
    asked.add_argument(
        "--against",
        metavar="RUN",
        type=file_or_name,
        help="in place of --query: the run, or run file, with which it is compared",
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
    if options.query is None and options.against is None:
        raise InputError(
            "one of the arguments --query --against is required: --query ID explains a query, "
            "--against RUN lists the queries with the largest differences to that run"
        )
    if options.query is None and (options.missing or options.texts is not None):
        raise InputError("--missing and --texts go with --query")
    runs, against = named_runs(options.runs), None
    if options.against is not None:
        against = run_named(runs, "--against", options.against)
    inputs = inputs_of(options, runs, options.qrels)
    system = _system(options.system, inputs.runset.names, against)
    if against is not None:
        return _changes(options, inputs, system, against)
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


def _system(given: str | None, names: Sequence[str], against: str | None) -> str:
    """The run that is explained: the only one that it can be, or the one of ``--system``."""
    possible = [name for name in names if name != against]
    if given is None and len(possible) == 1:
        return possible[0]
    if given in possible:
        return given
    if against is not None and (given == against or not possible):
        raise InputError(f"--against must be another run than --system; got {against!r}")
    must = f"--system must be the name of a RUN, such as {', '.join(map(repr, possible[:MOST]))}"
    if given is None:
        raise InputError(f"{must}: it says which of the {len(possible)} is explained")
    raise InputError(f"{must}; got {given!r}")


def _changes(options: argparse.Namespace, inputs: Inputs, system: str, against: str) -> Output:
    """The queries on which the system gains and loses most, as `compare` has the difference."""
    result = inputs.scores([inputs.measure]).compare(baseline=against)
    found = result.difference(system, against)
    rising = [row for row in found.order.tolist() if found.by_topic[row] > 0][:MOST]
    falling = [row for row in found.order.tolist() if found.by_topic[row] < 0][-MOST:]
    table = TextTable(found.columns([*rising, *falling]), places(options, PLACES))
    return Output(options.output_format, [table], [f"{found.summary} --query ID shows why."])
