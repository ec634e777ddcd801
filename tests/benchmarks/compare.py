"""Time this package and its peers side by side: python -m tests.benchmarks.compare.

Every repeat runs each contender once on the same input, in one process. Peak memory is measured in
a separate process, in excess of the loaded input.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import multiprocessing
import os
import tempfile
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import pandas as pd
import psutil

from .contenders import CONTENDERS, FILES, FRAMES, IN_MEMORY, Contender
from .generate import WORKLOADS, Collection, generate

ROOT = Path(__file__).resolve().parents[2]
SIZES = ("runs", "queries", "depth", "judged")
SAMPLING_SECONDS = 0.002


class Input(NamedTuple):
    """Qrels and runs in one form."""

    form: str
    qrels: Any
    runs: dict[str, Any]


class Row(NamedTuple):
    """A line of the table: median seconds, share of the time of the peer, peak memory in MB."""

    form: str
    what: str
    seconds: float
    share: float
    memory: float | None


def make_input(collection: Collection, form: str, folder: Path) -> Input:
    """A collection in one form."""
    if form in FRAMES:
        return Input(form, *collection.frames(form.removeprefix("DataFrame, ")))
    if form == FILES:
        return Input(form, *collection.write(folder, gzipped=False))
    return Input(form, *collection.dicts())


def dl19_frames(ids: str) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """The official runs and qrels of TREC DL 2019, passages."""
    data = Path(os.environ.get("IRX_DATA") or ROOT.parent / "shared" / "data")
    folder = data / "trec-dl-2019-passage"
    if not folder.is_dir():
        raise SystemExit(f"no runs at {folder}; IRX_DATA names another folder")
    qrels = _read(folder / "qrels.txt.gz", ["query_id", "Q0", "doc_id", "relevance"], ids)
    names = ["query_id", "Q0", "doc_id", "rank", "score", "tag"]
    files = sorted((folder / "runs").glob("*.run.gz"))
    return qrels, {file.name.removesuffix(".run.gz"): _read(file, names, ids) for file in files}


def _read(file: Path, names: list[str], ids: str) -> pd.DataFrame:
    dtype = {"query_id": ids, "doc_id": ids}
    return pd.read_csv(file, sep=r"\s+", names=names, dtype=dtype, quoting=3)


def compare(contenders: Sequence[Contender], given: Input, repeats: int, memory: bool) -> list[Row]:
    """Every contender that takes the input's form: median time, share, and peak memory."""
    chosen = [contender for contender in contenders if given.form in contender.forms]
    if given.form != FILES:
        _load_libraries(chosen, given.form)
    peaks = {c.name: peak_memory(c, given) for c in chosen} if memory else {}
    seconds: dict[str, list[float]] = {contender.name: [] for contender in chosen}
    for repeat in range(repeats):
        for contender in chosen:
            if repeat and contender.once:
                continue
            gc.collect()
            start = perf_counter()
            contender.task(given.qrels, given.runs)
            seconds[contender.name].append(perf_counter() - start)
    medians = {name: median(times) for name, times in seconds.items()}
    return [
        Row(
            given.form,
            contender.name,
            medians[contender.name],
            medians[contender.name] / medians[contender.against or contender.name],
            peaks.get(contender.name),
        )
        for contender in chosen
    ]


def _load_libraries(contenders: Sequence[Contender], form: str) -> None:
    """Score a tiny input first, so that times and memory do not include imports."""
    tiny = generate(runs=2, queries=2, depth=20, judged=12)
    small = make_input(tiny, form, Path())
    for contender in contenders:
        contender.task(small.qrels, small.runs)


def peak_memory(contender: Contender, given: Input) -> float:
    """Peak memory in MB, in excess of the loaded input, including programs that are started.

    Sampled from outside a fork of this process, which shares the input.
    """
    fork = multiprocessing.get_context("fork")
    ready, go = fork.Event(), fork.Event()
    gc.collect()
    _give_back_freed_memory()

    def work() -> None:
        ready.set()
        go.wait()
        contender.task(given.qrels, given.runs)

    process = fork.Process(target=work)
    with warnings.catch_warnings():  # forking is safe: library threads are idle and hold no lock
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    ready.wait()
    watched = psutil.Process(process.pid)
    before = peak = _memory_of(watched)
    go.set()
    while process.is_alive():
        peak = max(peak, _memory_of(watched))
        process.join(SAMPLING_SECONDS)
    if process.exitcode:
        raise RuntimeError(f"{contender.name}: exit code {process.exitcode}")
    return (peak - before) / 1e6


def _give_back_freed_memory() -> None:
    """Return free memory to the system: a contender that reused it would seem to need less."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # only in the GNU C library
    if trim is not None:
        trim(0)


def _memory_of(process: psutil.Process) -> int:
    """Memory of a process and its programs, without forks that have not yet started theirs."""
    total = 0
    try:
        image = process.cmdline()
        total += _own_memory(process)
        for child in process.children():
            if child.cmdline() != image:
                total += _own_memory(child)
    except psutil.NoSuchProcess:
        pass
    return total


def _own_memory(process: psutil.Process) -> int:
    """Resident memory without library files; a fork maps their pages only when it uses them."""
    memory = process.memory_info()
    return memory.rss - getattr(memory, "shared", 0)


def table(rows: Sequence[Row]) -> str:
    """A line per contender and form."""
    return "\n".join(map(_line, rows))


HEADER = f"{'input':<18} {'what':<52} {'median s':>9} {'share':>7} {'MB':>7}"


def _line(row: Row) -> str:
    memory = "" if row.memory is None else f"{row.memory:.0f}"
    return f"{row.form:<18} {row.what:<52} {row.seconds:9.4f} {row.share:7.3f} {memory:>7}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.compare", description=__doc__.split("\n", 1)[0]
    )
    parser.add_argument("--workloads", nargs="+", choices=WORKLOADS, default=["W1"])
    parser.add_argument(
        "--forms", nargs="+", choices=(*IN_MEMORY, FILES), default=[*IN_MEMORY, FILES]
    )
    for name in SIZES:
        parser.add_argument(f"--{name}", type=int, help="in place of the workload's")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-memory", action="store_true", help="times only")
    parser.add_argument("--dl19", action="store_true", help="the runs of TREC DL 2019 instead")
    options = parser.parse_args(arguments)
    given = {name: getattr(options, name) for name in SIZES}
    changed = {name: value for name, value in given.items() if value is not None}
    for workload in options.workloads:
        print(f"{workload}\n{HEADER}", flush=True)
        taken = {form for contender in CONTENDERS[workload] for form in contender.forms}
        for form in options.forms:
            if form in taken and (form in FRAMES or not options.dl19):
                print(table(_apart(rows_of, workload, form, changed, options)), flush=True)


def rows_of(
    workload: str, form: str, changed: dict[str, int], options: argparse.Namespace
) -> list[Row]:
    """The rows of one form of a workload."""
    with tempfile.TemporaryDirectory() as folder:
        if options.dl19:
            given = Input(form, *dl19_frames(form.removeprefix("DataFrame, ")))
        else:
            given = make_input(generate(**WORKLOADS[workload] | changed), form, Path(folder))
        return compare(CONTENDERS[workload], given, options.repeats, not options.no_memory)


def _apart(task: Callable[..., list[Row]], *arguments: Any) -> list[Row]:
    """Call in a new process, so that earlier comparisons do not affect its memory."""
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, mp_context=fork) as process, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # as in peak_memory
        return process.submit(task, *arguments).result()


if __name__ == "__main__":
    main()
