"""The columns of a table of scores, in a file or a DataFrame: names as texts, scores as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from sys import intern
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from ir_measures import Measure

from ..common.memory import require_memory
from ..common.numeric import FloatArray
from ..common.writing import shown
from ..exceptions import InputError
from ..io.block import ABSENT, Block
from ..io.columns import QUERY_NAMES, SYSTEM_NAMES

if TYPE_CHECKING:
    import pandas

COLUMNS = {
    "measure": ("measure", "metric"),
    "system": ("name", *SYSTEM_NAMES, "model", "model_name"),
    "query": (*QUERY_NAMES, "topic", "task_name", "user_input", "question"),
    "value": ("value", "score"),
}
"""The accepted names of the columns, by what they hold: those of runs, and some of other tools."""

GROUP: Literal["group"] = "group"
COLLECTION: Literal["collection"] = "collection"

UNITS = (COLLECTION, GROUP)
"""The columns of what a query is of: a collection, or a group of queries."""

KEYS = ["measure", "system", "query"]

HEADS_OF_NAMES = {*UNITS, *COLUMNS["measure"], *COLUMNS["system"], *COLUMNS["query"]}

CELL_BYTES = 100  # of a file, as measured: 70 where a row is a score, 150 where it has many

BOOLEANS = {"true": True, "false": False}  # as pandas writes them in csv

NO_SCORE = ("", "nan", "na", "n/a", "null", "none")  # as tables write it


class Place(NamedTuple):
    """What messages call a table, and what stands around the label of a row."""

    table: str
    means: str  # the hint if it has means only
    before: str
    after: str = ""
    names_means: bool = True  # whether a query that is called as a mean is one

    def row(self, label: object) -> str:
        """What messages call a row."""
        return f"{self.before}{label}{self.after}"


def frame_of_blocks(found: Iterable[Block]) -> pandas.DataFrame:
    """A table in a file, with the lines as its index: names as texts, scores as numbers.

    InputError if a name is empty or not a text. What is not a score remains as it is.
    """
    import pandas as pd

    lines: list[int] = []
    columns: dict[str, list[Any]] = {}
    for block in found:
        heads = {*columns, *block.cells}
        require_memory(block.what, CELL_BYTES * (len(lines) + len(block)) * len(heads))
        for head, cells in block.cells.items():
            read = _names if head in HEADS_OF_NAMES else _scores
            columns.setdefault(head, [None] * len(lines)).extend(read(block, head, cells))
        lines.extend(block.line)
        for column in columns.values():  # a row of JSON may lack some
            column.extend([None] * (len(lines) - len(column)))
    return pd.DataFrame(columns, index=lines)


def _names(block: Block, head: str, cells: list[Any]) -> Iterable[str | None]:
    """A column of names, None where a row of JSON lacks it; a group may be empty."""
    for row, cell in enumerate(cells):
        if isinstance(cell, str) and cell:
            yield intern(cell)
        elif cell is ABSENT:
            yield None
        elif head in UNITS and not cell:
            yield ""
        else:
            raise block.wrong(row, head, "text", cell)


def _scores(block: Block, head: str, cells: list[Any]) -> Iterable[Any]:
    """A column of scores, None where there is none; other cells as they are."""
    for cell in cells:
        try:
            yield block.number(cell)
        except OverflowError:
            yield np.inf
        except ValueError:
            text = str(cell).lower()
            if text in NO_SCORE or cell is ABSENT:
                cell = None
            yield BOOLEANS.get(text, cell)


def texts(frame: pandas.DataFrame, head: str, place: Place) -> pandas.Series:
    """A column of names; InputError if one is missing, TypeError if one is neither a string nor a
    measure."""
    column = frame[head].astype(object)
    for label in column.index[column.isna() | column.isin([""])][:1]:
        raise InputError(f"{place.row(label)}: column {head!r} must not be empty")
    for label, name in column.drop_duplicates().items():
        if isinstance(name, str):
            check_unicode(name, place.table)
        elif not isinstance(name, Measure):
            where, got = f"{place.row(label)}: column {head!r}", type(name).__name__
            raise TypeError(f"{where} must hold strings; got {got} (use .astype(str))")
    return column.astype(str)


def units(frame: pandas.DataFrame, head: str, place: Place) -> pandas.Series:
    """A column of `UNITS`; an empty text where a row has none."""
    column = frame[head].astype(object)  # a categorical column of pandas 2 takes no new text
    for name in column.drop_duplicates():
        check_unicode(str(name), place.table)
    return column.mask(column.isna(), "").astype(str)


def numbers(frame: pandas.DataFrame, head: str, place: Place) -> FloatArray:
    """A column of scores, NaN for empty cells; InputError if a cell has another value."""
    column = frame[head]
    if column.dtype.kind in "iuf":
        scores = column.to_numpy(np.float64, na_value=np.nan)
    else:
        scores = np.fromiter(map(_number, column.tolist()), np.float64, len(column))
        scores[column.isna().to_numpy()] = np.nan
    for row in np.flatnonzero(np.isinf(scores))[:1]:
        where = f"{place.row(column.index[row])}: column {head!r}"
        raise InputError(f"{where} must hold finite numbers; got {shown(column.tolist()[row])}")
    return scores


def _number(cell: Any) -> float:
    """A number; infinite if the cell is none, or too large for a float."""
    if not isinstance(cell, (Real, Decimal)) or isinstance(cell, bool):
        return np.inf
    try:
        return float(cell)
    except OverflowError:
        return np.inf


def check_unicode(name: str, table: str) -> None:
    """InputError if a name has a lone surrogate, which no file and no terminal takes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError(f"{table} has a name that is not text in Unicode: {shown(name)}") from None
