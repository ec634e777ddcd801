"""The parser and the arguments that the commands of ``irx`` share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from ir_measures import Measure

from ..exceptions import InputError
from ..io.formats import FORMAT_NAMES
from ..io.irds import IRDS
from ..measures.strings import parse_measures, split_measures, takes_runs
from ..reporting.text_formats import DEFAULT_PLACES, FORMATS
from ..runsets.registry import OTHERS, register_runs
from ..runsets.runset import RunSet
from ..runsets.sources import path_name
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix

USAGE_ERROR = 2

MOST = 2**31 - 1


class Parser(argparse.ArgumentParser):
    """A parser with ``--debug``; errors are one line, without the usage that argparse prints."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.add_argument(
            "--debug",
            action="store_true",
            default=argparse.SUPPRESS,  # otherwise a command's default would override `irx --debug`
            help="print the traceback of an internal error",
        )

    def error(self, message: str) -> NoReturn:
        line = f"{self.prog}: error: {message} (see {self.prog} --help)\n"
        self.exit(USAGE_ERROR, line if sys.stderr else None)  # Python 3.10 writes to a closed one


def add_qrels(parser: Parser) -> None:
    """Add the argument for the qrels to a command that scores runs."""
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        help="a TREC qrels file (.gz too), else an ir_datasets id; 'irds:' forces the id; "
        "'-' for no qrels",
    )


def qrels_of(given: str) -> Any:
    """The source of the qrels; ``-`` means no qrels."""
    return {} if given == "-" else given


def add_scoring_options(
    parser: Parser,
    picture: str | None,
    format_note: str = "",
    places: int | None = DEFAULT_PLACES,
    measures: Sequence[str] | None = None,
) -> None:
    """Add the options of commands that score runs and print a table.

    Parameters
    ----------
    parser
        The parser of the command.
    picture
        The picture that ``--plot`` draws, for the help text; None: there is no ``--plot``.
    format_note
        A note that is appended to the help text of ``--output_format``.
    places
        The default number of decimal places; None depends on the format.
    measures
        The default measures; None: the user must name measures.
    """
    add_measure_options(parser, measures)
    _add_output_options(parser, picture, format_note, places)
    add_reading_options(parser)


def add_measure_options(parser: Parser, measures: Sequence[str] | None = None) -> None:
    """Add the options for measures; see `add_scoring_options`."""
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        nargs="+",
        required=measures is None,
        default=measures,
        help="measures of this package (see 'irx measures') and of ir_measures"
        f"{'' if measures is None else f' (default: {chr(32).join(measures)})'}",
    )
    parser.add_argument(
        "--reference",
        metavar="RUN",
        help="a run file or the name of a RUN: the reference of measures that name no "
        "reference; QRELS may then be '-', for no qrels",
    )
    parser.add_argument(
        "--groups", metavar="CSV", help="a CSV file with columns run and group, for select="
    )


def _add_output_options(
    parser: Parser, picture: str | None, format_note: str, places: int | None
) -> None:
    """Add the options for tables and pictures; see `add_scoring_options`."""
    parser.add_argument(
        "-p",
        "--places",
        metavar="N",
        type=int,
        default=places,
        help="decimal places; -1: all digits, as programs that read csv or tsv need them; json and "
        "jsonl always have them "
        f"(default: {'3, and -1 in csv and tsv' if places is None else places})",
    )
    parser.add_argument(
        "-o",
        "--output_format",
        choices=FORMATS,
        default="table",
        help="(default: %(default)s); csv-safe: no name is a formula in a spreadsheet; json: the "
        "results with versions, parameters and digests of the inputs"
        f"{format_note}",
    )
    if picture is None:
        parser.set_defaults(plot=None)
    else:
        parser.add_argument(
            "--plot", metavar="FILE", type=Path, help=f"draw {picture} (.png, .svg or .pdf)"
        )


def add_reading_options(parser: Parser) -> None:
    """Add the options for reading runs and qrels; see `add_scoring_options`."""
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
        help="a run file, which is not scored, or the name of a RUN: the prior of measures that "
        "name no prior. Measures can name it, too: bm25.run is called bm25. May be repeated",
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
    """The argparse type of counts; the called functions check the lower limit."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number; got {text!r}") from None
    if number > MOST:
        raise argparse.ArgumentTypeError(f"must be at most {MOST}; got {text}")
    return number


def progress_of(options: argparse.Namespace) -> bool | None:
    """Whether to show progress: never with ``--quiet``, otherwise if stderr is a terminal."""
    return False if options.quiet else None


def named_measures(options: argparse.Namespace) -> list[Measure]:
    """The requested measures; the options fill in a missing prior or reference."""
    _name_files(options)
    priors, references = _registered(options)
    measures = parse_measures(
        split_measures(options.measures),
        allow_files=options.allow_files,
        names=named_runs(options.runs),
    )
    return _fill_in(_fill_in(measures, "prior", priors), "reference", references)


def _name_files(options: argparse.Namespace) -> None:
    """Replace the names of RUNs in ``--prior`` and ``--reference`` by the files of the RUNs."""
    scored = named_runs(options.runs)
    options.priors = [str(scored.get(prior, prior)) for prior in options.priors]
    if options.reference is not None:
        options.reference = str(scored.get(options.reference, options.reference))


def _registered(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Register the runs of ``--prior`` and ``--reference`` for measures; returns their names."""
    references = [] if options.reference is None else [options.reference]
    priors, referred = named_runs(options.priors), named_runs(references)
    known = named_runs(options.runs)
    for name, run in [*priors.items(), *referred.items()]:
        if name not in known:
            known[name] = run
            register_runs(
                name, {name: run}, replace=True, strict=options.strict, format=options.format
            )
        elif not same_run(known[name], run):
            raise InputError(f"{known[name]} and {run} would both be called {name!r}")
    return list(priors), list(referred)


def same_run(one: str | Path, other: str | Path) -> bool:
    """Whether two arguments name the same file or the same ir_datasets id."""
    if str(one).startswith(IRDS) or str(other).startswith(IRDS):
        return str(one) == str(other)
    return Path(one).resolve() == Path(other).resolve()


def _fill_in(measures: Sequence[Measure], param: str, names: Sequence[str]) -> list[Measure]:
    """The measures; if `param` of a measure is not set, it becomes these names."""
    if not names:
        return list(measures)
    return [
        measure(**{param: "+".join(names)})
        if takes_runs(measure, param) and measure[param] is None
        else measure
        for measure in measures
    ]


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
    """The scores of runs, which are read and grouped according to the options."""
    return evaluate_set(options, qrels, run_set(options, runs), measures)


def run_set(options: argparse.Namespace, runs: Sequence[str]) -> RunSet:
    """The runs, named and grouped according to the options; nothing is read."""
    return RunSet(
        named_runs(runs),
        OTHERS,
        groups=options.groups,
        strict=options.strict,
        format=options.format,
    )


def evaluate_set(
    options: argparse.Namespace, qrels: Any, runset: RunSet, measures: Sequence[Measure]
) -> ScoreMatrix:
    """The scores of the runs of a set."""
    return evaluate(runset, qrels, measures, strict=options.strict, progress=progress_of(options))
