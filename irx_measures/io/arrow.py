"""Reads Arrow columns and TREC files with pyarrow, which is optional and imported on use."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError, MissingExtraError
from .identifiers import LONGEST_ID, Ids
from .lines import Layout, grade_of, separator_of, text_blocks
from .table import Table

STRINGS = ("string", "large_string", "string_view")  # polars passes strings in the last type

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
    """A numeric column as an array; missing values become NaN.

    The method ``to_numpy`` of Arrow's arrays imports pandas.
    """
    import pyarrow as pa

    kind = values.type
    if values.null_count or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return values.to_numpy()
    parts = list(map(np.from_dlpack, values.chunks))
    return parts[0] if len(parts) == 1 else np.concatenate([*parts, np.zeros(0, np.int8)])


def arrow_ids(values: Any, what: str) -> Ids:
    """An Arrow column as identifiers; TypeError if it does not hold strings."""
    import pyarrow as pa

    values = pa.chunked_array([values]) if isinstance(values, pa.Array) else values
    is_coded = pa.types.is_dictionary(values.type)
    kind = values.type.value_type if is_coded else values.type
    if str(kind) not in STRINGS:
        raise TypeError(f"{what} must hold strings; got {kind} (convert it to strings)")
    try:
        values.validate(full=True)  # UTF-8 and codes, which Arrow's readers do not check
    except (pa.ArrowInvalid, pa.ArrowIndexError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{what} must hold valid text in UTF-8 ({reason})") from None
    parts = [part.dictionary for part in values.chunks] if is_coded else values.chunks
    missing = values.null_count + is_coded * sum(part.null_count for part in parts)
    if missing:
        raise TypeError(f"{what} must hold strings; got {missing} missing values")
    if str(values.type) == "string_view":  # which Arrow can do little with
        values = values.cast(pa.large_string())
        parts = values.chunks
    longest = max(map(_longest, parts), default=0)
    if longest > LONGEST_ID:
        raise InputError(
            f"{what} must hold strings of at most {LONGEST_ID} bytes; got one of {longest}"
        )
    return Ids(values)


def _longest(strings: Any) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.max(pc.binary_length(strings.cast(pa.large_string()))).as_py() or 0


def text_of(column: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None:
    """The UTF-8 text of a column of strings, and where each starts and how long it is.

    None if the column does not hold strings as they are.
    """
    import pyarrow as pa

    if str(column.type) not in ("string", "large_string"):
        return None
    part = column.combine_chunks()
    _, offsets, text = part.buffers()
    size = np.int64 if pa.types.is_large_string(part.type) else np.int32
    bounds = np.frombuffer(offsets or b"", size)[part.offset : part.offset + len(part) + 1]
    return np.frombuffer(text or b"", np.uint8), bounds[:-1], np.diff(bounds)


def read_regular(path: Path, file: IO[bytes], layout: Layout) -> Table | None:
    """Read a TREC file with pyarrow's CSV reader.

    Parameters
    ----------
    path, file
        The file, and its content, decompressed.
    layout
        Its columns.

    Returns
    -------
    None if the file has comments, several spaces in a row, a long line or a bad one;
    `lines.read_lines` handles these, from the beginning of the file.
    """
    import pyarrow as pa
    from pyarrow import csv

    # Integers are read as text: pyarrow would accept 0x10 as 16. Few queries have many rows each.
    coded = pa.dictionary(pa.int32(), pa.large_string())
    number = pa.dictionary(pa.int32(), pa.binary()) if layout.of_grades else pa.float64()
    wanted = {"0": coded, str(layout.doc): pa.large_string(), str(layout.number): number}
    # A pyarrow thread that still runs when Python exits can abort the process.
    read = csv.ReadOptions(column_names=list(map(str, range(layout.width))), use_threads=False)
    convert = csv.ConvertOptions(
        column_types=wanted,
        include_columns=list(wanted),
        null_values=[],
        strings_can_be_null=False,
    )
    tables = []
    try:
        for _, block in text_blocks(path, file):
            separator = separator_of(block, layout.width)
            if not separator:
                return None
            parse = csv.ParseOptions(delimiter=separator.decode(), quote_char=False)
            tables.append(csv.read_csv(pa.BufferReader(block), read, parse, convert))
        if not tables:
            return None
        query, doc, value = map(pa.concat_tables(tables).column, wanted)
        values = _grades(value) if layout.of_grades else numbers_of(value)
    except (pa.ArrowException, ValueError):
        return None
    if np.isnan(values).any():  # pyarrow takes other texts for NaN than Python
        return None
    return Table(Ids(query), Ids(doc), values, path=path, line=np.arange(1, len(values) + 1))


def _grades(column: Any) -> NDArray[np.int64]:
    parts = []
    for part in column.chunks:
        grades = np.array([grade_of(text) for text in part.dictionary.to_pylist()], np.int64)
        parts.append(grades[np.from_dlpack(part.indices)])
    return np.concatenate(parts)
