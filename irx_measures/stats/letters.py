"""Group letters: systems that do not differ share a letter (Piepho 2004)."""

from __future__ import annotations

from itertools import chain, count, islice, product
from string import ascii_lowercase

import numpy as np

from ..common.numeric import BoolArray

# A choice, far above the 222 letters of TREC-8 by AP: the number may grow exponentially.
MOST_COLUMNS = 5000


def group_letters(
    differs: BoolArray, most_columns: int = MOST_COLUMNS
) -> list[frozenset[int]] | None:
    """Columns of systems, one per letter: two systems share a column exactly if they do not differ.

    `differs`, (systems, systems), is symmetric, and False on the diagonal; the best system comes
    first. The columns are ordered by their best systems. None if there are more than `most_columns`
    before redundant ones are removed: some sets of differences need exponentially many.

    The columns are the maximal sets in which no two systems differ. They are found by insertion and
    absorption, one system at a time. Then columns are removed, the smallest first, if other columns
    already contain each pair of their systems.
    """
    alike = [sum(1 << other for other in np.flatnonzero(~row).tolist()) for row in differs]
    columns: list[int] = []
    for system in range(len(alike)):
        columns = _inserted(system, columns, alike)
        if len(columns) > most_columns:
            return None
    return sorted(_irredundant([_members(column) for column in columns]), key=sorted)


def letter_names(number: int) -> list[str]:
    """The names of so many letters: a to z, then aa, ab, ..."""
    every = (product(ascii_lowercase, repeat=length) for length in count(1))
    return ["".join(name) for name in islice(chain.from_iterable(every), number)]


def _inserted(system: int, columns: list[int], alike: list[int]) -> list[int]:
    """The maximal columns of the systems up to this one, given those of the systems before it.

    There are never more columns of the first systems than of all systems.
    """
    earlier = alike[system] & ((1 << system) - 1)
    kept = [column for column in columns if column & ~earlier]
    candidates = {column & earlier for column in columns} or {0}
    joined = [
        column | 1 << system
        for column in candidates
        if _common(column, earlier, alike) == column  # else another candidate absorbs it
    ]
    return kept + joined


def _common(column: int, within: int, alike: list[int]) -> int:
    """The systems of `within` that differ from no system of the column."""
    for member in _members(column):
        within &= alike[member]
    return within


def _irredundant(columns: list[frozenset[int]]) -> list[frozenset[int]]:
    """The columns without those whose pairs of systems are all in columns that stay."""
    systems = max((max(column) for column in columns), default=-1) + 1
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


def _members(column: int) -> frozenset[int]:
    members = []
    while column:
        lowest = column & -column
        members.append(lowest.bit_length() - 1)
        column ^= lowest
    return frozenset(members)
