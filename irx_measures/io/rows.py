"""The one reader of tables that people write: csv, tsv and JSON lines; and of JSON.

The native core splits plain csv; Python's csv and JSON read the rest, and word the errors. A file
is read in blocks of rows.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import isinf
from pathlib import Path
from typing import Any, TypeAlias

from ..common.memory import require_memory
from ..common.writing import cell
from ..exceptions import InputError
from . import core
from .block import Block, block_of_records, number_in_json
from .columns import ColumnNames, pick
from .formats import JSONL, TSV, extension_of, format_of
from .lines import read_number
from .reading import BLOCK_BYTES, text_parts, unpacked, without_mark

DELIMITERS = ",;\t"

DECIMAL_COMMA = ";"  # spreadsheets and pandas write it where the comma is the decimal sign

LARGEST_JSON = 1 << 30  # bytes: a JSON file is parsed whole, into objects that are larger still

BLOCK_ROWS = (
    1 << 12
)  # rows that csv reads at once, a choice: of more lists, garbage collection is slow

CELL_BYTES = 100  # of a text in a list, about

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a pair, escaped

Wanted: TypeAlias = Mapping[ColumnNames, Callable[[Block, ColumnNames], Any]]
"""How some columns are read, by their accepted names: a method of `Block`."""


def entries(path: Path, wanted: Wanted) -> Iterator[tuple[Any, ...]]:
    """File and line of each row, for messages, and its wanted cells.

    InputError also if the columns would take more memory than `common.memory` allows.
    """
    needed = 0
    required = [names for names, read in wanted.items() if read is not Block.if_any]
    for block in blocks(path, required):
        needed += len(block) * len(wanted) * CELL_BYTES
        require_memory(path, needed)
        columns = [read(block, names) for names, read in wanted.items()]
        for row, cells in enumerate(zip(*columns, strict=True)):
            yield block.where(row), *cells


def blocks(
    path: Path,
    columns: Sequence[ColumnNames] = (),
    form: str | None = None,
    parts: Iterator[str] | None = None,
) -> Iterator[Block]:
    """The rows of a table in a file; rows without a text, which spreadsheets add, are left out.

    The header of csv tells whether commas, semicolons or tabs separate the columns; in ``.tsv``,
    tabs do. With semicolons, numbers may have a decimal comma. Spaces at the ends of cells are
    taken away. `columns` has the accepted names of each column that csv and tsv must have; `form`
    is ``jsonl`` or ``csv``, None if the extension says it; `parts` is the text, None if the file
    is not open yet.

    InputError, which names file and line, if the file is not text in UTF-8, a column is missing or
    occurs twice, a row has more or fewer cells than the header, a line is no JSON object or has a
    key twice.
    """
    text = text_parts(path) if parts is None else parts
    if (form or format_of(path)) == JSONL:
        return _json_blocks(path, text)
    return _csv_blocks(path, text, columns)


def _csv_blocks(
    path: Path, parts: Iterator[str], columns: Sequence[ColumnNames]
) -> Iterator[Block]:
    begin = next(parts, "")
    first = begin.partition("\n")[0]
    of_tabs = extension_of(path) == TSV and "\t" in first
    delimiter = "\t" if of_tabs else max(DELIMITERS, key=first.count)
    number = number_with_comma if delimiter == DECIMAL_COMMA else number_in_text
    heads, before = _heads(path, begin, delimiter)
    _check_heads(f"{path}:1: the header", heads, columns)

    def block(line: Sequence[int], cells: Iterable[list[str]]) -> Block:
        named = dict(zip(heads, cells, strict=True))
        return Block(f"{path}", named, _place_in(path, line), number, path, line, of_text=True)

    text = "".join(begin.split("\n", before)[before:])
    while text:
        cells = core.split_csv(text, delimiter, len(heads))
        if cells is None:
            break
        yield block(range(before + 1, before + len(cells[0]) + 1), cells)
        before += len(cells[0])
        text = next(parts, "")
    rows = _csv_rows(path, chain([text], parts), delimiter, len(heads), before)
    while several := list(islice(rows, BLOCK_ROWS)):
        of_rows = [row for _, row in several]
        yield block([line for line, _ in several], map(list, zip(*of_rows, strict=True)))


def _place_in(path: Path, line: Sequence[int]) -> Callable[[int], str]:
    return lambda row: f"{path}:{line[row]}"


def _heads(path: Path, text: str, delimiter: str) -> tuple[list[str], int]:
    """The header, and how many lines it has."""
    # Strict: else a quotation mark that ends nowhere hides all rows that follow.
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter, strict=True)
    try:
        return [head.strip() for head in next(reader, [])], reader.line_num
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not a table ({error})") from None


def _csv_rows(
    path: Path, parts: Iterable[str], delimiter: str, width: int, before: int
) -> Iterator[tuple[int, list[str]]]:
    """The rows after some lines of csv, each with its line."""
    lines = (line for part in parts for line in io.StringIO(part, newline="\n"))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            cells = list(map(str.strip, row))
            if not any(cells):
                continue
            if len(cells) != width:
                raise InputError(
                    f"{path}:{before + reader.line_num}: a row must have {width} cells, as the "
                    f"header has; got {len(cells)}"
                )
            yield before + reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{path}:{before + reader.line_num}: not a table ({error})") from None


def _check_heads(what: str, heads: list[str], columns: Sequence[ColumnNames]) -> None:
    """InputError if a column is missing or occurs twice; those of spreadsheets may be unnamed."""
    for names in columns:
        pick(names, heads, what)
    for head, count in Counter(heads).items():
        if head and count > 1:
            raise InputError(f"{what} has {count} columns {head!r}")


def _json_blocks(path: Path, parts: Iterator[str]) -> Iterator[Block]:
    texts = (text.removesuffix("\n").split("\n") for text in parts)
    lines = enumerate(chain.from_iterable(texts), 1)
    while several := list(islice(lines, BLOCK_ROWS)):
        filled = [(number, line) for number, line in several if line.strip()]
        number = [at for at, _ in filled]
        records = _records([line for _, line in filled])
        if records is None:
            records = [_record(f"{path}:{at}", line) for at, line in filled]
        yield block_of_records(
            records, f"{path}", _place_in(path, number), number_in_json, path, number
        )


def _records(lines: list[str]) -> list[dict[str, Any]] | None:
    """The objects of lines, at once; None if a line may be something else.

    Where each line has one brace that opens, at its beginning, an object cannot go on in the next
    line, nor can a line have two.
    """
    text = ",".join(lines)
    if text.count("{") != len(lines) or not all(line.startswith("{") for line in lines):
        return None
    try:
        records: list[Any] = parse_json("", f"[{text}]")
    except InputError:
        return None
    are_objects = len(records) == len(lines) and {*map(type, records)} <= {dict}
    return records if are_objects else None


def _record(where: str, line: str) -> dict[str, Any]:
    record = parse_json(where, line)
    if not isinstance(record, dict):
        raise InputError(f"{where}: a line must be a JSON object; got {cell(line).strip()}")
    return record


def number_in_text(text: str) -> float:
    """A number as `read_number` reads it; ValueError if there is none, or it is too large."""
    number = read_number(text.encode(), float)
    if isinf(number) and any(map(str.isdigit, text)):
        raise ValueError(text)
    return number


def number_with_comma(text: str) -> float:
    """A number that may have a decimal comma; one with a point has separators of thousands."""
    return number_in_text(text if "." in text else text.replace(",", "."))


def read_json(path: Path) -> Any:
    """The value of a JSON file."""
    parts = []
    with unpacked(path) as file:
        while part := file.read(BLOCK_BYTES):
            if b"\0" in part:
                raise InputError(f"{path}: a null byte; not JSON")
            parts.append(part)
            if len(parts) * BLOCK_BYTES > LARGEST_JSON:
                raise InputError(
                    f"{path}: a JSON file must have at most {LARGEST_JSON} bytes, unpacked; "
                    "JSON lines and Parquet may have more"
                )
    return parse_json(str(path), without_mark(b"".join(parts)))


def parse_json(where: str, text: str | bytes) -> Any:
    """The value of a JSON text; an InputError names the place of the text."""
    try:
        decoded = text.decode() if isinstance(text, bytes) else text  # the parser is less strict
        value = json.loads(decoded, object_pairs_hook=_distinct)
        if SURROGATE.search(decoded):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError as error:
        lone = error.object[error.start : error.start + 1]
        raise InputError(f"{where}: not text in Unicode (a lone surrogate, {lone!r})") from None
    except RecursionError:
        raise InputError(f"{where}: not JSON (nested too deeply)") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON ({error})") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; ValueError if it has a key twice, of which Python would keep the last value."""
    named = dict(pairs)
    if len(named) < len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"an object has the key {name!r} twice")
    return named
