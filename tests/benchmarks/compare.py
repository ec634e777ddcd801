"""Time evaluate() against ir_measures, run by run: python -m tests.benchmarks.compare."""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import ir_measures
import pandas as pd
from ir_measures import nDCG

import irx_measures

from .generate import generate

NRG_OF_OTHERS = "NRG(prior=others)@10"
RARENESS = ["P_Rareness(systems=others)@10", "AP_Rareness(systems=others)@10"]
REGISTERED = "compared"
BASELINE = "ir_measures: nDCG@10, run by run"
ROOT = Path(__file__).resolve().parents[2]


def one_by_one(qrels: Any, runs: dict[str, Any]) -> None:
    for run in runs.values():
        ir_measures.calc_aggregate([nDCG @ 10], qrels, run)


def one_by_one_with_one_evaluator(qrels: Any, runs: dict[str, Any]) -> None:
    evaluator = ir_measures.evaluator([nDCG @ 10], qrels)
    for run in runs.values():
        evaluator.calc_aggregate(run)


def together(qrels: Any, runs: dict[str, Any]) -> None:
    irx_measures.evaluate(runs, qrels, [NRG_OF_OTHERS]).means()


def together_with_rareness(qrels: Any, runs: dict[str, Any]) -> None:
    irx_measures.evaluate(runs, qrels, [NRG_OF_OTHERS, *RARENESS]).means()


def ours_one_by_one(qrels: Any, runs: dict[str, Any]) -> None:
    irx_measures.register_runs(REGISTERED, runs, replace=True)
    measure = irx_measures.NRG(prior=REGISTERED) @ 10
    for run in runs.values():
        ir_measures.calc_aggregate([measure], qrels, run)


CONTENDERS: dict[str, Callable[[Any, dict[str, Any]], None]] = {
    BASELINE: one_by_one,
    "ir_measures: nDCG@10, one evaluator": one_by_one_with_one_evaluator,
    "evaluate: NRG@10": together,
    "evaluate: NRG, P_Rareness, AP_Rareness@10": together_with_rareness,
    "ir_measures: NRG@10 of a registered set, run by run": ours_one_by_one,
}


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


def time_all(forms: dict[str, tuple[Any, dict[str, Any]]], repeats: int) -> dict[Any, float]:
    """Median seconds by form and contender; every repeat times each of them once."""
    seconds: dict[tuple[str, str], list[float]] = {}
    for _ in range(repeats):
        for form, (qrels, runs) in forms.items():
            for name, contend in CONTENDERS.items():
                gc.collect()
                start = perf_counter()
                contend(qrels, runs)
                seconds.setdefault((form, name), []).append(perf_counter() - start)
    return {key: median(times) for key, times in seconds.items()}


def table(medians: dict[tuple[str, str], float]) -> str:
    """A line per contender and form: median, and share of the time of ir_measures."""
    lines = [f"{'input':<18} {'what':<52} {'median s':>9} {'share':>7} {'faster':>7}"]
    for (form, name), seconds in medians.items():
        baseline = medians[form, BASELINE]
        ratio = f"{seconds / baseline:7.3f} {baseline / seconds:6.1f}x"
        lines.append(f"{form:<18} {name:<52} {seconds:9.4f} {ratio}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.compare", description=__doc__)
    sizes = {"runs": 37, "queries": 43, "depth": 1000, "judged": 215}
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--dl19", action="store_true", help="the runs of TREC DL 2019 instead")
    options = parser.parse_args(arguments)
    if options.dl19:
        forms = {f"DataFrame, {ids}": dl19_frames(ids) for ids in ("str", "object")}
    else:
        collection = generate(**{name: getattr(options, name) for name in sizes})
        forms = {f"DataFrame, {ids}": collection.frames(ids) for ids in ("str", "object")}
        forms["dict"] = collection.dicts()
    print(table(time_all(forms, options.repeats)))


if __name__ == "__main__":
    main()
