"""Reads Parquet files with pyarrow. What a small file may unpack to is limited."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..common.memory import most_unpacked, require_unpacked
from ..exceptions import InputError, MissingExtraError
from .arrow import array_of, available, text_of
from .files import refuse_compressed
from .read_log import opened

BYTES_OF_VALUE = 8  # of a number, or of an offset into text

# Parquet's names of the encodings of a column that begins with its dictionary.
WITH_DICTIONARY = {"PLAIN_DICTIONARY", "RLE_DICTIONARY"}

# A string shares bytes with the one before it, so that many long strings take a few bytes.
SHARING = "DELTA_BYTE_ARRAY"

NOT_AS_DICTIONARY = {SHARING, "DELTA_LENGTH_BYTE_ARRAY"}  # pyarrow has not implemented it

# Of a million rows with a dictionary of 3000 entries, pyarrow reads codes in a quarter of the time
# of strings; with a dictionary that is too long for the file, in twice to four times the time.
ROWS_PER_ENTRY = 64

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
            with opened(path) as file:
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
    names = columns(content.schema_arrow.names)
    rows, size = content.metadata.num_rows, file.seek(0, os.SEEK_END)
    chunks = _chunks_by_column(content.metadata, names)
    values = [sum(chunk.num_values for chunk in of_column) for of_column in chunks.values()]
    memory = [sum(chunk.total_uncompressed_size for chunk in part) for part in chunks.values()]
    require_unpacked(path, sum(memory) + BYTES_OF_VALUE * max(*values, rows) * len(names), size)
    encodings = {
        name: {encoding for chunk in of_column for encoding in chunk.encodings}
        for name, of_column in chunks.items()
    }
    if any(SHARING in used for used in encodings.values()):
        return _in_steps(path, content, names, max(memory), size)
    coded = {
        name: _Dictionaries(_opened(file, [name]), name)
        for name, used in encodings.items()
        if used & WITH_DICTIONARY and not used & NOT_AS_DICTIONARY
    }
    long = [name for name, found in coded.items() if found.most_memory > most_unpacked(size)]
    few = [name for name, found in coded.items() if found.entries * ROWS_PER_ENTRY < rows]
    table = _opened(file, [*long, *few]).read([*names], use_threads=False)
    require_unpacked(path, sum(_text_bytes(table[name]) for name in long), size)
    return table


def _opened(file: IO[bytes], as_codes: list[str] | None = None) -> Any:
    """A Parquet file; the strings of some columns are read as codes of a dictionary."""
    from pyarrow import parquet

    # A thread of pyarrow that still holds a Python file when Python exits aborts the process.
    # Read so, no thread is started; `parquet.read_table` always starts some.
    return parquet.ParquetFile(file, pre_buffer=False, read_dictionary=as_codes)


def _chunks_by_column(metadata: Any, names: tuple[str, ...]) -> dict[str, list[Any]]:
    """The chunks of each column: one or, of a nested column, several per row group."""
    chunks: dict[str, list[Any]] = {name: [] for name in names}
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for place in range(group.num_columns):
            name = group.column(place).path_in_schema.split(".")[0]
            if name in chunks:
                chunks[name].append(group.column(place))
    return chunks


class _Dictionaries:
    """The dictionaries of a column of strings: one per row group, read with its first row.

    Attributes
    ----------
    entries
        The number of their entries.
    most_memory
        The bytes of the column if each string were as long as the longest of its dictionary.
    """

    def __init__(self, content: Any, name: str) -> None:
        self.entries = self.most_memory = 0
        for number in range(content.metadata.num_row_groups):
            for first in content.iter_batches(1, [number], [name], use_threads=False):
                dictionary = getattr(first.column(0), "dictionary", None)
                if dictionary is not None:
                    longest = int(text_of(dictionary).length.max(initial=0))
                    self.entries += len(dictionary)
                    self.most_memory += longest * content.metadata.row_group(number).num_rows
                break


def _text_bytes(column: Any) -> int:
    """The bytes of the strings of a dictionary column."""
    return sum(
        int(text_of(part.dictionary).length[array_of(part.indices.fill_null(0))].sum())
        for part in column.chunks
        if len(part.dictionary)
    )


def _in_steps(path: Path, content: Any, names: tuple[str, ...], longest: int, size: int) -> Any:
    """Some columns, read in steps of so many rows that strings of a length fit into memory."""
    import pyarrow as pa

    rows = max(1, MOST_AT_ONCE // max(1, longest))
    batches, memory = [], 0
    for batch in content.iter_batches(rows, columns=[*names], use_threads=False):
        batches.append(batch)
        memory += batch.nbytes
        require_unpacked(path, memory, size)
    return pa.Table.from_batches(batches, content.schema_arrow).select([*names])
