"""Columns of identifiers: the distinct ones, and the number of each row's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import count, pairwise, repeat
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Int32Array
from . import arrow
from .arrow import is_arrow

BLOCK_ROWS = 1 << 17
"""Rows that are numbered at once, about; a choice."""


def plain(name: str) -> str:
    """An identifier without leading zeros, if it is a number, and in one form of Unicode."""
    if name.isascii():
        return (name.lstrip("0") or "0") if name.isdigit() else name
    return normalize("NFC", name)


class Names:
    """Distinct identifiers, numbered from 0: strings, or an array of Arrow.

    The identifiers in an array become strings when that is first needed: to find them in other
    names, it is not.
    """

    def __init__(self, names: Any = ()) -> None:
        self._arrow: Any = names if is_arrow(names) else None
        self._strings = () if is_arrow(names) else tuple(names)

    @property
    def raw(self) -> Any:
        """The identifiers as they came: strings, or an array of Arrow."""
        return self._strings if self._arrow is None else self._arrow

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The identifiers."""
        return self._strings if self._arrow is None else tuple(self._arrow.to_pylist())

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each identifier."""
        return {name: number for number, name in enumerate(self.ids)}

    @cached_property
    def _utf8(self) -> Any:
        """The identifiers as an array of Arrow. Lone surrogates are no text to Arrow's strings."""
        if self._arrow is None:
            return arrow.utf8_of(list(map(_encoded, self._strings)))
        return arrow.utf8_of(self._arrow)

    def __len__(self) -> int:
        return len(self.raw)

    def at(self, numbers: NDArray[np.integer]) -> Names:
        """The identifiers with some numbers."""
        if self._arrow is None:
            return Names(map(self._strings.__getitem__, numbers.tolist()))
        return Names(arrow.taken(self._arrow, numbers))

    def numbers_of(self, names: Names) -> Int32Array:
        """The number here of each of some identifiers; -1 if it is none of these."""
        if names._arrow is None:
            return self.numbers_of_strings(names.ids)
        return arrow.places_in(self._utf8, names._utf8)

    def numbers_of_strings(self, strings: Sequence[str] | NDArray[Any]) -> Int32Array:
        """The number here of each of some strings; -1 if it is none of these."""
        return np.fromiter(map(self.number.get, strings, repeat(-1)), np.int32, len(strings))

    def numbers_of_column(self, column: Any) -> Int32Array:
        """The number here of each string in a column of Arrow; -1 if it is none of these."""
        return arrow.places_of(self._utf8, column)

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


class Coded(NamedTuple):
    """Identifiers of rows as numbers of distinct ones."""

    names: Names  # in any order, and not all need be used
    code: Int32Array  # (rows,)

    def in_order(self) -> Coded:
        """The same with the identifiers that are used, in order of first appearance."""
        names, code = self
        if is_in_first_order(code, len(names)):
            return Coded(names, code.astype(np.int32, copy=False))
        first = np.full(len(names), len(code))
        first[code[::-1]] = np.arange(len(code))[::-1]  # the first row of each is written last
        used = np.flatnonzero(first < len(code))
        used = used[np.argsort(first[used])]
        number = np.zeros(len(names), np.int32)
        number[used] = np.arange(len(used), dtype=np.int32)
        return Coded(names.at(used), number[code])


def is_in_first_order(code: NDArray[np.integer], names: int) -> bool:
    """Whether rows use all of some names, and first use them in the order of their numbers.

    Then the highest number down to each row is that of the row before, or the next one.
    """
    highest = np.maximum.accumulate(code)
    is_next = np.diff(highest, prepend=-1) <= 1
    return bool(is_next.all()) and int(highest.max(initial=-1)) == names - 1


class Ids:
    """A column of identifiers, whose distinct ones are numbered when that is first needed.

    `raw` has the identifiers of the rows as they came: an array of strings, or a chunked array of
    Arrow; None if they came as numbers, which are `given`.
    """

    def __init__(self, raw: Any, given: Coded | None = None) -> None:
        self.raw = raw
        self._given = given

    @classmethod
    def of(cls, values: Sequence[str] | NDArray[Any]) -> Ids:
        """A column of strings."""
        raw = values if isinstance(values, np.ndarray) else objects(values)
        return cls(raw)

    @classmethod
    def of_codes(cls, names: Names, code: NDArray[np.integer]) -> Ids:
        """A column of numbers of names that need not be in order, or be used."""
        return cls(None, Coded(names, code.astype(np.int32, copy=False)))

    @cached_property
    def given(self) -> Coded:
        """The identifiers by numbers of distinct ones, in any order."""
        if self._given is not None:
            return self._given
        if isinstance(self.raw, np.ndarray):
            numbering = Numbering()
            code = numbering.codes(self.raw)
            return Coded(numbering.names(), code)
        names, code = arrow.numbered(self.raw)
        return Coded(Names(names), code)

    @cached_property
    def _numbered(self) -> Coded:
        is_in_order = isinstance(self.raw, np.ndarray)  # since `Numbering` numbers it
        return self.given if is_in_order else self.given.in_order()

    @property
    def names(self) -> Names:
        """The distinct identifiers, in order of first appearance."""
        return self._numbered.names

    @property
    def code(self) -> Int32Array:
        """The number of each row's identifier: (rows,)."""
        return self._numbered.code

    def __len__(self) -> int:
        if self.raw is None:
            return len(self.given.code)
        return len(self.raw)

    def codes(self, known: Names) -> Int32Array:
        """The number of each row's identifier among others; -1 if it is none of them."""
        if isinstance(self.raw, np.ndarray):  # each is looked up once: numbering takes longer
            return known.numbers_of_strings(self.raw)
        if self._is_better_unnumbered:
            return known.numbers_of_column(self.raw)
        return known.numbers_of(self.given.names)[self.given.code]

    @property
    def _is_better_unnumbered(self) -> bool:
        """Whether the identifiers came as strings, and would take long to number."""
        if self.raw is None or "given" in self.__dict__:
            return False
        if isinstance(self.raw, np.ndarray):
            return True
        return len(self.raw) > BLOCK_ROWS and not arrow.is_coded(self.raw)

    def are_distinct(self, rows: NDArray[np.integer], start: NDArray[np.integer]) -> bool:
        """Whether no stretch of some rows has an identifier twice; False also if it is not known.

        It is known without numbers of all identifiers, where these take more time or memory. The
        rows ascend; the stretches, of at least one row, start at some places of them.
        """
        if not self._is_better_unnumbered:
            return False
        bounds = np.append(start, len(rows))
        if isinstance(self.raw, np.ndarray):
            pairs = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
            stretches = ((self.raw[rows[one:two]].tolist(), two - one) for one, two in pairs)
            return all(len({*names}) == size for names, size in stretches)
        blocks = np.searchsorted(bounds, np.arange(0, len(rows), BLOCK_ROWS))
        ends = np.unique(np.append(bounds[blocks], len(rows)))
        stretch = np.repeat(np.arange(len(start)), np.diff(bounds))
        for one, two in pairwise(ends.tolist()):
            first, last = int(rows[one]), int(rows[two - 1])
            part = self.raw[first : last + 1]
            if last - first + 1 > two - one:
                part = arrow.taken(part, rows[one:two] - first)
            names, code = arrow.numbered(part)
            key = np.sort(stretch[one:two] * np.int64(len(names)) + code)
            if (key[1:] == key[:-1]).any():
                return False
        return True

    def take(self, rows: NDArray[np.integer] | slice) -> list[str]:
        """The identifiers of some rows."""
        if self.raw is None:
            return list(self.given.names.at(self.given.code[rows]).ids)
        if is_arrow(self.raw):
            if isinstance(rows, slice):
                return arrow.listed(self.raw[rows])
            return arrow.listed(arrow.taken(self.raw, rows))
        taken: list[str] = self.raw[rows].tolist()
        return taken

    def all(self) -> list[str]:
        """The identifiers of all rows."""
        listed: list[str] = self.objects().tolist()
        return listed

    def objects(self) -> NDArray[Any]:
        """The identifiers of all rows, as an array of strings."""
        if isinstance(self.raw, np.ndarray):
            return self.raw
        return objects(self.given.names.ids)[self.given.code]

    def equals(self, other: Ids) -> bool:
        """Whether another column has the same identifiers; columns of one form are not unpacked."""
        one, two = self.raw, other.raw
        if is_arrow(one) and is_arrow(two) and one.type == two.type:
            return bool(one.equals(two))
        return np.array_equal(self.objects(), other.objects())

    def distinct(self) -> Names:
        """The identifiers of a column that came with no identifier twice."""
        return Names(arrow.whole(self.raw))

    def owned(self) -> Ids:
        """The column, which later changes of the caller's array do not change."""
        return Ids(self.raw.copy()) if isinstance(self.raw, np.ndarray) else self

    def at(self, rows: NDArray[np.integer]) -> Ids:
        """The column of some rows."""
        return Ids.of_codes(self.given.names, self.given.code[rows])


class Numbering:
    """Numbers strings in order of first appearance, in as many parts as they come."""

    def __init__(self) -> None:
        self._number: dict[str, int] = defaultdict(count().__next__)
        self.of = self._number.__getitem__  # the number of a string

    def __len__(self) -> int:
        return len(self._number)

    def codes(self, values: Sequence[str] | NDArray[Any]) -> Int32Array:
        """The numbers of some strings, which may be a column of Arrow."""
        if is_arrow(values):
            names, code = arrow.numbered(values)
            return self.codes(names.to_pylist())[code]
        return np.fromiter(map(self.of, values), np.int32, len(values))

    def column(self, code: Int32Array) -> Ids:
        """The column of all strings so far, by their numbers in order."""
        return Ids.of_codes(self.names(), code)

    def names(self) -> Names:
        """All strings so far, in order of first appearance."""
        return Names(self._number)


def objects(strings: Sequence[str]) -> NDArray[Any]:
    """An array of strings."""
    array = np.empty(len(strings), object)
    array[:] = strings
    return array


def _encoded(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


def packed_names(names: Sequence[str]) -> bytes:
    """Identifiers as bytes; different lists always give different bytes."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    return lengths.tobytes() + _encoded("".join(names))
