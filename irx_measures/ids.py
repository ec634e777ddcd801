"""Columns of identifiers, and the numbering of those that are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

CodeArray = NDArray[np.int32]


class IdIndex:
    """Known identifiers, numbered from 0 in order of first appearance."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.number = {known: number for number, known in enumerate(dict.fromkeys(ids))}

    def __len__(self) -> int:
        return len(self.number)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(self.number)


class Ids(Protocol):
    """A column of identifiers."""

    def __len__(self) -> int: ...

    def codes(self, index: IdIndex) -> CodeArray:
        """Number of each identifier in the index, -1 where it is not known."""

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        """The identifiers of some rows."""

    def all(self) -> Sequence[str]:
        """The identifiers of all rows."""


@dataclass(frozen=True)
class ListIds:
    """Identifiers as Python strings."""

    values: Sequence[str]

    def __len__(self) -> int:
        return len(self.values)

    def codes(self, index: IdIndex) -> CodeArray:
        return np.fromiter(
            map(index.number.get, self.values, repeat(-1)), np.int32, len(self.values)
        )

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        return [self.values[row] for row in rows.tolist()]

    def all(self) -> Sequence[str]:
        return self.values


@dataclass(frozen=True)
class RepeatedIds:
    """Each identifier once, with how many rows in succession it stands for."""

    values: Sequence[str]
    lengths: NDArray[np.integer]

    def __len__(self) -> int:
        return int(self.lengths.sum())

    def codes(self, index: IdIndex) -> CodeArray:
        return np.repeat(ListIds(self.values).codes(index), self.lengths)

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        ends = np.cumsum(self.lengths)
        return ListIds(self.values).take(np.searchsorted(ends, rows, side="right"))

    def all(self) -> Sequence[str]:
        return self.take(np.arange(len(self)))
