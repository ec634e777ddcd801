"""Reads Parquet files with pyarrow. What a small file may unpack to is limited."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..common.memory import require_unpacked
from ..exceptions import InputError, MissingExtraError
from .arrow import available
from .files import refuse_compressed
from .opened import note_file

BYTES_OF_CODE = 4  # a row of a column that is read as codes of its distinct values

# Parquet's encoding of strings that share bytes with the string before: long ones take few bytes.
SHARING = "DELTA_BYTE_ARRAY"

MOST_AT_ONCE = 1 << 28  # bytes, a choice: what is unpacked before the memory is counted again


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
                refuse_compressed(path, file)
                return _read(path, file, columns)
        except InputError:
            raise
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:  # not an error of pyarrow
                raise
            reason = " ".join(str(error).split())
            raise InputError(f"{path}: not a Parquet file, or a damaged one ({reason})") from None


def _read(path: Path, file: IO[bytes], columns: Callable[[list[str]], tuple[str, ...]]) -> Any:
    content = _opened(file)
    schema, rows = content.schema_arrow, content.metadata.num_rows
    names = columns(schema.names)
    nested = [name for name in names if schema.field(name).type.num_fields]
    if nested:
        kind = schema.field(nested[0]).type
        raise InputError(f"{path}: column {nested[0]!r} must hold strings or numbers; got {kind}")
    size = file.seek(0, os.SEEK_END)
    chunks = {name: list(_chunks(content, name)) for name in names}
    unpacked = sum(chunk.total_uncompressed_size for of in chunks.values() for chunk in of)
    encodings = {name: {e for chunk in of for e in chunk.encodings} for name, of in chunks.items()}
    require_unpacked(path, rows * BYTES_OF_CODE * len(names) + unpacked, size)
    if any(SHARING in of_column for of_column in encodings.values()):
        return _in_steps(path, content, names, unpacked, size)
    as_codes = (
        name
        for name, of_column in encodings.items()
        if not any(encoding.startswith("DELTA") for encoding in of_column)
    )
    return _opened(file, tuple(as_codes)).read([*names], use_threads=False)


def _in_steps(path: Path, content: Any, names: tuple[str, ...], longest: int, size: int) -> Any:
    """Some columns, read in steps of so many rows that strings of a length fit into memory."""
    import pyarrow as pa

    batches, memory = [], 0
    rows = max(1, MOST_AT_ONCE // max(1, longest))
    for batch in content.iter_batches(rows, columns=[*names], use_threads=False):
        batches.append(batch)
        memory += batch.nbytes
        require_unpacked(path, memory, size)
    return pa.Table.from_batches(
        batches, content.schema_arrow.empty_table().select([*names]).schema
    )


def _opened(file: IO[bytes], as_codes: tuple[str, ...] = ()) -> Any:
    """A Parquet file; the strings of some columns are read as codes of a dictionary."""
    from pyarrow import parquet

    # A thread of pyarrow that still holds a Python file when Python exits aborts the process.
    # Read so, no thread is started; `parquet.read_table` always starts some.
    return parquet.ParquetFile(file, pre_buffer=False, read_dictionary=as_codes)


def _chunks(content: Any, name: str) -> Iterator[Any]:
    """What the file says of a column in each group of rows."""
    schema = content.schema
    place = next(at for at in range(len(schema)) if schema.column(at).path == name)
    for number in range(content.metadata.num_row_groups):
        # Reading comes before the metadata of a column: pyarrow aborts the process if it is asked
        # for damaged metadata, and reading them is an error.
        next(content.iter_batches(1, [number], [name], use_threads=False), None)
        yield content.metadata.row_group(number).column(place)
