"""The ``irx`` command: parse, call, print."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .. import __version__
from ..exceptions import EvaluationWarning
from .demo import add_demo
from .evaluate import add_evaluate
from .measures import add_measures
from .meta import add_meta
from .options import USAGE_ERROR, Parser
from .simulate import add_simulate


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        As on the command line; the process' own where None.

    Returns
    -------
    The exit status: 0, or 2 for an error of usage or input, told in one line on stderr.
    """
    options = _parser().parse_args(arguments)
    try:
        with _warnings_in_one_line(options.command):
            output = options.run(options)
        if sys.stdout is None:
            raise OSError("stdout is closed")
        sys.stdout.write(output)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, TypeError, NameError, OSError, ImportError, MemoryError) as error:
        print(f"irx {options.command}: error: {_one_line(error)}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return 130
    return 0


@contextmanager
def _warnings_in_one_line(command: str) -> Iterator[None]:
    """Warnings meant for users are told as errors are; those for programmers stay as they are."""

    def tell(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if category is UserWarning or issubclass(category, EvaluationWarning):
            print(f"irx {command}: warning: {message}", file=sys.stderr)
        else:
            shown(message, category, *where, **more)

    with warnings.catch_warnings():
        shown = warnings.showwarning
        warnings.showwarning = tell
        yield


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return f"not enough memory: {error or 'none is left'}"
    return " ".join(str(error).split())


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="irx",
        description="Measures of information retrieval from five recent papers.",
        epilog="Try: irx demo",
    )
    parser.add_argument("--version", action="version", version=f"irx {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_evaluate(commands)
    add_measures(commands)
    add_simulate(commands)
    add_meta(commands)
    add_demo(commands)
    return parser
