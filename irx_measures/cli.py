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

from ir_measures import Measure

from . import __version__
from .cli_meta import add_meta
from .cli_options import (
    USAGE_ERROR,
    Parser,
    add_care,
    add_groups,
    add_measures_option,
    add_output_format,
    add_places,
    add_quiet,
    check_output,
    named_measures,
    named_runs,
    progress_of,
)
from .demo import run_demo
from .evaluation import evaluate
from .intervals import interval_columns, score_columns, with_quantiles
from .measures import catalogue, measure_info
from .runset import register_runs, run_name
from .simulate import simulate_campaign
from .tables import measures_table, score_table


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
    _add_evaluate(commands)
    _add_measures(commands)
    _add_simulate(commands)
    add_meta(commands)
    _add_demo(commands)
    return parser


def _add_evaluate(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "evaluate",
        help="score runs against qrels",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Score runs against qrels. `others` means the runs given.",
        epilog=(
            "examples:\n"
            "  irx evaluate qrels.txt bm25.run -m nDCG@10 AP -o tsv\n"
            "  irx evaluate qrels.txt runs/*.run.gz -m 'NRG(prior=others)@10' nDCG@10\n"
            "  irx evaluate qrels.txt runs/* --groups groups.csv \\\n"
            "      -m 'NRG(prior=others, select=best-per-group)@10'\n"
            "  irx evaluate irds:msmarco-passage/trec-dl-2019/judged a.run b.run \\\n"
            "      -m 'P_Rareness(systems=others, alpha=0.5)@10' -q -n -o csv\n"
            "  irx evaluate - first-stage*.run --reference second-stage.run \\\n"
            "      -m 'RBR(phi=0.9)@20' RBA 'RBO(bound=upper)'\n"
            "  irx evaluate qrels.txt new.run -m 'BootNDCG(prior=pool+run)@10' --interval 90"
        ),
    )
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        help="a TREC qrels file (.gz too), else an ir_datasets id; 'irds:' forces the id; "
        "'-' for none",
    )
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="TREC run files (.gz too), named after the files"
    )
    add_measures_option(parser)
    parser.add_argument(
        "-q", "--by_query", action="store_true", help="a row for every query, then for all"
    )
    parser.add_argument(
        "-n", "--no_summary", action="store_true", help="with -q: leave the rows for all out"
    )
    add_places(parser)
    add_output_format(parser, "; tsv and jsonl as ir_measures prints them")
    parser.add_argument(
        "--interval",
        metavar="PERCENT",
        type=float,
        help="add lower and upper bounds: of BootNDCG and Boot for the judgments that are missing, "
        "of every measure for the choice of topics (percentile bootstrap of the mean)",
    )
    parser.add_argument(
        "--reference",
        metavar="RUN",
        help="the reference of measures that name none; QRELS may then be '-', for no qrels",
    )
    add_groups(parser)
    add_care(parser)
    add_quiet(parser)
    parser.set_defaults(run=_evaluate)


def _evaluate(options: argparse.Namespace) -> str:
    if options.no_summary and not options.by_query:
        raise ValueError("--no_summary (-n) goes with --by_query (-q)")
    if options.interval is not None and not 0 < options.interval < 100:
        raise ValueError(f"--interval must lie in (0, 100); got {options.interval:g}")
    if note := check_output(options):
        print(f"irx evaluate: {note}", file=sys.stderr)
    measures = named_measures(options)
    if options.reference is not None:
        measures = _refer(measures, options.reference)
    level = options.interval
    matrix = evaluate(
        named_runs(options.runs),
        {} if options.qrels == "-" else options.qrels,
        measures if level is None else with_quantiles(measures, level),
        options.groups,
        strict=options.strict,
        progress=progress_of(options),
    )
    return score_table(
        score_columns(matrix) if level is None else interval_columns(matrix, measures, level),
        matrix.systems,
        matrix.query_ids,
        options.output_format,
        options.places,
        options.by_query,
        not options.no_summary,
    )


def _refer(measures: Sequence[Measure], reference: str) -> list[Measure]:
    """The measures, those that take a reference and name none with the one given."""
    name = register_runs(run_name(reference), named_runs([reference]), replace=True).name
    return [
        measure(reference=name)
        if "reference" in measure.SUPPORTED_PARAMS and measure["reference"] is None
        else measure
        for measure in measures
    ]


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
