"""Generate runs and qrels of any size from a seed, in every form that the package reads."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

TOP = 10

# Sizes of TREC DL 2019 passages (W1), MS MARCO dev small (W2) and TREC 8 ad hoc (W3). W4 is W1 with
# unjudged documents in the top ten. `log` is a query log, and `pairs` are for `pairs()`.
WORKLOADS: dict[str, dict[str, Any]] = {
    "W1": {"runs": 37, "queries": 43, "depth": 1000, "judged": 215},
    "W2": {"runs": 8, "queries": 6980, "depth": 1000, "judged": 2, "relevant": 0.55},
    "W3": {"runs": 129, "queries": 50, "depth": 1000, "judged": 1730},
    "W4": {
        "runs": 37,
        "queries": 43,
        "depth": 1000,
        "judged": 215,
        "unjudged_top": (0.1, 0.4),
    },
    "tiny": {"runs": 1, "queries": 2, "depth": 10, "judged": 5},
    "pairs": {"runs": 10, "queries": 100, "depth": 100},
    "log": {"runs": 4, "queries": 100_000, "depth": 10, "judged": 5, "unjudged": 0.6},
}

# MS MARCO's dev queries: queries with 1, 2, 3 and 4 relevant documents, the share of them that a
# first stage finds, and how many numbers documents and queries have.
DEV_RELEVANT = np.array([6590, 331, 51, 8])
MOST_RELEVANT = len(DEV_RELEVANT)
DEV_RECALL = 0.86
DEV_DOCS, DEV_IDS = 8_841_823, 1_102_432


@dataclass(frozen=True)
class Table:
    """A run or qrels: one row per document, sorted by query.

    Attributes
    ----------
    query, doc : (rows,) ints
        Their digits are the identifiers.
    value : (rows,)
        Scores, descending within a query, or grades.
    """

    query: np.ndarray
    doc: np.ndarray
    value: np.ndarray

    def frame(self, value_name: str, ids: str) -> pd.DataFrame:
        """With ir_measures' names; `ids` is the dtype of the identifiers: ``str`` or ``object``.

        ``str`` is backed by Arrow from pandas 3 on, where pyarrow is installed.
        """
        return pd.DataFrame(
            {
                "query_id": pd.Series(_names(self.query), dtype=ids),
                "doc_id": pd.Series(_names(self.doc), dtype=ids),
                value_name: self.value,
            }
        )

    def nested(self) -> dict[str, dict[str, float]]:
        """As a dict of dicts."""
        starts = np.flatnonzero(np.concatenate(([True], self.query[1:] != self.query[:-1])))
        bounds = [*starts.tolist(), len(self.query)]
        docs, values = _names(self.doc), self.value.tolist()
        return {
            str(self.query[start]): dict(
                zip(docs[start:end].tolist(), values[start:end], strict=True)
            )
            for start, end in pairwise(bounds)
        }


@dataclass(frozen=True)
class Collection:
    """Qrels and runs in the forms that are compared."""

    qrels: Table
    runs: dict[str, Table]

    def frames(self, ids: str) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
        """Qrels and runs as DataFrames; see `Table.frame`."""
        runs = {name: run.frame("score", ids) for name, run in self.runs.items()}
        return self.qrels.frame("relevance", ids), runs

    def dicts(self) -> tuple[dict, dict[str, dict]]:
        """Qrels and runs as dicts of dicts."""
        return self.qrels.nested(), {name: run.nested() for name, run in self.runs.items()}

    def write(self, folder: Path, gzipped: bool = True) -> tuple[Path, dict[str, Path]]:
        """Qrels and runs as TREC files; returns their paths."""
        qrels = folder / "qrels.txt"
        _write_lines(qrels, self.qrels, "0", [pl.lit(self.qrels.value)])
        files = {}
        for name, run in self.runs.items():
            files[name] = folder / (f"{name}.run.gz" if gzipped else f"{name}.run")
            _write_lines(files[name], run, "Q0", [pl.lit("0"), pl.lit(run.value), pl.lit(name)])
        return qrels, files

    def write_msmarco(self, folder: Path) -> dict[str, Path]:
        """Runs in MS MARCO's three columns: query, document and rank; returns their paths."""
        files = {}
        for name, run in self.runs.items():
            files[name] = folder / f"{name}.tsv"
            first = np.flatnonzero(np.diff(run.query, prepend=-1))
            start = first.repeat(np.diff(first, append=run.query.size))
            rank = np.arange(run.query.size) - start + 1
            columns = pl.DataFrame({"query": run.query, "doc": run.doc, "rank": rank})
            columns.write_csv(files[name], include_header=False, separator="\t")
        return files


def generate(
    runs: int = 37,
    queries: int = 43,
    depth: int = 1000,
    judged: int = 215,
    relevant: float = 0.4,
    unjudged: float = 0.85,
    unjudged_top: tuple[float, float] | None = None,
    seed: int = 0,
) -> Collection:
    """A collection of TREC's shape; the defaults are those of TREC DL 2019, passages.

    Parameters
    ----------
    runs, queries
        How many.
    depth
        Documents that a run returns for a query.
    judged
        Judged documents of a query.
    relevant
        Share of them with a grade from 1 to 3.
    unjudged
        Share of unjudged documents in a run; higher if there are too few judged documents.
    unjudged_top
        Lowest and highest share of unjudged documents in a run's top ten; None leaves them to the
        scores.
    seed
        Equal seeds give equal collections.
    """
    rng = np.random.default_rng(seed)
    found = min(judged, round(depth * (1 - unjudged)))
    pool = 3 * (depth - found)
    grade = np.where(
        rng.random((queries, judged)) < relevant, rng.integers(1, 4, (queries, judged)), 0
    )
    query = 1_000_000 + np.arange(queries)
    doc = 1_000_000 + rng.permutation(queries * (judged + pool)).reshape(queries, judged + pool)
    qrels = Table(query.repeat(judged), doc[:, :judged].ravel(), grade.ravel())
    made = {}
    for number, skill in enumerate(rng.uniform(0.1, 0.7, runs), 1):
        score = np.hstack(
            [skill * grade + rng.normal(size=grade.shape), rng.normal(-1, 1, (queries, pool))]
        ).round(4)
        column = np.hstack(
            [_top(score[:, :judged], found), judged + _top(score[:, judged:], depth - found)]
        )
        order = np.argsort(-_at(score, column), axis=1)
        if unjudged_top is not None:
            share = rng.uniform(*unjudged_top)
            order = _with_unjudged_top(rng, order, _at(column, order) < judged, share)
        ranked = _at(column, order)
        made[f"run{number:0{len(str(runs))}d}"] = Table(
            query.repeat(depth),
            _at(doc, ranked).ravel(),
            np.sort(_at(score, column), axis=1)[:, ::-1].ravel(),
        )
    return Collection(qrels, made)


def dev_queries(queries: int = 6980, depth: int = 1000, seed: int = 0) -> Collection:
    """One run of the shape of MS MARCO's dev queries (passages), and its qrels.

    Qrels hold relevant documents only, about 1.07 for a query. The run finds about 86% of them,
    most near the top. Scores have four decimals, and some are tied. A relevant document is never
    tied, because MS MARCO's script, trec_eval and cwl-eval order ties differently.

    Parameters
    ----------
    queries
        How many.
    depth
        Documents that the run returns for a query.
    seed
        Equal seeds give equal collections.
    """
    rng = np.random.default_rng(seed)
    query = np.sort(rng.choice(DEV_IDS, queries, replace=False))
    doc = np.array([rng.choice(DEV_DOCS, depth + MOST_RELEVANT, replace=False) for _ in query])
    counts = rng.choice(MOST_RELEVANT, queries, p=DEV_RELEVANT / DEV_RELEVANT.sum()) + 1
    owner = np.arange(queries).repeat(counts)
    nth = np.arange(owner.size) - (np.cumsum(counts) - counts).repeat(counts)
    rank = (depth ** rng.random(owner.size)).astype(int) - 1
    missed = rng.random(owner.size) >= DEV_RECALL
    column = np.where(missed, depth + nth, rank)
    taken = np.unique(np.stack([owner, column]), axis=1)  # two may have drawn one rank
    qrels = Table(query[taken[0]], doc[taken[0], taken[1]], np.ones(taken.shape[1], int))
    gap = rng.integers(0, 40, (queries, depth + MOST_RELEVANT + 1))
    for side in (0, 1):  # the gaps above and below a relevant document
        gap[taken[0], taken[1] + side] += 1
    score = 30 - np.cumsum(gap, axis=1)[:, :depth] / 1e4
    run = Table(query.repeat(depth), doc[:, :depth].ravel(), score.round(4).ravel())
    return Collection(qrels, {"run1": run})


def _with_unjudged_top(
    rng: np.random.Generator, order: np.ndarray, judged: np.ndarray, share: float
) -> np.ndarray:
    """An order of each row's columns with about this share of unjudged ones in the top ten."""
    unjudged = rng.random((len(order), min(TOP, order.shape[1]))) < share
    made = []
    for row, is_judged, wanted in zip(order, judged, unjudged, strict=True):
        kinds = {True: list(row[~is_judged][::-1]), False: list(row[is_judged][::-1])}
        top = [(kinds[kind] or kinds[not kind]).pop() for kind in wanted.tolist()]
        made.append(np.concatenate((top, row[~np.isin(row, top)])))
    return np.array(made)


def _top(score: np.ndarray, count: int) -> np.ndarray:
    """Columns of the highest scores of each row, in no particular order."""
    return np.argsort(-score, axis=1)[:, :count]


def _at(values: np.ndarray, columns: np.ndarray) -> np.ndarray:
    return np.take_along_axis(values, columns, axis=1)


def pairs(
    runs: int, queries: int, depth: int, seed: int = 0
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, dict[str, float]]]]:
    """A reference and runs without ties; two rankings share about three quarters of documents."""
    rng = np.random.default_rng(seed)
    pools = np.tile(np.arange(depth * 4 // 3), (queries, 1))

    def ranked() -> dict[str, dict[str, float]]:
        docs = rng.permuted(pools, axis=1)[:, :depth].tolist()
        return {
            f"q{query}": {f"D{doc}": -float(rank) for rank, doc in enumerate(some)}
            for query, some in enumerate(docs)
        }

    return ranked(), {f"run{number}": ranked() for number in range(1, runs + 1)}


def _write_lines(file: Path, table: Table, second: str, rest: list[pl.Expr]) -> None:
    """Write a TREC file: query, a constant, document, and the rest."""
    columns = {"query": table.query, "doc": table.doc}
    others = [column.alias(f"c{place}") for place, column in enumerate(rest)]
    lines = pl.DataFrame(columns).select("query", pl.lit(second).alias("second"), "doc", *others)
    text = lines.write_csv(include_header=False, separator=" ").encode()
    file.write_bytes(gzip.compress(text, 1, mtime=0) if file.suffix == ".gz" else text)


def _names(numbers: np.ndarray) -> np.ndarray:
    """New strings for every table, as if read from a file."""
    return np.array(list(map(str, numbers.tolist())), dtype=object)
