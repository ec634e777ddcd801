"""What all results of meta-evaluation share: a summary of one line, and a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ..common.arrays import AnyArray
from ..io.frames import frame
from ..stats.pairs import Pairs

if TYPE_CHECKING:
    from ..io.frames import DataFrame

Columns: TypeAlias = "dict[str, AnyArray | list[str] | tuple[str, ...] | list[float]]"


@dataclass(frozen=True)
class StudyResult:
    """The result of a study."""

    @property
    def summary(self) -> str:
        """One line."""
        raise NotImplementedError

    def to_columns(self) -> Columns:
        """The table, by the names of its columns."""
        raise NotImplementedError

    def to_frame(self) -> DataFrame:
        """The columns of `to_columns` as a DataFrame."""
        return frame(self.to_columns())


@dataclass(frozen=True)
class PairsResult(StudyResult):
    """The result of a study of all pairs of systems.

    Attributes
    ----------
    systems : tuple of str
    """

    systems: tuple[str, ...]

    def pair_columns(self, **columns: AnyArray) -> Columns:
        """The names of both systems of every pair, and what was found of the pair."""
        pairs = Pairs.of(len(self.systems))
        return {
            "first": [self.systems[position] for position in pairs.first],
            "second": [self.systems[position] for position in pairs.second],
            **columns,
        }
