"""The base class of all studies' results: a one-line summary, and a table."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..common.numbers import p_text
from ..common.numeric import AnyArray
from ..common.short_table import ShortTable, shown_rows
from ..io.frames import frame

if TYPE_CHECKING:
    from ..io.frames import DataFrame

Columns: TypeAlias = "dict[str, AnyArray | list[str] | tuple[str, ...] | list[float]]"


P_VALUES = ("p", "p_value", "p_adjusted")

LARGE = 1e6  # a choice: larger numbers have an exponent, and columns stay narrow


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult:
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

    def __repr__(self) -> str:
        return self._short_table().text()

    def _repr_html_(self) -> str:
        return self._short_table().html()

    def _short_table(self) -> ShortTable:
        """What Python and notebooks show."""
        columns = self._shown_columns()
        count = max(map(len, columns.values()), default=0)
        rows = shown_rows(count)
        whole = {name for name, column in columns.items() if _is_whole(column)}
        cells = [
            [_cell(name, column[row], name in whole) for name, column in columns.items()]
            for row in rows
        ]
        return ShortTable(
            type(self).__name__,
            self.summary,
            list(columns),
            cells,
            texts={place for place, column in enumerate(columns.values()) if _is_text(column)},
            more=f"{count - len(rows)} more rows: .to_frame()" if len(rows) < count else "",
            notes=self._notes(),
        )

    def _shown_columns(self) -> Columns:
        """The columns that Python and notebooks show."""
        return self.to_columns()

    def _notes(self) -> list[str]:
        """What they show below."""
        return []

    def to_columns(self) -> Columns:
        """The table as a mapping from column names to columns."""
        raise NotImplementedError

    def to_frame(self) -> DataFrame:
        """The columns of `to_columns` as a DataFrame."""
        return frame(self.to_columns())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, np.ndarray):
        floats = one.dtype.kind == "f"
        return np.array_equal(one, other, equal_nan=floats)
    return bool(one == other)


def _is_text(column: Any) -> bool:
    return len(column) > 0 and isinstance(column[0], str)


def _is_whole(column: Any) -> bool:
    """Whether all floats of a column are whole numbers, such as ranks."""
    if not isinstance(column, np.ndarray) or column.dtype.kind != "f":
        return False
    defined = column[~np.isnan(column)]
    return bool((defined == np.round(defined)).all())


def _cell(name: str, value: Any, whole: bool) -> str:
    """A value as text; numbers have 3 decimal places unless they are whole."""
    if value is None or (isinstance(value, (float, np.floating)) and np.isnan(value)):
        return "-"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if not isinstance(value, (float, np.floating)):
        return str(value)
    if name in P_VALUES:
        return p_text(float(value))
    if abs(value) >= LARGE:
        return f"{value:.4g}"
    return f"{value:.0f}" if whole else f"{value:.3f}"
