"""``irx judge status``: the answer of a judging campaign, and whether judging can stop."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

from ...common.writing import counted, joined
from ...judging.planning.plan import JudgingPlan
from ...plots import judging_progress
from ..options import add_plot
from ..output import check_plot, write_plot
from ..parser import Parser
from .campaign import add_campaign, plan_of


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge status``."""
    parser.describe(
        description="Print the answer of a judging campaign, its probability, how much is judged, "
        "and whether judging can stop.\nThe error rate at --level 95 is about 5%. It was measured; "
        "for two systems on P, RBP or DCG it is proved.\nDo not report absolute scores from these "
        "judgments: they are biased.",
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
    plan = plan_of(options)
    write_plot(options, partial(judging_progress, plan.history))
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
