"""The base class of results: a sentence, a table, and equality by content."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..common.escapes import html_text, printable
from ..common.numeric import AnyArray
from .column import Column, arrays_of
from .frames import DataFrame, frame
from .read_only import ReadOnlyArrays

if TYPE_CHECKING:
    from pandas import Series

Columns: TypeAlias = dict[str, AnyArray | list[str] | tuple[str, ...] | list[float]]


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult(ReadOnlyArrays):
    """A result that Python and notebooks show as a sentence and a table by pandas."""

    @property
    def summary(self) -> str:
        """The result in one line."""
        raise NotImplementedError

    def columns(self) -> list[Column]:
        """The columns of the table, with what they mean: each is declared here, and only here."""
        raise NotImplementedError

    def to_columns(self) -> Columns:
        """The table as a mapping from column names to columns."""
        return arrays_of(self.columns())

    def to_frame(self) -> DataFrame:
        """The columns of `to_columns` as a DataFrame."""
        return frame(self.to_columns())

    def _said(self) -> list[str]:
        """What is said above the table, in lines."""
        return [f"{type(self).__name__}: {self.summary}"]

    def _shown(self) -> DataFrame:
        """The table that is shown."""
        return self.to_frame()

    def __eq__(self, other: object) -> bool:
        """Whether both results have the same type and content; NaN equals NaN."""
        if type(other) is not type(self):
            return NotImplemented
        names = [field.name for field in fields(self) if field.compare]
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.summary))

    def __repr__(self) -> str:
        table = self._printable()
        return "\n".join([*map(printable, self._said()), *([] if table is None else [repr(table)])])

    def _repr_html_(self) -> str | None:
        table = self._printable()
        html = None if table is None else table._repr_html_()  # type: ignore[operator]
        if html is None:  # also by an option of pandas
            return None
        return "\n".join([*(f"<p>{html_text(text)}</p>" for text in self._said()), str(html)])

    def _printable(self) -> DataFrame | None:
        """The table; None if pandas cannot hold its names, as those of files that are no UTF-8."""
        try:
            return _spelled_out(self._shown())
        except UnicodeEncodeError:
            return None


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, np.ndarray):
        floats = one.dtype.kind == "f"
        return np.array_equal(one, other, equal_nan=floats)
    return bool(one == other)


def _spelled_out(frame: DataFrame) -> DataFrame:
    """A table in which every character prints: pandas shows names as they are."""

    def column(values: Series[Any]) -> Series[Any]:
        return values if values.dtype.kind in "biuf" else values.map(_text)

    return frame.apply(column).rename(index=_text, columns=_text)


def _text(value: Any) -> Any:
    return printable(value) if isinstance(value, str) else value
