"""Columns of identifiers: the distinct ones, and the number of each row's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, repeat
from typing import Any, overload
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from ..common.arrays import Int32Array


def plain(name: str) -> str:
    """An identifier without leading zeros, if it is a number, and in one form of Unicode."""
    if name.isascii():
        return (name.lstrip("0") or "0") if name.isdigit() else name
    return normalize("NFC", name)


class Names(Sequence[str]):
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

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self.ids[place]

    def take(self, numbers: NDArray[np.integer]) -> list[str]:
        """The identifiers with some numbers."""
        if self._arrow is not None:
            taken: list[str] = self._arrow.take(numbers).to_pylist()
            return taken
        return list(map(self.ids.__getitem__, numbers.tolist()))

    def find(self, wanted: Names) -> Int32Array:
        """The number here of each of other identifiers; -1 if it is none of these."""
        if wanted._arrow is not None and self._as_arrow is not None:
            import pyarrow.compute as pc

            place = pc.index_in(wanted._arrow, value_set=self._as_arrow)
            found: Int32Array = place.fill_null(-1).to_numpy()
            return found
        return np.fromiter(map(self.number.get, wanted.ids, repeat(-1)), np.int32, len(wanted))

    @cached_property
    def _as_arrow(self) -> Any:
        """These identifiers in Arrow; None if one has a lone surrogate, which Arrow cannot hold."""
        import pyarrow as pa

        try:
            return pa.array(self.ids, pa.large_string()) if self._arrow is None else self._arrow
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


@dataclass(frozen=True, eq=False)
class Ids:
    """A column of identifiers.

    Attributes
    ----------
    names
        The distinct identifiers, in order of first appearance.
    code : (rows,) ints
        The number of each row's.
    """

    names: Names
    code: Int32Array

    @classmethod
    def of(cls, values: Collection[str]) -> Ids:
        """Number a column of strings."""
        numbering = Numbering()
        return cls(code=numbering.codes(values), names=numbering.names)

    @classmethod
    def repeated(cls, values: Collection[str], lengths: NDArray[np.int64]) -> Ids:
        """Number a column in which each value is repeated."""
        kept = [value for value, length in zip(values, lengths.tolist(), strict=True) if length]
        once = cls.of(kept)
        return cls(once.names, np.repeat(once.code, lengths[lengths > 0]))

    @classmethod
    def of_codes(cls, names: Names, code: NDArray[np.integer]) -> Ids:
        """A column of numbers of names that need not be in order, or be used."""
        top = np.maximum.accumulate(code, dtype=np.int64)
        is_new = np.diff(top, prepend=-1)
        if (is_new <= 1).all() and int(top.max(initial=-1)) == len(names) - 1:
            return cls(names, code.astype(np.int32, copy=False))
        used, first, place = np.unique(code, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(used), np.int32)
        number[order] = np.arange(len(used), dtype=np.int32)
        return cls(Names(names.take(used[order])), number[place])

    def __len__(self) -> int:
        return len(self.code)

    def codes(self, known: Names) -> Int32Array:
        """The number of each row's identifier among others; -1 if it is none of them."""
        return known.find(self.names)[self.code]

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        """The identifiers of some rows."""
        return self.names.take(self.code[rows])

    def all(self) -> list[str]:
        """The identifiers of all rows."""
        return list(map(self.names.ids.__getitem__, self.code.tolist()))

    def at(self, rows: NDArray[np.integer]) -> Ids:
        """The column of some rows."""
        return Ids.of_codes(self.names, self.code[rows])

    def equals(self, other: Ids) -> bool:
        """Whether another column has the same rows."""
        return np.array_equal(self.code, other.code) and self.names.ids == other.names.ids


class Numbering:
    """Numbers strings in order of first appearance, in as many parts as they come."""

    def __init__(self) -> None:
        self._number: dict[str, int] = defaultdict(count().__next__)

    def codes(self, values: Collection[str]) -> Int32Array:
        """The numbers of some strings."""
        return np.fromiter(map(self._number.__getitem__, values), np.int32, len(values))

    @property
    def names(self) -> Names:
        """All strings so far."""
        return Names(self._number)


def packed_names(names: Sequence[str]) -> bytes:
    """Identifiers as bytes; different lists always give different bytes."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    return lengths.tobytes() + "".join(names).encode("utf-8", "surrogatepass")
