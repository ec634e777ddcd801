"""The ``irx`` command: parse, call, print."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..common.memory import memory_limit
from ..common.version import VERSION
from ..exceptions import (
    EvaluationWarning,
    InputError,
    MissingExtraError,
    importing,
    message_line,
)
from ..io.core import BUILT
from ..io.opened import noting_opened
from .files import expand_globs
from .interrupts import INTERRUPTED, raise_at_interrupt
from .output import check_output, check_streams, printed_line, tell, with_provenance
from .parser import COMMAND, USAGE_ERROR, Parser

if TYPE_CHECKING:
    from ..results.output import Output

INTERNAL_ERROR = 1  # as Python's own status after a traceback

COMPLETION = "--print-completion"  # as shtab calls it

COMMANDS = {
    "evaluate": "score runs against qrels",
    "compare": "test which systems are better, by how much, and what is tied",
    "explain": "show why a run has its score on a query",
    "report": "one HTML file: which differences are real, topic by topic",
    "judge": "what to judge next, and when it is enough; judgments of machines",
    "measures": "the catalogue of measures, or one measure's page",
    "cite": "print BibTeX of the papers of measures",
    "simulate": "write a simulated campaign as TREC files",
    "meta": "judge measures: power, concordance, stability, swap, systems, correlation; pareto",
    "reproduce": "the papers' tables beside the printed numbers, and their experiments on other "
    "data",
    "demo": "a simulated campaign, evaluated, compared and reported",
    "help": "the help of a command, or of the options that commands share",
}
"""The commands, in the order of the help. Each is a module; only the one that runs is imported."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command of these arguments, by default those of the process; its exit status.

    The status is 0 for success, 2 for a usage or input error, 1 for a bug in this package. An error
    prints one line on stderr; ``--debug`` adds the traceback of a bug. With ``--fail-if-worse``,
    status 1 is a verdict, and a bug has status 2.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        raise_at_interrupt()
        if given[:1] == [COMPLETION]:
            return _run(_completing().parse_args(given), given)
        return _run(_parser(given).parsed(given), given)
    except MissingExtraError as error:
        print(f"irx: error: {error}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(options: argparse.Namespace, given: Sequence[str]) -> int:
    """Run the command: it prints its results, then its pictures are drawn.

    A picture that cannot be drawn loses no result, and results that cannot be printed no picture.
    """
    options.pictures = []  # the command adds those that are to be drawn
    options.checks = []  # and what decides the exit status, after all else
    options.command_line = shlex.join(["irx", *given])
    with (
        _warnings_in_one_line(options) as told,
        memory_limit(getattr(options, "limits", None)),
    ):
        status = _status(options, lambda: _print(options, told))
        for step in (*options.pictures, *options.checks):
            status = max(status, _status(options, step))
    return status


def _status(options: argparse.Namespace, step: Callable[[], int | None]) -> int:
    """Take a step of a command, and print its error; the exit status that it gives."""
    try:
        return step() or 0
    except BrokenPipeError:
        return 0  # the reader closed the pipe, as `head` does
    except (InputError, Warning, OSError, MemoryError) as error:  # a warning is raised if asked for
        for reason in getattr(error, "messages", [_reason(error)]):
            tell(options, f"error: {message_line(options.parser.in_options(reason))}")
        return USAGE_ERROR
    except Exception as error:
        if options.debug:
            traceback.print_exc()
        print(
            f"irx: internal error: {type(error).__name__}: {message_line(printed_line(error))} "
            "(please report this line; --debug shows where)",
            file=sys.stderr,
        )
        return USAGE_ERROR if getattr(options, "fail_if_worse", False) else INTERNAL_ERROR


def _print(options: argparse.Namespace, told: Sequence[str]) -> None:
    """Run the command and print its results, whole, before anything else is done with them."""
    check_streams()
    output = _output(options, told)
    try:
        sys.stdout.write(output)
        sys.stdout.flush()
    except OSError as error:
        # What is left would be written again at exit: an error of the interpreter, with its status.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise OSError(error.errno, error.strerror, "stdout") from None


def _output(options: argparse.Namespace, told: Sequence[str]) -> str:
    """What the command prints on stdout; `told` gets its warnings while it runs."""
    check_output(options)
    expand_globs(options)
    with noting_opened() as opened:
        result: Output | str = options.run(options)
    if isinstance(result, str):
        return result
    if result.form != "json":
        return result.text
    (table,) = result.tables
    return with_provenance(options.command_line, table, told, opened)


@contextmanager
def _warnings_in_one_line(options: argparse.Namespace) -> Iterator[list[str]]:
    """Print each warning for users once, like an error, and list them; others are not changed.

    With ``--quiet``, doubts about scores are listed and not printed.
    """
    quiet = getattr(options, "progress", None) is False
    told: list[str] = []

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        is_doubt = issubclass(category, EvaluationWarning)
        if category is not UserWarning and not is_doubt:
            show_otherwise(message, category, *where, **more)
            return
        text = printed_line(options.parser.in_options(str(message)))
        if text in told:
            return
        told.append(text)
        if not (quiet and is_doubt):
            tell(options, f"warning: {text}")

    with warnings.catch_warnings():
        show_otherwise = warnings.showwarning
        warnings.showwarning = show
        if quiet:
            warnings.simplefilter("always", EvaluationWarning)
        yield told


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return f"not enough memory: {str(error) or 'none is left'}"
    return str(error)


def _parser(named: Collection[str] = tuple(COMMANDS)) -> Parser:
    """The parser of the command line, with the arguments of the commands that are named."""
    parser = Parser(
        prog="irx",
        description="Evaluate, compare and explain runs of retrieval systems.",
    )
    parser.epilog = f"Try: irx demo\nTab completion, by shtab: irx {COMPLETION} bash (or zsh, tcsh)"
    parser.set_defaults(debug=False)
    core = "native" if BUILT else "python"
    version = f"irx {VERSION} (core: {core})"
    parser.add_argument("--version", action="version", version=version)

    def fill(command: Parser, name: str) -> None:
        if name in named:
            import_module(f"{__package__}.{name}").add_arguments(command)

    parser.add_commands("command", COMMAND, COMMANDS, fill)
    parser.add_debug()
    return parser


def _completing() -> Parser:
    """The whole parser, with the option of shtab."""
    with importing("completion", "completion needs shtab"):
        import shtab
    parser = _parser()
    for action in (action for command in parser.commands() for action in command._actions):
        if action.nargs != 0 and action.choices is None:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    shtab.add_argument_to(parser, COMPLETION)
    return parser
