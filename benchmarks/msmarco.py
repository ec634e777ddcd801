"""Time MS MARCO's dev queries beside trec_eval and ir_measures: python -m benchmarks.msmarco.

One run of 6 980 queries and 1 000 documents each, which this program makes. Every cell is a process
of its own: a program counts whole, a call in Python beyond its imports. The table gives the lowest
CPU seconds of the repeats and the highest peak of memory. The scores must agree: with ir_measures
within 1e-12, with trec_eval in the four decimals that it prints.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from .compare import PAGE, ROOT, conditions, markdown, replace_block
from .contenders import irx_command
from .generate import dev_queries
from .workers import PYTHON, builds, environment

BLOCK = "dev queries"
REPEATS = 2
QUERIES, DEPTH = 6980, 1000
TOLERANCE, PLACES = 1e-12, 4
TREC, MSMARCO = "trec", "msmarco"

# The options of trec_eval, and the name in ir_measures, which has no RBP without `rel`.
MEASURES = {
    "nDCG@10": (("-m", "ndcg_cut.10"), "nDCG@10"),
    "RR@10": (("-M", "10", "-m", "recip_rank"), "RR@10"),
    "RBP(p=0.8)": (("-m", "rbp.p=0.8"), "RBP(p=0.8,rel=1)"),
    "AP": (("-m", "map"), "AP"),
}
REFERENCE = "ir_measures, in Python"
TREC_EVAL = "trec_eval, the C program"


class Files(NamedTuple):
    """Qrels, and one run in both layouts."""

    qrels: Path
    trec: Path
    msmarco: Path

    def of(self, layout: str) -> tuple[Path, Path]:
        return self.qrels, self.msmarco if layout == MSMARCO else self.trec


class Used(NamedTuple):
    """What one evaluation took, and the score as it was returned or printed."""

    seconds: float
    memory: float
    score: str


class Contender(NamedTuple):
    """A row of the table.

    Attributes
    ----------
    name
        As in the table.
    kind
        A task of `alone`, or a key of `_command`.
    build
        The build of this package; of others, any.
    layout
        Of the run file.
    """

    name: str
    kind: str
    build: str = PYTHON
    layout: str = TREC


def contenders(trec_eval: str | None) -> list[Contender]:
    """All that can run here; trec_eval's path may be missing."""
    made = [Contender(TREC_EVAL, "trec_eval")] if trec_eval else []
    made += [
        Contender(REFERENCE, "calc_aggregate"),
        Contender("`ir_measures`, the command", "ir_measures"),
    ]
    for build in builds():
        made += [
            Contender(f"`evaluate`, {build}", "evaluate", build),
            Contender(f"`irx evaluate`, {build}", "irx", build),
            Contender(f"`evaluate`, {build}, three columns", "evaluate", build, MSMARCO),
        ]
    return made


def write_files(folder: Path, queries: int, depth: int) -> Files:
    """Make the collection, and write it in both layouts."""
    folder.mkdir(parents=True)
    made = dev_queries(queries, depth)
    qrels, runs = made.write(folder, gzipped=False)
    return Files(qrels, runs["run1"], made.write_msmarco(folder)["run1"])


def measured(
    contender: Contender, measure: str, files: Files, tiny: Files, trec_eval: str | None
) -> Used:
    """Run a contender once, in a new process."""
    options, theirs = MEASURES[measure]
    name = theirs if contender.kind in ("calc_aggregate", "ir_measures") else measure
    with environment("0" if contender.build == PYTHON else "1"):
        if contender.kind in ("evaluate", "calc_aggregate"):
            paths = [*tiny.of(contender.layout), *files.of(contender.layout)]
            task = [contender.kind, name, contender.layout, *paths]
            found = _told([sys.executable, "-m", "benchmarks.alone", *task])
            return Used(found["seconds"], found["memory"], repr(found["score"]))
        of_kind = {
            "trec_eval": [trec_eval, *options, files.qrels, files.trec],
            "ir_measures": [_beside("ir_measures"), files.qrels, files.trec, name, "-o", "jsonl"],
            "irx": [
                *(*irx_command(), "evaluate", files.qrels, files.trec),
                *("-m", name, "-o", "jsonl"),
            ],
        }
        launcher = Path(__file__).with_name("alone.py")
        found = _told([sys.executable, "-I", "-S", launcher, *of_kind[contender.kind]])
    printed = found["printed"].strip()
    if contender.kind == "trec_eval":
        score = printed.split()[-1]
    else:
        score = repr(json.loads(printed)["value"])
    return Used(found["seconds"], found["memory"], score)


def _beside(command: str) -> str:
    """The path of a command of this environment."""
    found = shutil.which(command, path=Path(sys.executable).parent)
    if found is None:
        raise RuntimeError(f"no command {command} beside {sys.executable}")
    return found


def _told(command: Sequence[str | os.PathLike[str]]) -> dict:
    """What `alone` reports."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def check(measure: str, scores: Mapping[str, str]) -> None:
    """Raise an error if a score is not the reference's."""
    reference = float(scores[REFERENCE])
    for name, score in scores.items():
        if name == TREC_EVAL:
            agrees = score == f"{reference:.{PLACES}f}"
        else:
            agrees = abs(float(score) - reference) <= TOLERANCE
        if not agrees:
            raise RuntimeError(f"{measure}: {name} has {score}, and {REFERENCE} has {reference!r}")


def rows(
    options: argparse.Namespace, folder: Path
) -> Iterator[tuple[str, dict[Contender, list[Used]]]]:
    """By measure, what every contender used in every repeat; the scores are checked."""
    # A process of its own makes the files: its memory must not count towards that of programs.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as maker:
        sizes = (options.queries, options.depth)
        files = maker.submit(write_files, folder / "full", *sizes).result()
        tiny = maker.submit(write_files, folder / "tiny", 2, 10).result()
    for measure in options.measures:
        found: dict[Contender, list[Used]] = {some: [] for some in contenders(options.trec_eval)}
        for _ in range(options.repeats):
            for some, used in found.items():
                used.append(measured(some, measure, files, tiny, options.trec_eval))
        check(measure, {some.name: used[-1].score for some, used in found.items()})
        yield measure, found


def cell(used: Sequence[Used]) -> str:
    """Lowest time and highest memory, as text."""
    return f"{min(u.seconds for u in used):.2f} s, {max(u.memory for u in used):.0f} MB"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m benchmarks.msmarco", description=__doc__.split("\n", 1)[0]
    )
    made.add_argument("--trec-eval", metavar="PATH", help="trec_eval's C program")
    made.add_argument("--measures", nargs="+", choices=MEASURES, default=[*MEASURES])
    made.add_argument("--repeats", type=int, default=REPEATS)
    made.add_argument("--queries", type=int, default=QUERIES)
    made.add_argument("--depth", type=int, default=DEPTH)
    made.add_argument("--write-page", action="store_true", help="needs trec_eval, in full size")
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and write it into the page of the docs if asked."""
    asked = parser()
    options = asked.parse_args(arguments)
    sizes = (options.queries, options.depth, len(options.measures))
    if options.write_page and (not options.trec_eval or sizes != (QUERIES, DEPTH, len(MEASURES))):
        asked.error("--write-page needs --trec-eval, all measures and the full size")
    if options.trec_eval:
        options.trec_eval = os.path.abspath(options.trec_eval)
    said = conditions(options.trec_eval)
    print(said, flush=True)
    table: dict[str, list[str]] = {some.name: [] for some in contenders(options.trec_eval)}
    with tempfile.TemporaryDirectory() as folder:
        for measure, found in rows(options, Path(folder)):
            for some, used in found.items():
                table[some.name].append(cell(used))
                print(f"{measure} | {some.name} | {cell(used)} | {used[-1].score}", flush=True)
    made = markdown(("work", *options.measures), [(name, *of) for name, of in table.items()])
    print(made)
    if options.write_page:
        replace_block(ROOT / PAGE, BLOCK, [f"{said} Repeats: {options.repeats}.", made])


if __name__ == "__main__":
    main()
