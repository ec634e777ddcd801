"""trec_eval's order of documents: score as float32, descending; then document id, descending."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .numeric import BoolArray, Int64Array, IntArray

Float32Array = NDArray[np.float32]


def trec_order(query: IntArray, score: NDArray[np.floating], doc_ids: Sequence[str]) -> Int64Array:
    """Sort the rows of a run by ascending query, and within a query in trec_eval's order.

    Parameters
    ----------
    query : (rows,) ints
        The number of each row's query.
    score : (rows,) floats
        Never NaN.
    doc_ids
        The document of each row.

    Returns
    -------
    (rows,) ints
        Positions in the arguments.
    """
    single = single_scores(score)
    order = np.argsort(score_keys(query, single))
    tied = tied_with_previous(query[order], single[order])
    place, group = tie_groups(tied)
    rows = order[place]
    order[place] = rows[descending_ids(group, [doc_ids[row] for row in rows.tolist()])]
    return order


def single_scores(score: NDArray[np.floating]) -> Float32Array:
    """Scores as float32. Scores outside its range become infinite, as in trec_eval."""
    with np.errstate(over="ignore"):
        return score.astype(np.float32)


def score_keys(query: IntArray, score: Float32Array) -> Int64Array:
    """Sort keys: query ascending, then score descending. Sorting one number is fastest."""
    bits = (score + np.float32(0)).view(np.int32)  # -0.0 ties with 0.0
    # The bits of a negative float fall, as an integer, when it rises: all but the sign is flipped.
    ascending = bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))
    return (query.astype(np.int64) << 32) - ascending


def scores_of_keys(keys: Int64Array) -> Float32Array:
    """The scores of sort keys; -0.0 has become 0.0."""
    ascending = (-keys).astype(np.int32)
    return (ascending ^ ((ascending >> 31) & np.int32(0x7FFFFFFF))).view(np.float32)


def tied_with_previous(query: IntArray, score: Float32Array) -> BoolArray:
    """Whether each ranked row has the query and the score of the row before it."""
    tied = np.zeros(len(score), bool)
    tied[1:] = (score[1:] == score[:-1]) & (query[1:] == query[:-1])
    return tied


def tie_groups(tied: BoolArray) -> tuple[Int64Array, Int64Array]:
    """The positions of tied rows, and the number of each tied row's group, from 1."""
    grouped = tied.copy()
    grouped[:-1] |= tied[1:]
    place = np.flatnonzero(grouped)
    return place, np.cumsum(~tied[place])


def descending_ids(group: Int64Array, doc_ids: Sequence[str]) -> Int64Array:
    """Sort documents by ascending group, and within a group by descending id."""
    number = {doc_id: number for number, doc_id in enumerate(sorted(set(doc_ids)))}
    by_id = np.fromiter(map(number.__getitem__, doc_ids), np.int64, len(doc_ids))
    return np.lexsort((-by_id, group))
