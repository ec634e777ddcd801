"""The groups of queries: a dict, a CSV file, or a column of the topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ..common.nearest import did_you_mean
from ..common.writing import some
from ..exceptions import InputError
from ..typing import QueryGroupsLike
from .columns import QUERY_NAMES, pick
from .csv_tables import cells_of_csv
from .irds import IRDS, records

GROUP = "group"  # the column of the groups, by default


def read_query_groups(source: QueryGroupsLike, column: str = GROUP) -> dict[str, str]:
    """The group of each query, in the order of the source.

    Parameters
    ----------
    source
        A mapping; a CSV file or a DataFrame with a column query_id (or qid); an ``irds:`` id whose
        topics have fields.
    column
        The column or field of the groups. A mapping has none.

    Raises
    ------
    ValueError
        When there is no such column, a query has two groups, or a group is None, NaN or empty.
    TypeError
        When the source is of another type.
    """
    if not isinstance(column, str):
        raise TypeError(f"`column` must be a string; got {type(column).__name__}")
    groups: dict[str, str] = {}
    for where, query, group in _rows(source, column):
        if group is None or group == "" or group != group:
            raise InputError(f"{where}: query {str(query)!r} must have a group; got {group!r}")
        known = groups.setdefault(str(query), str(group))
        if known != str(group):
            raise InputError(f"{where}: query {str(query)!r} is in {known!r} and in {str(group)!r}")
    return groups


def _rows(source: Any, column: str) -> Iterator[tuple[str, Any, Any]]:
    """Where a row stands, its query and its group."""
    if isinstance(source, Mapping):
        for query, group in source.items():
            yield "`groups`", query, group
    elif isinstance(source, str) and source.startswith(IRDS):
        for record in records(source, "queries"):
            _check_field(source, record, column)
            yield source, record.query_id, getattr(record, column)
    elif isinstance(source, (str, PathLike)):
        for line, row in cells_of_csv(Path(source), (column,), (QUERY_NAMES,)):
            yield f"{source}:{line}", row[pick(QUERY_NAMES, list(row), str(source))], row[column]
    elif hasattr(source, "columns"):
        names = list(source.columns)
        query = pick(QUERY_NAMES, names, "`groups`")
        pick((column,), names, "`groups`")
        for query_id, group in zip(source[query], source[column], strict=True):
            yield "`groups`", query_id, group
    else:
        raise TypeError(
            "`groups` must be a dict, a DataFrame or the path of a CSV file; got "
            f"{type(source).__name__}"
        )


def _check_field(source: str, record: Any, column: str) -> None:
    fields = [name for name in record._fields if name != "query_id"]
    if column not in fields:
        hint = did_you_mean(column, {name.lower(): name for name in fields})
        raise InputError(
            f"{source}: topics have no field {column!r}, only {some(list(map(repr, fields)), 8)}"
            f"{hint}"
        )
