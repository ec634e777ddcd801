"""``irx judge next``: the documents to judge next."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ...common.escapes import spreadsheet_text
from ...common.tables import TextTable, Value, write
from ...reporting.report.texts import dataset_texts, dataset_titles
from ..argument_types import count
from ..output import tell
from ..parser import TEXTS, Effect, Parser
from .campaign import add_campaign, named_as_options, plan_of

FORMATS = ("tsv", "csv", "csv-safe", "jsonl")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge next``."""
    parser.describe(
        description="Print the documents to judge next: those whose grades can change the answer "
        "most. Fill in the column\ngrade in an editor or a spreadsheet, leave it empty where you "
        "do not judge, and give the file to irx judge add.\nDocuments that no RUN returns in its "
        "top k are never asked for. When it is enough, nothing is.",
        epilog=(
            "examples:\n"
            "  irx judge next qrels.txt runs/* > batch.tsv\n"
            "  irx judge next qrels.txt runs/* --question best --grades 0,1,2,3 > batch.tsv\n"
            "  irx judge next qrels.txt runs/* --texts msmarco-passage -o csv > batch.csv"
        ),
    )
    add_campaign(parser)
    parser.add_argument(
        "-n",
        dest="count",
        metavar="N",
        type=count,
        default=50,
        help="the most documents to print (default: %(default)s)",
    )
    parser.add_argument(
        "--texts",
        metavar="DATASET",
        role=TEXTS,
        help="an ir_datasets id: add columns with the texts of queries and documents",
    )
    parser.add_argument(
        "-o",
        "--output_format",
        dest="form",
        choices=FORMATS,
        default=FORMATS[0],
        role=Effect.DISPLAY,
        help="(default: %(default)s); csv-safe: no id is a formula in a spreadsheet",
    )
    parser.set_defaults(run=_next)


def _next(options: argparse.Namespace) -> str:
    titles = {} if options.texts is None else dataset_titles(options.texts)
    plan = plan_of(options)
    with named_as_options():
        table = plan.next(options.count)
    query_ids, doc_ids = table["query_id"].tolist(), table["doc_id"].tolist()
    columns: dict[str, list[Value]] = {
        "query_id": query_ids,
        "doc_id": doc_ids,
        "grade": [None] * len(doc_ids),
        "reason": table["reason"].tolist(),
    }
    if options.texts is not None and doc_ids:
        texts = dataset_texts(options.texts, doc_ids)
        # In a spreadsheet, a text of the collection must not be a formula; it is not read back.
        shown = str if options.form == "jsonl" else spreadsheet_text
        columns["query"] = [shown(titles.get(query_id, "")) for query_id in query_ids]
        columns["document"] = [shown(texts.get(doc_id, "")) for doc_id in doc_ids]
    tell(options, plan.state().summary)
    return write(replace(TextTable.of(columns), exact=True), options.form)
