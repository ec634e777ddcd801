"""Time distributed.evaluate() beside one process that holds the same query log in memory.

Times are wall-clock times, because Dask's gain is that processes work side by side. Both read the
log from Parquet files. One process reads all of them, and Dask's workers read a part at a time.
"""

from __future__ import annotations

import logging
import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

import polars as pl

from .generate import WORKLOADS, Table, generate

MEASURES = ["nDCG@10", "NRG(prior=others)@10", "P_Rareness(systems=others)@10"]
SIZES = (10_000, 100_000, 300_000, 1_000_000)
REPEATS, MANY = 3, 100_000  # more queries than this are measured once
QUERIES_PER_PART = 20_000
WORKERS = 2


class LogRow(NamedTuple):
    """Medians for a number of queries: seconds, peak memory in MB, and ratios to one process."""

    queries: int
    alone: float
    alone_memory: float
    aligned: float
    shuffled: float
    worker_memory: float


def write_log(folder: Path, queries: int, systems: int = 4) -> tuple[Path, dict[str, Path]]:
    """Qrels and runs, a Parquet file per part of the queries; returns their folders."""
    qrels = folder / "qrels"
    runs = {f"run{number}": folder / f"run{number}" for number in range(1, systems + 1)}
    for target in (qrels, *runs.values()):
        target.mkdir(parents=True)
    for part, start in enumerate(range(0, queries, QUERIES_PER_PART)):
        shape = {"runs": systems, "queries": min(QUERIES_PER_PART, queries - start), "seed": part}
        made = generate(**WORKLOADS["log"] | shape)
        name = f"{part:06d}.parquet"
        _write(made.qrels, start, "relevance", qrels / name)
        for run, target in zip(made.runs.values(), runs.values(), strict=True):
            _write(run, start, "score", target / name)
    return qrels, runs


def _write(table: Table, start: int, value: str, file: Path) -> None:
    moved = replace(table, query=table.query + start)
    columns = {"query_id": moved.query, "doc_id": moved.doc, value: moved.value}
    ids = pl.col("query_id", "doc_id").cast(pl.String)
    pl.DataFrame(columns).with_columns(ids).write_parquet(file)


def alone(qrels: Path, runs: dict[str, Path]) -> float:
    """Seconds of one process that reads everything and scores it."""
    import pandas as pd

    import irx_measures

    start = perf_counter()
    read = {name: pd.read_parquet(folder) for name, folder in runs.items()}
    irx_measures.evaluate(pd.read_parquet(qrels), read, MEASURES)
    return perf_counter() - start


def peak_memory() -> float:
    """Peak memory of this process in MB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measure(sizes: Sequence[int] = SIZES, repeats: int | None = None) -> list[LogRow]:
    """A row for every number of queries, on a cluster of two processes."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            WORKERS, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.ERROR
        ) as cluster,
        Client(cluster) as client,
    ):
        _row(client, 100, 1)  # imports
        return [
            _row(client, queries, repeats or (1 if queries > MANY else REPEATS))
            for queries in sizes
        ]


def _row(client: object, queries: int, repeats: int) -> LogRow:
    from irx_measures.distributed import evaluate

    ratios: dict[bool, list[float]] = {True: [], False: []}
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(1, mp_context=spawn) as process,
    ):
        qrels, runs = write_log(Path(folder) / "log", queries)
        process.submit(alone, *write_log(Path(folder) / "small", 100)).result()  # imports
        seconds = []
        for _ in range(repeats):
            seconds.append(process.submit(alone, qrels, runs).result())
            for aligned, taken in ratios.items():
                start = perf_counter()
                evaluate(qrels, runs, MEASURES, client=client, aligned=aligned)
                taken.append((perf_counter() - start) / seconds[-1])
        return LogRow(
            queries,
            median(seconds),
            process.submit(peak_memory).result(),
            median(ratios[True]),
            median(ratios[False]),
            max(client.run(peak_memory).values()),
        )


HEADER = ("queries", "one process", "its memory", "aligned", "shuffled", "memory of a worker")


def cells(row: LogRow) -> tuple[str, ...]:
    """A row of the table, as text."""
    return (
        _spaced(row.queries),
        f"{row.alone:.1f} s",
        f"{row.alone_memory:.0f} MB",
        f"{row.aligned:.2f}",
        f"{row.shuffled:.2f}",
        f"{row.worker_memory:.0f} MB",
    )


def begins_to_pay(rows: Sequence[LogRow]) -> str:
    """From which size on Dask is quicker than one process, in a sentence."""
    slower = [row.queries for row in rows if row.aligned >= 1]
    quicker = [row.queries for row in rows if row.queries > max(slower, default=0)]
    if not quicker:
        return "Dask was slower than one process: it pays where memory is short."
    return f"From {_spaced(min(quicker))} queries on, Dask with aligned files was quicker."


def _spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")
