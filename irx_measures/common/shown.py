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


def _spelled_out(frame: DataFrame) -> DataFrame:
    """A table in which every character prints: pandas shows names as they are."""

    def column(values: Series[Any]) -> Series[Any]:
        return values if values.dtype.kind in "biuf" else values.map(_text)

    return frame.apply(column).rename(index=_text, columns=_text)


def _text(value: Any) -> Any:
    return printable(value) if isinstance(value, str) else value
