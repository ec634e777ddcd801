"""What Python and notebooks show of a result: a sentence, and its table by pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .escapes import html_text, printable

if TYPE_CHECKING:
    from pandas import DataFrame, Series


class ShownByPandas:
    """The base class of results that have a sentence and a table."""

    def _said(self) -> list[str]:
        """What is said above the table, in lines."""
        raise NotImplementedError

    def _shown(self) -> DataFrame:
        """The table."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join([*map(printable, self._said()), repr(_spelled_out(self._shown()))])

    def _repr_html_(self) -> str | None:
        table = _spelled_out(self._shown())._repr_html_()  # type: ignore[operator]
        if table is None:  # by an option of pandas
            return None
        return "\n".join([*(f"<p>{html_text(text)}</p>" for text in self._said()), str(table)])


def _spelled_out(frame: DataFrame) -> DataFrame:
    """A table in which every character prints: pandas shows names as they are."""

    def column(values: Series[Any]) -> Series[Any]:
        return values if values.dtype.kind in "biuf" else values.map(_text)

    return frame.apply(column).rename(index=_text, columns=_text)


def _text(value: Any) -> Any:
    return printable(value) if isinstance(value, str) else value
