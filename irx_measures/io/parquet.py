"""Reads Parquet files with pyarrow. What a small file may unpack to is limited."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..common.memory import require_unpacked
from ..exceptions import InputError, MissingExtraError
from .arrow import available
from .files import refuse_compressed

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
    require_unpacked(path, rows * BYTES_OF_CODE * len(names), size)
    found = {name: _Column.of(content, name) for name in names}
    unpacked = sum(column.unpacked for column in found.values())
    require_unpacked(path, rows * BYTES_OF_CODE * len(names) + unpacked, size)
    if any(column.shares_bytes for column in found.values()):
        return _in_steps(path, content, names, unpacked, size)
    as_codes = tuple(name for name, column in found.items() if column.may_be_codes)
    return _opened(file, as_codes).read([*names], use_threads=False)


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


class _Column(NamedTuple):
    """A column in a file.

    Attributes
    ----------
    unpacked
        The bytes of its values as they are encoded.
    may_be_codes
        Whether it can be read as codes of its distinct values.
    shares_bytes
        Whether its strings share bytes, so that they may take more.
    """

    unpacked: int
    may_be_codes: bool
    shares_bytes: bool

    @classmethod
    def of(cls, content: Any, name: str) -> _Column:
        schema = content.schema
        place = next(at for at in range(len(schema)) if schema.column(at).path == name)
        unpacked = 0
        encodings: set[str] = set()
        for number in range(content.metadata.num_row_groups):
            # Reading comes before the metadata of a column: pyarrow aborts the process if it is
            # asked for damaged metadata, and reading them is an error.
            next(content.iter_batches(1, [number], [name], use_threads=False), None)
            chunk = content.metadata.row_group(number).column(place)
            unpacked += chunk.total_uncompressed_size
            encodings |= {*chunk.encodings}
        is_delta = any(encoding.startswith("DELTA") for encoding in encodings)
        return cls(unpacked, not is_delta, SHARING in encodings)
