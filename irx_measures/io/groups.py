"""What tables say of runs and of queries: the groups of runs, the groups of queries, costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..typing import GroupsLike, PathOrName, QueryGroupsLike
from .block import Block
from .columns import QUERY_NAMES, ColumnNames, pick
from .irds import IRDS, records
from .rows import entries

GROUP = "group"  # the column of the groups, by default

RUN, COST = ("run",), ("cost",)

MOST_NAMED = 5  # runs in a message, a choice

Entry = tuple[str, str, str]
"""Where a row stands, a run or a query, and what the row says of it."""

Value = TypeVar("Value")


def read_groups(source: GroupsLike) -> dict[str, str]:
    """The group (team) of each run, in the order of the source.

    The source is a mapping, or a table with the columns run and group: a file (csv, tsv or JSON
    lines), or a DataFrame; TypeError if it is of another type. InputError if a column is missing, a
    run occurs twice, or a group is None, NaN or empty; and as `rows.blocks`.
    """
    return _once(_entries(source, RUN, GROUP), "run")


def groups_of(names: Sequence[str], groups: GroupsLike) -> tuple[str, ...]:
    """The group of each of these runs; InputError if one has none."""
    group_of = read_groups(groups)
    missing = [name for name in names if name not in group_of]
    if missing:
        raise InputError(
            f"no group for {len(missing)} of {counted(len(names), 'run')}: "
            f"{some(list(map(shown, missing)), MOST_NAMED)}"
        )
    return tuple(group_of[name] for name in names)


def read_query_groups(source: QueryGroupsLike, column: str = GROUP) -> dict[str, str]:
    """The group of each query, as `read_groups` reads those of runs.

    The source is a mapping, a table with a column query_id (or qid), or an ``irds:`` id whose
    topics have fields. `column` is the column or field of the groups; a mapping has none.
    """
    if not isinstance(column, str):
        raise TypeError(f"`column` must be a string; got {type(column).__name__}")
    return _once(_entries(source, QUERY_NAMES, column), "query")


def read_costs(path: PathOrName) -> dict[str, float]:
    """The cost of each run, from a table with the columns run and cost."""
    return _once(entries(Path(path), {RUN: Block.texts, COST: Block.finite}), "run")


def _pairs(source: Any, keys: ColumnNames, column: str) -> Iterable[tuple[Any, Any]]:
    """The runs or queries of a dict or a DataFrame, with their groups."""
    if isinstance(source, Mapping):
        return source.items()
    if not hasattr(source, "columns"):
        raise TypeError(
            "`groups` must be a dict, a DataFrame or the path of a table (.csv, .tsv, .jsonl); got "
            f"{type(source).__name__}"
        )
    names = list(source.columns)
    key = pick(keys, names, "`groups`")
    group = pick((column,), names, "`groups`")
    return zip(source[key], source[group], strict=True)


def _once(entries: Iterable[tuple[str, str, Value]], kind: str) -> dict[str, Value]:
    """What the rows say; InputError if two say it of the same run or query."""
    found: dict[str, Value] = {}
    for where, name, value in entries:
        if name in found:
            raise InputError(f"{where}: {kind} {shown(name)} occurs twice")
        found[name] = value
    return found


def _entries(source: Any, keys: ColumnNames, column: str) -> Iterator[Entry]:
    if keys is QUERY_NAMES and isinstance(source, str) and source.startswith(IRDS):
        for topic in records(source, "queries"):
            pick((column,), list(topic._fields), f"{source}: a topic")
            yield source, str(topic.query_id), str(getattr(topic, column))
        return
    if isinstance(source, (str, PathLike)):
        yield from entries(Path(source), {keys: Block.texts, (column,): Block.texts})
        return
    for name, group in _pairs(source, keys, column):
        if group is None or group == "" or group != group:
            kind = keys[0].removesuffix("_id")
            raise InputError(f"`groups`: {kind} {shown(name)} must have a group; got {group!r}")
        yield "`groups`", str(name), str(group)
