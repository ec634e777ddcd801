"""Finds judged documents in a run's dict, instead of a run's documents in the judgments.

A run returns many more documents than are judged. A document's rank is 1 plus the number of
documents that rank higher, which follows from the scores; document ids are compared only where a
judged document is tied.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Int32Array, Int64Array
from ..common.trec_order import Float32Array, score_keys, scores_of_keys, single_scores
from ..exceptions import InputError
from ..io.containers import NestedRun, packed_scores, unpacked_scores
from .judgments import Judgments
from .ranking import tie_by_rounding

NAN = float("nan")
NO_DOCUMENTS: dict[str, Any] = {}


class NestedLookUp:
    """The documents of a run's dict for the queries of judgments.

    Parameters
    ----------
    documents
        The documents and scores of each query.
    score : (returned,) floats
        The scores of all documents; never NaN.
    judgments, judged_score
        Judgments, and the score of each judged document; NaN if it was not returned.

    Attributes
    ----------
    returned : (queries,) ints
        Number of documents of each query.
    """

    def __init__(
        self,
        documents: list[dict[str, Any]],
        score: NDArray[np.float64],
        judgments: Judgments,
        judged_score: NDArray[np.float64],
    ) -> None:
        self._documents, self._judgments, self._judged_score = documents, judgments, judged_score
        self.returned = np.fromiter(map(len, documents), np.int64, len(documents))
        query = np.arange(len(documents)).repeat(self.returned)
        self._score, self._key = score, score_keys(query, single_scores(score))

    def tie_by_rounding(self) -> bool:
        """Whether most documents tie, as float32 only, with one of another score."""
        tied = np.diff(self._ranked_key, prepend=self._ranked_key[:1] - 1) == 0
        return tie_by_rounding(
            tied, self._score if self._is_ranked else self._score[self._ranked_row]
        )

    def scores(self) -> Float32Array:
        """The scores of each query's documents by rank: (returned,)."""
        return scores_of_keys(self._ranked_key)

    def ranks(self, judgments: Judgments) -> Int32Array:
        """The rank of each judged document; 0 if it was not returned: (queries, documents)."""
        judged_score = (
            self._judged_score if judgments is self._judgments else self._scores_of(judgments)
        )
        returned = np.flatnonzero(~np.isnan(judged_score))
        slot = np.flatnonzero(judgments.is_judged)[returned]
        query = slot // judgments.grade.shape[1]
        key = score_keys(query, single_scores(judged_score[returned]))
        place = np.searchsorted(self._ranked_key, key)
        tied = np.flatnonzero(np.append(self._ranked_key[1:], -1)[place] == key)
        ids = map(judgments.ids_by_query.__getitem__, returned[tied].tolist())
        place[tied] += self._higher_ids(query[tied], place[tied], key[tied], ids)
        rank = np.zeros(judgments.grade.shape, np.int32)
        rank.ravel()[slot] = place - self._start[query] + 1
        return rank

    def _scores_of(self, judgments: Judgments) -> NDArray[np.float64]:
        ids = iter(judgments.ids_by_query)
        counts = zip(self._documents, judgments.judged.tolist(), strict=True)
        judged_score = [
            _judged_scores(documents, islice(ids, judged), judged) for documents, judged in counts
        ]
        return np.frombuffer(b"".join(judged_score))

    @cached_property
    def _start(self) -> Int64Array:
        """The row of each query's first document: (queries,)."""
        return np.cumsum(self.returned) - self.returned

    @cached_property
    def _is_ranked(self) -> bool:
        return bool((self._key[1:] >= self._key[:-1]).all())

    @cached_property
    def _ranked_key(self) -> Int64Array:
        return self._key if self._is_ranked else np.sort(self._key)

    @cached_property
    def _ranked_row(self) -> Int64Array:
        return np.argsort(self._key)

    def _higher_ids(
        self, query: Int64Array, place: Int64Array, key: Int64Array, ids: Iterable[str]
    ) -> Int64Array:
        """How many documents with the query and the score of a judged one have a higher id."""
        end = np.searchsorted(self._ranked_key, key, "right")
        higher, before = [], -1
        names: list[str] = []
        groups: dict[int, list[str]] = {}
        places = query, self._start[query], place, end
        tied = zip(*(values.tolist() for values in places), ids, strict=True)
        for number, start, first, last, doc_id in tied:
            if number != before:
                names, groups, before = list(self._documents[number]), {}, number
            if first not in groups:
                rows = range(first, last) if self._is_ranked else self._ranked_row[first:last]
                groups[first] = sorted([names[row - start] for row in rows])
            higher.append(last - first - bisect_right(groups[first], doc_id))
        return np.array(higher, np.int64)


def look_up(run: NestedRun, judgments: Judgments) -> NestedLookUp | None:
    """Look up judged documents in a run's dict.

    Returns
    -------
    None if a document is not a string, or a score is NaN or not a number.
    """
    of_query = [run.nested.get(name, NO_DOCUMENTS) for name in judgments.query_ids]
    known = judgments.query_index.number
    others = [documents for name, documents in run.nested.items() if name not in known]
    ids = iter(judgments.ids_by_query)
    packed: list[bytes] = []
    judged_score: list[bytes] = []
    try:
        # Documents are checked, converted and looked up while they are in the CPU cache.
        for documents, judged in zip(of_query, judgments.judged.tolist(), strict=True):
            packed.append(packed_scores(documents))
            judged_score.append(_judged_scores(documents, islice(ids, judged), judged))
        score = unpacked_scores(packed, of_query)
        unpacked_scores(map(packed_scores, others), others)
    except (TypeError, InputError, struct.error):  # the ranking reports the error
        return None
    if np.isnan(score).any():
        return None
    return NestedLookUp(of_query, score, judgments, np.frombuffer(b"".join(judged_score)))


def top_names(run: NestedRun, query_ids: Iterable[str], lengths: Int64Array) -> list[str]:
    """The highest ranked documents of each query, one query after the other.

    Only the documents at the top are sorted. The run is one that a look-up did not decline.

    Parameters
    ----------
    run
    query_ids
    lengths : (queries,) ints
        How many documents of each query; the run has so many.
    """
    names: list[str] = []
    for query_id, length in zip(query_ids, lengths.tolist(), strict=True):
        if not length:
            continue
        documents = run.nested[query_id]
        ids = list(documents)
        score = single_scores(np.frombuffer(packed_scores(documents)))
        row = np.arange(len(ids))
        if len(ids) > length:
            lowest = np.partition(score, len(ids) - length)[len(ids) - length]
            row = np.flatnonzero(score >= lowest)  # more than wanted where the lowest is tied
        top = zip(score[row].tolist(), map(ids.__getitem__, row.tolist()), strict=True)
        names += [doc_id for _, doc_id in sorted(top, reverse=True)[:length]]
    return names


def _judged_scores(documents: dict[str, Any], ids: Iterable[str], count: int) -> bytes:
    """The scores of some documents as float64 in bytes; NaN if a document was not returned."""
    return struct.pack(f"{count}d", *map(documents.get, ids, repeat(NAN)))
