"""What is kept: the results of sets of runs, and the indexes of recent qrels.

The results of a set are in the set's own cache, and end with the set.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from ..io.table import Table
from ..judgments.judgments import Judgments, reference_judgments
from .judged_set import CACHED, JudgedSet, kept
from .runset import RunSet

RESULTS = 32  # as many as measures in a call may need, or each run would make them again

# 262 144 judgments, 4 MB of grades and codes: most qrels of TREC are smaller (TREC-8 has 86 830).
# The cache keeps a copy of the qrels.
INDEXED_ROWS = 1 << 18

Value = TypeVar("Value")

_indexed: list[tuple[Table, Judgments]] = []  # recent qrels, the newest last


def kept_of(
    runset: RunSet, kind: str, key: Hashable, make: Callable[[], Value], most: int = CACHED
) -> Value:
    """A result in the cache of a set; the newest results of each kind stay."""
    return kept(runset._cache.setdefault(kind, {}), key, make, most)


def result_of(runset: RunSet, key: Hashable, make: Callable[[], Value]) -> Value:
    """A result that depends on a set of runs and a key; kept for as long as the set exists.

    Few results fit: the key must name everything else on which the result depends.
    """
    return kept_of(runset, "result", key, make, RESULTS)


def judged(runset: RunSet, judgments: Judgments, *depths: int | None) -> JudgedSet:
    """Join all runs of a set with the judgments; done once per content of the qrels.

    `depths` are those at which a run may later be recognised by its ranking.
    """
    key = judgments.digest
    return kept_of(runset, "judged", key, lambda: JudgedSet.of(runset, judgments, depths))


def keep_judged(runset: RunSet, judged_set: JudgedSet) -> None:
    """Keep what scoring joined: who asks for the same runs and qrels later judges nothing again."""
    kept_of(runset, "judged", judged_set.judgments.digest, lambda: judged_set)


def reference(runset: RunSet, query_ids: tuple[str, ...] | None = None) -> Judgments:
    """A set's only run as a reference ranking, read once per tuple of queries.

    If `query_ids` is None, the queries of the run are used.
    """

    def read() -> Judgments:
        run = runset.run(0)
        queries = run.query_ids if query_ids is None else query_ids
        return reference_judgments(run, queries)

    judgments = kept_of(runset, "reference", query_ids, read)
    return kept_of(runset, "reference", judgments.query_ids, lambda: judgments)


def index_qrels(qrels: Table) -> Judgments:
    """Index the qrels; the indexes of recent qrels are cached.

    ir_measures and PyTerrier create an evaluator from a new copy of the qrels for every run.
    A comparison of the copies is much faster than indexing them. Very large qrels are not cached.
    """
    if len(qrels.value) > INDEXED_ROWS:
        return Judgments(qrels)
    for known, judgments in reversed(_indexed):
        if known.equals(qrels):
            return judgments
    _indexed[: 1 - CACHED] = []
    _indexed.append((qrels, Judgments(qrels)))
    return _indexed[-1][1]


def forget_qrels() -> None:
    """Remove the indexes of recent qrels."""
    _indexed.clear()
