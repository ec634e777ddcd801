"""The ranking of a run in trec_eval's order; tied documents are compared only if necessary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import BoolArray, FloatArray, Int32Array, Int64Array
from ..common.trec_order import (
    Float32Array,
    descending_ids,
    score_keys,
    single_scores,
    tie_groups,
    tied_with_previous,
)
from ..exceptions import InputError
from ..io.columns import RunColumns, run_label
from ..io.identifiers import IdIndex, Ids
from ..io.origin import duplicate_message


@dataclass(frozen=True)
class Ranking:
    """A run's rows by query and, within a query, by float32 score, descending.

    Tied rows keep their input order, because comparing document ids is costly and few ties matter.
    `ordered_ties` and `ordered_rows` put tied rows in trec_eval's order.

    Attributes
    ----------
    doc
        The document ids of the run.
    row : (returned,) ints
        Rows of the run, ranked; rows of queries outside the index are left out.
    query : (returned,) ints
        The query of each ranked row, ascending.
    score : (returned,) float32
        The score of each ranked row.
    returned : (queries,) ints
        Number of documents of each query.
    """

    doc: Ids
    row: Int64Array
    query: Int32Array
    score: Float32Array
    returned: Int64Array

    @cached_property
    def start(self) -> Int64Array:
        """Where each query's ranking starts: (queries,)."""
        return np.cumsum(self.returned) - self.returned

    @cached_property
    def tied(self) -> BoolArray:
        """Whether each row has the query and the score of the row before it: (returned,)."""
        return tied_with_previous(self.query, self.score)

    def ordered_ties(self, places: Int64Array | None = None) -> tuple[Int64Array, Int64Array]:
        """Tied rows by document id, descending.

        Parameters
        ----------
        places
            Only ties with a row at one of these positions are ordered; None: all ties.

        Returns
        -------
        place, row
            The positions of the tied rows, and the row of the run that belongs at each position.
        """
        place, group = tie_groups(self.tied)
        if places is not None:
            wanted = np.zeros(len(self.row), bool)
            wanted[places] = True
            of_group = np.zeros(len(place) + 1, bool)
            of_group[group[wanted[place]]] = True
            place, group = place[of_group[group]], group[of_group[group]]
        row = self.row[place]
        return place, row[descending_ids(group, self.doc.take(row))]

    def ordered_rows(self, places: Int64Array | None = None) -> Int64Array:
        """The rows at some positions in trec_eval's order; None: at all positions."""
        tied, tied_row = self.ordered_ties(places)
        row = self.row.copy()
        row[tied] = tied_row
        return row if places is None else row[places]

    def top(self, depth: int | None) -> Int64Array:
        """The positions of every query's top ranks."""
        if depth is None:
            return np.arange(len(self.row))
        place = np.arange(len(self.row)) - self.start[self.query]
        return np.flatnonzero(place < depth)


def tie_by_rounding(tied: BoolArray, score: FloatArray) -> bool:
    """Whether most documents tie with one of another score: the scores are equal only as float32.

    Parameters
    ----------
    tied : (returned,) bools
        Whether each ranked document has the query and the float32 score of the one before it.
    score : (returned,) floats
        The scores as given.
    """
    place, group = tie_groups(tied)
    if 2 * len(place) <= len(tied):
        return False
    starts = np.flatnonzero(np.diff(group, prepend=0))
    lowest, highest = (of.reduceat(score[place], starts) for of in (np.minimum, np.maximum))
    sizes = np.diff(starts, append=len(place))
    return int(sizes[lowest < highest].sum()) > len(tied) // 2


def rank_run(run: RunColumns, query_index: IdIndex, name: str | None = None) -> Ranking:
    """Rank a run; only queries whose rows are not sorted yet are sorted.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
    """
    query_ids, lengths = run.query.run_lengths()
    block_query = query_ids.codes(query_index)
    query = np.repeat(block_query, lengths)
    indexed = block_query >= 0
    if indexed.all():
        row = np.arange(len(query))
        score = single_scores(run.score)
    else:
        row = np.flatnonzero(query >= 0)
        query, score = query[row], single_scores(run.score[row])
        block_query, lengths = block_query[indexed], lengths[indexed]
    _refuse_nan(run, row, score, name)
    returned = np.bincount(block_query, lengths, len(query_index)).astype(np.int64)
    if np.any(block_query[1:] < block_query[:-1]):
        by_score = np.argsort(score_keys(query, score))
        row, query, score = row[by_score], query[by_score], score[by_score]
        _refuse_duplicates(run, row, query, query_index, name)
    else:
        # Comparing rows in input order is faster, so duplicates are searched before sorting.
        _refuse_duplicates(run, row, query, query_index, name)
        _sort_unsorted_queries(row, query, score, len(query_index))
    return Ranking(run.doc, row, query, score, returned)


def _sort_unsorted_queries(
    row: Int64Array, query: Int32Array, score: Float32Array, queries: int
) -> None:
    """Sort in place the rows of queries whose scores are not in descending order."""
    rising = score[1:] > score[:-1]
    rising &= query[1:] == query[:-1]
    if rising.any():
        unsorted = np.zeros(queries, bool)
        unsorted[query[1:][rising]] = True
        place = np.flatnonzero(unsorted[query])
        by_score = place[np.argsort(score_keys(query[place], score[place]))]
        row[place], score[place] = row[by_score], score[by_score]


def _refuse_nan(run: RunColumns, row: Int64Array, score: Float32Array, name: str | None) -> None:
    not_a_number = np.isnan(score)
    if not_a_number.any():
        first = row[not_a_number][:1]
        (query_id,), (doc_id,) = run.query.take(first), run.doc.take(first)
        where = "" if run.origin is None else f" ({run.origin.where(query_id, doc_id, 1)})"
        raise InputError(
            f"{run_label(name)}: score is NaN for query {query_id!r}, document {doc_id!r}{where}"
        )


def _refuse_duplicates(
    run: RunColumns,
    row: NDArray[np.int64],
    query: NDArray[np.int32],
    query_index: IdIndex,
    name: str | None,
) -> None:
    """InputError if a query has a document twice; the rows are grouped by query."""
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    if run.distinct or not run.doc.may_have_duplicates(row, starts):
        return
    before = set()
    for code, document in zip(query.tolist(), run.doc.take(row), strict=True):
        if (code, document) in before:
            query_id = query_index.ids[code]
            raise InputError(
                duplicate_message(run.origin, run_label(name), query_id, "returns", document)
            )
        before.add((code, document))
