"""``irx judge``: what to judge next, and judgments of machines, such as language models."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..common.warn import untold
from ..common.writing import shown
from ..doubts.qrels import OF_LOG
from ..exceptions import InputError
from ..judging.audit import audit_judges
from ..judging.prediction_powered import prediction_powered
from ..reporting.judging import TITLES, audit_output, prediction_powered_output
from ..results.output import Output
from ..runsets.sources import run_name
from . import campaign
from .files import input_file
from .from_function import add_options, asked
from .options import READING, add_shared
from .output import add_plot, places
from .parser import Parser
from .reading import judged, named_measures, named_runs, read, run_set

OF_RUNS = ("rankings", "groups")

OF_AUDIT = ("relevant", "machine_relevant", "level", "samples", "seed")


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
    add_shared(parser, "format")
    add_shared(parser.more, "places", about="3, and all digits in csv and tsv")
    add_shared(parser.more, *READING, "limits")


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
    add_shared(parser, "human", about="the judgments to compare with")
    add_shared(parser, "machine", about="labels of the same pairs")
    add_shared(parser, "runs", about="; both rank them", nargs="*")
    add_shared(parser, "measures", about=" (default: nDCG@10)", required=False, default=["nDCG@10"])
    parser.add_argument(
        "--machine",
        dest="more",
        metavar="QRELS",
        type=input_file,
        nargs="+",
        default=[],
        help="qrels of more machines",
    )
    parser.add_argument(
        "--show",
        choices=TITLES,
        help="the table to print. agreement: a row per machine; grades: leniency by human grade; "
        "calibration: P(human grade | label); rankings: Kendall's tau of the rankings of systems; "
        "groups: which groups of systems a machine favours. By default, all tables as text, and "
        "agreement in other formats",
    )
    add_shared(parser, "plot", about="P(human grade | label) of one machine")
    add_shared(parser.more, "width")
    add_options(parser.more, audit_judges, *OF_AUDIT)
    parser.more.add_argument(
        "--mapping",
        metavar="LABEL=GRADE",
        nargs="+",
        type=_meaning,
        help="the grade that a label means, if labels are on another scale, as in 1=3; others mean "
        "the same grade",
    )
    _add_shown(parser)
    parser.set_defaults(run=_audit)


def _meaning(text: str) -> tuple[int, int]:
    """A label and the grade that it means."""
    label, _, grade = text.partition("=")
    try:
        return int(label), int(grade)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"must be a label and its grade, as in 1=3; got {shown(text)}"
        ) from None


def _audit(options: argparse.Namespace) -> Output:
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
        mapping=None if options.mapping is None else dict(options.mapping),
        **asked(options, *OF_AUDIT),
    )
    output = audit_output(audit, options.show, options.output_format, places(options))
    first = audit.agreements[0]
    add_plot(options, [lambda plots, width: plots.judge_calibration(first, width=width)])
    return output


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
    add_shared(parser, "human", about="n topics")
    add_shared(parser, "machine", about="the same topics and others of the same kind")
    add_shared(parser, "runs", "measures")
    add_shared(parser, "baselines", about="estimate every system's difference from this one")
    add_options(parser, prediction_powered, "level")
    _add_shown(parser)
    parser.set_defaults(run=_estimate)


def _estimate(options: argparse.Namespace) -> Output:
    inputs = read(options, options.human)
    human = inputs.scores()
    said = [OF_LOG for line in human.warnings if OF_LOG in line]
    with untold(*said):  # of the machine's qrels, too
        machine = inputs.scores(qrels=judged(options.machine, options.strict))
    result = prediction_powered(
        human,
        machine,
        baseline=inputs.baselines or None,
        level=options.level,
    )
    return prediction_powered_output(result, options.output_format, places(options))


COMMANDS: dict[str, tuple[str, Callable[[Parser], None]]] = {
    "audit": (
        "compare a machine's judgments with human ones: labels, rankings of systems",
        _add_audit,
    ),
    "estimate": (
        "estimate scores from human judgments of some topics and machine judgments of more",
        _add_estimate,
    ),
    "next": ("print the documents to judge next", campaign.add_next),
    "add": ("add judgments that people filled in to qrels", campaign.add_add),
    "status": (
        "the answer of a judging campaign, and whether judging can stop",
        campaign.add_status,
    ),
}
