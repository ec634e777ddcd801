"""Names of the columns of runs and qrels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from ..common.writing import shown, some
from ..exceptions import InputError

Names: TypeAlias = tuple[str, ...]
"""The accepted names of a column."""

QUERY_NAMES = ("query_id", "qid")

DOC_NAMES = ("doc_id", "docno")

SCORE_NAMES = ("score",)

GRADE_NAMES = ("relevance", "label")

RANK = "rank"  # a column that is compared with the scores

SYSTEM_NAMES = ("system", "run", "run_id", "runid", "tag")  # columns that name runs

BESIDE = (*SYSTEM_NAMES, RANK)
"""The columns of a run that are read beside query, document and score."""

LONGEST_ID = 1 << 16
"""Bytes of an identifier in a file or an Arrow column; a choice, far above real identifiers."""

GRADE_LIMIT = 1 << 31  # a grade fits the 32-bit integers of the C programs that read qrels

MOST_NAMED = 10  # columns that an error names

SWAPPED = "are runs and qrels swapped?"


def pick(
    names: tuple[str, ...],
    columns: list[str],
    what: str,
    cells: Callable[[str], Iterable[Any]] | None = None,
) -> str:
    """The first accepted name that is a column of a table, which errors call `what`.

    InputError if no column or two columns have the name, or if columns of two accepted names have
    other `cells`, which are None if they are not known yet.
    """
    present = [name for name in names if name in columns]
    if not present:
        raise InputError(
            f"{what} needs a column {' or '.join(map(repr, names))}; got "
            f"[{some([*map(shown, columns)], MOST_NAMED)}]{_swapped(names, columns)}"
        )
    first, *others = present
    for name in present:
        if columns.count(name) > 1:
            raise InputError(f"{what} has {columns.count(name)} columns {name!r}")
    if cells is None:
        return first
    for other in others:
        for one, another in zip(cells(first), cells(other), strict=True):
            if one != another and str(one) != str(another):
                raise InputError(
                    f"{what} has columns {first!r} and {other!r}, which must be equal; got {one!r} "
                    f"and {another!r} in a row (remove one of them)"
                )
    return first


def _swapped(names: tuple[str, ...], columns: list[str]) -> str:
    """A hint for the error message if the caller passed qrels as a run, or a run as qrels."""
    for wanted, other, got in (
        (SCORE_NAMES, GRADE_NAMES, "qrels"),
        (GRADE_NAMES, SCORE_NAMES, "a run"),
    ):
        if names is wanted and {*other} & {*columns}:
            return f" (these are the columns of {got}: {SWAPPED})"
    return ""
