"""Processes that time tasks: one for every build of this package, so that builds can be compared.

A build is this package as it runs here. `PYTHON` switches its native core off, and `EARLIER` is a
checkout of an earlier version. Nothing here may import the package before a worker has started.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from .contenders import CORE, DICT, FILES, PAIRS, SWITCH, Task, core_is_off, irx_command
from .generate import WORKLOADS, generate, pairs

PYTHON, NATIVE, EARLIER = "python", "native", "earlier"
SAMPLING_SECONDS = 0.002
TINY = {"runs": 2, "queries": 2, "depth": 20}


class Source(NamedTuple):
    """Which input a task gets: a workload in one form, its sizes, and a folder for files."""

    workload: str
    form: str
    sizes: Mapping[str, Any]
    folder: Path


def builds() -> list[str]:
    """The builds of this package that can be timed here."""
    if NATIVE not in _version("1"):
        return [PYTHON]
    if NATIVE in _version("0"):
        raise RuntimeError(f"the native core is not {CORE}, so it cannot be switched off")
    return [PYTHON, NATIVE]


def _version(switch: str) -> str:
    """What `irx --version` says."""
    with environment(switch):
        asked = [*irx_command(), "--version"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


@contextmanager
def environment(switch: str) -> Iterator[None]:
    """The environment of processes that are started with or without the native core."""
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = switch
    try:
        yield
    finally:
        os.environ.pop(SWITCH)
        if before is not None:
            os.environ[SWITCH] = before


@contextmanager
def workers(
    names: Sequence[str], earlier: Path | None = None
) -> Iterator[dict[str, ProcessPoolExecutor]]:
    """A new process for every build; `earlier` is the checkout of an earlier version."""
    spawn = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        made = {}
        for name in names:
            path = earlier if name == EARLIER else None
            made[name] = stack.enter_context(
                ProcessPoolExecutor(1, mp_context=spawn, initializer=_start, initargs=(path,))
            )
            with environment("0" if name == PYTHON else "1"):
                made[name].submit(os.getpid).result()  # starts the process
        yield made


def _start(path: Path | None) -> None:
    """Import this package, from another checkout if one is given."""
    if core_is_off():
        sys.modules[CORE] = None  # type: ignore[assignment]
    if path is not None:
        sys.path.insert(0, str(path))
    import irx_measures

    if path is not None and not Path(irx_measures.__file__).is_relative_to(path):
        raise RuntimeError(f"irx_measures comes from {irx_measures.__file__}, not from {path}")


# In a worker


def load(source: Source) -> tuple[Any, dict[str, Any]]:
    """Qrels (or a reference) and runs; rankings for pairs are made anew for every task."""
    if source.form == PAIRS:
        return _make(*source)
    return _kept(source.workload, source.form, tuple(source.sizes.items()), source.folder)


@lru_cache(maxsize=1)
def _kept(workload: str, form: str, sizes: Any, folder: Path) -> tuple[Any, dict[str, Any]]:
    return _make(workload, form, dict(sizes), folder)


def _make(
    workload: str, form: str, sizes: Mapping[str, Any], folder: Path
) -> tuple[Any, dict[str, Any]]:
    shape = WORKLOADS[workload] | sizes
    if form == PAIRS:
        return pairs(**shape)
    if form != FILES:
        made = generate(**shape)
        return made.dicts() if form == DICT else made.frames(form)
    if not (folder / "qrels.txt").exists():  # another worker may have written them
        generate(**shape).write(folder, gzipped=False)
    return folder / "qrels.txt", {file.stem: file for file in sorted(folder.glob("*.run"))}


def warm_up(task: Task, source: Source) -> None:
    """Run a task on a tiny input, so that times and memory do not include imports."""
    with tempfile.TemporaryDirectory() as folder:
        workload = source.workload if source.form == PAIRS else "log"
        task(*_make(workload, source.form, TINY, Path(folder)))


def seconds(task: Task, source: Source, command: bool) -> float:
    """CPU seconds of this process, or of the programs that a task starts."""
    qrels, runs = load(source)
    gc.collect()
    clock = children_time if command else time.process_time
    start = clock()
    task(qrels, runs)
    return clock() - start


def children_time() -> float:
    """CPU seconds of the programs that this process started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Peak(NamedTuple):
    """CPU seconds and peak memory in MB, in excess of the loaded input."""

    seconds: float
    memory: float


def peak(task: Task, source: Source) -> Peak:
    """One run of a task in a fork of this process, which shares the input.

    Memory is sampled from outside and includes programs that are started.
    """
    qrels, runs = load(source)
    fork = multiprocessing.get_context("fork")
    ready, go = fork.Event(), fork.Event()
    gc.collect()
    _give_back_freed_memory()

    def work() -> None:
        ready.set()
        go.wait()
        task(qrels, runs)

    used = children_time()
    process = fork.Process(target=work)
    with warnings.catch_warnings():  # forking is safe: library threads are idle and hold no lock
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    ready.wait()
    watched = psutil.Process(process.pid)
    before = most = _memory_of(watched)
    go.set()
    while process.is_alive():
        most = max(most, _memory_of(watched))
        process.join(SAMPLING_SECONDS)
    if process.exitcode:
        raise RuntimeError(f"{task}: exit code {process.exitcode}")
    return Peak(children_time() - used, (most - before) / 1e6)


def _give_back_freed_memory() -> None:
    """Return free memory to the system: a task that reused it would seem to need less."""
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
