"""Columns of identifiers, and the index that numbers identifiers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise, repeat
from typing import Any, Protocol
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Int32Array, Int64Array

# Bytes, far above real identifiers. Eight bytes of all identifiers are compared at a time, so one
# endless identifier would cost thousands of steps.
LONGEST_ID = 1 << 16  # bytes; identifiers are compared eight bytes at a time


def plain(name: str) -> str:
    """An identifier without leading zeros, if it is a number, and in one form of Unicode."""
    if name.isascii():
        return (name.lstrip("0") or "0") if name.isdigit() else name
    return normalize("NFC", name)


class IdIndex:
    """Identifiers numbered from 0 in order of first appearance."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._distinct: Ids = ListIds(tuple(dict.fromkeys(ids)))
        self._forms: dict[Hashable, Any] = {}

    @classmethod
    def of_distinct(cls, ids: Ids, forms: dict[Hashable, Any]) -> IdIndex:
        """An index of identifiers that all differ, with the lookup tables that are known."""
        index = cls(())
        index._distinct, index._forms = ids, forms
        return index

    def __len__(self) -> int:
        return len(self._distinct)

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each identifier."""
        return {name: number for number, name in enumerate(self.ids)}

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._distinct.all())

    @cached_property
    def spellings(self) -> dict[str, str]:
        """The identifiers with leading zeros or beyond ASCII, by their `plain` spelling."""
        text = "\n".join(["", *self.ids])
        if text.isascii() and "\n0" not in text:
            return {}
        return {
            plain(name): name
            for name in self.ids
            if not name.isascii() or (name[:1] == "0" and name.isdigit())
        }

    def form(self, kind: Hashable, make: Callable[[], Any]) -> Any:
        """The lookup table of the identifiers for one kind of container; built once per kind."""
        if kind not in self._forms:
            self._forms[kind] = make()
        return self._forms[kind]


class Ids(Protocol):
    """A column of identifiers."""

    def __len__(self) -> int: ...

    def codes(self, index: IdIndex) -> Int32Array:
        """The index number of each identifier; -1 if the identifier is not in the index."""

    def numbered(self) -> tuple[IdIndex, Int32Array]:
        """An index of these identifiers, and the number of each row."""

    def packed(self) -> bytes:
        """The identifiers as bytes; different columns always give different bytes."""

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        """The identifiers of some rows."""

    def all(self) -> Sequence[str]:
        """The identifiers of all rows."""

    def run_lengths(self) -> tuple[Ids, Int64Array]:
        """Run-length encoding: the identifier and the length of each run of equal rows."""

    def may_have_duplicates(self, rows: NDArray[np.integer], starts: Int64Array) -> bool:
        """Whether the rows of a query may contain a document twice; there are no false negatives.

        Parameters
        ----------
        rows
            Rows of this column, grouped by query.
        starts
            Where in `rows` each query starts.
        """

    def equals(self, other: Ids) -> bool:
        """Whether another column is of the same kind and has the same rows."""

    def snapshot(self) -> Ids:
        """A copy that is independent of the caller's data."""


@dataclass(frozen=True)
class ListIds:
    """Identifiers as Python strings."""

    values: Sequence[str]

    def __len__(self) -> int:
        return len(self.values)

    def codes(self, index: IdIndex) -> Int32Array:
        return np.fromiter(
            map(index.number.get, self.values, repeat(-1)), np.int32, len(self.values)
        )

    def numbered(self) -> tuple[IdIndex, Int32Array]:
        index = IdIndex(self.values)
        return index, self.codes(index)

    def packed(self) -> bytes:
        return packed_names(self.values)

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        return list(map(self.values.__getitem__, rows.tolist()))

    def all(self) -> Sequence[str]:
        return self.values

    def run_lengths(self) -> tuple[Ids, Int64Array]:
        values = np.asarray(self.values, dtype=object)
        starts, lengths = run_lengths_from(values[1:] != values[:-1], len(values))
        return ListIds(self.take(starts)), lengths

    def may_have_duplicates(self, rows: NDArray[np.integer], starts: Int64Array) -> bool:
        within = as_slice(rows)
        values = list(self.values[within]) if within else self.take(rows)
        bounds = [*starts.tolist(), len(rows)]
        return any(len(set(values[start:end])) < end - start for start, end in pairwise(bounds))

    def equals(self, other: Ids) -> bool:
        return isinstance(other, ListIds) and _listed(self.values) == _listed(other.values)

    def snapshot(self) -> Ids:
        return ListIds(tuple(self.values))


@dataclass(frozen=True)
class RepeatedIds:
    """Run-length encoded identifiers."""

    values: Sequence[str]
    lengths: Int64Array

    def __len__(self) -> int:
        return int(self.lengths.sum())

    def codes(self, index: IdIndex) -> Int32Array:
        return np.repeat(ListIds(self.values).codes(index), self.lengths)

    def numbered(self) -> tuple[IdIndex, Int32Array]:
        index = IdIndex(self.values)
        return index, self.codes(index)

    def packed(self) -> bytes:
        return packed_names(self.all())

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        ends = np.cumsum(self.lengths)
        return ListIds(self.values).take(np.searchsorted(ends, rows, side="right"))

    def all(self) -> Sequence[str]:
        return list(chain.from_iterable(map(repeat, self.values, self.lengths.tolist())))

    def run_lengths(self) -> tuple[Ids, Int64Array]:
        return ListIds(self.values), self.lengths

    def may_have_duplicates(self, rows: NDArray[np.integer], starts: Int64Array) -> bool:
        return ListIds(self.take(rows)).may_have_duplicates(np.arange(len(rows)), starts)

    def equals(self, other: Ids) -> bool:
        return (
            isinstance(other, RepeatedIds)
            and list(self.values) == list(other.values)
            and np.array_equal(self.lengths, other.lengths)
        )

    def snapshot(self) -> Ids:
        return RepeatedIds(tuple(self.values), self.lengths.copy())


@dataclass(frozen=True)
class CodedIds:
    """Identifiers as codes: positions in a column of categories that all differ."""

    categories: Ids
    code: Int32Array

    def __len__(self) -> int:
        return len(self.code)

    def codes(self, index: IdIndex) -> Int32Array:
        return self.categories.codes(index)[self.code]

    def numbered(self) -> tuple[IdIndex, Int32Array]:
        used, first, place = np.unique(self.code, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(used), np.int32)
        number[order] = np.arange(len(used), dtype=np.int32)
        return IdIndex.of_distinct(CodedIds(self.categories, used[order]), {}), number[place]

    def packed(self) -> bytes:
        return packed_names(self.all())

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        return self.categories.take(self.code[rows])

    def all(self) -> Sequence[str]:
        return self.categories.take(self.code)

    def run_lengths(self) -> tuple[Ids, Int64Array]:
        starts, lengths = run_lengths_from(self.code[1:] != self.code[:-1], len(self))
        return CodedIds(self.categories, self.code[starts]), lengths

    def may_have_duplicates(self, rows: NDArray[np.integer], starts: Int64Array) -> bool:
        lengths = np.diff(starts, append=len(rows))
        query = np.repeat(np.arange(len(starts)), lengths)
        key = query * np.int64(len(self.categories)) + self.code[rows]
        key.sort()
        return bool((key[1:] == key[:-1]).any())

    def equals(self, other: Ids) -> bool:
        return (
            isinstance(other, CodedIds)
            and np.array_equal(self.code, other.code)
            and self.categories.equals(other.categories)
        )

    def snapshot(self) -> Ids:
        return CodedIds(self.categories.snapshot(), self.code.copy())


def _listed(values: Sequence[str]) -> list[str]:
    """Identifiers as a list; the quickest way from an array of them."""
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def packed_names(names: Sequence[str]) -> bytes:
    """Identifiers as bytes; different lists always give different bytes."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    return lengths.tobytes() + "".join(names).encode("utf-8", "surrogatepass")


def as_slice(rows: NDArray[np.integer]) -> slice | None:
    """Consecutive rows as a slice; None if they are not consecutive."""
    if not len(rows) or not np.array_equal(rows, np.arange(rows[0], rows[0] + len(rows))):
        return None
    return slice(int(rows[0]), int(rows[0]) + len(rows))


def run_lengths_from(differs: NDArray[np.bool_], rows: int) -> tuple[Int64Array, Int64Array]:
    """Starts and lengths of runs of equal rows, given which rows differ from the row before."""
    starts = np.flatnonzero(differs) + 1
    if rows:
        starts = np.concatenate(([0], starts))
    return starts, np.diff(starts, append=rows)
