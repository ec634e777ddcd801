"""Tables given as columns, in the formats of the command line."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..stats.results import Columns
from .text_formats import TextTable, format_table


def columns_text(columns: Columns, form: str, places: int, left: Iterable[str] = ()) -> str:
    """Columns as a table.

    Parameters
    ----------
    columns
        The columns by their names.
    form
        A key of `text_formats.FORMATS`.
    places
        Decimal places, -1 for all.
    left
        The names of the columns of text.
    """
    names = list(columns)
    rows = [list(row) for row in zip(*(np.asarray(c).tolist() for c in columns.values()),
                                     strict=True)]  # fmt: skip
    align = ["left" if name in {*left} else "right" for name in names]
    return format_table(TextTable(names, rows, places, align), form)
