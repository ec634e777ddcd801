"""Time every form of input beside ir_measures: python -m benchmarks.forms.

The unit is the CPU time of ir_measures for nDCG@10, AP and RR on the same runs, as dicts in memory;
a row has the time of ir_measures with the reading of TREC files.
Every repeat times the unit and then each form in the same process; the table gives the median of
the ratios. `--against PATH` adds a column of the checkout of another version.
"""

from __future__ import annotations

import argparse
import csv
import gc
import os
import tempfile
import time
import warnings
from collections import Counter, defaultdict, namedtuple
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet

from .contenders import STANDARD, stock, together
from .generate import WORKLOADS, generate
from .workers import EARLIER, builds, workers

Nested = dict[str, dict[str, float]]

SIZES = WORKLOADS["W1"] | {"runs": 6}
REPEATS = 5
PRIOR = "of-files"

ROW = namedtuple("ROW", ["query_id", "doc_id", "score"])


# A run in every form


def _mapped(run: Nested, query: Callable, doc: Callable, score: Callable) -> Nested:
    return {
        query(name): {doc(key): score(value) for key, value in of.items()}
        for name, of in run.items()
    }


def _rows(run: Nested) -> list[tuple[str, str, float]]:
    return [(query, doc, score) for query, of in run.items() for doc, score in of.items()]


def _frame(run: Nested, kind: str = "object") -> pd.DataFrame:
    frame = pd.DataFrame(_rows(run), columns=ROW._fields)
    return frame.astype({"query_id": kind, "doc_id": kind})


def _shuffled(run: Nested) -> pd.DataFrame:
    return _frame(run).sample(frac=1, random_state=0).reset_index(drop=True)


def _arrow(run: Nested) -> pa.Table:
    table = pa.Table.from_pandas(_frame(run, "str"))
    coded = [table.column(name).dictionary_encode() for name in ("query_id", "doc_id")]
    return pa.table([*coded, table.column("score")], ROW._fields)


def _polars(run: Nested, kind: Any = pl.String) -> pl.DataFrame:
    frame = pl.DataFrame(_rows(run), schema=list(ROW._fields), orient="row")
    return frame.with_columns(pl.col("query_id").cast(kind), pl.col("doc_id").cast(kind))


def _text(run: Nested, blank: str = " ", end: str = "\n", tag: str = "tag") -> str:
    return "".join(
        blank.join([query, "Q0", doc, "0", f"{score:.6f}", tag]) + end
        for query, doc, score in _rows(run)
    )


def _with_infinity(run: Nested) -> str:
    first, rest = _text(run).split("\n", 1)
    query, q0, doc, rank, _, tag = first.split()
    return f"{query} {q0} {doc} {rank} inf {tag}\n{rest}"


def _shuffled_text(run: Nested) -> str:
    rows = _shuffled(run).itertuples(index=False)
    return "".join(f"{query} Q0 {doc} 0 {score:.6f} tag\n" for query, doc, score in rows)


def _msmarco(run: Nested) -> str:
    rows = ((query, doc, rank) for query, of in run.items() for rank, doc in enumerate(of, 1))
    return "".join(f"{query}\t{doc}\t{rank}\n" for query, doc, rank in rows)


def _json_lines(run: Nested) -> str:
    return _frame(run).to_json(orient="records", lines=True)


def _parquet(run: Nested, path: Path, dictionary: bool) -> None:
    table = pa.Table.from_pandas(_frame(run, "str"))
    pyarrow.parquet.write_table(table, path, use_dictionary=dictionary)


IN_MEMORY: dict[str, Callable[[Nested], Any]] = {
    "dict": dict,
    "str frame": partial(_frame, kind="str"),
    "object frame": _frame,
    "np.str_ documents": lambda run: _mapped(run, str, np.str_, float),
    "np.str_ queries": lambda run: _mapped(run, np.str_, str, float),
    "np.float64": lambda run: _mapped(run, str, str, np.float64),
    "np.float32": lambda run: _mapped(run, str, str, np.float32),
    "defaultdict": lambda run: defaultdict(dict, run),
    "Counter": lambda run: {query: Counter(of) for query, of in run.items()},
    "categorical": partial(_frame, kind="category"),
    "Arrow dictionary": _arrow,
    "polars": _polars,
    "polars Categorical": partial(_polars, kind=pl.Categorical),
    "lists of documents": lambda run: {query: list(of) for query, of in run.items()},
    "rows, dicts": lambda run: [dict(zip(ROW._fields, row, strict=True)) for row in _rows(run)],
    "rows, namedtuples": lambda run: [ROW(*row) for row in _rows(run)],
    "frame, shuffled queries": _shuffled,
}

IN_FILES: dict[str, tuple[str, Callable[[Nested], str]]] = {
    "TREC file": (".run", _text),
    "file, a comment": (".run", lambda run: "# made by us\n" + _text(run)),
    "file, CRLF": (".run", partial(_text, end="\r\n")),
    "file, a long tag": (".run", partial(_text, tag="a tag")),
    "file, inf": (".run", _with_infinity),
    "file, shuffled queries": (".run", _shuffled_text),
    "MS MARCO file": (".tsv", _msmarco),
    "csv": (".csv", lambda run: _frame(run).to_csv(index=False)),
    "quoted csv": (".csv", lambda run: _frame(run).to_csv(index=False, quoting=csv.QUOTE_ALL)),
    "JSON lines": (".jsonl", _json_lines),
    "JSON": (".json", lambda run: pd.Series(run).to_json()),
}

PARQUET = {"Parquet, dictionary": True, "Parquet, plain": False}

OF_PRIORS = ("dict", "str frame", "object frame", "polars", "categorical")


# What is timed, in a worker


@lru_cache(maxsize=1)
def _made(folder: Path) -> tuple[Nested, dict[str, Nested]]:
    qrels, runs = generate(**SIZES).dicts()
    return qrels, runs


@lru_cache(maxsize=2)
def _in_form(form: str, folder: Path) -> dict[str, Any]:
    """The runs in a form: data, or paths."""
    runs = _made(folder)[1]
    if form in IN_MEMORY:
        return {name: IN_MEMORY[form](run) for name, run in runs.items()}
    suffix = ".parquet" if form in PARQUET else IN_FILES[form][0]
    paths = {name: folder / f"{form} {name}{suffix}" for name in runs}
    for name, path in paths.items():
        if path.exists():  # another worker wrote it
            continue
        if form in PARQUET:
            _parquet(runs[name], path, PARQUET[form])
        else:
            path.write_bytes(IN_FILES[form][1](runs[name]).encode())
    return paths


def evaluated(form: str, folder: Path) -> float:
    """CPU seconds of `evaluate` on the runs in a form."""
    import irx_measures

    qrels, runs = _made(folder)[0], _in_form(form, folder)
    layout = "msmarco" if form.startswith("MS MARCO") else None
    if layout:
        return _seconds(
            lambda: irx_measures.evaluate(
                qrels, irx_measures.RunSet(runs, format=layout), STANDARD, progress=False
            )
        )
    return _seconds(lambda: together(STANDARD, qrels, runs))


def against_priors(form: str, folder: Path) -> float:
    """CPU seconds of ir_measures, run by run, with priors that are files."""
    import ir_measures

    import irx_measures

    qrels, runs = _made(folder)[0], _in_form(form, folder)
    files = _in_form("TREC file", folder)
    priors = irx_measures.RunSet(files, name=PRIOR)
    measure = irx_measures.NRG(prior=priors) @ 10
    ir_measures.calc_aggregate([measure], qrels, runs["run1"])  # judges the priors
    return _seconds(
        lambda: [ir_measures.calc_aggregate([measure], qrels, run) for run in runs.values()]
    )


def unit(folder: Path) -> float:
    """CPU seconds of ir_measures."""
    qrels, runs = _made(folder)
    return _seconds(lambda: stock(STANDARD, qrels, runs))


def of_files(folder: Path) -> float:
    """CPU seconds of ir_measures with the reading of TREC files."""
    import ir_measures

    qrels, files = _made(folder)[0], _in_form("TREC file", folder)

    def read() -> dict[str, Any]:
        return {name: ir_measures.read_trec_run(str(path)) for name, path in files.items()}

    return _seconds(lambda: stock(STANDARD, qrels, read()))


def tiny(work: str, folder: Path) -> float:
    """CPU seconds of a call on tiny input, many times."""
    import ir_measures

    import irx_measures

    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "c": 1.0}}
    nrg = irx_measures.NRG(prior=irx_measures.RunSet({"x": {"q": {"b": 1.0}}})) @ 10
    work_of: dict[str, Callable[[], object]] = {
        "evaluate": lambda: irx_measures.evaluate(qrels, {"a": run}, STANDARD, progress=False),
        "parse_measure": lambda: irx_measures.parse_measure("NRG(base=RR)@10"),
        "NRG, calc_aggregate": lambda: ir_measures.calc_aggregate([nrg], qrels, run),
    }
    call = work_of[work]
    return _seconds(lambda: [call() for _ in range(200)])


TINY = ("evaluate", "parse_measure", "NRG, calc_aggregate")


def _seconds(call: Callable[[], object]) -> float:
    gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        call()
        return time.process_time() - start


# The tables


def ratios(
    wanted: Sequence[str], names: Sequence[str], against: Path | None, repeats: int
) -> Iterator[tuple[str, dict[str, float]]]:
    """The median ratio to the unit of each form, by build."""
    tasks = {form: partial(evaluated, form) for form in (*IN_MEMORY, *PARQUET, *IN_FILES)}
    tasks["ir_measures, TREC file"] = of_files
    tasks |= {f"priors, {form}": partial(against_priors, form) for form in OF_PRIORS}
    tasks |= {f"tiny: {work}": partial(tiny, work) for work in TINY}
    with tempfile.TemporaryDirectory() as made, workers(names, against) as pools:
        folder = Path(made)
        for form, task in tasks.items():
            if wanted and not any(part in form for part in wanted):
                continue
            yield form, {name: _ratio(pools[name], task, folder, repeats) for name in names}


def _ratio(pool: Any, task: Callable[[Path], float], folder: Path, repeats: int) -> float:
    pool.submit(task, folder).result()  # imports, and the input
    found = []
    for _ in range(repeats):
        of_unit = pool.submit(unit, folder).result()
        found.append(pool.submit(task, folder).result() / of_unit)
    return median(found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks.forms", description=__doc__)
    asked.add_argument("--against", type=os.path.abspath, help="checkout of another version")
    asked.add_argument("--forms", nargs="+", default=(), help="words of rows (default: all)")
    asked.add_argument("--repeats", type=int, default=REPEATS)
    asked.add_argument("--builds", nargs="+", help="python, native (default: all)")
    options = asked.parse_args(arguments)
    names = options.builds or builds()
    against = None if options.against is None else Path(options.against)
    names = [*names, *([EARLIER] if against else [])]
    print("input", *names, sep=" | ", flush=True)
    for form, found in ratios(options.forms, names, against, options.repeats):
        print(form, *(f"{value:.2f}" for value in found.values()), sep=" | ", flush=True)


if __name__ == "__main__":
    main()
