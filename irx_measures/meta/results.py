"""The base class of meta-evaluation results about pairs of systems."""

from __future__ import annotations

from dataclasses import dataclass

from ..common.numeric import AnyArray
from ..stats.pairs import Pairs
from ..stats.results import Columns, StudyResult

NO_CLASS = -1  # of an undefined score: classes count from 0


@dataclass(frozen=True, eq=False, repr=False)
class PairsResult(StudyResult):
    """The result of a study of all pairs of systems.

    Attributes
    ----------
    systems : tuple of str
    """

    systems: tuple[str, ...]

    def pair_columns(self, **columns: AnyArray) -> Columns:
        """Columns with the names of both systems of every pair, followed by the given columns."""
        pairs = Pairs.of(len(self.systems))
        return {
            "first": [self.systems[position] for position in pairs.first],
            "second": [self.systems[position] for position in pairs.second],
            **columns,
        }
