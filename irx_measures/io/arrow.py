"""Reads Arrow columns and TREC files with pyarrow, which is optional and imported on use."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError, MissingExtraError
from .identifiers import LONGEST_ID, CodedIds, Ids, RepeatedIds, run_lengths_from
from .line_blocks import blocks, delimiter_of
from .utf8_identifiers import TextIds, joined, padded

# The numbers of Arrow that numpy has too, by Arrow's names.
DTYPES = {"halffloat": np.float16, "float": np.float32, "double": np.float64} | {
    f"{sign}int{bits}": np.dtype(f"{sign}int{bits}")
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}

ASCII_END = 0x80  # from here on, a byte is part of a longer character in UTF-8

LEAST_BYTES = 1 << 20
"""The size from which a TREC file is worth the import of pyarrow.

Measured in CPU time, the import takes 30 ms. For each 100 000 lines of a run (4 MB), pyarrow takes
25 ms and Python 43 ms; of qrels (2.5 MB), 12 ms and 26 ms. A file of this size does not repay the
import alone, but the next files of its collection do.
"""


def available() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def pays_off(file: IO[bytes]) -> bool:
    """Whether pyarrow is installed, and already imported or worth its import for a file."""
    if not available() or "pyarrow" in sys.modules:
        return available()
    size = len(file.read(LEAST_BYTES))
    file.seek(0)
    return size >= LEAST_BYTES


def table_of(source: Any, columns: Callable[[list[str]], tuple[str, ...]], what: str) -> Any:
    """Some columns of a polars, DuckDB or Arrow table, as an Arrow table.

    Parameters
    ----------
    source
        An object with the method ``__arrow_c_stream__``.
    columns
        Selects the required columns, given the names of all columns.
    what
        The label of the table in error messages.
    """
    if not available():
        raise MissingExtraError(
            f"{what}: Arrow and polars tables need pyarrow: pip install 'irx-measures[fast]'"
        )
    import pyarrow as pa

    table = source if isinstance(source, pa.Table) else pa.table(source)
    return table.select(list(columns(table.column_names)))


def numbers_of(values: Any) -> NDArray[Any]:
    """A numeric column as an array; missing values become NaN."""
    if str(values.type) not in DTYPES or values.null_count:
        return values.to_numpy()
    parts = [array_of(part) for part in values.chunks]
    return parts[0] if len(parts) == 1 else np.concatenate([*parts, np.zeros(0, np.int8)])


def array_of(part: Any) -> NDArray[Any]:
    """Integers or floats, none of them missing, as an array.

    The method ``to_numpy`` of Arrow's arrays imports pandas.
    """
    dtype = DTYPES[str(part.type)]
    data = part.buffers()[1]
    return np.frombuffer(data or b"", dtype)[part.offset : part.offset + len(part)]


def arrow_ids(values: Any, what: str, fix: str = ".astype(str)") -> Ids:
    """An Arrow column as identifiers; TypeError, with the fix, if it does not hold strings."""
    import pyarrow as pa

    if isinstance(values, pa.Array):
        values = pa.chunked_array([values])
    if not pa.types.is_dictionary(values.type):
        ids = _texts(values.chunks, values.type, what, fix)
        _refuse_missing(values, what)
        return ids
    dictionaries = [part.dictionary for part in values.chunks]
    entries = _texts(dictionaries, values.type.value_type, what, fix)
    _refuse_missing(values, what)
    if len(dictionaries) == 1 and len(dictionaries[0].unique()) == len(dictionaries[0]):
        return CodedIds(entries, _codes(values.chunk(0), what).astype(np.int32))
    _, number = entries.numbered()  # two dictionaries may share an entry
    _, first = np.unique(number, return_index=True)
    codes = [np.zeros(0, np.int64)]
    before = 0
    for part in values.chunks:
        codes.append(_codes(part, what) + np.int64(before))
        before += len(part.dictionary)
    return CodedIds(entries.at(first), number[np.concatenate(codes)])


def _refuse_missing(values: Any, what: str) -> None:
    if values.null_count:
        raise TypeError(f"{what} must hold strings; got {values.null_count} missing values")


def _codes(part: Any, what: str) -> NDArray[Any]:
    """The codes of a dictionary array."""
    codes = array_of(part.indices)
    outside = codes[(codes < 0) | (codes >= len(part.dictionary))]
    if len(outside) or part.dictionary.null_count:
        got = f"code {outside[0]}" if len(outside) else "a missing entry"
        raise InputError(f"{what} must hold codes of strings in its dictionary; got {got}")
    return codes


def _texts(parts: list[Any], kind: Any, what: str, fix: str) -> TextIds:
    """Arrow arrays of strings as identifiers; errors as in `arrow_ids`."""
    import pyarrow as pa

    if str(kind) == "string_view":  # polars passes strings in this type
        kind = pa.large_string()
        parts = [part.cast(kind) for part in parts]
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise TypeError(f"{what} must hold strings; got {kind} (use {fix})")
    texts = list(map(text_of, parts))
    for part, text in zip(parts, texts, strict=True):
        _refuse_no_utf8(part, text, what)
    ids = joined(texts)
    longest = int(ids.length.max(initial=0))
    if longest > LONGEST_ID:
        raise InputError(
            f"{what} must hold strings of at most {LONGEST_ID} bytes; got one of {longest}"
        )
    return ids


def _refuse_no_utf8(part: Any, text: TextIds, what: str) -> None:
    """InputError if a string is not UTF-8, which Arrow's readers do not check."""
    import pyarrow as pa

    if (text.text < ASCII_END).all():
        return
    try:
        part.validate(full=True)
    except pa.ArrowInvalid as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{what} must hold text in UTF-8 ({reason})") from None


def text_of(part: Any) -> TextIds:
    """The strings of an Arrow array."""
    import pyarrow as pa

    _, offsets, text = part.buffers()
    size = np.int64 if pa.types.is_large_string(part.type) else np.int32
    bounds = np.frombuffer(offsets or b"", size)[part.offset : part.offset + len(part) + 1]
    start, end = (bounds[0], bounds[-1]) if len(bounds) else (0, 0)
    used = np.frombuffer(text or b"", np.uint8)[start:end]
    return TextIds(padded(used), bounds[:-1] - start, np.diff(bounds))


def read_columns(
    file: IO[bytes],
    names: tuple[str, ...],
    number: str,
    integer_of: Callable[[bytes], int] | None,
) -> tuple[RepeatedIds, TextIds, NDArray[Any]] | None:
    """Read query ids, document ids and numbers of a TREC file with pyarrow's CSV reader.

    Parameters
    ----------
    file
        The file, decompressed.
    names
        The names of its columns, including ``query_id`` and ``doc_id``.
    number
        The numeric column.
    integer_of
        Converts the text of an integer; None if the numbers are floats.

    Returns
    -------
    None if the file has comments, several spaces in a row or a bad line; the slower reader
    handles these, from the beginning of the file.
    """
    import pyarrow as pa
    from pyarrow import csv

    # Integers are read as text: pyarrow would accept 0x10 as 16.
    kind = pa.float64() if integer_of is None else pa.dictionary(pa.int32(), pa.binary())
    as_codes = pa.dictionary(pa.int32(), pa.string())  # query ids are compared as integers
    wanted = {"query_id": as_codes, "doc_id": pa.string(), number: kind}
    # A pyarrow thread that still runs when Python exits can abort the process.
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
        queries = _dictionary_run_lengths(query)
        documents = _texts(doc.chunks, doc.type, "doc_id", "")
        values = numbers_of(value) if integer_of is None else _decoded(value, integer_of)
    except (pa.ArrowException, ValueError):
        return None
    comments = any(query_id.startswith("#") for query_id in queries.values)
    if any(len(query_id.encode()) > LONGEST_ID for query_id in queries.values):
        return None
    if comments or (integer_of is None and np.isnan(values).any()):
        return None
    return queries, documents, values


def _dictionary_run_lengths(column: Any) -> RepeatedIds:
    """Run-length encoding of a dictionary column."""
    names: list[str] = []
    lengths = [np.zeros(0, np.int64)]
    for part in column.chunks:
        number = array_of(part.indices)
        starts, of_part = run_lengths_from(number[1:] != number[:-1], len(number))
        names += map(part.dictionary.to_pylist().__getitem__, number[starts].tolist())
        lengths.append(of_part)
    return RepeatedIds(names, np.concatenate(lengths))


def _decoded(column: Any, integer_of: Callable[[bytes], int]) -> NDArray[np.int64]:
    parts = []
    for part in column.chunks:
        values = np.array([integer_of(text) for text in part.dictionary.to_pylist()], np.int64)
        parts.append(values[array_of(part.indices)])
    return np.concatenate(parts)
