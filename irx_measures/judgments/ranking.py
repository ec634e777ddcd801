"""The ranking of a run: trec_eval's order, and its rule for ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..io.columns import RunColumns, run_label
from ..io.identifiers import IdIndex, Ids


@dataclass(frozen=True)
class Ranking:
    """A run's rows in trec_eval's order: query, float32 score descending, document id descending.

    Documents of equal score stand in no particular order before `order_ties`.

    Attributes
    ----------
    row : (returned,) ints
        Rows of the run, ranked, those of unknown queries left out.
    query : (returned,) ints
        The query of each, ascending.
    tied : (returned,) bools
        Whether each has the score of the one before, in the same query.
    start, returned : (queries,) ints
        Where each query's ranking starts, and how long it is.
    """

    row: NDArray[np.int64]
    query: NDArray[np.int32]
    score: NDArray[np.float32]
    tied: NDArray[np.bool_]
    start: NDArray[np.int64]
    returned: NDArray[np.int64]

    def order_ties(self, doc: Ids, places: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Order tied rows by document id, descending, in place.

        Parameters
        ----------
        doc
            The document ids of the run.
        places
            Only those that tie with the rows here; all where None. Names are costly to compare.

        Returns
        -------
        The places of the rows that were ordered.
        """
        grouped = self.tied.copy()
        grouped[:-1] |= self.tied[1:]
        place = np.flatnonzero(grouped)
        group = np.cumsum(~self.tied[place])
        if places is not None:
            asked = np.zeros(len(self.row), bool)
            asked[places] = True
            wanted = np.zeros(len(place) + 1, bool)
            wanted[group[asked[place]]] = True
            place, group = place[wanted[group]], group[wanted[group]]
        names = doc.take(self.row[place])
        number = {name: number for number, name in enumerate(sorted(set(names)))}
        name_order = np.fromiter(map(number.__getitem__, names), np.int64, len(names))
        self.row[place] = self.row[place[np.lexsort((-name_order, group))]]
        return place

    def top(self, depth: int | None) -> NDArray[np.int64]:
        """Places of every query's highest ranks."""
        if depth is None:
            return np.arange(len(self.row))
        place = np.arange(len(self.row)) - self.start[self.query]
        return np.flatnonzero(place < depth)


def rank_run(run: RunColumns, query_index: IdIndex, name: str | None = None) -> Ranking:
    """Order a run, sorting only the queries that do not come sorted; ties are left as they come.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
    """
    names, lengths = run.query.run_lengths()
    stretch = names.codes(query_index)
    query = np.repeat(stretch, lengths)
    known = stretch >= 0
    with np.errstate(over="ignore"):  # beyond float32 is infinite, as in trec_eval
        if known.all():
            row = np.arange(len(query))
            score = run.score.astype(np.float32)
        else:
            row = np.flatnonzero(query >= 0)
            query, score = query[row], run.score[row].astype(np.float32)
            stretch, lengths = stretch[known], lengths[known]
    not_a_number = np.isnan(score)
    if not_a_number.any():
        first = row[not_a_number][:1]
        raise InputError(
            f"{run_label(name)}: score is NaN for query {run.query.take(first)[0]!r}, "
            f"document {run.doc.take(first)[0]!r}"
        )
    returned = np.bincount(stretch, lengths, len(query_index)).astype(np.int64)
    if np.any(stretch[1:] < stretch[:-1]):
        by_score = np.argsort(_rank_key(query, score))
        row, query, score = row[by_score], query[by_score], score[by_score]
        _refuse_repeats(run, row, query, query_index, name)
    else:
        _refuse_repeats(run, row, query, query_index, name)
        rising = score[1:] > score[:-1]
        rising &= query[1:] == query[:-1]
        if rising.any():
            unsorted = np.zeros(len(query_index), bool)
            unsorted[query[1:][rising]] = True
            place = np.flatnonzero(unsorted[query])
            by_score = place[np.argsort(_rank_key(query[place], score[place]))]
            row[place], score[place] = row[by_score], score[by_score]
    tied = np.zeros(len(row), bool)
    tied[1:] = (score[1:] == score[:-1]) & (query[1:] == query[:-1])
    return Ranking(row, query, score, tied, np.cumsum(returned) - returned, returned)


def _refuse_repeats(
    run: RunColumns,
    row: NDArray[np.int64],
    query: NDArray[np.int32],
    query_index: IdIndex,
    name: str | None,
) -> None:
    """ValueError where rows, grouped by query, hold a document twice for one."""
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    if run.distinct or not run.doc.may_have_duplicates(row, starts):
        return
    seen = set()
    for code, document in zip(query.tolist(), run.doc.take(row), strict=True):
        if (code, document) in seen:
            raise InputError(
                f"{run_label(name)}: query {query_index.ids[code]!r} returns document {document!r} "
                "more than once"
            )
        seen.add((code, document))


def _rank_key(query: NDArray[np.int32], score: NDArray[np.float32]) -> NDArray[np.int64]:
    """Ascends as queries do, and within them as scores descend: one number is sorted fastest."""
    bits = (score + np.float32(0)).view(np.int32)  # -0.0 ties with 0.0
    ascending = bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))
    return (query.astype(np.int64) << 32) - ascending
