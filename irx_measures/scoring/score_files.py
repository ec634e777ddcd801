"""Files of scores that were computed elsewhere, as tables for `ScoreMatrix.from_frame`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import nan
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING

import numpy as np

from ..exceptions import InputError
from ..io.formats import TABLES, extension_of, mistakes_in
from ..io.parquet import ParquetTable
from ..io.rows import Names, Row, rows
from ..runsets.sources import path_name
from .score_frame import (
    MEASURE,
    QUERY,
    SYSTEM,
    VALUE,
    FrameScores,
    Place,
    ScoreForm,
    read_scores,
    with_query_column,
)

if TYPE_CHECKING:
    import pandas

PARQUET = ".parquet"

ENDINGS = (*TABLES, PARQUET)

NO_SCORE = frozenset({"", "nan", "na", "n/a", "null", "none"})  # as tables write it


def read_score_files(
    paths: Sequence[Path], measures: Sequence[str] | None, strict: bool
) -> FrameScores:
    """The scores in some files; see `ScoreMatrix.from_files`."""
    import pandas as pd

    tables = [_table(path, measures) for path in paths]
    if len(tables) > 1:
        for path, table in zip(paths, tables, strict=True):
            if not (_has(table, VALUE) and _has(table, SYSTEM)):
                raise InputError(
                    f"{path}: of several files of scores, each must have a row per score: "
                    "query_id, measure, value and, unless the system is called as the file, system"
                )
    frame = pd.concat(tables, keys=map(_before_row, paths))
    place = Place(_label(paths), lambda row: "{}{}".format(*frame.index[row]))
    with mistakes_in(paths[0]):
        return read_scores(frame, measures, strict, place)


def _label(paths: Sequence[Path]) -> str:
    """The table in messages."""
    return f"{', '.join(map(str, paths))}: the table"


def _before_row(path: Path) -> str:
    """What stands before the number of a row, or of its line, in messages."""
    return f"{path}, row " if extension_of(path) == PARQUET else f"{path}:"


def _has(table: pandas.DataFrame, names: Sequence[str]) -> bool:
    return any(name in table.columns for name in names)


def _table(path: Path, measures: Sequence[str] | None) -> pandas.DataFrame:
    """The table in a file, indexed by the lines or the numbers of its rows."""
    if extension_of(path) not in ENDINGS:
        raise InputError(
            f"{path}: scores must be in a file that ends in {', '.join(ENDINGS)} (or .gz)"
        )
    with mistakes_in(path):
        of_parquet = extension_of(path) == PARQUET
        table = _of_parquet(path) if of_parquet else _of_rows(path, measures)
    if _has(table, MEASURE) and _has(table, QUERY) and not _has(table, SYSTEM):
        return table.assign(system=path_name(path))
    return table


def _of_parquet(path: Path) -> pandas.DataFrame:
    table: pandas.DataFrame = ParquetTable(path).read(tuple).to_pandas()
    return with_query_column(table).set_axis(range(1, len(table) + 1))


def _of_rows(path: Path, measures: Sequence[str] | None) -> pandas.DataFrame:
    import pandas as pd

    table = rows(path)
    first = next(table, None)
    if first is None:
        raise InputError(f"{_label([path])} must have at least one row; got none")
    form = ScoreForm.of(list(first.cells), _label([path]), measures)
    heads = list(form.names.values())
    keys, columns = [(head,) for head in heads], [(head,) for head in form.scores]
    lines: dict[tuple[str, ...], int] = {}
    scores = []
    for row in chain([first], table):
        names = tuple([intern(row.text(key)) for key in keys])
        if lines.setdefault(names, row.line) != row.line:
            raise InputError(f"{row.where}: {', '.join(names)} occurs twice")
        if row.known is not first.known:  # another line of JSON has other columns
            for head in row.cells.keys() - first.cells.keys():
                raise InputError(f"{row.where}: column {head!r} must be in the first row, too")
        scores.append([_score(row, column) for column in columns])
    numbers = list(lines.values())
    found = pd.DataFrame(np.array(list(lines), dtype=object), numbers, heads)
    return found.join(pd.DataFrame(np.array(scores), numbers, form.scores))


def _score(row: Row, column: Names) -> float:
    """A score; NaN if there is none."""
    value = row.cells.get(column[0])
    missing = value is None or value != value
    missing |= isinstance(value, str) and value.lower() in NO_SCORE
    return nan if missing else row.finite(column)
