"""``irx help``: the help of a command, and of the options that commands share."""

from __future__ import annotations

import argparse

from ..common.writing import did_you_mean
from ..exceptions import InputError
from .comparing import METHOD, add_method
from .main import COMMANDS, _parser
from .options import READING, add_shared
from .parser import COMMAND, Parser

OPTIONS = "options"

SECTIONS = {
    "what is read": ("qrels", "runs", "measures", "collections", "scores", "direction"),
    "how it is read and scored": (*READING, "limits"),
    "what is compared": ("baselines", "by", "macro", "worse"),
    "what is printed and drawn": (
        "show", "interval", "interval method", "rename", "format", "places", "plot", "width",
    ),
}  # fmt: skip
"""The options in `irx help options`, in the order in which they are explained."""

COMPARED = "what is compared"  # the section with the parameters of `compare`


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx help``."""
    parser.describe(
        "The help of a command, as -h after it prints it; without a name, the list of commands. "
        "'irx help options' explains the options that commands share.",
        f"[{COMMAND} [STUDY]]",
        "  irx help compare\n  irx help judge next\n  irx help options",
    )
    parser.add_argument(
        "topic",
        metavar=COMMAND,
        nargs="?",
        choices=[*COMMANDS, OPTIONS],
        help=f"the name of a command, or '{OPTIONS}'",
    )
    parser.add_argument("study", metavar="STUDY", nargs="?", help="a command of judge or meta")
    parser.set_defaults(run=_help)


def options_parser() -> Parser:
    """The options that commands share, with their long texts; it parses nothing."""
    parser = Parser(prog="irx", add_help=False)
    parser.describe(
        "The options that commands share. irx COMMAND -h lists those of a command.",
        "COMMAND QRELS RUN [RUN ...] -m MEASURE [MEASURE ...] [options]",
        "  runs in the format of MS MARCO:\n"
        "    irx evaluate qrels.txt runs/* --format msmarco -m RR@10\n"
        "  two systems, within each language of the queries:\n"
        "    irx compare qrels.txt a.run b.run -m nDCG@10 --by languages.csv\n"
        "  the macro mean over several collections:\n"
        "    irx compare --collections beir/* -m nDCG@10 --macro groups\n"
        "  a measure with a prior, and one with a reference in place of qrels:\n"
        "    irx evaluate qrels.txt runs/* -m NRG@10 --prior bm25.run\n"
        "    irx evaluate - first.run --reference second.run -m 'RBR(phi=0.9)@20'\n"
        "  a picture for a column of a paper:\n"
        "    irx compare qrels.txt runs/* -m nDCG@10 --plot boards.pdf --width 3.3\n"
        "  measures and files that you do not trust:\n"
        "    irx evaluate qrels.txt a.run -m 'NRG(prior=others)@10' --no-files --limits 2GB",
    )
    for title, names in SECTIONS.items():
        section = parser.add_argument_group(title)
        add_shared(section, *names, whole=True)
        if title == COMPARED:
            add_method(section, *METHOD, whole=True)
    return parser


def _help(options: argparse.Namespace) -> str:
    if options.topic is None:
        return _parser(()).format_help()
    if options.topic == OPTIONS:
        if options.study is not None:
            raise InputError(f"irx help {OPTIONS} takes no other name; got {options.study!r}")
        return options_parser().format_help()
    return _parser_of(options.topic, options.study).format_help()


def _parser_of(command: str, study: str | None) -> Parser:
    """The parser of a command, or of a command below it."""
    parsers = {each.prog: each for each in _parser([command]).commands()}
    above = f"irx {command}"
    if study is None:
        return parsers[above]
    below = {
        prog.removeprefix(f"{above} "): each
        for prog, each in parsers.items()
        if prog.startswith(f"{above} ")
    }
    if study not in below:
        hint = did_you_mean(study, {name: name for name in below})
        raise InputError(f"irx {command} has no command {study!r}{hint}")
    return below[study]
