"""Time this package beside its peers: python -m benchmarks.compare.

Every repeat runs the peer and then this package on the same input and divides their CPU times. The
table gives the median of these ratios and, in brackets, the lowest. Memory is the peak in excess of
the loaded input.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import NamedTuple

from . import query_log
from .contenders import COMMANDS, EARLIER, FORMS, ROWS, Peer, Row, peers
from .generate import WORKLOADS
from .workers import EARLIER as EARLIER_BUILD
from .workers import FILES, Peak, Source, builds, peak, seconds, warm_up, workers

ROOT = Path(__file__).resolve().parents[1]
DASK = "dask"
BLOCK = "timings"

PAGE = Path("docs", "pages", "how_fast.md")
SIZES = ("runs", "queries", "depth", "judged")
REPEATS = {"W1": 3, "W2": 1, "W3": 3, "W4": 3, "tiny": 5, "pairs": 5, "log": 5}
LIBRARIES = (
    *("numpy", "pandas", "pyarrow", "ir_measures", "pytrec_eval-terrier", "pyterrier"),
    *("ranx", "rbstar", "dask"),
)


class Measured(NamedTuple):
    """A row in one form: ratios of all repeats and the peak, by build."""

    row: Row
    form: str
    ratios: Mapping[str, Sequence[float]]
    peaks: Mapping[str, Peak]


def compare(
    rows: Sequence[Row],
    source: Source,
    against: Mapping[str, Peer],
    pools: Mapping[str, ProcessPoolExecutor],
    repeats: int,
) -> list[Measured]:
    """The rows of one workload in one form; every distinct peer runs once per repeat."""
    own = [name for name in pools if name != EARLIER_BUILD]
    command = source.workload in COMMANDS
    ratios: dict[tuple[Row, str], list[float]] = {(row, name): [] for row in rows for name in own}

    def peer_seconds(name: str) -> float:
        task = against[name].task
        if isinstance(task, float):  # published
            shape = WORKLOADS[source.workload] | source.sizes
            return task * shape["runs"] * shape["queries"]
        pool = pools[EARLIER_BUILD if name == EARLIER else own[0]]
        programs = source.form == FILES and name != EARLIER
        return pool.submit(seconds, task, source, programs).result()

    _warm_up(rows, source, against, pools)
    timed = [row for row in rows if row.against is not None]
    for _ in range(repeats if timed else 0):
        taken: dict[str, float] = {}
        for row in timed:
            if row.against not in taken:
                taken[row.against] = peer_seconds(row.against)
            for name in own:
                used = pools[name].submit(seconds, row.task, source, command).result()
                ratios[row, name].append(used / taken[row.against])
    return [
        Measured(
            row,
            source.form,
            {name: ratios[row, name] for name in own},
            {name: pools[name].submit(peak, row.task, source).result() for name in own},
        )
        for row in rows
    ]


def _warm_up(
    rows: Sequence[Row],
    source: Source,
    against: Mapping[str, Peer],
    pools: Mapping[str, ProcessPoolExecutor],
) -> None:
    """Run what is timed in a worker itself once on tiny input; programs need no warming up."""
    if source.workload in COMMANDS:
        return
    tasks: list[Callable[..., object]] = [row.task for row in rows]
    if source.form != FILES:
        tasks += [
            task for row in rows if row.against and callable(task := against[row.against].task)
        ]
    for pool in pools.values():
        for task in tasks:
            pool.submit(warm_up, task, source).result()


def measured(options: argparse.Namespace, names: Sequence[str]) -> Iterator[Measured]:
    """All rows that were asked for and whose peers are here."""
    against = peers(options.trec_eval, earlier=options.earlier is not None)
    changed = {name: value for name in SIZES if (value := getattr(options, name)) is not None}
    wanted = [
        (row, form)
        for row in ROWS
        for form in row.forms
        if row.workload in options.workloads and form in options.forms
    ]
    for row, form in list(wanted):
        if row.against is not None and not against[row.against].installed:
            print(f"left out: {row.work}, {form}: no {row.against}", file=sys.stderr)
            wanted.remove((row, form))
    wanted.sort(key=lambda given: _order(*given))
    for (workload, form), group in groupby(wanted, key=lambda given: (given[0].workload, given[1])):
        rows = [row for row, _ in group]
        earlier = [EARLIER_BUILD] * any(row.against == EARLIER for row in rows)
        used = [*names, *earlier]
        with tempfile.TemporaryDirectory() as folder, workers(used, options.earlier) as pools:
            source = Source(workload, form, changed, Path(folder))
            repeats = options.repeats or REPEATS[workload]
            yield from compare(rows, source, against, pools, repeats)


def _order(row: Row, form: str) -> tuple[int, int]:
    """By workload, then by form, as they are declared."""
    return list(WORKLOADS).index(row.workload), FORMS.index(form)


def cells(given: Measured) -> tuple[str, ...]:
    """A row of the table, as text."""
    if given.row.against is None:
        times = [f"{given.peaks[name].seconds:.1f} s" for name in given.ratios]
    else:
        times = [f"{median(some):.3g} ({min(some):.3g})" for some in given.ratios.values()]
    memory = " / ".join(f"{max(found.memory, 0):.0f}" for found in given.peaks.values())
    against = given.row.against or "CPU time"
    return given.row.work, against, given.row.workload, given.form, *times, f"{memory} MB"


def header(names: Sequence[str]) -> tuple[str, ...]:
    """The head of the table; a column for every build."""
    return "work", "against", "workload", "input", *names, "memory"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, aligned for readers of the source too."""
    from irx_measures.results.tables import markdown_lines

    return "\n".join(markdown_lines([head, *rows], [True] * len(head)))


def conditions(trec_eval: str | None) -> str:
    """Date, machine and versions, in a sentence."""
    found = [f"Python {platform.python_version()}"]
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    if trec_eval is not None:
        asked = subprocess.run([trec_eval, "--version"], capture_output=True, text=True, check=True)
        found.append((asked.stdout or asked.stderr).strip())
    today = date.today()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"Measured on {today.day} {today:%B %Y} on {cores} cores of {_processor()}: "
        f"{', '.join(found)}."
    )


def _processor() -> str:
    """The name of the processor, where the system tells it."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def write_page(
    file: Path,
    said: str,
    names: Sequence[str],
    rows: Sequence[Measured],
    log: Sequence[query_log.LogRow],
) -> None:
    """Replace the block of the page with both tables."""
    repeats = ", ".join(f"{workload} {count}" for workload, count in REPEATS.items())
    content = (
        f"{said} Repeats: {repeats}; query logs of more than {query_log.MANY} queries 1, others "
        f"{query_log.REPEATS}.",
        markdown(header(names), [cells(row) for row in rows if row.row.against != EARLIER]),
        f"`distributed.evaluate` on {query_log.WORKERS} processes, as a ratio of wall-clock time "
        f"to one process in memory. {query_log.begins_to_pay(log)}",
        markdown(query_log.HEADER, [query_log.cells(row) for row in log]),
    )
    replace_block(file, BLOCK, content)


def replace_block(file: Path, name: str, content: Sequence[str]) -> None:
    """Write paragraphs between the two comments of a page that name a block."""
    start, end = rf"^[^\n]*\b{name}: made by [^\n]*\n", rf"^[^\n]*\bend of {name}\b"
    block = re.compile(f"({start}).*?({end})", re.DOTALL | re.MULTILINE)
    made = "\n\n".join(content)
    text, count = block.subn(
        lambda found: f"{found[1]}{made}\n{found[2]}", file.read_text(encoding="utf-8")
    )
    if count != 1:
        raise ValueError(f"{file} must have one block {name!r}; found {count}")
    file.write_text(text, encoding="utf-8")


def _checkout(path: str) -> Path:
    return Path(path).resolve()


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m benchmarks.compare", description=__doc__.split("\n", 1)[0]
    )
    every = [*WORKLOADS, DASK]
    made.add_argument("--workloads", nargs="+", choices=every, default=every, metavar="NAME",
                      help="some of: %(choices)s (default: all)")  # fmt: skip
    made.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS, metavar="FORM",
                      help="some of: %(choices)s (default: all)")  # fmt: skip
    made.add_argument("--trec-eval", metavar="PATH", help="trec_eval's C program")
    made.add_argument("--earlier", type=_checkout, metavar="PATH",
                      help="checkout of an earlier version")  # fmt: skip
    made.add_argument("--repeats", type=int, help="instead of the workload's own number")
    made.add_argument("--log-queries", type=int, nargs="+", default=query_log.SIZES, metavar="N",
                      help="sizes of the query log on Dask (default: %(default)s)")  # fmt: skip
    for name in SIZES:
        made.add_argument(f"--{name}", type=int, metavar="N", help="in place of the workload's")
    made.add_argument("--write-page", action="store_true", help="needs everything, in full size")
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and write it into the page of the docs if asked."""
    asked = parser()
    options = asked.parse_args(arguments)
    default = asked.parse_args([])
    reduced = ("workloads", "forms", "repeats", "log_queries", *SIZES)
    if options.write_page and (
        options.trec_eval is None
        or any(getattr(options, name) != getattr(default, name) for name in reduced)
    ):
        asked.error("--write-page needs --trec-eval, all workloads and forms, and their sizes")
    said = conditions(options.trec_eval)
    names = builds()
    print(said, " | ".join(header(names)), sep="\n", flush=True)
    rows = []
    for row in measured(options, names):
        print(" | ".join(cells(row)), flush=True)
        rows.append(row)
    log = []
    if DASK in options.workloads:
        log = query_log.measure(options.log_queries, options.repeats)
        print(" | ".join(query_log.HEADER))
        for found in log:
            print(" | ".join(query_log.cells(found)))
        print(query_log.begins_to_pay(log))
    if options.write_page:
        write_page(ROOT / PAGE, said, names, rows, log)


if __name__ == "__main__":
    main()
