"""Bounds of nDCG for rankings with unjudged documents (section 3.3 of the bootstrap paper).

In an ideal ranking, the documents of one grade are adjacent. So its DCG needs no sorting: it is the
sum over grades of the gain times the discounts of the ranks that the grade occupies. Arguments
beside those of the package:

    dcg           (queries,) floats             DCG of the judged documents returned
    counts        (queries, levels) ints        number of documents of each level
    unjudged      (queries,) ints               number of unjudged documents returned
    gain          (levels,) floats              gain of each level
    assignable    int                           number of levels, from the lowest, that an unjudged
                                                document may get
    discounts     (depth + 1,) floats           0, then cumulated discounts of ranks 1 to depth
    weight        (queries, most unjudged + 1)  as `discounts`, of the unjudged documents' ranks
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, IntArray, safe_divide


def filled(discounts: FloatArray, start: IntArray, end: IntArray) -> FloatArray:
    """Sum of the discounts of ranks start + 1 to end. Ranks beyond the depth count as 0.

    `start` and `end` are ints of the same shape, which is that of the result; ``start <= end``.
    """
    last = len(discounts) - 1
    return discounts[np.minimum(end, last)] - discounts[np.minimum(start, last)]


def ideal_dcg(counts: IntArray, gain: FloatArray, discounts: FloatArray) -> FloatArray:
    """DCG of the ideal ranking, from the number of documents of each grade: (queries,)."""
    end = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
    return (filled(discounts, end - counts, end) * gain).sum(axis=1)


def best_left(
    left: IntArray, unjudged: IntArray, weight: FloatArray, gain: FloatArray
) -> FloatArray:
    """DCG of the unjudged documents if the best grades left go to the highest ranks: (queries,)."""
    end = np.minimum(np.cumsum(left[:, ::-1], axis=1), unjudged[:, np.newaxis])
    reached = np.take_along_axis(weight, end, axis=1)
    return (np.diff(reached, axis=1, prepend=0.0) * gain[::-1]).sum(axis=1)


def greatest_ndcg(
    dcg: FloatArray,
    counts: IntArray,
    unjudged: IntArray,
    weight: FloatArray,
    gain: FloatArray,
    assignable: int,
    discounts: FloatArray,
) -> FloatArray:
    """Largest nDCG over all assignments of grades to the unjudged documents: (queries,).

    The ideal ranking includes the unjudged documents with their assigned grades. The counts are
    those of the judged documents, returned or not.

    Dinkelbach's method: nDCG* is the best nDCG so far. An assignment with ``DCG - nDCG* IDCG > 0``
    has a higher nDCG. The method repeats until no assignment has. The difference is a sum over
    grades. Dynamic programming maximises it: grades are assigned from the highest to the lowest, to
    the unjudged documents from the top of the ranking down. The state is the number of unjudged
    documents that have a grade.
    """
    ideal = ideal_dcg(counts, gain, discounts)
    best = safe_divide(dcg, ideal)
    while True:
        value, bound = _best_grades(
            best, dcg, counts, unjudged, weight, gain, assignable, discounts
        )
        better = safe_divide(value, bound)
        if not np.any(better > best * (1.0 + 1e-14)):
            return best
        best = np.maximum(best, better)


def _best_grades(
    ndcg: FloatArray,
    dcg: FloatArray,
    counts: IntArray,
    unjudged: IntArray,
    weight: FloatArray,
    gain: FloatArray,
    assignable: int,
    discounts: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """DCG and ideal DCG of the assignment that maximises ``DCG - ndcg IDCG``: (queries,) each."""
    given = np.arange(weight.shape[1])
    more = given[:, np.newaxis] <= given  # number with a grade before (rows) and after (columns)
    allowed = more & (given <= unjudged[:, np.newaxis])[:, np.newaxis, :]
    value = np.where(given == 0, dcg[:, np.newaxis], -np.inf)
    ideal = np.zeros(value.shape)
    higher = np.zeros(len(dcg), np.int64)
    for grade in range(len(gain) - 1, 0, -1):
        end = higher + counts[:, grade]
        if grade < assignable:
            gained = gain[grade] * (weight[:, np.newaxis, :] - weight[:, :, np.newaxis])
            stretch = filled(
                discounts,
                (higher[:, np.newaxis] + given)[:, :, np.newaxis],
                (end[:, np.newaxis] + given)[:, np.newaxis, :],
            )
            values = np.where(allowed, value[:, :, np.newaxis] + gained, -np.inf)
            ideals = ideal[:, :, np.newaxis] + gain[grade] * stretch
            chosen = np.argmax(values - ndcg[:, np.newaxis, np.newaxis] * ideals, axis=1)
            chosen = chosen[:, np.newaxis, :]
            value = np.take_along_axis(values, chosen, axis=1)[:, 0]
            ideal = np.take_along_axis(ideals, chosen, axis=1)[:, 0]
        else:
            ideal = ideal + gain[grade] * filled(discounts, higher, end)[:, np.newaxis]
        higher = end
    chosen = np.argmax(value - ndcg[:, np.newaxis] * ideal, axis=1)[:, np.newaxis]
    return (
        np.take_along_axis(value, chosen, axis=1)[:, 0],
        np.take_along_axis(ideal, chosen, axis=1)[:, 0],
    )
