"""The ``irx`` command: parse, call, print."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import __version__
from .cli_evaluate import add_evaluate
from .cli_meta import add_meta
from .cli_options import (
    USAGE_ERROR,
    Parser,
    add_quiet,
    progress_of,
)
from .demo import run_demo
from .measures import catalogue, measure_info
from .simulate import simulate_campaign
from .tables import measures_table


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
        if category is UserWarning:
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
    _add_measures(commands)
    _add_simulate(commands)
    add_meta(commands)
    _add_demo(commands)
    return parser


def _add_measures(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "measures",
        help="the catalogue of measures, or one measure's page",
        description="The catalogue of this package's measures, or one measure's page.",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="as in: irx measures NRG")
    parser.set_defaults(run=_measures)


def _measures(options: argparse.Namespace) -> str:
    if options.name is None:
        return f"{measures_table()}\n\nirx measures NAME prints a measure's page.\n"
    for info in measure_info():
        if info.name == options.name:
            given = ", ".join(
                f"{name}={param.default!r}"
                for name, param in info.params.items()
                if name != "cutoff"
            )
            return f"{info.name}({given})@k\n\n{info.doc}\n"
    spelled = {name.lower(): name for name in catalogue}
    near = difflib.get_close_matches(options.name.lower(), spelled, n=1, cutoff=0.4)
    hint = f"; did you mean {spelled[near[0]]}?" if near else f"; known are {', '.join(catalogue)}"
    raise ValueError(f"no measure of this package is called {options.name!r}{hint}")


def _add_simulate(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "simulate",
        help="write a simulated campaign as TREC files",
        description=(
            "Write a simulated campaign (qrels.txt, groups.csv, runs/*.run.gz) to a folder: "
            "families of systems over graded relevance, a third of them not pooled."
        ),
        epilog="example: irx simulate campaign --systems 20 --seed 7",
    )
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="where the files go; made where it is missing"
    )
    parser.add_argument(
        "--systems", type=int, default=12, help="three to a family (default: %(default)s)"
    )
    parser.add_argument("--queries", type=int, default=50, help="(default: %(default)s)")
    parser.add_argument(
        "--depth", type=int, default=1000, help="documents per query (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    parser.set_defaults(run=_simulate)


def _simulate(options: argparse.Namespace) -> str:
    campaign = simulate_campaign(options.systems, options.queries, options.depth, options.seed)
    files = campaign.write(options.folder)
    return "".join(f"{file}\n" for file in files)


def _add_demo(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "demo",
        help="a simulated campaign through every family of measures",
        description=(
            "Simulate a campaign, evaluate it with every family of measures, print tables, and "
            "draw pictures where matplotlib is installed."
        ),
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="where campaign and pictures go (default: a new folder for temporary files)",
    )
    add_quiet(parser)
    parser.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> str:
    folder = options.folder or Path(tempfile.mkdtemp(prefix="irx-demo-"))
    tables, pictures = run_demo(folder, progress_of(options))
    drawn = " ".join(map(str, pictures)) or (
        "none: they need matplotlib (pip install 'irx-measures[plots]')"
    )
    files = f"{folder}/qrels.txt {folder}/runs/*"
    return (
        f"{tables}\nCampaign: {folder} (TREC files: qrels.txt, groups.csv, runs/)\n"
        f"Pictures: {drawn}\n\nNext:\n"
        "  irx measures NRG\n"
        f"  irx evaluate {files} -m nDCG@10 'NRG(prior=others)@10'\n"
        f"  irx meta power {files} -m nDCG@10 'NRG(prior=others)@10'\n"
        "and with your own qrels and runs: irx evaluate --help\n"
    )
