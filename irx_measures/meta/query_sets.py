"""Partition of queries by informativeness: uninformative and ideal queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray, Int64Array
from ..common.validators import finite_array, integer, names_of
from ..exceptions import InputError
from ..stats.results import Columns, StudyResult


@dataclass(frozen=True, eq=False, repr=False)
class QueryPartition(StudyResult):
    """The queries on which systems beat a random order the least, and the most.

    Attributes
    ----------
    queries : tuple of str
    informativeness : (queries,) floats
        Mean actual score minus expected value.
    uninformative, ideal : (size,) ints
        Positions of the least informative queries (the least informative first), and of the most
        informative ones (the most informative first).
    """

    queries: tuple[str, ...]
    informativeness: FloatArray
    uninformative: Int64Array
    ideal: Int64Array

    def to_columns(self) -> Columns:
        """One row per query: query, informativeness, uninformative, ideal."""
        positions = np.arange(len(self.queries))
        return {
            "query": self.queries,
            "informativeness": self.informativeness,
            "uninformative": np.isin(positions, self.uninformative),
            "ideal": np.isin(positions, self.ideal),
        }

    @property
    def summary(self) -> str:
        """The result in one line."""
        least, most = (
            self.informativeness[chosen].mean() for chosen in (self.uninformative, self.ideal)
        )
        return (
            f"{len(self.ideal)} uninformative and as many ideal ones of {len(self.queries)} "
            f"queries: informativeness {least:.3f} and {most:.3f} on average"
        )


def informativeness(scores: ArrayLike, expected: ArrayLike) -> FloatArray:
    """Compute how much better than a random order the systems are on each query.

    It is the systems' mean actual score minus the expected value (section 6.3.2 of the paper).

    Parameters
    ----------
    scores : (..., systems, queries)
        Scores of the base measure. Leading axes may hold, for example, several cutoffs.
    expected : (..., queries)
        Expected value of the same measure, for example ``Expected(normalized=True)`` for nDCG.

    Returns
    -------
    (queries,) floats
        Difference of the means over all other axes.

    Raises
    ------
    ValueError
        If the numbers of queries differ, or a number is not finite.

    References
    ----------
    Feng and Karmaker. Joint Upper & Expected Value Normalization for Evaluation of Retrieval
    Systems: A Case Study with Learning-to-Rank Methods. IPM 2023.

    Examples
    --------
    >>> from irx_measures.meta import informativeness
    >>> informativeness([[0.9, 0.5], [0.7, 0.5]], [0.4, 0.6]).round(2).tolist()
    [0.4, -0.1]
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


def partition_queries(
    scores: ArrayLike, expected: ArrayLike, size: int, queries: Sequence[str] | None = None
) -> QueryPartition:
    """Find the queries on which systems beat a random order the least, and the most.

    Parameters
    ----------
    scores : (..., systems, queries)
        Scores of the base measure.
    expected : (..., queries)
        Expected value of the same measure.
    size
        Number of queries in each set. The sets overlap if it is more than half of all queries.
    queries
        Names of the queries; positions if not given.

    Returns
    -------
    QueryPartition
        Ties keep the order of the queries.

    Raises
    ------
    ValueError
        If there are fewer queries than `size`, or in the cases of `informativeness`.

    Notes
    -----
    The difference is signed. Queries on which the systems are worse than a random order therefore
    come first among the uninformative queries.

    References
    ----------
    Feng and Karmaker. Joint Upper & Expected Value Normalization for Evaluation of Retrieval
    Systems: A Case Study with Learning-to-Rank Methods. IPM 2023.

    Examples
    --------
    >>> from irx_measures.meta import partition_queries
    >>> parts = partition_queries([[0.9, 0.5, 0.8], [0.7, 0.5, 0.7]], [0.4, 0.6, 0.1], size=1)
    >>> parts.uninformative.tolist(), parts.ideal.tolist()
    ([1], [2])
    """
    differences = informativeness(scores, expected)
    size = integer(1, len(differences)).check("size", size)
    # Of queries with equal differences, the first ones are taken.
    uninformative = np.argsort(differences, kind="stable")[:size]
    ideal = np.argsort(-differences, kind="stable")[:size]
    names = names_of("queries", queries, len(differences), "query")
    return QueryPartition(names, differences, uninformative, ideal)
