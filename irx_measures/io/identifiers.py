"""Columns of identifiers: the distinct ones, and the number of each row's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
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
    """Distinct identifiers, numbered from 0.

    Parameters
    ----------
    names
        Python strings, or an Arrow array of them (`large_string`), which become Python strings
        only where one is asked for.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        is_arrow = hasattr(names, "to_pylist")
        self._arrow: Any = names if is_arrow else None
        self._given: tuple[str, ...] = () if is_arrow else tuple(names)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return self._given if self._arrow is None else tuple(self._arrow.to_pylist())

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each identifier."""
        return {name: number for number, name in enumerate(self.ids)}

    def __len__(self) -> int:
        return len(self._given if self._arrow is None else self._arrow)

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def take(self, numbers: NDArray[np.integer]) -> list[str]:
        """The identifiers with some numbers."""
        if self._arrow is not None:
            return _taken(self._arrow, numbers)
        return list(map(self.ids.__getitem__, numbers.tolist()))

    def find(self, wanted: Names) -> Int32Array:
        """The number here of each of other identifiers; -1 if it is none of these."""
        if wanted._arrow is not None and self._as_arrow is not None:
            import pyarrow.compute as pc

            place = pc.index_in(wanted._arrow, value_set=self._as_arrow)
            unknown, found = place.buffers()
            number = np.frombuffer(found, np.int32)[: len(wanted)]
            if not unknown:
                return number
            bits = np.unpackbits(np.frombuffer(unknown, np.uint8), bitorder="little")
            return np.where(bits[: len(wanted)] == 1, number, np.int32(-1))
        return self.numbers_of(wanted.ids)

    def numbers_of(self, names: Collection[str]) -> Int32Array:
        """The number here of each of some strings; -1 if it is none of these."""
        return np.fromiter(map(self.number.get, names, repeat(-1)), np.int32, len(names))

    @cached_property
    def _as_arrow(self) -> Any:
        """These identifiers in Arrow; None if one has a lone surrogate, which Arrow cannot hold."""
        try:
            return _arrow_strings(self.ids) if self._arrow is None else self._arrow
        except UnicodeEncodeError:
            return None

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
        The identifiers as they came: an array of strings, or an Arrow column; None if only the
        numbers are known.
    number
        Numbers them: the distinct ones in order of first appearance, and the number of each row's.
    """

    def __init__(self, raw: Any, number: Callable[[], tuple[Names, Int32Array]]) -> None:
        self.raw, self._number = raw, number

    @classmethod
    def of(cls, values: Sequence[str] | NDArray[Any]) -> Ids:
        """A column of strings."""
        if not isinstance(values, np.ndarray):
            array = np.empty(len(values), object)
            array[:] = values
            values = array
        return cls(values, partial(_numbered, values))

    @classmethod
    def coded(cls, names: Names, code: Int32Array) -> Ids:
        """A column of numbers of names, which are in order of first appearance."""
        return cls(None, partial(_both, names, code))

    @classmethod
    def of_codes(cls, names: Names, code: NDArray[np.integer]) -> Ids:
        """A column of numbers of names that need not be in order, or be used."""
        top = np.maximum.accumulate(code, dtype=np.int64)
        is_new = np.diff(top, prepend=-1)
        if (is_new <= 1).all() and int(top.max(initial=-1)) == len(names) - 1:
            return cls.coded(names, code.astype(np.int32, copy=False))
        used, first, place = np.unique(code, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(used), np.int32)
        number[order] = np.arange(len(used), dtype=np.int32)
        return cls.coded(Names(names.take(used[order])), number[place])

    @cached_property
    def _numbered(self) -> tuple[Names, Int32Array]:
        return self._number()

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
        if isinstance(self.raw, np.ndarray):
            return known.numbers_of(self.raw)
        return known.find(self.names)[self.code]

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        """The identifiers of some rows."""
        if self.raw is None:
            return self.names.take(self.code[rows])
        if isinstance(self.raw, np.ndarray):
            return list(self.raw[rows])
        return _taken(self.raw, rows)

    def all(self) -> list[str]:
        """The identifiers of all rows."""
        if self.raw is None:
            return list(map(self.names.ids.__getitem__, self.code.tolist()))
        return self.raw.to_pylist() if hasattr(self.raw, "to_pylist") else list(self.raw)

    def equals(self, other: Ids) -> bool:
        """Whether another column has the same identifiers; columns of one form are not unpacked."""
        both = self.raw, other.raw
        if all(raw is None for raw in both):
            return self.names.ids == other.names.ids and np.array_equal(self.code, other.code)
        if all(isinstance(raw, np.ndarray) for raw in both):
            return np.array_equal(*both)
        if all(hasattr(raw, "chunks") for raw in both) and self.raw.type == other.raw.type:
            return bool(self.raw.equals(other.raw))
        return self.all() == other.all()

    def at(self, rows: NDArray[np.integer]) -> Ids:
        """The column of some rows."""
        return Ids.of_codes(self.names, self.code[rows])


def _numbered(values: Collection[str] | NDArray[Any]) -> tuple[Names, Int32Array]:
    numbering = Numbering()
    code = numbering.codes(values)
    return numbering.names, code


def _both(names: Names, code: Int32Array) -> tuple[Names, Int32Array]:
    return names, code


class Numbering:
    """Numbers strings in order of first appearance, in as many parts as they come."""

    def __init__(self) -> None:
        self._number: dict[str, int] = defaultdict(count().__next__)

    def codes(self, values: Collection[str] | NDArray[Any]) -> Int32Array:
        """The numbers of some strings."""
        return np.fromiter(map(self._number.__getitem__, values), np.int32, len(values))

    @property
    def names(self) -> Names:
        """All strings so far."""
        return Names(self._number)


def _taken(strings: Any, places: NDArray[np.integer]) -> list[str]:
    """The strings at some places of an Arrow array."""
    import pyarrow as pa

    # Where pyarrow converts an array itself, it imports pandas.
    held = pa.py_buffer(np.ascontiguousarray(places, np.int64))
    numbers = pa.Array.from_buffers(pa.int64(), len(places), [None, held])
    taken: list[str] = strings.take(numbers).to_pylist()
    return taken


def _arrow_strings(names: Sequence[str]) -> Any:
    """Strings in Arrow, from their bytes; UnicodeEncodeError if one has a lone surrogate."""
    import pyarrow as pa

    encoded = [name.encode() for name in names]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    text = pa.py_buffer(b"".join(encoded))
    return pa.Array.from_buffers(pa.large_string(), len(encoded), [None, pa.py_buffer(ends), text])


def packed_names(names: Sequence[str]) -> bytes:
    """Identifiers as bytes; different lists always give different bytes."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    return lengths.tobytes() + "".join(names).encode("utf-8", "surrogatepass")
