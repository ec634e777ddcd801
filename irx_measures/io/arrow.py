"""Columns of Arrow, and Parquet files. Pyarrow is optional, and imported on use."""

from __future__ import annotations

import codecs
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..common.memory import require_unpacked
from ..common.writing import one_line
from ..exceptions import InputError, MissingExtraError
from ..results.frames import DataFrame
from .columns import LONGEST_ID
from .opened import note_file

STRINGS = ("string", "large_string", "string_view")  # polars passes strings in the last type

LEAST_BYTES = 1 << 20
"""The size from which a TREC file is worth the import of pyarrow.

Measured in CPU time, the import takes 60 ms. For each 100 000 lines of a run (3 MB), pyarrow takes
20 ms and Python 90 ms; of qrels (2 MB), 20 ms and 50 ms. A file of this size does not repay the
import alone, but the next files of its collection do.
"""


BYTES_OF_CODE = 4  # a row of a column that is read as codes of its distinct values

# Strings that share bytes with the string before: no size in the file limits what they unpack to.
SHARING = "DELTA_BYTE_ARRAY"

# How JSON writes numbers; as others, pyarrow also reads 01, .5, 5. and +5.
NUMBERS_OF_JSON = {
    int: "^-?(0|[1-9][0-9]*)$",
    float: r"^-?(0|[1-9][0-9]*)(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)$",
}

Selection: TypeAlias = Callable[[list[str]], tuple[str, ...]]
"""Selects the columns to read, given the names of all columns."""


def available() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def pays_off(file: IO[bytes]) -> bool:
    """Whether pyarrow is installed, and already imported or worth its import for a file."""
    size = len(file.read(LEAST_BYTES))
    file.seek(0)
    return pays_off_for(size)


def pays_off_for(size: int) -> bool:
    """The same for a text of so many bytes."""
    return available() and ("pyarrow" in sys.modules or size >= LEAST_BYTES)


def table_of(source: Any, columns: Selection, what: str) -> Any:
    """Some columns of a polars, DuckDB or Arrow table, as an Arrow table; `what` is its label."""
    if not available():
        raise MissingExtraError(
            f"{what}: Arrow and polars tables need pyarrow: pip install 'irx-measures[fast]'"
        )
    import pyarrow as pa

    table = source if isinstance(source, pa.Table) else pa.table(source)
    return table.select(list(columns(table.column_names)))


def array_of(values: Any) -> NDArray[Any]:
    """A numeric column as an array; missing values become NaN.

    The method ``to_numpy`` of Arrow's arrays imports pandas.
    """
    import pyarrow as pa

    kind = values.type
    if values.null_count or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return values.to_numpy()
    parts = list(map(np.from_dlpack, values.chunks))
    return parts[0] if len(parts) == 1 else np.concatenate([*parts, np.zeros(0, np.int8)])


def missing_id(what: str, row: int) -> InputError:
    """The error for a row without an identifier, by its number."""
    return InputError(f"{what} must not be empty; row {row}, counted from 0, has no value")


def _refuse_missing(values: Any, parts: Sequence[Any], what: str) -> None:
    """InputError for the first row without an identifier, if there is one.

    `parts` are the chunks, or the dictionaries of their codes.
    """
    if not values.null_count and not any(part.null_count for part in parts):
        return
    plain = values.cast(values.type.value_type) if is_coded(values) else values
    row = plain.is_null().index(True).as_py()
    if row >= 0:  # a missing value of a dictionary may be that of no row
        raise missing_id(what, row)


def strings_of(values: Any, what: str) -> Any:
    """A column of identifiers as a chunked array.

    TypeError if it does not hold strings, InputError if a row has none.
    """
    import pyarrow as pa

    values = pa.chunked_array([values]) if isinstance(values, pa.Array) else values
    if pa.types.is_null(values.type):  # of no rows, or of missing values only
        values = values.cast(pa.string())
    has_codes = is_coded(values)
    kind = values.type.value_type if has_codes else values.type
    if str(kind) not in STRINGS:
        raise TypeError(f"{what} must hold strings; got {kind} (convert it to strings)")
    try:
        values.validate(full=True)  # UTF-8 and codes, which Arrow's readers do not check
    except (pa.ArrowInvalid, pa.ArrowIndexError) as error:
        reason = one_line(error)
        raise InputError(f"{what} must hold valid text in UTF-8 ({reason})") from None
    parts = [part.dictionary for part in values.chunks] if has_codes else values.chunks
    _refuse_missing(values, parts, what)
    if str(kind) == "string_view":  # which Arrow can do little with
        values = _without_views(values)
        parts = [part.dictionary for part in values.chunks] if has_codes else values.chunks
    longest = max(map(_longest, parts), default=0)
    if longest > LONGEST_ID:
        raise InputError(
            f"{what} must hold strings of at most {LONGEST_ID} bytes; got one of {longest}"
        )
    return values


def _without_views(values: Any) -> Any:
    """A column of string views, which may be the dictionaries of codes, as one of large strings."""
    import pyarrow as pa

    if not is_coded(values):
        return values.cast(pa.large_string())
    parts = [
        pa.DictionaryArray.from_arrays(part.indices, part.dictionary.cast(pa.large_string()))
        for part in values.chunks
    ]
    return pa.chunked_array(parts, pa.dictionary(values.type.index_type, pa.large_string()))


def _longest(strings: Any) -> int:
    import pyarrow.compute as pc

    return pc.max(pc.binary_length(strings)).as_py() or 0


def text_of(column: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The UTF-8 text of a column of strings, and where each starts and how long it is."""
    import pyarrow as pa

    part = whole(column)
    _, offsets, text = part.buffers()
    size = np.int64 if pa.types.is_large_string(part.type) else np.int32
    bounds = np.frombuffer(offsets or b"", size)[part.offset : part.offset + len(part) + 1]
    return np.frombuffer(text or b"", np.uint8), bounds[:-1], np.diff(bounds)


def whole(column: Any) -> Any:
    """A column of Arrow, which may have several parts, in one part; other columns as they are."""
    return column.combine_chunks() if hasattr(column, "chunks") else column


def parsed(block: bytes, separator: bytes, width: int, places: Sequence[int], graded: bool) -> Any:
    """The columns of queries, documents and numbers in regular lines; None if pyarrow refuses them.

    The lines have `width` cells; the columns are at three `places`. Grades are read as text: as
    numbers, pyarrow would accept 0x10 as 16.
    """
    import pyarrow as pa

    # Few queries have many rows each.
    queries, docs = pa.dictionary(pa.int32(), pa.large_string()), pa.large_string()
    numbers = pa.dictionary(pa.int32(), pa.binary()) if graded else pa.float64()
    types = dict(zip(map(str, places), (queries, docs, numbers), strict=True))
    return _columns_in(block, separator.decode(), width, types)


def texts_in(block: bytes, separator: str, width: int, lines: int) -> list[Any] | None:
    """The columns of so many lines as texts; None if pyarrow refuses them, or if one is blank."""
    import pyarrow as pa

    if block.startswith(codecs.BOM_UTF8):  # which pyarrow leaves out
        return None
    types = {str(place): pa.large_string() for place in range(width)}
    table = _columns_in(block, separator, width, types)
    return None if table is None or len(table) != lines else list(table.columns)


def _columns_in(block: bytes, separator: str, width: int, types: dict[str, Any]) -> Any:
    """Some columns of lines, by their places; None if pyarrow refuses the lines."""
    import pyarrow as pa
    from pyarrow import csv

    # A pyarrow thread that still runs when Python exits can abort the process.
    names = list(map(str, range(width)))
    read = csv.ReadOptions(column_names=names, use_threads=False)
    parse = csv.ParseOptions(delimiter=separator, quote_char=False)
    convert = csv.ConvertOptions(
        column_types=types,
        include_columns=list(types),
        null_values=[],
        strings_can_be_null=False,
    )
    try:
        return csv.read_csv(pa.BufferReader(block), read, parse, convert)
    except (pa.ArrowException, ValueError):
        return None


def finite_in(texts: Any) -> NDArray[Any] | None:
    """The numbers in a column of texts; None if one is none to pyarrow, or is not finite."""
    import pyarrow as pa

    try:
        numbers = array_of(texts.cast(pa.float64()))
    except pa.ArrowInvalid:
        return None
    return numbers if np.isfinite(numbers).all() else None


def numbers_of_json(texts: Any, kind: type) -> Any:
    """The numbers in a column of texts, all of one kind of JSON: int or float; None if one is not.

    Integers are of 64 bits, and floats are finite.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if kind not in NUMBERS_OF_JSON:
        return None
    are_numbers = pc.match_substring_regex(texts, NUMBERS_OF_JSON[kind])
    if not pc.all(are_numbers).as_py():
        return None
    of_arrow = pa.int64() if kind is int else pa.float64()
    try:
        numbers = texts.cast(of_arrow)
    except pa.ArrowInvalid:
        return None
    return numbers if np.isfinite(array_of(numbers)).all() else None


def floats_of(column: Any) -> NDArray[np.float64] | None:
    """The numbers in a column of numbers, as floats; None if it has texts."""
    return None if are_texts(column) else array_of(column).astype(np.float64, copy=False)


def are_texts(column: Any) -> bool:
    """Whether a column has texts."""
    import pyarrow as pa

    return bool(pa.types.is_large_string(column.type))


def has_empty(texts: Any) -> bool:
    """Whether a text in a column is empty."""
    import pyarrow.compute as pc

    return pc.min(pc.binary_length(texts)).as_py() == 0


def below(columns: Sequence[Any]) -> Any:
    """Some columns of one type below each other."""
    import pyarrow as pa

    return pa.chunked_array([part for column in columns for part in column.chunks])


def columns_of(tables: Sequence[Any]) -> list[Any]:
    """The columns of some tables below each other."""
    import pyarrow as pa

    return list(pa.concat_tables(tables).columns)


def decoded(column: Any, meaning: Callable[[bytes], int]) -> NDArray[np.int64]:
    """What each row of a column of coded texts means; ValueError if a text means nothing."""
    parts = []
    for part in column.chunks:
        meanings = np.array(list(map(meaning, part.dictionary.to_pylist())), np.int64)
        parts.append(meanings[np.from_dlpack(part.indices)])
    return np.concatenate(parts)


def is_arrow(column: Any) -> bool:
    """Whether a column is an array of Arrow; this check does not import pyarrow."""
    return hasattr(column, "to_pylist")


def is_coded(column: Any) -> bool:
    """Whether a column has codes of dictionaries."""
    import pyarrow as pa

    coded: bool = pa.types.is_dictionary(column.type)
    return coded


def utf8_of(names: Any) -> Any:
    """Texts, or an array of strings, as an array that `places_in` accepts."""
    import pyarrow as pa

    if is_arrow(names):
        return names.cast(pa.large_binary())
    ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(names))]
    return pa.Array.from_buffers(pa.large_binary(), len(names), buffers)


def places_in(known: Any, names: Any) -> NDArray[np.int32]:
    """The place of each text among known ones; -1 if it is none of them."""
    import pyarrow.compute as pc

    found = pc.index_in(names, value_set=known).fill_null(_integers([-1])[0])
    places: NDArray[Any] = np.from_dlpack(found)
    return places


def places_of(known: Any, column: Any) -> NDArray[np.int32]:
    """The same of a column of strings."""
    parts = [places_in(known, utf8_of(part)) for part in column.chunks]
    return np.concatenate([*parts, np.zeros(0, np.int32)])


def taken(column: Any, rows: ArrayLike) -> Any:
    """Some rows of a column."""
    return column.take(_integers(rows))


def _integers(numbers: ArrayLike) -> Any:
    """An array of integers; `pyarrow.array` would import pandas."""
    import pyarrow as pa

    array = np.ascontiguousarray(numbers, np.int32)
    return pa.Array.from_buffers(pa.int32(), len(array), [None, pa.py_buffer(array)])


def numbered(column: Any) -> tuple[Any, NDArray[np.int32]]:
    """Distinct strings of a column, which may be codes of dictionaries, and each row's number.

    The strings may be in another order than in the column, and some may be in no row.
    """
    place, strings = codes_of(column) if is_coded(column) else (None, column)
    parts = strings.dictionary_encode().chunks
    if not parts:
        return (), np.zeros(0, np.int32)
    code = np.concatenate([np.from_dlpack(part.indices) for part in parts])
    if place is not None:
        code = code[place]
    return parts[-1].dictionary, code  # all parts have the same


def listed(column: Any) -> list[str]:
    """The strings of a column; Arrow lists codes one by one, which takes fifty times as long."""
    strings: list[str]
    if is_coded(column):
        column = column.cast(column.type.value_type)
    strings = column.to_pylist()
    return strings


def codes_of(column: Any) -> tuple[NDArray[np.integer], Any]:
    """The codes of a coded column, and the strings for which they stand; some may be equal."""
    import pyarrow as pa

    if column.num_chunks == 1:
        (part,) = column.chunks
        only: NDArray[Any] = np.from_dlpack(part.indices)
        # The core reads codes of 32 and of 64 bits.
        kind = np.int32 if np.can_cast(only.dtype, np.int32) else np.int64
        return only.astype(kind, copy=False), pa.chunked_array([part.dictionary])
    dictionaries = [part.dictionary for part in column.chunks]
    strings = pa.chunked_array(dictionaries, column.type.value_type).cast(pa.large_string())
    starts = np.cumsum([0, *map(len, dictionaries)])
    codes = [np.zeros(0, np.int64)]
    for part, start in zip(column.chunks, starts, strict=False):  # one start more than parts
        codes.append(np.from_dlpack(part.indices).astype(np.int64) + start)
    return np.concatenate(codes), strings


def read_parquet(path: Path, columns: Selection) -> Any:
    """Some columns of a Parquet file, as an Arrow table.

    InputError if the file is not Parquet or damaged, or the columns would take more memory than
    `common.memory` allows; MissingExtraError without pyarrow.
    """
    if not available():
        raise MissingExtraError(f"{path}: Parquet needs pyarrow: pip install 'irx-measures[fast]'")
    import pyarrow as pa

    try:
        note_file(path)
        with open(path, "rb") as file:
            return _limited(path, file, columns)
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # not an error of pyarrow
            raise
        raise _damaged(path, error) from None


def read_frame(path: Path) -> DataFrame:
    """A Parquet file as a DataFrame; errors as `read_parquet`."""
    import pyarrow as pa

    table = read_parquet(path, tuple)
    try:
        table.validate(full=True)  # the reader does not check UTF-8
        return table.to_pandas()
    except (pa.ArrowException, ValueError, KeyError, TypeError) as error:  # as of pandas' metadata
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path}: not a Parquet file, or a damaged one ({one_line(error)})")


def _limited(path: Path, file: IO[bytes], columns: Selection) -> Any:
    content = _opened(file)
    schema, rows = content.schema_arrow, content.metadata.num_rows
    names = columns(schema.names)
    unpacked, as_codes = 0, []
    for name in names:
        if schema.field(name).type.num_fields:
            kind = schema.field(name).type
            raise InputError(f"{path}: column {name!r} must hold strings or numbers; got {kind}")
    for name, chunks in _chunks(content, names).items():
        encodings = {encoding for chunk in chunks for encoding in chunk.encodings}
        if SHARING in encodings:
            raise InputError(
                f"{path}: column {name!r} has the encoding {SHARING}, which is not read; use PLAIN "
                "or a dictionary"
            )
        if any(encoding.endswith("DICTIONARY") for encoding in encodings):
            as_codes.append(name)
        unpacked += rows * BYTES_OF_CODE + sum(chunk.total_uncompressed_size for chunk in chunks)
    require_unpacked(path, unpacked, file.seek(0, os.SEEK_END))
    return _opened(file, as_codes).read([*names], use_threads=False)


def _opened(file: IO[bytes], as_codes: Sequence[str] = ()) -> Any:
    """A Parquet file; the strings of some columns are read as codes of a dictionary."""
    from pyarrow import parquet

    # A thread of pyarrow that still holds a Python file when Python exits aborts the process.
    # Read so, no thread is started; `parquet.read_table` always starts some.
    return parquet.ParquetFile(file, pre_buffer=False, read_dictionary=as_codes)


def _chunks(content: Any, names: Sequence[str]) -> dict[str, list[Any]]:
    """What the file says of some columns in each group of rows."""
    leaves = [content.schema.column(at).path for at in range(len(content.schema))]
    chunks: dict[str, list[Any]] = {name: [] for name in names}
    for number in range(content.metadata.num_row_groups):
        # Reading comes before the metadata of a column: pyarrow aborts the process if it is asked
        # for damaged metadata, and reading them is an error.
        next(content.iter_batches(1, [number], [*names], use_threads=False), None)
        of_group = content.metadata.row_group(number)
        for name, of_column in chunks.items():
            of_column.append(of_group.column(leaves.index(name)))
    return chunks
