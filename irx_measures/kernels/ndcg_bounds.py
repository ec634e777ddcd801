"""Bounds of nDCG where documents are unjudged (section 3.3 of the bootstrap paper).

Documents of one grade stand together in an ideal ranking, so that its DCG needs no sorting: it is a
sum over grades of the gain times the discounts of the ranks that the grade fills.
"""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray, IntArray
from ..common.division import safe_divide


def filled(discounts: FloatArray, start: IntArray, end: IntArray) -> FloatArray:
    """Sum of the discounts of ranks start + 1 to end, none below the last there is.

    Parameters
    ----------
    discounts : (depth + 1,)
        Discounts of ranks 1 to depth, summed from rank 0 on.
    """
    last = len(discounts) - 1
    return discounts[np.minimum(end, last)] - discounts[np.minimum(start, last)]


def ideal_dcg(counts: IntArray, gain: FloatArray, discounts: FloatArray) -> FloatArray:
    """DCG of the ideal ranking of so many documents of each grade: (queries,).

    Parameters
    ----------
    counts : (queries, grades)
        By ascending grade.
    gain : (grades,)
    discounts : (depth + 1,)
        Summed, as for `filled`.
    """
    end = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
    return (filled(discounts, end - counts, end) * gain).sum(axis=1)


def best_left(
    left: IntArray, unjudged: IntArray, weight: FloatArray, gain: FloatArray
) -> FloatArray:
    """DCG of the unjudged documents, the highest of which take the best grades left: (queries,).

    Parameters
    ----------
    left : (queries, grades)
        Judged documents that were not returned, by ascending grade.
    unjudged : (queries,)
    weight : (queries, most unjudged + 1)
        Discounts of the ranks of the unjudged documents, summed from 0 on.
    gain : (grades,)
    """
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
    """Largest nDCG over all grades of the unjudged documents, which join the ideal: (queries,).

    Dinkelbach's method: while some grades give ``DCG - nDCG* IDCG > 0`` for the best nDCG* so far,
    their nDCG is better. That difference is a sum over grades, best grade first, so that grades
    which maximise it are found by dynamic programming over how many unjudged documents, from the
    top, have been given one.

    Parameters
    ----------
    dcg : (queries,)
        Of the judged documents returned.
    counts : (queries, grades)
        All judged documents, by ascending grade.
    unjudged : (queries,)
    weight : (queries, most unjudged + 1)
        Discounts of the ranks of the unjudged documents, summed from 0 on.
    gain : (grades,)
    assignable
        An unjudged document may take any of the first so many grades.
    discounts : (depth + 1,)
        Summed, as for `filled`.
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
    """DCG and ideal DCG of the grades that maximise ``DCG - ndcg IDCG``: (queries,) each."""
    given = np.arange(weight.shape[1])
    more = given[:, np.newaxis] <= given  # from so many (rows) to so many (columns)
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
