"""ir_measures' own measures, with the numbers of trec_eval, or of gdeval, to the last bit.

Sums are formed as in these programs: one term after the other, from rank 1 down. So `np.cumsum` is
used, because `np.sum` adds in pairs. Documents of grade 0 or less add nothing to most measures:
their terms are left out, which does not change a sum. Arguments beside those of the package:

    ranked        RankedGrades                  documents of the qrels that the run returns
    ideal         (queries, relevant) ints      positive grades of the qrels, descending, then 0
    wanted, kept  (queries, documents) bools    whether to keep a document
    relevant      (queries,) ints               number of relevant documents in the qrels
    nonrelevant   (queries,) ints               number of nonrelevant ones, of grade 0 or more
    hits          (queries,) ints               number of relevant documents returned
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray, IntArray, safe_divide

INFAP_EPSILON = 0.00001  # as trec_eval's m_infap.c, to the last bit

HIGHEST_GDEVAL_GRADE = 4  # gdeval.pl's $MAX_JUDGMENT: it refuses higher grades

CWL_DEPTH = 1000  # cwl-eval's max_n: it sees no further ranks, and its weights down to it sum to 1

GDEVAL_DECIMALS = 5  # gdeval.pl prints "%.5f"


class RankedGrades(NamedTuple):
    """Judged documents that a run returns, by ascending rank: (queries, ranked) each."""

    rank: IntArray  # from 1; padded with 0 at the end of a row
    grade: IntArray  # padded with 0


def by_rank(rank: IntArray, grade: IntArray, wanted: BoolArray) -> RankedGrades:
    """Sort the wanted returned documents of each query by rank."""
    query, column, place = _ordered(rank, wanted)
    shape = (len(rank), int(place.max(initial=-1)) + 1)
    ranked = RankedGrades(np.zeros(shape, np.int64), np.zeros(shape, np.int64))
    ranked.rank[query, place] = rank[query, column]
    ranked.grade[query, place] = grade[query, column]
    return ranked


def renumbered(rank: IntArray, kept: BoolArray) -> tuple[IntArray, IntArray]:
    """The new ranks, and the numbers of documents left, (queries,), if only some are kept."""
    query, column, place = _ordered(rank, kept)
    fresh = np.zeros_like(rank)
    fresh[query, column] = place + 1
    return fresh, np.bincount(query, minlength=len(rank))


def _ordered(rank: IntArray, wanted: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
    """The wanted returned documents by query and rank: row, column, and place in the row from 0."""
    query, column = np.nonzero((rank > 0) & wanted)
    key = query * (int(rank.max(initial=0)) + 1) + rank[query, column]
    order = np.argsort(key)
    count = np.bincount(query, minlength=len(rank))
    place = np.arange(len(query)) - np.repeat(np.cumsum(count) - count, count)
    return query[order], column[order], place


def _hits(ranked: RankedGrades, rel: int, cutoff: int | None) -> BoolArray:
    """Which documents are relevant and within the cutoff."""
    hit = ranked.grade >= rel
    return hit if cutoff is None else hit & (ranked.rank <= cutoff)


def _total(terms: FloatArray) -> FloatArray:
    """Sums of the rows, formed from left to right."""
    return np.cumsum(terms, axis=1)[:, -1] if terms.shape[1] else np.zeros(len(terms))


def number_of_hits(ranked: RankedGrades, rel: int, cutoff: int | None = None) -> IntArray:
    """Number of relevant documents returned within the cutoff: (queries,)."""
    return np.count_nonzero(_hits(ranked, rel, cutoff), axis=1)


def number_of_relevant(ideal: IntArray, rel: int) -> IntArray:
    """Number of documents of at least grade `rel` in the qrels: (queries,)."""
    return np.count_nonzero(ideal >= rel, axis=1)


def rbp(ranked: RankedGrades, rel: int | None, p: float, cutoff: int | None) -> FloatArray:
    """Rank-biased precision: (queries,), equal to that of providers within rounding.

    cwl-eval needs `rel` and has no cutoff. Otherwise it is this package's lower `RBPBound`.
    """
    is_of_cwl = rel is not None and cutoff is None
    scale = 1.0 - p
    if is_of_cwl:
        cutoff, scale = CWL_DEPTH, 1.0 / np.power(p, np.arange(CWL_DEPTH)).sum()
    hit = _hits(ranked, rel or 1, cutoff)
    return scale * np.where(hit, np.power(p, np.maximum(ranked.rank, 1) - 1.0), 0.0).sum(axis=1)


def ndcg(ranked: RankedGrades, ideal: IntArray, cutoff: int | None) -> FloatArray:
    """Gain is the grade, the discount is log2(rank + 1): (queries,).

    `ranked` holds documents of positive grade only.
    """
    return _ndcg(ranked, ranked.grade, ideal, cutoff, math.log2)


def gdeval_ndcg(ranked: RankedGrades, ideal: IntArray, cutoff: int) -> FloatArray:
    """nDCG with the gain ``2^grade - 1``, as gdeval computes and rounds it; as for `ndcg`."""
    gain = (1 << ranked.grade) - 1
    best = (1 << ideal) - 1
    return _as_printed(_ndcg(ranked, gain, best, cutoff, math.log))


def _ndcg(
    ranked: RankedGrades,
    gain: IntArray,
    best: IntArray,
    cutoff: int | None,
    log_of: Callable[[float], float],
) -> FloatArray:
    """nDCG of the gains of ranked documents and of the qrels, by the host's logarithm."""
    depth = max(int(ranked.rank.max(initial=0)), best.shape[1])
    log = _logarithms(1 << depth.bit_length(), log_of)
    found = gain / log[ranked.rank]
    if cutoff is not None:
        found = np.where(ranked.rank <= cutoff, found, 0.0)
    best = best[:, :cutoff]
    return safe_divide(_total(found), _total(best / log[1 : best.shape[1] + 1]))


@lru_cache(maxsize=4)
def _logarithms(size: int, log_of: Callable[[float], float]) -> FloatArray:
    """The logarithms of rank + 1 for ranks 0 to `size` - 1; 1 for rank 0, which is padding.

    NumPy's logarithms may differ in the last bit from those of the C library.
    """
    log = np.array([1.0, *(log_of(rank + 1) for rank in range(1, size))])
    log.flags.writeable = False
    return log


def gdeval_err(ranked: RankedGrades, cutoff: int) -> FloatArray:
    """Expected reciprocal rank as gdeval computes and rounds it: (queries,).

    A document of grade g ends the search with probability ``(2^g - 1) / 16``. `ranked` holds
    documents of grades 1 to 4 only.
    """
    stop = ((1 << ranked.grade) - 1) / (1 << HIGHEST_GDEVAL_GRADE)
    stop = np.where(ranked.rank <= cutoff, stop, 0.0)
    reached = np.ones_like(stop)
    reached[:, 1:] = np.cumprod(1.0 - stop, axis=1)[:, :-1]
    return _as_printed(_total(stop * reached / np.maximum(ranked.rank, 1)))


def _as_printed(scores: FloatArray) -> FloatArray:
    """Scores as the host reads them from gdeval's output."""
    return np.array([float(f"{score:.{GDEVAL_DECIMALS}f}") for score in scores.tolist()])


def average_precision(
    ranked: RankedGrades, relevant: IntArray, rel: int, cutoff: int | None = None
) -> FloatArray:
    """Sum of the precisions at relevant documents, divided by their number in the qrels."""
    hit = _hits(ranked, rel, cutoff)
    precision = np.cumsum(hit, axis=1) / np.maximum(ranked.rank, 1)
    return safe_divide(_total(np.where(hit, precision, 0.0)), relevant)


def reciprocal_rank(ranked: RankedGrades, rel: int, cutoff: int | None = None) -> FloatArray:
    """1 / rank of the first relevant document; 0 if there is none within the cutoff."""
    hit = _hits(ranked, rel, cutoff)
    if not hit.shape[1]:
        return np.zeros(len(hit))
    first = np.argmax(hit, axis=1)
    row = np.arange(len(hit))
    return np.where(hit[row, first], 1.0 / np.maximum(ranked.rank[row, first], 1), 0.0)


def r_precision(ranked: RankedGrades, relevant: IntArray, rel: int) -> FloatArray:
    """Precision at rank R, the number of relevant documents in the qrels."""
    hit = _hits(ranked, rel, None) & (ranked.rank <= relevant[:, np.newaxis])
    return safe_divide(np.count_nonzero(hit, axis=1), relevant)


def bpref(ranked: RankedGrades, relevant: IntArray, nonrelevant: IntArray, rel: int) -> FloatArray:
    """Mean over relevant documents of the share of nonrelevant documents that rank below it.

    `ranked` holds all documents of grade 0 or more.
    """
    hit = _hits(ranked, rel, None)
    above = np.cumsum((ranked.rank > 0) & ~hit, axis=1)
    bound = relevant[:, np.newaxis]
    share = safe_divide(np.minimum(above, bound), np.minimum(nonrelevant[:, np.newaxis], bound))
    return safe_divide(_total(np.where(hit, 1.0 - share, 0.0)), relevant)


def inferred_ap(ranked: RankedGrades, relevant: IntArray, rel: int) -> FloatArray:
    """AP in which the precision above a document is inferred from the judged documents.

    `ranked` holds all documents. A negative grade means: in the pool, but not judged.
    """
    hit = _hits(ranked, rel, None)
    in_pool = ranked.rank > 0
    before = np.cumsum(hit, axis=1) - 1
    nonrelevant = np.cumsum(in_pool & ~hit & (ranked.grade >= 0), axis=1)
    unjudged = np.cumsum(in_pool & (ranked.grade < 0), axis=1)
    above = np.maximum(ranked.rank - 1, 1).astype(np.float64)  # rank 1 is a case of its own
    judged_precision = (before + INFAP_EPSILON) / (before + nonrelevant + 2 * INFAP_EPSILON)
    inferred = (
        1.0 / (above + 1.0)
        + (above / (above + 1.0)) * ((before + nonrelevant + unjudged) / above) * judged_precision
    )
    term = np.where(ranked.rank == 1, 1.0, inferred)
    return safe_divide(_total(np.where(hit, term, 0.0)), relevant)


def interpolated_precision(
    ranked: RankedGrades, relevant: IntArray, rel: int, recall: float
) -> FloatArray:
    """The highest precision at or below the rank that reaches a recall; 0 if no rank does."""
    hit = _hits(ranked, rel, None)
    so_far = np.cumsum(hit, axis=1)
    needed = np.floor(recall * relevant + 0.9)[:, np.newaxis]  # trec_eval's rule for fractions
    precision = so_far / np.maximum(ranked.rank, 1)
    return np.where(hit & (so_far >= needed), precision, 0.0).max(axis=1, initial=0.0)


def set_f(hits: IntArray, returned: IntArray, relevant: IntArray, beta: float) -> FloatArray:
    """Weighted harmonic mean of precision and recall; trec_eval does not square `beta`."""
    precision, recall = safe_divide(hits, returned), safe_divide(hits, relevant)
    return safe_divide((beta + 1.0) * precision * recall, beta * precision + recall)


def set_ap(hits: IntArray, returned: IntArray, relevant: IntArray) -> FloatArray:
    """Precision times recall, divided once."""
    part, whole = hits.astype(np.float64), returned.astype(np.float64)
    return safe_divide(part * part, whole * relevant)


def judged_share(rank: IntArray, returned: IntArray, cutoff: int | None) -> FloatArray:
    """Share of the documents within the cutoff that are judged: (queries,).

    The ranks are those of all judged documents, also beyond the cutoff.
    """
    if cutoff is None:
        return safe_divide(np.count_nonzero(rank, axis=1), returned)
    judged = np.count_nonzero((rank > 0) & (rank <= cutoff), axis=1)
    return safe_divide(judged, np.minimum(returned, cutoff))
