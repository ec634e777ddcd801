"""pyarrow, where it is installed: Arrow-backed columns and TREC files. Imported only when used."""

from __future__ import annotations

import importlib.util
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .blocks import blocks, delimiter_of
from .ids import CodeArray, IdIndex, Ids, IntArray, ListIds, RepeatedIds, as_slice, stretches_from

LONGEST_PREFIX = 64
LOW_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
MIXER = np.uint64(0x9E3779B97F4A7C15)
STRIDE = np.uint64(0xD6E8FEB86659FD93)


def available() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


@dataclass(frozen=True)
class ArrowIds:
    """Identifiers in an Arrow string column; becomes Python strings only row by row asked for."""

    values: Any  # pyarrow.ChunkedArray of strings

    def __len__(self) -> int:
        return len(self.values)

    def codes(self, index: IdIndex) -> CodeArray:
        import pyarrow as pa
        import pyarrow.compute as pc

        try:
            known = index.form(self.values.type, lambda: pa.array(index.ids, self.values.type))
        except UnicodeEncodeError:  # half a surrogate pair, which no Arrow column can hold
            return ListIds(self.all()).codes(index)
        found = pc.index_in(self.values, value_set=known)
        return pc.fill_null(found, -1).to_numpy()

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        return self.values.take(rows).to_pylist()

    def all(self) -> Sequence[str]:
        return self.values.to_pylist()

    def stretches(self) -> tuple[Ids, IntArray]:
        import pyarrow.compute as pc

        before, after = self.values.slice(0, max(0, len(self) - 1)), self.values.slice(1)
        starts, lengths = stretches_from(pc.not_equal(before, after).to_numpy(), len(self))
        return ArrowIds(self.values.take(starts)), lengths

    def repeated(self, rows: NDArray[np.integer], starts: IntArray) -> bool:
        within = as_slice(rows)
        if within is None:
            some = self.values.take(rows)
        else:
            some = self.values.slice(within.start, len(rows))
        stretch = np.zeros(len(rows), np.uint64)
        stretch[starts] = 1
        key = _fingerprints(some) + np.cumsum(stretch) * STRIDE
        key.sort()
        return bool((key[1:] == key[:-1]).any())

    def same(self, other: Ids) -> bool:
        return isinstance(other, ArrowIds) and bool(self.values.equals(other.values))

    def snapshot(self) -> Ids:
        return self  # pandas and pyarrow write to new arrays


def _fingerprints(column: Any) -> NDArray[np.uint64]:
    """Numbers of strings, equal where the strings are, and hardly elsewhere.

    Strings are taken eight bytes at a time, to the 64th and the last eight.
    """
    import pyarrow as pa

    parts = [np.zeros(0, np.uint64)]
    for chunk in column.chunks:
        _, offsets, text = chunk.buffers()
        if text is None:  # nothing but empty strings
            parts.append(np.zeros(len(chunk), np.uint64))
            continue
        size = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
        bounds = np.frombuffer(offsets, size)[chunk.offset : chunk.offset + len(chunk) + 1]
        first, length = bounds[:-1] - bounds[0], np.diff(bounds)
        data = np.frombuffer(text, np.uint8)[bounds[0] : bounds[-1]]
        data = np.concatenate((data, np.zeros(8, np.uint8)))
        words = np.ndarray(len(data) - 7, "<u8", data, strides=(1,))  # the eight bytes from each on
        mixed = length.astype(np.uint64)
        for at in range(0, min(int(length.max(initial=0)), LONGEST_PREFIX), 8):
            longer = np.flatnonzero(length > at)
            left = np.minimum(length[longer] - at, 8)
            mixed[longer] = (mixed[longer] ^ (words[first[longer] + at] & LOW_BYTES[left])) * MIXER
        longer = np.flatnonzero(length > LONGEST_PREFIX)
        mixed[longer] = (mixed[longer] ^ words[first[longer] + length[longer] - 8]) * MIXER
        parts.append(mixed ^ (mixed >> np.uint64(29)))
    return np.concatenate(parts)


def arrow_ids(values: Any, what: str) -> ArrowIds | ListIds:
    """An Arrow column as identifiers; TypeError where it does not hold strings."""
    import pyarrow as pa

    if isinstance(values, pa.Array):
        values = pa.chunked_array([values])
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        raise TypeError(f"{what} must hold strings; got {values.type} (use .astype(str))")
    if values.null_count:
        raise TypeError(f"{what} must hold strings; got {values.null_count} missing values")
    return ArrowIds(values)


def read_columns(
    file: IO[bytes],
    names: tuple[str, ...],
    number: str,
    whole: Callable[[bytes], int] | None,
) -> tuple[RepeatedIds, ArrowIds, NDArray[Any]] | None:
    """A TREC file by pyarrow's CSV reader: query ids, document ids, numbers.

    Parameters
    ----------
    file
        The file, unpacked.
    names
        Its columns, ``query_id`` and ``doc_id`` among them.
    number
        The numeric column.
    whole
        Reads one of its numbers, where they are integers; None for real numbers.

    Returns
    -------
    None where the file is not regular (comments, several spaces, a bad line): the tolerant reader
    decides about those.
    """
    import pyarrow as pa
    from pyarrow import csv

    # Whole numbers as text: pyarrow would take 0x10 for 16.
    kind = pa.float64() if whole is None else pa.dictionary(pa.int32(), pa.binary())
    few = pa.dictionary(pa.int32(), pa.string())  # so that equal neighbours are equal numbers
    wanted = {"query_id": few, "doc_id": pa.string(), number: kind}
    # Threads that pyarrow still winds up when Python exits abort the process, now and then.
    read = csv.ReadOptions(column_names=list(names), use_threads=False)
    convert = csv.ConvertOptions(
        column_types=wanted,
        include_columns=list(wanted),
        null_values=[],
        strings_can_be_null=False,
    )
    tables = []
    try:
        for block in blocks(file):
            delimiter = delimiter_of(block)
            if delimiter is None:
                return None
            parse = csv.ParseOptions(delimiter=delimiter, quote_char=False)
            tables.append(csv.read_csv(pa.BufferReader(block), read, parse, convert))
        if not tables:
            return None
        query, doc, value = map(pa.concat_tables(tables).column, wanted)
        queries = _stretches_of_dictionary(query)
        values = value.to_numpy() if whole is None else _decoded(value, whole)
    except (pa.ArrowException, ValueError, EOFError, OSError, zlib.error):
        return None
    comments = any(query_id.startswith("#") for query_id in queries.values)
    if comments or (whole is None and np.isnan(values).any()):
        return None
    return queries, ArrowIds(doc), values


def _stretches_of_dictionary(column: Any) -> RepeatedIds:
    """Equal neighbours as one."""
    names: list[str] = []
    lengths = [np.zeros(0, np.int64)]
    for part in column.chunks:
        number = part.indices.to_numpy()
        starts, of_part = stretches_from(number[1:] != number[:-1], len(number))
        names += map(part.dictionary.to_pylist().__getitem__, number[starts].tolist())
        lengths.append(of_part)
    return RepeatedIds(names, np.concatenate(lengths))


def _decoded(column: Any, whole: Callable[[bytes], int]) -> NDArray[np.int64]:
    return np.concatenate(
        [
            np.array([whole(text) for text in part.dictionary.to_pylist()], np.int64)[part.indices]
            for part in column.chunks
        ]
    )
