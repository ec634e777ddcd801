"""Group letters: systems that do not differ share a letter (Piepho 2004)."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain, count, islice, product
from string import ascii_lowercase

import numpy as np

from ..common.numeric import BoolArray


def group_letters(differs: BoolArray) -> list[frozenset[int]]:
    """Columns of systems, one per letter: two systems share a column exactly if they do not differ.

    `differs`, (systems, systems), is symmetric, and False on the diagonal; the best system comes
    first. The columns are ordered by their best systems.

    The columns are the maximal sets in which no two systems differ. They are found by insertion and
    absorption, one system at a time. Then columns are removed, the smallest first, if other columns
    already contain each pair of their systems. There may be exponentially many maximal sets: of 15
    systems, up to 3^5.
    """
    columns: set[frozenset[int]] = set()
    for system, row in enumerate(differs):
        alike = frozenset(np.flatnonzero(~row[:system]).tolist())
        inserted = {column & alike | {system} for column in columns} or {frozenset({system})}
        columns = {column for column in columns if not column <= alike}  # the others are absorbed
        columns |= {one for one in inserted if not any(one < other for other in inserted)}
    return sorted(_irredundant(columns), key=sorted)


def letter_names(number: int) -> list[str]:
    """The names of so many letters: a to z, then aa, ab, ..."""
    every = (product(ascii_lowercase, repeat=length) for length in count(1))
    return ["".join(name) for name in islice(chain.from_iterable(every), number)]


def _irredundant(columns: Collection[frozenset[int]]) -> list[frozenset[int]]:
    """The columns without those whose pairs of systems are all in columns that stay."""
    systems = 1 + max(map(max, columns))
    shared = np.zeros((systems, systems), np.int64)
    blocks = {column: np.ix_(sorted(column), sorted(column)) for column in columns}
    for block in blocks.values():
        shared[block] += 1
    kept = []
    for column in sorted(columns, key=lambda column: (len(column), sorted(column))):
        if shared[blocks[column]].min() > 1:
            shared[blocks[column]] -= 1
        else:
            kept.append(column)
    return kept
