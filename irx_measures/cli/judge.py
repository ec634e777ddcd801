"""``irx judge``: what to judge next, and judgments of machines, such as language models."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..common.escapes import spreadsheet_text
from ..common.tables import TextTable, Value, write
from ..common.writing import counted, joined
from ..exceptions import InputError
from ..io.irds import document_texts, topic_texts
from ..io.qrels_files import add_judgments, filled_rows, judging_log_of
from ..judging.audit import audit_judges
from ..judging.planning.filled import Added, added
from ..judging.planning.log import JudgingLog
from ..judging.planning.plan import JudgingPlan
from ..judging.prediction_powered import prediction_powered
from ..reporting.judge_audit import TABLES, audit_text
from ..reporting.prediction_powered import prediction_powered_text
from ..runsets.sources import run_name
from .campaign import (
    add_campaign,
    add_qrels,
    grades_in,
    plan_of,
    qrels_path,
)
from .from_function import add_options, asked
from .options import (
    add_baselines,
    add_both_qrels,
    add_format,
    add_limits,
    add_measures,
    add_places,
    add_plot,
    add_reading,
    add_runs,
    add_texts,
)
from .output import check_file, check_output, tell, write_plot
from .parser import Parser
from .reading import judged, named_measures, named_runs, read, run_set

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OF_RUNS = ("rankings", "groups")

OF_AUDIT = ("relevant", "machine_relevant", "level", "samples", "seed")

FORMS_OF_BATCHES = ("tsv", "csv", "csv-safe", "jsonl")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge``."""
    parser.describe(
        "Find out which documents to judge next, and when it is enough. Check judgments of "
        "machines, such as language models, against human ones; estimate scores from both."
    )
    summaries = {name: summary for name, (summary, _) in COMMANDS.items()}
    parser.add_commands("study", "COMMAND", summaries, lambda below, name: COMMANDS[name][1](below))


def _add_shown(parser: Parser) -> None:
    """Add the options that the commands with tables share."""
    add_format(parser)
    add_places(parser.more, None)
    add_reading(parser.more)
    add_limits(parser.more)


def _draw(name: str, result: Any, width: float | None) -> Axes:
    from .. import plots  # slow to import

    draw: Callable[..., Axes] = getattr(plots, name)
    return draw(result, width=width)


# audit


def _add_audit(parser: Parser) -> None:
    parser.describe(
        "How far do a machine's judgments agree with human ones? On the pairs that both judged: "
        "agreement and calibration of its labels and, with RUNs, the ranking of systems and "
        "whether it favours a group of systems.",
        "HUMAN MACHINE [RUN ...] [options]",
        "  irx judge audit human.qrels gpt4.qrels\n"
        "  irx judge audit human.qrels gpt4.qrels runs/* --groups groups.csv\n"
        "  irx judge audit human.qrels gpt4.qrels --machine llama.qrels -o csv",
    )
    add_both_qrels(parser, "the judgments to compare with", "labels of the same pairs")
    add_runs(parser, "TREC run files (.gz too), to be ranked by both", nargs="*")
    add_measures(parser, ["nDCG@10"])
    parser.add_argument(
        "--machine",
        dest="more",
        metavar="QRELS",
        nargs="+",
        action="extend",
        default=[],
        help="qrels of more machines",
    )
    parser.add_argument(
        "--show",
        choices=TABLES,
        help="the table to print. agreement: a row per machine; grades: leniency by human grade; "
        "calibration: P(human grade | label); rankings: Kendall's tau of the rankings of systems; "
        "groups: which groups of systems a machine favours. By default, all tables as text, and "
        "agreement in other formats",
    )
    add_plot(parser, "P(human grade | label) of one machine")
    add_options(parser.more, audit_judges, *OF_AUDIT)
    _add_shown(parser)
    parser.set_defaults(run=_audit)


def _audit(options: argparse.Namespace) -> str:
    check_output(options)
    if options.show in OF_RUNS and not options.runs:
        raise InputError(f"--show {options.show} needs RUNs")
    files = list(dict.fromkeys([options.machine, *options.more]))
    machines = {run_name(file): file for file in files}
    if len(machines) < len(files):
        raise InputError(f"machines must have files of different names; got {', '.join(files)}")
    if options.plot is not None and len(machines) > 1:
        raise InputError("--plot goes with one machine")
    runs = named_runs(options.runs)
    audit = audit_judges(
        options.human,
        machines,
        run_set(options, runs) if runs else None,
        named_measures(options, runs),
        progress=options.progress,
        **asked(options, *OF_AUDIT),
    )
    text = audit_text(audit, options.show, options.output_format, options.places)
    write_plot(options, partial(_draw, "judge_calibration", audit.agreements[0]))
    return text


# estimate


def _add_estimate(parser: Parser) -> None:
    parser.describe(
        "Estimate mean scores from topics with human judgments and more topics that only a machine "
        "judged. The machine's bias is measured on the topics that both judged, and removed "
        "(PPI++).",
        "HUMAN MACHINE RUN [RUN ...] -m MEASURE [MEASURE ...] [options]",
        "  irx judge estimate human.qrels gpt4.qrels runs/* -m nDCG@10\n"
        "  irx judge estimate human.qrels gpt4.qrels my.run bm25.run -m nDCG@10 --baseline bm25",
    )
    add_both_qrels(parser, "n topics", "the same topics and others of the same kind")
    add_runs(parser)
    add_measures(parser)
    add_baselines(
        parser,
        "estimate every system's difference from this one: the name of a RUN, or another run file, "
        "which is added. May be repeated",
    )
    add_options(parser, prediction_powered, "level")
    _add_shown(parser)
    parser.set_defaults(run=_estimate)


def _estimate(options: argparse.Namespace) -> str:
    check_output(options)
    inputs = read(options, options.human)
    result = prediction_powered(
        inputs.scores(),
        inputs.scores(qrels=judged(options.machine, options.strict)),
        baseline=inputs.baselines or None,
        level=options.level,
    )
    return prediction_powered_text(result, options.output_format, options.places)


# next, status, add: a campaign


def _add_next(parser: Parser) -> None:
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
    add_texts(parser, "add columns with the texts of queries and documents")
    parser.add_argument(
        "-o",
        "--output_format",
        dest="form",
        choices=FORMS_OF_BATCHES,
        default=FORMS_OF_BATCHES[0],
        help="(default: %(default)s); csv-safe: no id is a formula in a spreadsheet",
    )
    add_campaign(parser)
    parser.set_defaults(run=_next)


def _next(options: argparse.Namespace) -> str:
    titles = {} if options.texts is None else topic_texts(options.texts)
    plan = plan_of(options)
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
    tell(options, plan.state().summary)
    return write(replace(TextTable.of(columns), exact=True), options.form)


def _add_status(parser: Parser) -> None:
    parser.describe(
        "What is the answer of a judging campaign, how probable is it, how much is judged, and can "
        "judging stop? The error rate at --level .95 is about .05. It was measured; for two "
        "systems on P, RBP or DCG it is proved. Do not report absolute scores from these "
        "judgments: they are biased.",
        "QRELS RUN [RUN ...] [options]",
        "  irx judge status qrels.txt runs/*\n"
        "  irx judge status qrels.txt runs/* --question bm25,dense --plot progress.png",
    )
    add_plot(parser, "the probability against the number of judged documents")
    add_campaign(parser)
    parser.set_defaults(run=_status, places=None)


def _status(options: argparse.Namespace) -> str:
    check_output(options)
    plan = plan_of(options)
    write_plot(options, partial(_draw, "judging_progress", plan.history))
    return "".join(f"{line}\n" for line in _lines(plan))


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


def _add_add(parser: Parser) -> None:
    parser.describe(
        "Add the judgments of filled files to QRELS and to the log beside it. If a row is wrong, "
        "every such row is named, and nothing is added. Rows with an empty grade are documents "
        "that are not judged yet.",
        "QRELS FILE [FILE ...] [options]",
        "  irx judge add qrels.txt batch.tsv",
    )
    add_qrels(parser)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="what irx judge next printed, filled in (.tsv, .csv, .jsonl), or TREC qrels",
    )
    parser.set_defaults(run=_add)


def _add(options: argparse.Namespace) -> str:
    path = qrels_path(options)
    check_file(path, "QRELS")
    log = JudgingLog(judging_log_of(path))
    rows = [row for file in options.files for row in filled_rows(Path(file))]
    added(rows, log, grades_in(path))  # before the lock makes a log
    with log.locked():  # another process may have written since
        qrels = grades_in(path)
        new = added(rows, log, qrels)
        if new.to_qrels or not path.exists():
            add_judgments(path, [(*pair, grade) for pair, grade in new.to_qrels.items()])
        if new.to_log:
            log.add_judgments((*pair, grade) for pair, grade in new.to_log.items())
    tell(options, _summary(path, new, len(qrels)))
    return ""


def _summary(path: Path, new: Added, before: int) -> str:
    count = len(new.to_qrels)
    parts = [
        f"added {counted(count, 'judgment')} to {path}, which has {before + count:,}",
        f"{counted(new.waiting, 'document')} without a grade" if new.waiting else "",
    ]
    return "; ".join(filter(None, parts))


COMMANDS: dict[str, tuple[str, Callable[[Parser], None]]] = {
    "audit": (
        "compare a machine's judgments with human ones: labels, rankings of systems",
        _add_audit,
    ),
    "estimate": (
        "estimate scores from human judgments of some topics and machine judgments of more",
        _add_estimate,
    ),
    "next": ("print the documents to judge next", _add_next),
    "add": ("add judgments that people filled in to qrels", _add_add),
    "status": ("the answer of a judging campaign, and whether judging can stop", _add_status),
}
