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

BYTES_OF_VALUE = 8  # of a number, or of an offset into text

# Parquet's names of the encodings of a column that begins with its dictionary.
WITH_DICTIONARY = {"PLAIN_DICTIONARY", "RLE_DICTIONARY"}

# Parquet's encoding of strings that share bytes with the string before: long ones take few bytes.
SHARING = "DELTA_BYTE_ARRAY"

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
    schema, metadata = content.schema_arrow, content.metadata
    names = columns(schema.names)
    nested = [name for name in names if schema.field(name).type.num_fields]
    if nested:
        kind = schema.field(nested[0]).type
        raise InputError(f"{path}: column {nested[0]!r} must hold strings or numbers; got {kind}")
    rows, size = metadata.num_rows, file.seek(0, os.SEEK_END)
    require_unpacked(path, rows * len(names) * BYTES_OF_VALUE, size)
    try:
        found = _Columns(_opened(file, names), names)
    except OSError:  # strings are not encoded so that they can be read as codes
        found = _Columns(content, names)
    require_unpacked(path, rows * len(names) * BYTES_OF_VALUE + sum(found.memory.values()), size)
    if found.share_bytes:
        return _in_steps(path, content, names, max(found.memory.values()), size)
    long = [name for name, most in found.most_memory.items() if most > most_unpacked(size)]
    few = [name for name, entries in found.entries.items() if entries * ROWS_PER_ENTRY < rows]
    table = _opened(file, (*long, *few)).read([*names], use_threads=False)
    require_unpacked(path, sum(_text_bytes(table[name]) for name in long), size)
    return table


def _opened(file: IO[bytes], as_codes: tuple[str, ...] = ()) -> Any:
    """A Parquet file; the strings of some columns are read as codes of a dictionary."""
    from pyarrow import parquet

    # A thread of pyarrow that still holds a Python file when Python exits aborts the process.
    # Read so, no thread is started; `parquet.read_table` always starts some.
    return parquet.ParquetFile(file, pre_buffer=False, read_dictionary=as_codes)


class _Columns:
    """Some columns, by the metadata of the file and by the first row of each row group.

    Attributes
    ----------
    memory
        The bytes of each column, unpacked but encoded.
    share_bytes
        Whether the strings of a column share bytes.
    entries
        The number of entries in the dictionaries of each column, and of rows without one.
    most_memory
        The bytes of each column if its strings were as long as the longest in a dictionary.
    """

    def __init__(self, content: Any, names: tuple[str, ...]) -> None:
        self.memory, self.entries, self.most_memory = (dict.fromkeys(names, 0) for _ in range(3))
        self.share_bytes = False
        places = {content.schema.column(place).path: place for place in range(len(content.schema))}
        for number in range(content.metadata.num_row_groups):
            # Reading comes before the metadata of a column: pyarrow aborts the process if it is
            # asked for damaged metadata, and reading them is an error.
            rows = content.iter_batches(1, [number], [*names], use_threads=False)
            first = next(rows, None)
            if first is None:
                continue
            group = content.metadata.row_group(number)
            for name in names:
                chunk = group.column(places[name])
                self.memory[name] += chunk.total_uncompressed_size
                self.share_bytes |= SHARING in chunk.encodings
                entries, longest = group.num_rows, 0
                if hasattr(first[name], "dictionary") and WITH_DICTIONARY & {*chunk.encodings}:
                    dictionary = text_of(first[name].dictionary)
                    entries, longest = len(dictionary), int(dictionary.length.max(initial=0))
                self.entries[name] += entries
                self.most_memory[name] += longest * group.num_rows


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
