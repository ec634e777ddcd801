"""trec_eval's order of documents: score as float32, descending; then document id, descending."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import BoolArray, Float32Array, Int64Array, IntArray


def trec_order(
    query: IntArray, score: NDArray[np.floating], ids_of: Callable[[Int64Array], list[str]]
) -> Int64Array:
    """Sort the rows of a run by ascending query, and within a query in trec_eval's order.

    The numbers of the queries, the scores, which are never NaN, and the returned positions in them
    are (rows,). `ids_of` gives the documents of some rows: ids are compared only where scores tie.
    """
    single = single_scores(score)
    key = _keys(query, single)
    order = np.argsort(key)
    key = key[order]
    place, group = tied_rows(np.append(False, key[1:] == key[:-1])[: len(key)])
    if len(place):
        rows = order[place]
        order[place] = rows[_descending(group, ids_of(rows))]
    return order


def single_scores(score: NDArray[np.floating]) -> Float32Array:
    """Scores as float32. Scores outside its range become infinite, as in trec_eval; -0.0 is 0.0."""
    with np.errstate(over="ignore"):
        return score.astype(np.float32) + np.float32(0)


def _keys(query: IntArray, score: Float32Array) -> Int64Array:
    """Sort keys: query ascending, then score descending. Sorting one number is fastest."""
    bits = score.view(np.int32)
    # The bits of a negative float fall, as an integer, when it rises: all but the sign is flipped.
    ascending = bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))
    return (query.astype(np.int64) << 32) - ascending


def tied_with_previous(query: IntArray, score: Float32Array) -> BoolArray:
    """Whether each ranked row has the query and the score of the row before it."""
    tied = np.zeros(len(score), bool)
    tied[1:] = (score[1:] == score[:-1]) & (query[1:] == query[:-1])
    return tied


def tied_rows(tied: BoolArray) -> tuple[Int64Array, Int64Array]:
    """The positions of tied rows, and the number of each tied row's group, from 1."""
    grouped = tied.copy()
    grouped[:-1] |= tied[1:]
    place = np.flatnonzero(grouped)
    return place, np.cumsum(~tied[place])


def _descending(group: Int64Array, doc_ids: list[str]) -> Int64Array:
    """Sort documents by ascending group, and within a group by descending id."""
    by_id = np.array(sorted(range(len(doc_ids)), key=doc_ids.__getitem__, reverse=True))
    return by_id[np.argsort(group[by_id], kind="stable")]
