"""The ``irx`` command: parse, call, print."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..common.version import VERSION
from ..exceptions import EvaluationWarning, InputError
from ..io.native import BUILT
from ..runsets.registry import limited
from .cite import add_cite
from .compare import add_compare
from .demo import add_demo
from .evaluate import add_evaluate
from .explain import add_explain
from .judge import add_judge
from .measures import add_measures
from .meta import add_meta
from .options import USAGE_ERROR, Parser
from .output import check_streams, command_of
from .provenance import with_provenance
from .report import add_report
from .reproduce import add_reproduce
from .simulate import add_simulate

INTERNAL_ERROR = 1

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        The arguments of the command line; None: the arguments of the process.

    Returns
    -------
    The exit status: 0 for success, 2 for a usage or input error, 1 for a bug in this package. An
    error prints one line on stderr; ``--debug`` adds the traceback of a bug.
    """
    options = _parser().parse_args(arguments)
    try:
        check_streams(options)
        with _warnings_in_one_line(options), limited(getattr(options, "limits", None)):
            output = options.run(options)
            if getattr(options, "output_format", None) == "json":
                output = with_provenance(command_of(options), options, output)
        sys.stdout.write(output)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; this prevents an error message of the interpreter at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (InputError, OSError, MemoryError) as error:
        print(f"{command_of(options)}: error: {_one_line(error)}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if options.debug:
            traceback.print_exc()
        print(
            f"irx: internal error: {type(error).__name__}: {_in_one_line(error)} "
            "(please report this line; --debug shows where)",
            file=sys.stderr,
        )
        return INTERNAL_ERROR
    return 0


@contextmanager
def _warnings_in_one_line(options: argparse.Namespace) -> Iterator[None]:
    """Print warnings for users like errors; warnings for programmers are not changed."""

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if category is UserWarning or issubclass(category, EvaluationWarning):
            print(f"{command_of(options)}: warning: {_in_one_line(message)}", file=sys.stderr)
        else:
            show_otherwise(message, category, *where, **more)

    with warnings.catch_warnings():
        show_otherwise = warnings.showwarning
        warnings.showwarning = show
        if getattr(options, "quiet", False):
            warnings.simplefilter("ignore", EvaluationWarning)
        yield


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return f"not enough memory: {str(error) or 'none is left'}"
    return _in_one_line(error)


def _in_one_line(message: object) -> str:
    return " ".join(str(message).split())


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="irx",
        description="Evaluate, compare and explain runs of retrieval systems.",
        epilog="Try: irx demo",
    )
    parser.set_defaults(debug=False)
    version = f"irx {VERSION} (look-up: {'native' if BUILT else 'python'})"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_evaluate(commands)
    add_compare(commands)
    add_explain(commands)
    add_report(commands)
    add_judge(commands)
    add_measures(commands)
    add_cite(commands)
    add_simulate(commands)
    add_meta(commands)
    add_reproduce(commands)
    add_demo(commands)
    return parser
