"""Identifiers in UTF-8 text, compared and looked up by their bytes, eight at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Int32Array, Int64Array
from ..exceptions import InputError
from .identifiers import LONGEST_ID, IdIndex, Ids, ListIds, run_lengths_from

WORD = 8  # bytes of a uint64

LOW_BYTES = np.array([(1 << 8 * count) - 1 for count in range(WORD + 1)], np.uint64)

# 2^64 / golden ratio, the multiplier of Fibonacci hashing (Knuth): it spreads neighbouring words.
MIXER = np.uint64(0x9E3779B97F4A7C15)

# An odd multiplier gives each query another offset; its bits are irregular, so that offsets do
# not turn fingerprints of one query into those of another.
STRIDE = np.uint64(0xD6E8FEB86659FD93)

LAST = np.uint64(0xFFFFFFFFFFFFFFFF)  # the highest uint64 ends a sorted row

MOST_PADDING = 2  # a choice: a padded table has at most twice the rows' fingerprints


@dataclass(frozen=True, eq=False)
class TextIds:
    """Identifiers in UTF-8 text; only the rows that are needed become Python strings.

    Attributes
    ----------
    text : (bytes,) uint8
        Never modified; at least `WORD` bytes follow the last identifier.
    first, length : (rows,) ints
        Start of each identifier in the text, and its length in bytes.
    """

    text: NDArray[np.uint8]
    first: NDArray[np.integer]
    length: NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.first)

    def codes(self, index: IdIndex) -> Int32Array:
        table = index.form(TextIds, lambda: TextIndex(text_ids(index.ids)))
        if table.distinct:
            return table.find(self)
        return ListIds(self.all()).codes(index)

    def numbered(self) -> tuple[IdIndex, Int32Array]:
        fingerprint = self.fingerprint
        order = np.argsort(fingerprint, kind="stable")  # of equal rows, the first comes first
        new = np.append(True, fingerprint[order][1:] != fingerprint[order][:-1])[: len(order)]
        first = np.empty(len(order), np.int64)
        first[order] = order[new][np.cumsum(new) - 1]
        if not _equal_rows(self, self.at(first)).all():  # different rows have one fingerprint
            return ListIds(self.all()).numbered()
        is_first = first == np.arange(len(first))
        number = (np.cumsum(is_first) - 1).astype(np.int32)
        distinct = self.at(np.flatnonzero(is_first))
        return IdIndex.of_distinct(distinct, {TextIds: TextIndex(distinct)}), number[first]

    def packed(self) -> bytes:
        end = np.cumsum(self.length)
        place = np.arange(end[-1] if len(end) else 0)
        letters = self.text[place + np.repeat(self.first - end + self.length, self.length)]
        starts_character = np.append(0, np.cumsum(letters & 0xC0 != 0x80))
        characters = np.diff(starts_character[np.append(0, end)])
        return characters.astype(np.int64).tobytes() + letters.tobytes()

    def at(self, rows: slice | NDArray[np.integer]) -> TextIds:
        """The identifiers of some rows, without a copy of the text."""
        return TextIds(self.text, self.first[rows], self.length[rows])

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        return list(self.at(rows).all())

    def all(self) -> Sequence[str]:
        view = self.text.data
        starts, ends = self.first.tolist(), (self.first + self.length).tolist()
        return [
            str(view[start:end], "utf-8", "surrogatepass")
            for start, end in zip(starts, ends, strict=True)
        ]

    def as_bytes(self, longest: int) -> list[bytes] | None:
        """The identifiers, free of null bytes, as bytes; None if one is longer than `longest`."""
        width = int(self.length.max(initial=1))
        if width > longest:
            return None
        place = np.arange(width)
        letters = self.text.take(self.first[:, np.newaxis] + place, mode="clip")
        letters[place >= self.length[:, np.newaxis]] = 0
        return letters.view(f"S{width}").ravel().tolist()

    def run_lengths(self) -> tuple[Ids, Int64Array]:
        differs = ~_equal_rows(self.at(slice(1, None)), self.at(slice(-1)))
        starts, lengths = run_lengths_from(differs, len(self))
        return self.at(starts), lengths

    def may_have_duplicates(self, rows: NDArray[np.integer], starts: Int64Array) -> bool:
        key = self.fingerprint[rows]
        length = np.diff(starts, append=len(rows))
        width = int(length.max(initial=0))
        if width * len(length) > MOST_PADDING * len(rows):
            key += np.repeat(np.arange(len(length), dtype=np.uint64) * STRIDE, length)
            return _repeats(key[np.newaxis], np.array([len(key)]))
        if width * len(length) == len(rows):
            return _repeats(key.reshape(len(length), width), length)
        padded_key = np.full((len(length), width), LAST)
        padded_key[np.arange(width) < length[:, np.newaxis]] = key
        return _repeats(padded_key, length)

    def equals(self, other: Ids) -> bool:
        return (
            isinstance(other, TextIds)
            and len(self) == len(other)
            and bool(_equal_rows(self, other).all())
        )

    def snapshot(self) -> Ids:
        return self

    @cached_property
    def words(self) -> NDArray[np.uint64]:
        """For each byte of the text, the eight bytes that start there, as one number."""
        return np.ndarray(len(self.text) - WORD + 1, "<u8", self.text.data, strides=(1,))

    @cached_property
    def fingerprint(self) -> NDArray[np.uint64]:
        """64-bit hashes; collisions are rare."""
        mixed = self.length.astype(np.uint64)
        row, at = np.arange(len(self)), 0
        while len(row):
            left = self.length[row] - at
            word = self.words[self.first[row] + at] & LOW_BYTES[np.minimum(left, WORD)]
            mixed[row] = (mixed[row] ^ word) * MIXER
            row, at = row[left > WORD], at + WORD
        # A product mixes bits upwards only: the high bits are brought down to the low ones.
        return mixed ^ (mixed >> np.uint64(29))


def _repeats(key: NDArray[np.uint64], length: Int64Array) -> bool:
    """Whether two numbers of a row are equal; rows of `length` are padded with the highest number.

    Sorting rows is faster than sorting all numbers at once. The rows are sorted in place.
    """
    key.sort(axis=1)
    equal = key[:, 1:] == key[:, :-1]
    if length.min(initial=key.shape[1]) < key.shape[1]:
        equal &= np.arange(1, key.shape[1]) < length[:, np.newaxis]
    return bool(equal.any())


def text_ids(values: Iterable[str]) -> TextIds:
    """Convert Python strings to UTF-8 text; InputError if a string is longer than `LONGEST_ID`."""
    encoded = [value.encode("utf-8", "surrogatepass") for value in values]
    length = np.fromiter(map(len, encoded), np.int64, len(encoded))
    longest = int(length.max(initial=0))
    if longest > LONGEST_ID:
        raise InputError(f"identifiers must have at most {LONGEST_ID} bytes; got one of {longest}")
    return TextIds(padded(b"".join(encoded)), np.cumsum(length) - length, length)


def joined(parts: Sequence[TextIds]) -> TextIds:
    """The identifiers of several texts, concatenated."""
    if len(parts) == 1:
        return parts[0]
    sizes = [len(part.text) for part in parts]
    before = np.cumsum([0, *sizes])
    firsts = [part.first + start for part, start in zip(parts, before, strict=False)]
    return TextIds(
        np.concatenate([*(part.text for part in parts), padded(b"")]),
        np.concatenate([*firsts, np.zeros(0, np.int64)]),
        np.concatenate([*(part.length for part in parts), np.zeros(0, np.int64)]),
    )


def padded(text: bytes | NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Text padded so that its last identifier can be read in words of eight bytes."""
    return np.concatenate((np.frombuffer(text, np.uint8), np.zeros(WORD, np.uint8)))


def _equal_rows(first: TextIds, second: TextIds) -> NDArray[np.bool_]:
    """Whether the identifiers of two columns are equal, row by row."""
    equal = first.length == second.length
    row, at = np.flatnonzero(equal), 0
    while len(row):
        left = first.length[row] - at
        differ = first.words[first.first[row] + at] ^ second.words[second.first[row] + at]
        same = differ & LOW_BYTES[np.minimum(left, WORD)] == 0
        equal[row[~same]] = False
        row, at = row[same & (left > WORD)], at + WORD
    return equal


class TextIndex:
    """Lookup of identifiers by fingerprint.

    Attributes
    ----------
    distinct : bool
        Whether all fingerprints differ; `find` must not be used if they do not.
    """

    def __init__(self, ids: TextIds) -> None:
        self._ids = ids
        fingerprint = self._ids.fingerprint
        order = np.argsort(fingerprint)
        self._code = np.append(order, -1)
        self._fingerprint = np.append(fingerprint[order], LAST)
        self.distinct = not (self._fingerprint[1:] == self._fingerprint[:-1]).any()
        # The first bits give the start of the search, which takes fewer steps than a binary search.
        bits = len(order).bit_length() + 1
        self._shift = np.uint64(64 - bits)
        lowest = np.arange(1 << bits, dtype=np.uint64) << self._shift
        self._start = np.searchsorted(self._fingerprint, lowest)

    def find(self, ids: TextIds) -> Int32Array:
        """The index number of each identifier; -1 if the identifier is not in the index."""
        fingerprint = ids.fingerprint
        place = self._start[(fingerprint >> self._shift).astype(np.int64)]
        row = np.flatnonzero(self._fingerprint[place] < fingerprint)
        while len(row):
            place[row] += 1
            row = row[self._fingerprint[place[row]] < fingerprint[row]]
        code = self._code[place]
        candidate = np.flatnonzero((self._fingerprint[place] == fingerprint) & (code >= 0))
        equal = _equal_rows(ids.at(candidate), self._ids.at(code[candidate]))
        codes = np.full(len(ids), -1, np.int32)
        codes[candidate[equal]] = code[candidate[equal]]
        return codes
