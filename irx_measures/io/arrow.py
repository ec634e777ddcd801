"""Columns of Arrow, and Parquet files. Pyarrow is optional, and imported on use."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..common.memory import require_unpacked
from ..common.writing import one_line
from ..exceptions import InputError, MissingExtraError
from ..results.frames import DataFrame
from .columns import LONGEST_ID
from .identifiers import Ids, joined
from .opened import note_file

STRINGS = ("string", "large_string", "string_view")  # polars passes strings in the last type

BYTES_OF_CODE = 4  # a row of a column that is read as codes of its distinct values

# Strings that share bytes with the string before: no size in the file limits what they unpack to.
SHARING = "DELTA_BYTE_ARRAY"

Selection: TypeAlias = Callable[[list[str]], tuple[str, ...]]
"""Selects the columns to read, given the names of all columns."""


def available() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


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


def ids_of(values: Any, what: str) -> Ids | None:
    """A column of identifiers; None if it has other values, or misses some.

    InputError if a text is no UTF-8, or too long.
    """
    import pyarrow as pa

    values = pa.chunked_array([values]) if isinstance(values, pa.Array) else values
    is_coded = pa.types.is_dictionary(values.type)
    kind = values.type.value_type if is_coded else values.type
    if str(kind) not in STRINGS or values.null_count:
        return None
    try:
        values.validate(full=True)  # UTF-8 and codes, which Arrow's readers do not check
    except (pa.ArrowInvalid, pa.ArrowIndexError) as error:
        reason = one_line(error)
        raise InputError(f"{what} must hold valid text in UTF-8 ({reason})") from None
    if not is_coded:
        return _of_texts(values, what)
    parts = []
    for part in values.chunks:
        if part.dictionary.null_count:
            return None
        texts = pa.chunked_array([part.dictionary]).cast(pa.large_string())
        _of_texts(texts, what)
        codes = array_of(pa.chunked_array([part.indices]))
        parts.append(Ids.of_codes(texts.to_pylist(), codes))
    return parts[0] if len(parts) == 1 else joined(parts)


def _of_texts(values: Any, what: str) -> Ids:
    """A column of text; InputError if one is too long."""
    import pyarrow as pa

    texts = values.cast(pa.large_string())
    whole = texts.chunk(0) if texts.num_chunks == 1 else texts.combine_chunks()
    _, offsets, text = whole.buffers()
    bounds = np.frombuffer(offsets or b"", np.int64)[whole.offset : whole.offset + len(whole) + 1]
    length = np.diff(bounds)
    longest = length.max(initial=0)
    if longest > LONGEST_ID:
        raise InputError(
            f"{what} must hold strings of at most {LONGEST_ID} bytes; got one of {longest}"
        )
    return Ids((np.frombuffer(text or b"", np.uint8), bounds[:-1], length))


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
