"""Time distributed.evaluate() on a query log: python -m tests.benchmarks.query_log.

It writes a log as partitioned Parquet, evaluates it on a local cluster of processes, and prints the
throughput for several numbers of queries.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from dask.distributed import Client, LocalCluster

from irx_measures.distributed import evaluate

from .generate import Table, generate

MEASURES = ["nDCG@10", "NRG(prior=others)@10", "P_Rareness(systems=others)@10"]
OWN = MEASURES[1:]
QUERIES_PER_PART = 20_000


def write_log(folder: Path, queries: int, systems: int, depth: int) -> tuple[Path, dict[str, Path]]:
    """Qrels and runs, a Parquet file per part of the queries; returns their folders."""
    qrels = folder / "qrels"
    runs = {f"run{number}": folder / f"run{number}" for number in range(1, systems + 1)}
    for target in (qrels, *runs.values()):
        target.mkdir(parents=True)
    for part, start in enumerate(range(0, queries, QUERIES_PER_PART)):
        size = min(QUERIES_PER_PART, queries - start)
        made = generate(systems, size, depth, judged=depth // 2, unjudged=0.6, seed=part)

        def write(table: Table, target: Path, value: str, part: int = part, start: int = start):
            moved = replace(table, query=table.query + start)
            moved.frame(value, "str").to_parquet(target / f"{part:06d}.parquet", index=False)

        write(made.qrels, qrels, "relevance")
        for run, target in zip(made.runs.values(), runs.values(), strict=True):
            write(run, target, "score")
    return qrels, runs


def main(arguments: Sequence[str] | None = None) -> None:
    """Print seconds and rows per second."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.query_log", description=__doc__.split("\n", 1)[0]
    )
    parser.add_argument("--queries", type=int, nargs="+", default=[250_000, 500_000, 1_000_000])
    parser.add_argument("--systems", type=int, default=4)
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    print(
        f"{'queries':>9} {'rows':>10} {'what':<42} {'median s':>9} {'queries/s':>10} {'rows/s':>11}"
    )
    with (
        LocalCluster(
            options.workers,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster) as client,
    ):
        for queries in options.queries:
            with tempfile.TemporaryDirectory() as folder:
                qrels, runs = write_log(Path(folder), queries, options.systems, options.depth)
                rows = queries * options.systems * options.depth
                for what, measures, aligned in (
                    ("aligned: " + ", ".join(m.split("(")[0] for m in OWN), OWN, True),
                    ("shuffled: " + ", ".join(m.split("(")[0] for m in OWN), OWN, False),
                    ("aligned: with ir_measures' nDCG", MEASURES, True),
                ):
                    seconds = []
                    for _ in range(options.repeats):
                        start = perf_counter()
                        evaluate(runs, qrels, measures, client=client, aligned=aligned)
                        seconds.append(perf_counter() - start)
                    taken = median(seconds)
                    print(
                        f"{queries:>9} {rows:>10} {what:<42} {taken:>9.2f} "
                        f"{queries / taken:>10.0f} {rows / taken:>11.0f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
