"""The base class of all studies' results: a one-line summary, and a table."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from ..common.numeric import AnyArray
from ..common.shown import ShownByPandas
from ..io.frames import DataFrame, frame

Columns: TypeAlias = "dict[str, AnyArray | list[str] | tuple[str, ...] | list[float]]"


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult(ShownByPandas):
    """The result of a study."""

    @property
    def summary(self) -> str:
        """The result in one line."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        """Whether both results have the same type and content; NaN equals NaN."""
        if type(other) is not type(self):
            return NotImplemented
        names = [field.name for field in fields(self) if field.compare]
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.summary))

    def _said(self) -> list[str]:
        return [f"{type(self).__name__}: {self.summary}"]

    def _shown(self) -> DataFrame:
        return self.to_frame()

    def to_columns(self) -> Columns:
        """The table as a mapping from column names to columns."""
        raise NotImplementedError

    def to_frame(self) -> DataFrame:
        """The columns of `to_columns` as a DataFrame."""
        return frame(self.to_columns())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, np.ndarray):
        floats = one.dtype.kind == "f"
        return np.array_equal(one, other, equal_nan=floats)
    return bool(one == other)
