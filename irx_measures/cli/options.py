"""What the commands of ``irx`` share: the parser, the arguments, and what the arguments name."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from ir_measures import Measure

from ..exceptions import InputError
from ..io.formats import FORMAT_NAMES
from ..io.trec import IRDS
from ..measures.strings import parse_measures, split_measures, takes_runs
from ..reporting.text_formats import DEFAULT_PLACES, FORMATS
from ..runsets.registry import register_runs
from ..runsets.runset import RunSet
from ..runsets.sources import path_name, run_name
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix

USAGE_ERROR = 2

MOST = 2**31 - 1


class Parser(argparse.ArgumentParser):
    """A parser with ``--debug``, whose errors are one line where argparse prints the usage too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.add_argument(
            "--debug",
            action="store_true",
            default=argparse.SUPPRESS,  # else a command's default would overrule `irx --debug`
            help="print the traceback of an internal error",
        )

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def add_qrels(parser: Parser) -> None:
    """Add the argument of every command that scores runs: what to score them against."""
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        help="a TREC qrels file (.gz too), else an ir_datasets id; 'irds:' forces the id; "
        "'-' for no qrels",
    )


def qrels_of(given: str) -> Any:
    """Where to read qrels from; ``-`` is no qrels."""
    return {} if given == "-" else given


def add_scoring_options(parser: Parser, picture: str, format_note: str = "") -> None:
    """Add what every command takes that scores runs and prints a table.

    Parameters
    ----------
    parser
        The command's.
    picture
        What ``--plot`` draws, for the help text.
    format_note
        To be added to the help text of ``--output_format``.
    """
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        nargs="+",
        required=True,
        help="measures of this package (see 'irx measures') and of ir_measures",
    )
    parser.add_argument(
        "--reference",
        metavar="RUN",
        help="the reference of measures that name no reference; QRELS may then be '-', for no "
        "qrels",
    )
    parser.add_argument(
        "--groups", metavar="CSV", help="a CSV file with columns run and group, for select="
    )
    parser.add_argument(
        "-p",
        "--places",
        metavar="N",
        type=int,
        default=DEFAULT_PLACES,
        help="decimal places, -1 for all (default: %(default)s)",
    )
    parser.add_argument(
        "-o",
        "--output_format",
        choices=FORMATS,
        default="table",
        help="(default: %(default)s); csv-safe: no name is a formula in a spreadsheet"
        f"{format_note}",
    )
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help=f"draw {picture} (.png, .svg or .pdf)"
    )
    parser.add_argument(
        "--no-strict",
        dest="strict",
        action="store_false",
        help="drop NaN scores and documents returned or judged twice, with a warning; "
        "without this option they are errors",
    )
    parser.add_argument(
        "--no-files",
        dest="allow_files",
        action="store_false",
        help="measures may not name files or ir_datasets ids: for untrusted measure strings",
    )
    parser.add_argument(
        "--prior",
        dest="priors",
        metavar="RUN",
        action="append",
        default=[],
        help="a run that measures can name as their prior and that is not scored: bm25.run is "
        "called bm25; measures that name no prior take it. May be repeated",
    )
    parser.add_argument(
        "--limits",
        metavar="MEMORY",
        help="memory that a measure may take, such as 2GB (default: a quarter of the machine's)",
    )
    parser.add_argument(
        "--format",
        choices=FORMAT_NAMES,
        help="the format of the RUN files; by default their endings say it. msmarco: three "
        "columns (query, document, rank)",
    )
    add_quiet(parser)


def add_quiet(parser: Parser) -> None:
    parser.add_argument(
        "--quiet",
        action="store_true",
        help="no progress bar, and no evaluation warnings: doubts about what scores mean",
    )


def count(text: str) -> int:
    """The type of options that say how many; the functions called check the lower limit."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number; got {text!r}") from None
    if number > MOST:
        raise argparse.ArgumentTypeError(f"must be at most {MOST}; got {text}")
    return number


def progress_of(options: argparse.Namespace) -> bool | None:
    """Whether to show progress: never with ``--quiet``, else where stderr is a terminal."""
    return False if options.quiet else None


def named_measures(options: argparse.Namespace) -> list[Measure]:
    """The measures asked for; those that name no prior or reference take those of the options."""
    priors = _registered_priors(options)
    measures = parse_measures(
        split_measures(options.measures),
        allow_files=options.allow_files,
        names=named_runs(options.runs),
    )
    if priors:
        measures = _fill_in(measures, "prior", "+".join(priors))
    return measures if options.reference is None else _refer(measures, options.reference)


def _registered_priors(options: argparse.Namespace) -> list[str]:
    """The names of the runs of ``--prior``, which measures can use from now on."""
    scored, priors = named_runs(options.runs), named_runs(options.priors)
    for name, prior in priors.items():
        if name not in scored:
            register_runs(name, {name: prior}, replace=True, strict=options.strict)
        elif scored[name] != prior:
            raise InputError(f"{scored[name]} and {prior} would both be called {name!r}")
    return list(priors)


def _fill_in(measures: Sequence[Measure], param: str, name: str) -> list[Measure]:
    """The measures; those that have a parameter for runs and name no runs get the name given."""
    return [
        measure(**{param: name})
        if takes_runs(measure, param) and measure[param] is None
        else measure
        for measure in measures
    ]


def _refer(measures: Sequence[Measure], reference: str) -> list[Measure]:
    """The measures; those that take a reference and name no reference get the one given."""
    name = register_runs(run_name(reference), named_runs([reference]), replace=True).name
    return _fill_in(measures, "reference", name)


def named_runs(paths: Sequence[str]) -> dict[str, str | Path]:
    """Run files and ir_datasets ids by the names of their runs."""
    named: dict[str, str | Path] = {}
    for path in paths:
        of_dataset = path.startswith(IRDS)
        name = path_name(path)
        if not name:
            raise InputError(f"a run must be a file or an ir_datasets id; got {path!r}")
        if not name.isprintable():
            raise InputError(f"runs must have printable names; got {name!r}")
        if name in named:
            raise InputError(f"{named[name]} and {path} would both be called {name!r}")
        named[name] = path if of_dataset else Path(path)
    return named


def evaluate_runs(
    options: argparse.Namespace, qrels: Any, runs: Sequence[str], measures: Sequence[Measure]
) -> ScoreMatrix:
    """The scores of runs, read and grouped as the options say."""
    named = named_runs(runs)
    return evaluate(
        named if options.format is None else RunSet(named, format=options.format),
        qrels,
        measures,
        options.groups,
        strict=options.strict,
        progress=progress_of(options),
    )
