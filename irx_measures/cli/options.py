"""What the commands of ``irx`` share: the parser, and the arguments that name runs and output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ir_measures import Measure

from ..exceptions import InputError
from ..io.trec import IRDS
from ..measures.strings import parse_measure, split_measures
from ..reporting.tables import DEFAULT_PLACES, FORMATS
from ..runsets.sources import run_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

USAGE_ERROR = 2

MOST_PLACES = 1000  # more than any float has


class Parser(argparse.ArgumentParser):
    """A parser that tells an error in one line, where argparse would print the usage too."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def add_measures_option(parser: Parser) -> None:
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        nargs="+",
        required=True,
        help="measures of this package (see 'irx measures') and of ir_measures",
    )


def add_places(parser: Parser) -> None:
    parser.add_argument(
        "-p",
        "--places",
        type=int,
        default=DEFAULT_PLACES,
        help="decimal places, -1 for all (default: %(default)s)",
    )


def add_output_format(parser: Parser, note: str = "") -> None:
    parser.add_argument(
        "-o",
        "--output_format",
        choices=FORMATS,
        default="table",
        help=f"(default: %(default)s){note}",
    )


def add_groups(parser: Parser) -> None:
    parser.add_argument(
        "--groups", metavar="CSV", help="a CSV file with columns run and group, for select="
    )


def add_care(parser: Parser) -> None:
    parser.add_argument(
        "--no-strict",
        dest="strict",
        action="store_false",
        help="leave out NaN scores and documents returned or judged twice, with a warning; "
        "otherwise they are errors",
    )
    parser.add_argument(
        "--no-files",
        dest="allow_files",
        action="store_false",
        help="measures may not name files or ir_datasets ids, as for strings from strangers",
    )


def add_quiet(parser: Parser) -> None:
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def add_plot(parser: Parser, picture: str) -> None:
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help=f"draw {picture} (.png, .svg or .pdf)"
    )


def check_output(options: argparse.Namespace) -> None:
    """Refuse places that no number has and files that cannot be drawn to, before hours of work."""
    if not -1 <= options.places <= MOST_PLACES:
        limit = "least -1" if options.places < -1 else f"most {MOST_PLACES}"
        raise InputError(f"--places must be at {limit}; got {options.places}")
    if options.plot is not None:
        _check_plot(options.plot)
    if options.output_format == "jsonl" and options.places != DEFAULT_PLACES:
        tell(options, "--places is ignored with -o jsonl")


def _check_plot(path: Path) -> None:
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise InputError(f"--plot must end in .png, .svg or .pdf; got {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise InputError(f"--plot: no folder {path.absolute().parent}")
    if path.is_dir():
        raise InputError(f"--plot: {path} is a folder")
    if not os.access(path.absolute().parent, os.W_OK):
        raise InputError(f"--plot: the folder {path.absolute().parent} cannot be written to")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError("--plot needs matplotlib: pip install 'irx-measures[plots]'") from None


def draw_plot(options: argparse.Namespace, draw: Callable[[], Axes]) -> None:
    """Draw where a picture is asked for, and say where it is."""
    if options.plot is not None:
        from ..plots import save

        save(draw(), options.plot)
        tell(options, f"picture: {options.plot}")


def tell(options: argparse.Namespace, message: str) -> None:
    """Tell users something beside the results."""
    command = " ".join(filter(None, ["irx", options.command, getattr(options, "study", None)]))
    print(f"{command}: {message}", file=sys.stderr)


def progress_of(options: argparse.Namespace) -> bool | None:
    """Whether to show progress: not where told to be quiet, else where it is a terminal."""
    return False if options.quiet else None


def named_measures(options: argparse.Namespace) -> list[Measure]:
    """The measures asked for, parsed."""
    return [
        parse_measure(text, allow_files=options.allow_files)
        for text in split_measures(options.measures)
    ]


def named_runs(paths: Sequence[str]) -> dict[str, str | Path]:
    """Run files and ir_datasets ids by the names of their runs."""
    named: dict[str, str | Path] = {}
    for path in paths:
        of_dataset = path.startswith(IRDS)
        name = path.removeprefix(IRDS) if of_dataset else run_name(path)
        if not name.isprintable():
            raise InputError(f"runs must have printable names; got {name!r}")
        if name in named:
            raise InputError(f"{named[name]} and {path} would both be called {name!r}")
        named[name] = path if of_dataset else Path(path)
    return named
