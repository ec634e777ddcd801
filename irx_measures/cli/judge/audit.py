"""``irx judge audit``: how far a machine's judgments agree with human ones."""

from __future__ import annotations

import argparse
from functools import partial

from ... import plots
from ...exceptions import InputError
from ...judging.audit import audit_judges, judge_name
from ...reporting.judge_audit import TABLES, audit_text
from ...runsets.runset import RunSet
from ..argument_types import count, level_of
from ..options import (
    add_both_qrels,
    add_level,
    add_runs,
    add_scoring_options,
    add_seed,
)
from ..output import check_output, progress_of, write_plot
from ..parser import MACHINE_QRELS, Parser
from ..scoring import named_measures, named_runs

OF_RUNS = ("rankings", "groups")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge audit``."""
    parser.describe(
        description="Compare a machine's judgments with human ones on the pairs that both judged: "
        "agreement and calibration\nof its labels and, with RUNs, the ranking of systems and "
        "whether it favours a group of systems.",
        epilog=(
            "examples:\n"
            "  irx judge audit human.qrels gpt4.qrels\n"
            "  irx judge audit human.qrels gpt4.qrels runs/* --groups groups.csv\n"
            "  irx judge audit human.qrels gpt4.qrels --machine llama.qrels -o csv"
        ),
    )
    add_both_qrels(parser, "the judgments to compare with", "labels of the same pairs")
    add_runs(parser, "TREC run files (.gz too), to be ranked by both", nargs="*")
    parser.add_argument(
        "--machine",
        dest="more",
        metavar="QRELS",
        nargs="+",
        action="extend",
        default=[],
        role=MACHINE_QRELS,
        help="qrels of more machines",
    )
    add_scoring_options(
        parser, "P(human grade | label) of one machine", places=None, measures=["nDCG@10"]
    )
    parser.add_argument(
        "--show",
        choices=TABLES,
        help="the table to print. agreement: a row per machine; grades: leniency by human grade; "
        "calibration: P(human grade | label); rankings: Kendall's tau of the rankings of systems; "
        "groups: which groups of systems a machine favours. By default, all tables as text, and "
        "agreement in other formats",
    )
    parser.add_argument(
        "--relevant",
        metavar="N",
        type=count,
        default=1,
        help="lowest human grade that is relevant, for precision and recall (default: 1)",
    )
    parser.add_argument(
        "--machine-relevant",
        "--machine_relevant",
        metavar="N",
        type=count,
        help="lowest label that is relevant (default: that of --relevant)",
    )
    add_level(parser)
    parser.add_argument(
        "--samples",
        metavar="N",
        type=count,
        default=1000,
        help="bootstrap samples of the topics, for the interval of tau (default: %(default)s)",
    )
    add_seed(parser)
    parser.set_defaults(run=_audit)


def _audit(options: argparse.Namespace) -> str:
    check_output(options)
    level = level_of(options.level, "--level")
    if options.show in OF_RUNS and not options.runs:
        raise InputError(f"--show {options.show} needs RUNs")
    files = list(dict.fromkeys([options.machine, *options.more]))
    machines = {judge_name(file): file for file in files}
    if len(machines) < len(files):
        raise InputError(f"machines must have files of different names; got {', '.join(files)}")
    if options.plot is not None and len(machines) > 1:
        raise InputError("--plot goes with one machine")
    audit = audit_judges(
        options.human,
        machines,
        _runs(options),
        named_measures(options),
        relevant=options.relevant,
        machine_relevant=options.machine_relevant,
        level=level,
        samples=options.samples,
        seed=options.seed,
        progress=progress_of(options),
    )
    text = audit_text(audit, options.show, options.output_format, options.places)
    write_plot(options, partial(plots.judge_calibration, audit.agreements[0]))
    return text


def _runs(options: argparse.Namespace) -> RunSet | None:
    if not options.runs:
        return None
    return RunSet(
        named_runs(options.runs),
        groups=options.groups,
        strict=options.strict,
        format=options.format,
    )
