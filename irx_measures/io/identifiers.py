"""Columns of identifiers: the distinct ones, and the number of each row's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count, repeat
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Int32Array

LONGEST_ID = 1 << 16
"""Bytes of an identifier in a file or an Arrow column; a choice, far above real identifiers."""


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

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def take(self, numbers: NDArray[np.integer]) -> list[str]:
        """The identifiers with some numbers."""
        return list(map(self.ids.__getitem__, numbers.tolist()))

    def numbers_of(self, names: Collection[str]) -> Int32Array:
        """The number here of each of some strings; -1 if it is none of these."""
        return np.fromiter(map(self.number.get, names, repeat(-1)), np.int32, len(names))

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

    def packed(self) -> bytes:
        """The identifiers as bytes; different lists always give different bytes."""
        return packed_names(self.ids)


class Ids:
    """A column of identifiers, whose distinct ones are numbered when that is first needed.

    Parameters
    ----------
    raw
        The identifiers of the rows: an array of strings, or an Arrow column; None if the numbers
        are given.
    names, code
        The distinct identifiers in order of first appearance, and the number of each row's.
    """

    def __init__(
        self, raw: Any, names: Names | None = None, code: Int32Array | None = None
    ) -> None:
        self.raw = raw
        self._given = None if names is None or code is None else (names, code)

    @classmethod
    def of(cls, values: Sequence[str] | NDArray[Any]) -> Ids:
        """A column of strings."""
        if not isinstance(values, np.ndarray):
            array = np.empty(len(values), object)
            array[:] = values
            values = array
        return cls(values)

    @classmethod
    def of_codes(cls, names: Names, code: NDArray[np.integer]) -> Ids:
        """A column of numbers of names that need not be in order, or be used."""
        top = np.maximum.accumulate(code, dtype=np.int64)
        in_order = (np.diff(top, prepend=-1) <= 1).all()
        if in_order and int(top.max(initial=-1)) == len(names) - 1:
            return cls(None, names, code.astype(np.int32, copy=False))
        used, first, place = np.unique(code, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(used), np.int32)
        number[order] = np.arange(len(used), dtype=np.int32)
        return cls(None, Names(names.take(used[order])), number[place])

    @cached_property
    def _numbered(self) -> tuple[Names, Int32Array]:
        if self._given is not None:
            return self._given
        numbering = Numbering()
        if isinstance(self.raw, np.ndarray):
            code = numbering.codes(self.raw)
            return numbering.names, code
        code = numbering.arrow_codes(self.raw.chunks)
        return Ids.of_codes(numbering.names, code)._numbered

    @property
    def names(self) -> Names:
        """The distinct identifiers, in order of first appearance."""
        return self._numbered[0]

    @property
    def code(self) -> Int32Array:
        """The number of each row's identifier: (rows,)."""
        return self._numbered[1]

    def __len__(self) -> int:
        return len(self.code if self.raw is None else self.raw)

    def codes(self, known: Names) -> Int32Array:
        """The number of each row's identifier among others; -1 if it is none of them."""
        if isinstance(self.raw, np.ndarray):  # each is looked up once: numbering takes longer
            return known.numbers_of(self.raw)
        return known.numbers_of(self.names.ids)[self.code]

    def take(self, rows: NDArray[np.integer] | slice) -> list[str]:
        """The identifiers of some rows."""
        if isinstance(self.raw, np.ndarray):
            taken: list[str] = self.raw[rows].tolist()
            return taken
        return self.names.take(self.code[rows])

    def all(self) -> list[str]:
        """The identifiers of all rows."""
        return self.take(slice(None))

    def at(self, rows: NDArray[np.integer]) -> Ids:
        """The column of some rows."""
        return Ids.of_codes(self.names, self.code[rows])


class Numbering:
    """Numbers strings in order of first appearance, in as many parts as they come."""

    def __init__(self) -> None:
        self._number: dict[str, int] = defaultdict(count().__next__)
        self.of = self._number.__getitem__  # the number of a string

    def codes(self, values: Collection[str] | NDArray[Any]) -> Int32Array:
        """The numbers of some strings."""
        return np.fromiter(map(self.of, values), np.int32, len(values))

    def arrow_codes(self, parts: Iterable[Any]) -> Int32Array:
        """The numbers of strings in arrays of Arrow, which may be codes of a dictionary."""
        codes = [np.zeros(0, np.int32)]
        for part in parts:
            coded = part if hasattr(part, "dictionary") else part.dictionary_encode()
            number = self.codes(coded.dictionary.to_pylist())
            codes.append(number[np.from_dlpack(coded.indices)])
        return np.concatenate(codes)

    @property
    def names(self) -> Names:
        """All strings so far."""
        return Names(self._number)


def packed_names(names: Sequence[str]) -> bytes:
    """Identifiers as bytes; different lists always give different bytes."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    return lengths.tobytes() + "".join(names).encode("utf-8", "surrogatepass")
