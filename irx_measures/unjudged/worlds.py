"""Worlds: complete sets of grades for the unjudged documents that runs return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.numeric import (
    BoolArray,
    Float32Array,
    FloatArray,
    Int64Array,
    IntArray,
    random_stream,
    slices,
)
from ..kernels.worlds import levels_of_draws, mean_by_document, tilted_below, world_counts
from .pooled_runs import UNJUDGED, PooledRuns
from .tilt import Tilt


@dataclass(frozen=True, eq=False)
class Worlds:
    """Levels of all unjudged documents in the top k of all runs, in many worlds.

    One document has one level in a world, in every run that returns it. The levels depend on the
    seed, the query id and the document id, and on the document's probabilities, but not on any
    order.
    """

    pooled: PooledRuns
    cutoff: int  # k
    doc: Int64Array  # (documents,): the unjudged ones, ascending, so by query
    level: IntArray  # (documents, worlds): the position of the grade in the pool's `grades`
    shared: BoolArray  # (documents,): whether runs of at least two groups have it in their top k
    counts: Int64Array  # (queries, worlds, levels): the documents that are judged or shared

    @classmethod
    def of(
        cls,
        pooled: PooledRuns,
        entries: Int64Array,
        probability: FloatArray,
        cutoff: int,
        samples: int,
        seed: int,
        tilt: Tilt | None = None,
    ) -> Worlds:
        """Draw `samples` worlds for the unjudged entries of the runs' top `cutoff`.

        The probability of each level is given for each entry, (entries, levels). If runs return the
        same document, its probability is the mean of those of its entries. With a tilt, the errors
        of a run have a common direction in each world.
        """
        order = np.argsort(pooled.doc[entries], kind="stable")
        entries, probability = entries[order], probability[order]
        doc, start = np.unique(pooled.doc[entries], return_index=True)
        tilts = None if tilt is None else tilt.draw(pooled.names, samples, seed).astype(np.float32)
        level = np.zeros((len(doc), samples), np.min_scalar_type(len(pooled.grades)))
        end = np.append(start[1:], len(entries))
        of_entry = samples * probability.shape[1]
        for block in slices(len(doc), of_entry * len(entries) // max(len(doc), 1)):
            part = slice(int(start[block.start]), int(end[block.stop - 1]))
            first = start[block] - part.start
            below: FloatArray | Float32Array
            if tilts is None:
                below = np.cumsum(mean_by_document(probability[part], first)[:, :-1], axis=1)
            else:
                of_part, runs = probability[part].astype(np.float32), pooled.run[entries[part]]
                below = tilted_below(of_part, tilts, runs, first)
            pairs = [
                (pooled.query_ids[pooled.doc_query[number]], pooled.doc_ids[number])
                for number in doc[block].tolist()
            ]
            level[block] = levels_of_draws(below, draws_of(pairs, seed, samples))
        group = pooled.group_of_run[pooled.run[entries]]
        shared = np.maximum.reduceat(group, start) > np.minimum.reduceat(group, start)
        counts = _counts(pooled, doc[shared], level[shared])
        return cls(pooled, cutoff, doc, level, shared, counts)

    @staticmethod
    def size(pooled: PooledRuns, cutoff: int, samples: int) -> float:
        """The bytes that worlds take: levels, and counts of documents."""
        docs = np.unique(pooled.doc[pooled.unjudged_entries(cutoff)])
        return float(samples) * (len(docs) + 8 * len(pooled.query_ids) * len(pooled.grades))

    def ideal_counts(self, queries: IntArray, row: IntArray) -> Int64Array:
        """The number of documents of each level in the ideal rankings of one run.

        They are the judged ones, the shared ones, and those that the run itself returns. A document
        that one other group alone returns is not among them: systems would lower the scores of
        others by what they alone return.

        The run's unjudged documents are given as rows of `level`: (queries, unjudged). The result
        is (queries, worlds, levels).
        """
        own = ~self.shared[row][..., np.newaxis]
        level = self.level[row]
        levels = range(self.counts.shape[2])
        of_own = [np.count_nonzero((level == one) & own, axis=1) for one in levels]
        return self.counts[queries] + np.stack(of_own, axis=2)

    def unjudged_of_run(self, position: int) -> tuple[Int64Array, Int64Array]:
        """A run's unjudged documents, by query and rank: where those of each query start,
        (queries + 1,), and their rows of `level`, (documents,)."""
        pooled = self.pooled
        entry = pooled.unjudged_entries(self.cutoff)
        entry = entry[pooled.run[entry] == position]
        start = np.searchsorted(pooled.query[entry], np.arange(len(pooled.query_ids) + 1))
        return start, np.searchsorted(self.doc, pooled.doc[entry])


def draws_of(pairs: Sequence[tuple[str, str]], seed: int, samples: int) -> Float32Array:
    """Uniform random numbers of each document by query id and document id: (documents, worlds)."""
    # float32 halves the memory; 24 random bits distinguish probabilities finely enough.
    draws = np.empty((len(pairs), samples), np.float32)
    for row, (query_id, doc_id) in zip(draws, pairs, strict=True):
        random_stream(seed, query_id, doc_id).random(dtype=np.float32, out=row)
    return draws


def _counts(pooled: PooledRuns, doc: Int64Array, level: IntArray) -> Int64Array:
    """Number of documents of each level in each world: (queries, worlds, levels)."""
    judged = np.flatnonzero(pooled.grade != UNJUDGED)
    levels, queries = len(pooled.grades), len(pooled.query_ids)
    cell = pooled.doc_query[judged] * levels + pooled.level[judged]
    counts = np.bincount(cell, minlength=queries * levels).reshape(queries, 1, levels)
    bounds = np.searchsorted(pooled.doc_query[doc], np.arange(queries + 1))
    of_worlds = [
        world_counts(level[first:last], levels)
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]
    return counts + np.stack(of_worlds)
