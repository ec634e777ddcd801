"""Columns of identifiers: the distinct ones, and the number of each row's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import count, repeat
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Int32Array
from . import core


def plain(name: str) -> str:
    """An identifier without leading zeros, if it is a number, and in one form of Unicode."""
    if name.isascii():
        return (name.lstrip("0") or "0") if name.isdigit() else name
    return normalize("NFC", name)


class Names:
    """Distinct identifiers, numbered from 0."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.ids = tuple(names)

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each identifier."""
        return {name: number for number, name in enumerate(self.ids)}

    def __len__(self) -> int:
        return len(self.ids)

    def at(self, numbers: NDArray[np.integer]) -> list[str]:
        """The identifiers with some numbers."""
        return list(map(self.ids.__getitem__, numbers.tolist()))

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


class Numbering:
    """Numbers identifiers in order of first appearance, as the native core does."""

    def __init__(self) -> None:
        self._number: dict[str, int] = defaultdict(count().__next__)

    @property
    def names(self) -> list[str]:
        """The identifiers so far."""
        return [*self._number]

    def codes(self, ids: Sequence[str]) -> Int32Array:
        """The number of each identifier."""
        return np.fromiter(map(self._number.__getitem__, ids), np.int32, len(ids))


class Ids:
    """A column of identifiers, which are numbered when that is first needed.

    `column` is what the native core reads: `(objects,)`, an array of strings; `(text, first,
    length)`, UTF-8 text with the first byte and the length of each; or `(codes, objects)`, the
    places of strings in an array of distinct ones.
    """

    def __init__(self, column: core.Column) -> None:
        self.column = column

    @classmethod
    def of(cls, values: Sequence[str] | NDArray[Any]) -> Ids:
        """A column of strings."""
        return cls((objects(values),))

    @classmethod
    def of_codes(cls, names: Sequence[str], code: NDArray[np.integer]) -> Ids:
        """A column of numbers of names that need not be in order, or be used."""
        return cls((code.astype(np.int32, copy=False), objects(names)))

    @classmethod
    def of_numbers(cls, names: Sequence[str], code: Int32Array) -> Ids:
        """A column of numbers of names in order of first appearance, of which each is used."""
        ids = cls.of_codes(names, code)
        ids._numbered = Names(names), code
        return ids

    @cached_property
    def _numbered(self) -> tuple[Names, Int32Array]:
        found = core.number(self.column)
        if found is not None:
            return Names(found[1]), found[0]
        numbering = Numbering()
        code = numbering.codes(self.all())
        return Names(numbering.names), code

    @property
    def names(self) -> Names:
        """The distinct identifiers, in order of first appearance."""
        return self._numbered[0]

    @property
    def code(self) -> Int32Array:
        """The number of each row's identifier: (rows,)."""
        return self._numbered[1]

    def __len__(self) -> int:
        return len(self.column[-1] if len(self.column) == 3 else self.column[0])

    def codes(self, known: Names) -> Int32Array:
        """The number of each row's identifier among others; -1 if it is none of them."""
        if known is self.names:
            return self.code
        numbers = map(known.number.get, self.names.ids, repeat(-1))
        return np.fromiter(numbers, np.int32, len(self.names))[self.code]

    def take(self, rows: NDArray[np.integer] | slice) -> list[str]:
        """The identifiers of some rows."""
        if len(self.column) == 3:
            text, first, length = self.column
            bounds = zip(first[rows].tolist(), length[rows].tolist(), strict=True)
            return [text[start : start + size].tobytes().decode() for start, size in bounds]
        strings = self.column[0][rows]
        if len(self.column) == 2:
            strings = self.column[1][strings]
        return strings.tolist()

    def all(self) -> list[str]:
        """The identifiers of all rows."""
        return self.take(slice(None))

    def numbered(self) -> Ids:
        """The same column, which keeps distinct identifiers only."""
        return Ids.of_numbers(self.names.ids, self.code)

    def equals(self, other: Ids) -> bool:
        """Whether another column has the same identifiers."""
        return np.array_equal(self.code, other.code) and self.names.ids == other.names.ids

    def at(self, rows: NDArray[np.integer]) -> Ids:
        """The column of some rows."""
        return Ids.of_codes(self.names.ids, self.code[rows])


def joined(parts: Sequence[Ids]) -> Ids:
    """Columns below each other."""
    numbering = Numbering()
    codes = [np.zeros(0, np.int32)]
    for part in parts:
        codes.append(numbering.codes(part.names.ids)[part.code])
    return Ids.of_numbers(numbering.names, np.concatenate(codes))


def objects(strings: Sequence[str] | NDArray[Any]) -> NDArray[Any]:
    """An array of strings."""
    if isinstance(strings, np.ndarray):
        return strings
    array = np.empty(len(strings), object)
    array[:] = strings
    return array


def packed_names(names: Sequence[str]) -> bytes:
    """Identifiers as bytes; different lists always give different bytes."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    return lengths.tobytes() + "".join(names).encode("utf-8", "surrogatepass")
