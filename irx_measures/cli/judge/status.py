"""``irx judge status``: the answer of a judging campaign, and whether judging can stop."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ...common.writing import counted, joined
from ...judging.planning.log import JudgingLog
from ...judging.planning.merging import agreement_lines, edits
from ...judging.planning.plan import JudgingPlan
from ...plots import judging_progress
from ..options import add_plot
from ..output import check_plot, write_plot
from ..parser import Parser
from .campaign import add_campaign, grades_in, log_of, plan_of, qrels_path


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge status``."""
    parser.describe(
        description="Print the answer of a judging campaign, its probability, how much is judged, "
        "and whether judging can stop.\nThe error rate at --level 95 was measured, about 5%, and "
        "8% for the best system with a tolerance; it is not\nproved. Do not report absolute scores "
        "from these judgments: they are biased.",
        epilog=(
            "examples:\n"
            "  irx judge status qrels.txt runs/*\n"
            "  irx judge status qrels.txt runs/* --question bm25,dense --plot progress.png"
        ),
    )
    add_campaign(parser)
    add_plot(parser, "the probability against the number of judged documents")
    parser.set_defaults(run=_status)


def _status(options: argparse.Namespace) -> str:
    check_plot(options)
    plan, path = plan_of(options), qrels_path(options)
    write_plot(options, partial(judging_progress, plan.history))
    return "".join(f"{line}\n" for line in _lines(plan, path, log_of(options, path)))


def _lines(plan: JudgingPlan, path: Path, log: JudgingLog) -> Iterator[str]:
    state = plan.state()
    yield state.answer
    yield state.summary
    added = list(_added_systems(plan, log))
    if not state.settled or added:  # the error rate was measured on sets that stay
        yield "go on judging: irx judge next"
    elif state.judged >= state.pool:
        yield "stop: every document that can change the answer is judged"
    else:
        yield f"stop: P({state.claim}) is at least {state.level:g}"
    yield from added
    logged = {(query_id, doc_id): grade for query_id, doc_id, grade in log.judgments()}
    yield from edits(logged, grades_in(path))
    yield from agreement_lines(log.opinions())


def _added_systems(plan: JudgingPlan, log: JudgingLog) -> Iterator[str]:
    """What systems need that were added after the last batch."""
    known = {name for batch in log.batches() for name in batch.systems}
    needs = [
        f"{name} ({counted(unjudged, 'document')})"
        for name, unjudged in plan.unjudged().items()
        if known and name not in known and unjudged
    ]
    if needs:
        yield f"added since the last batch, with unjudged documents in the top k: {joined(needs)}"
