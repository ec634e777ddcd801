"""Uninformative and ideal queries, and how much systems differ under a measure (IPM 2023).

Feng and Karmaker. Joint Upper & Expected Value Normalization for Evaluation of Retrieval Systems: A
Case Study with Learning-to-Rank Methods, section 6.3.2 and equation 8.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray, Int64Array, safe_divide
from ..common.validators import finite_array, integer
from ..exceptions import InputError
from ..stats.pairs import Pairs
from .scores import ScoresLike, system_scores


class QuerySets(NamedTuple):
    """Positions of the least and of the most informative queries.

    Ties keep the order of the queries.

    Attributes
    ----------
    uninformative : (size,) ints
        Of the least informative queries, the least first.
    ideal : (size,) ints
        Of the most informative queries.

    See Also
    --------
    irx_measures.meta.partition_queries : Computes it.
    """

    uninformative: Int64Array
    ideal: Int64Array


def informativeness(scores: ArrayLike, expected: ArrayLike) -> FloatArray:
    """Compute how much better than a random order the systems are on each query: (queries,) floats.

    It is the mean score minus the mean expected value, each over all other axes.

    Parameters
    ----------
    scores : (..., systems, queries)
        Scores of the base measure. Leading axes may hold, for example, several cutoffs.
    expected : (..., queries)
        Expected value of the same measure, for example ``Expected(normalized=True)`` for nDCG.

    Returns
    -------
    (queries,) floats
        Differences in the unit of the scores; below 0 where the systems are worse than chance.

    Raises
    ------
    ValueError
        When the arrays are not of the same queries, are empty, or have a number that is not finite.

    Examples
    --------
    >>> from irx_measures.meta import informativeness
    >>> informativeness([[0.9, 0.5, 0.8], [0.7, 0.5, 0.7]], [0.4, 0.6, 0.1]).round(2).tolist()
    [0.4, -0.1, 0.65]
    """
    per_system = finite_array("scores", scores, at_least=2)
    chance = finite_array("expected", expected, at_least=1)
    if per_system.shape[-1] != chance.shape[-1]:
        raise InputError(
            "`scores` and `expected` must be of the same queries; "
            f"got {per_system.shape[-1]} and {chance.shape[-1]}"
        )
    if not per_system.size or not chance.size:
        raise InputError(f"`scores` must not be empty; got shape {per_system.shape}")
    queries = per_system.shape[-1]
    return per_system.reshape(-1, queries).mean(axis=0) - chance.reshape(-1, queries).mean(axis=0)


def partition_queries(scores: ArrayLike, expected: ArrayLike, size: int) -> QuerySets:
    """Find the queries on which systems beat a random order the least, and the most.

    The difference is signed: queries on which the systems are worse than a random order come first
    among the uninformative ones.

    Parameters
    ----------
    scores, expected
        As for `informativeness`.
    size
        Number of queries in each set. The sets overlap if it is more than half of all queries.

    Returns
    -------
    QuerySets
        A named tuple of the positions of the queries: `uninformative` and `ideal`, (size,) ints
        each.

    Raises
    ------
    ValueError
        When `size` is not from 1 to the number of queries; and as for `informativeness`.

    Examples
    --------
    >>> from irx_measures.meta import partition_queries
    >>> parts = partition_queries([[0.9, 0.5, 0.8], [0.7, 0.5, 0.7]], [0.4, 0.6, 0.1], size=1)
    >>> parts.uninformative.tolist(), parts.ideal.tolist()
    ([1], [2])
    """
    differences = informativeness(scores, expected)
    size = integer(1, len(differences)).check("size", size)
    least = np.argsort(differences, kind="stable")[:size]
    most = np.argsort(-differences, kind="stable")[:size]
    return QuerySets(least, most)


def percentage_absolute_difference(scores: ScoresLike) -> FloatArray:
    """Differences of mean scores, in percent of the larger mean (upper-expected paper, Eq. 8).

    Parameters
    ----------
    scores : (systems, queries)
        To average a measure over cutoffs, as in the paper, concatenate the scores of all cutoffs
        along the second axis.

    Returns
    -------
    (pairs,) floats
        For the pairs of systems (0, 1), (0, 2), ..., (1, 2), ... The paper's Table 10 has the mean.

    Raises
    ------
    ValueError
        When the scores are not finite numbers of at least 2 systems, or two means differ and the
        larger one is not above 0.

    Notes
    -----
    - Two equal means differ by 0%, even if both are 0.
    - Version 2 of `UE` can give means below 0. The difference between a negative and a positive
      mean is more than 100%.

    Examples
    --------
    >>> from irx_measures.meta import percentage_absolute_difference
    >>> percentage_absolute_difference([[0.2, 0.4], [0.4, 0.4], [0.1, 0.3]]).round(2)
    array([25.  , 33.33, 50.  ])
    """
    array, _ = system_scores(scores, None, queries=1)
    mean = array.mean(axis=1)
    pairs = Pairs.of(len(array))
    difference = np.abs(pairs.differences(mean))
    larger = np.maximum(mean[pairs.first], mean[pairs.second])
    with np.errstate(over="ignore"):  # if the larger mean is barely above 0
        percentage = 100.0 * safe_divide(difference, larger)
    undefined = (larger <= 0) & (difference > 0) | np.isinf(percentage)
    if undefined.any():
        raise InputError(
            "`scores`: percentages of the larger mean need it to be above 0; "
            f"got {larger[undefined][0]:g}"
        )
    return percentage
