"""The columns of a run beside query, document and score: those of systems and of ranks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from ..common.numeric import FloatArray
from ..exceptions import InputError
from .columns import RANK, SYSTEM_NAMES
from .rank_column import HeadRow, contradiction

Beside = Callable[[str], Any]
"""The cells of a column by its name: a pandas Series, an Arrow column or a list; None if the run
has no such column."""


BESIDE = (*SYSTEM_NAMES, RANK)


def nothing(name: str) -> None:
    """A dict of dicts has no other columns."""


def of_columns(names: Collection[str], cells: Callable[[str], Any]) -> Beside:
    """The columns of a table, given their names."""
    return lambda name: cells(name) if name in names else None


def of_dicts(rows: Sequence[Mapping[str, Any]]) -> Beside:
    """The columns of rows that are dicts."""
    return lambda name: (
        [row.get(name) for row in rows] if any(name in row for row in rows) else None
    )


def refuse_several_systems(beside: Beside, what: str) -> None:
    """InputError if a column names several systems; `what` is the label of the run."""
    for column in SYSTEM_NAMES:
        cells = beside(column)
        systems = 0 if cells is None else _count_distinct(cells)
        if systems > 1:
            raise InputError(
                f"{what}: column {column!r} names {systems} systems in one table; give each "
                "system's rows as a run of its own; for a DataFrame: "
                f"dict(tuple(frame.groupby({column!r})))"
            )


def contradicted(beside: Beside, query: Sequence[str], score: FloatArray) -> str:
    """How the ranks of the first rows contradict the scores; see `rank_column.contradiction`."""
    cells = beside(RANK)
    if cells is None:
        return ""
    head = cells[: len(query)]
    rank: Iterable[Any] = head.to_pylist() if hasattr(head, "to_pylist") else head
    rows = zip(query, repeat("", len(query)), rank, score[: len(query)].tolist(), strict=True)
    return contradiction(HeadRow(*row) for row in rows)


def _count_distinct(cells: Any) -> int:
    if hasattr(cells, "to_pylist"):  # Arrow, which counts no nested values
        return 0 if cells.type.num_fields else len(cells.unique())
    return len({*map(str, cells)})
