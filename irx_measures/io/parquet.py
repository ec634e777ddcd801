"""Reads Parquet files with pyarrow. What a small file may unpack to is limited."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..common.memory import require_unpacked
from ..common.writing import one_line
from ..exceptions import InputError, MissingExtraError
from .arrow import available
from .opened import note_file

BYTES_OF_CODE = 4  # a row of a column that is read as codes of its distinct values

# Strings that share bytes with the string before: no size in the file limits what they unpack to.
SHARING = "DELTA_BYTE_ARRAY"


@dataclass(frozen=True)
class ParquetTable:
    """The table in a Parquet file, of which only the required columns are read."""

    path: Path

    def read(self, columns: Callable[[list[str]], tuple[str, ...]]) -> Any:
        """Some columns as an Arrow table; see `arrow.table_of`.

        Raises
        ------
        ValueError
            When pyarrow is not installed, the file is not Parquet or damaged, or the columns would
            take more memory than `common.memory` allows.
        """
        path = self.path
        if not available():
            raise MissingExtraError(
                f"{path}: Parquet needs pyarrow: pip install 'irx-measures[fast]'"
            )
        import pyarrow as pa

        try:
            note_file(path)
            with open(path, "rb") as file:
                return _read(path, file, columns)
        except InputError:
            raise
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:  # not an error of pyarrow
                raise
            reason = one_line(error)
            raise InputError(f"{path}: not a Parquet file, or a damaged one ({reason})") from None


def _read(path: Path, file: IO[bytes], columns: Callable[[list[str]], tuple[str, ...]]) -> Any:
    content = _opened(file)
    schema, rows = content.schema_arrow, content.metadata.num_rows
    names = columns(schema.names)
    unpacked, as_codes = 0, []
    for name in names:
        if schema.field(name).type.num_fields:
            kind = schema.field(name).type
            raise InputError(f"{path}: column {name!r} must hold strings or numbers; got {kind}")
        chunks = list(_chunks(content, name))
        encodings = {encoding for chunk in chunks for encoding in chunk.encodings}
        if SHARING in encodings:
            raise InputError(
                f"{path}: column {name!r} has the encoding {SHARING}, which is not read; use PLAIN "
                "or a dictionary"
            )
        if not any(encoding.startswith("DELTA") for encoding in encodings):
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


def _chunks(content: Any, name: str) -> Iterator[Any]:
    """What the file says of a column in each group of rows."""
    leaves = [content.schema.column(at).path for at in range(len(content.schema))]
    place = leaves.index(name)
    for number in range(content.metadata.num_row_groups):
        # Reading comes before the metadata of a column: pyarrow aborts the process if it is asked
        # for damaged metadata, and reading them is an error.
        next(content.iter_batches(1, [number], [name], use_threads=False), None)
        yield content.metadata.row_group(number).column(place)
