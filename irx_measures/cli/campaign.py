"""``irx judge next``, ``status`` and ``add``: a judging campaign from files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

from ..common.escapes import spreadsheet_text
from ..common.writing import counted, joined
from ..exceptions import InputError
from ..io.irds import document_texts, topic_texts
from ..io.qrels_files import judging_log_of
from ..judging.planning.adding import add_judgments, campaign_qrels, require_writable
from ..judging.planning.plan import JudgingPlan
from ..judging.planning.questions import RANKING
from ..judging.planning.scorers import DCG
from ..measures.naming.strings import split_measures
from ..results.column import Value
from ..results.tables import TextTable, write
from .files import input_file
from .from_function import add_options, asked
from .options import READING, add_shared
from .output import add_plot, tell
from .parser import Parser
from .reading import judged, named_measures, named_runs, run_set

FORMS_OF_BATCHES = ("tsv", "csv", "csv-safe", "jsonl")

OF_PLAN = ("tolerance", "grades", "level", "seed")


def _add_qrels(parser: Parser) -> None:
    """Add QRELS."""
    about = (
        "the campaign's TREC qrels file, in a folder of yours; it need not exist yet. The log "
        "beside it, QRELS.log.jsonl, has what was asked for with which forecasts, and what was "
        "judged"
    )
    add_shared(parser, "qrels", help=about)


def _add_campaign(parser: Parser) -> None:
    """Add QRELS, the runs, and the options of the campaign's question."""
    _add_qrels(parser)
    add_shared(parser, "runs")
    add_shared(parser, "measures", about=" (default: nDCG@10)", required=False, default=["nDCG@10"])
    parser.add_argument(
        "--question",
        default=RANKING,
        help="ranking: the ranking of all systems, up to a Kendall's tau of .9; best: the best "
        "system; A,B: which of two systems is better (default: %(default)s)",
    )
    add_options(parser, JudgingPlan, *OF_PLAN)
    parser.more.add_argument(
        "--machine",
        metavar="QRELS",
        type=input_file,
        help="labels by a machine, as qrels; they help to predict grades",
    )
    add_shared(parser.more, *READING, "limits")


def _plan_of(options: argparse.Namespace) -> JudgingPlan:
    """The campaign as it is now."""
    runs, texts = named_runs(options.runs), split_measures(options.measures)
    # DCG@k is no measure that other commands know.
    measures = texts if texts[0].startswith(DCG) else named_measures(options, runs)
    if len(measures) != 1:
        raise InputError(f"--measures (-m) must name one measure; got {len(measures)}")
    path, question = campaign_qrels(options.qrels), options.question
    plan = JudgingPlan(
        judged(options.qrels, options.strict) if path.exists() else None,
        run_set(options, runs),
        measures[0],
        question.split(",") if "," in question else question,
        log=judging_log_of(path),
        machine=options.machine,
        progress=options.progress,
        **asked(options, *OF_PLAN),
    )
    if not path.exists():
        tell(options, f"{path} does not exist yet: nothing is judged")
    return plan


def add_next(parser: Parser) -> None:
    """Add the arguments of ``irx judge next``."""
    parser.describe(
        "Which documents should be judged next? Those whose grades can change the answer most. "
        "Fill in the column grade in an editor or a spreadsheet, leave it empty where you do not "
        "judge, and give the file to irx judge add. Documents that no RUN returns in its top k are "
        "never asked for. When it is enough, nothing is.",
        "QRELS RUN [RUN ...] [options]",
        "  irx judge next qrels.txt runs/* > batch.tsv\n"
        "  irx judge next qrels.txt runs/* --question best --grades 0 1 2 3 > batch.tsv\n"
        "  irx judge next qrels.txt runs/* --texts msmarco-passage -o csv > batch.csv",
    )
    parser.add_argument(
        "-n",
        metavar="N",
        type=int,
        default=50,
        help="the most documents to print (default: %(default)s)",
    )
    add_shared(parser, "texts", about="add columns with the texts of queries and documents")
    parser.add_argument(
        "-o",
        "--output_format",
        dest="form",
        choices=FORMS_OF_BATCHES,
        default=FORMS_OF_BATCHES[0],
        help="(default: %(default)s); csv-safe: no id is a formula in a spreadsheet",
    )
    _add_campaign(parser)
    parser.set_defaults(run=_next)


def _next(options: argparse.Namespace) -> str:
    path = campaign_qrels(options.qrels)
    require_writable(path)
    log = judging_log_of(path)
    is_new = not log.exists()
    titles = {} if options.texts is None else topic_texts(options.texts)
    plan = _plan_of(options)
    table = plan.next(options.n)
    query_ids, doc_ids = table["query_id"].tolist(), table["doc_id"].tolist()
    columns: dict[str, list[Value]] = {
        "query_id": query_ids,
        "doc_id": doc_ids,
        "grade": [None] * len(doc_ids),
        "reason": table["reason"].tolist(),
    }
    if options.texts is not None and doc_ids:
        texts = document_texts(options.texts, doc_ids)
        # In a spreadsheet, a text of the collection must not be a formula; it is not read back.
        shown = str if options.form == "jsonl" else spreadsheet_text
        columns["query"] = [shown(titles.get(query_id, "")) for query_id in query_ids]
        columns["document"] = [shown(texts.get(doc_id, "")) for doc_id in doc_ids]
    if is_new and log.exists():
        tell(options, f"the log of the campaign is {log}; keep it beside {path}")
    tell(options, plan.state().summary)
    return write(replace(TextTable.of(columns), exact=True), options.form)


def add_status(parser: Parser) -> None:
    """Add the arguments of ``irx judge status``."""
    parser.describe(
        "What is the answer of a judging campaign, how probable is it, how much is judged, and can "
        "judging stop? The error rate at --level .95 is about .05. It was measured; for two "
        "systems on P, RBP or DCG it is proved. Do not report absolute scores from these "
        "judgments: they are biased.",
        "QRELS RUN [RUN ...] [options]",
        "  irx judge status qrels.txt runs/*\n"
        "  irx judge status qrels.txt runs/* --question bm25,dense --plot progress.png",
    )
    add_shared(parser, "plot", about="the probability against the number of judged documents")
    add_shared(parser.more, "width")
    _add_campaign(parser)
    parser.set_defaults(run=_status)


def _status(options: argparse.Namespace) -> str:
    plan = _plan_of(options)
    text = "".join(f"{line}\n" for line in _lines(plan))
    add_plot(options, [lambda plots, width: plots.judging_progress(plan.history, width=width)])
    return text


def _lines(plan: JudgingPlan) -> Iterator[str]:
    state = plan.state()
    yield state.answer
    yield state.summary
    if state.claimed:
        yield f"stop: P({state.claim}) is at least {state.level:g}"
    elif state.settled:
        yield "stop: every document that can change the answer is judged"
    else:
        yield "go on judging: irx judge next"
    if not state.settled and state.probability >= state.level:
        yield (
            "no claim before two documents of every query are judged, and then two batches whose "
            "grades were forecast"
        )
    added = [f"{name} ({counted(n, 'document')})" for name, n in plan.added_systems.items()]
    if added:
        yield f"added since the last batch, with unjudged documents in the top k: {joined(added)}"


def add_add(parser: Parser) -> None:
    """Add the arguments of ``irx judge add``."""
    parser.describe(
        "Add the judgments of filled files to QRELS and to the log beside it. If rows are "
        "wrong, the first ones are named, all are counted, and nothing is added. Rows with an "
        "empty grade are documents that are not judged yet.",
        "QRELS FILE [FILE ...] [options]",
        "  irx judge add qrels.txt batch.tsv",
    )
    _add_qrels(parser)
    parser.add_argument(
        "files",
        metavar="FILE",
        type=input_file,
        nargs="+",
        help="what irx judge next printed, filled in (.tsv, .csv, .jsonl), or TREC qrels",
    )
    parser.set_defaults(run=_add)


def _add(options: argparse.Namespace) -> str:
    tell(options, add_judgments(options.qrels, options.files).summary)
    return ""
