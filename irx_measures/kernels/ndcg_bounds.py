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

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import FloatArray, IntArray, safe_divide

Number = TypeVar("Number", bound=np.generic)


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
        assigned = _best_grades(best, dcg, counts, unjudged, weight, gain, assignable, discounts)
        better = safe_divide(assigned.dcg, assigned.ideal)
        if not np.any(better > best * (1.0 + 1e-14)):
            return best
        best = np.maximum(best, better)


class Assigned(NamedTuple):
    """DCG and ideal DCG of assignments, of the same shape: the first axis is the queries."""

    dcg: FloatArray
    ideal: FloatArray

    def best(self, ndcg: FloatArray) -> Assigned:
        """The assignments along the second axis that maximise ``DCG - ndcg IDCG``."""
        of_query = np.expand_dims(ndcg, tuple(range(1, self.dcg.ndim)))
        excess = of_query * self.ideal
        np.subtract(self.dcg, excess, out=excess)
        chosen = np.argmax(excess, axis=1, keepdims=True)
        return Assigned(
            np.take_along_axis(self.dcg, chosen, axis=1)[:, 0],
            np.take_along_axis(self.ideal, chosen, axis=1)[:, 0],
        )


def _best_grades(
    ndcg: FloatArray,
    dcg: FloatArray,
    counts: IntArray,
    unjudged: IntArray,
    weight: FloatArray,
    gain: FloatArray,
    assignable: int,
    discounts: FloatArray,
) -> Assigned:
    """The assignment that maximises ``DCG - ndcg IDCG``, of each query: (queries,)."""
    given = np.arange(weight.shape[1])  # how many unjudged documents have a grade
    # A step gives one more grade: (queries, number before, number after).
    is_step = given[:, np.newaxis] <= given
    allowed = is_step & _after(given <= unjudged[:, np.newaxis])
    # The best assignments of the grades so far: (queries, number given).
    none_given = np.where(given == 0, dcg[:, np.newaxis], -np.inf)
    best = Assigned(none_given, np.zeros(none_given.shape))
    higher = np.zeros(len(dcg), np.int64)
    for grade in range(len(gain) - 1, 0, -1):
        end = higher + counts[:, grade]
        if grade < assignable:
            new_dcg = gain[grade] * (_after(weight) - _before(weight))
            new_dcg += _before(best.dcg)
            start, stop = higher[:, np.newaxis] + given, end[:, np.newaxis] + given
            new_ideal = filled(discounts, _before(start), _after(stop))
            new_ideal *= gain[grade]
            new_ideal += _before(best.ideal)
            best = Assigned(np.where(allowed, new_dcg, -np.inf), new_ideal).best(ndcg)
        else:
            of_judged = gain[grade] * filled(discounts, higher, end)
            best = Assigned(best.dcg, best.ideal + of_judged[:, np.newaxis])
        higher = end
    return best.best(ndcg)


def _before(values: NDArray[Number]) -> NDArray[Number]:
    """Values of the number before a step: (queries, number before, 1)."""
    return values[:, :, np.newaxis]


def _after(values: NDArray[Number]) -> NDArray[Number]:
    """Values of the number after a step: (queries, 1, number after)."""
    return values[:, np.newaxis, :]
