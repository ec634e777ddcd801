"""Readers of runs and qrels: TREC files (.gz too), ir_datasets ids, and data in memory."""

from __future__ import annotations

import codecs
import glob
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache, partial
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import IO, Any, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.writing import cell
from ..exceptions import InputError
from ..typing import QrelsLike, RunLike
from . import arrow
from .columns import (
    GRADE_LIMIT,
    SWAPPED,
    Columns,
    LazyRunColumns,
    QrelsColumns,
    RunColumns,
)
from .containers import (
    borrowed_columns,
    columns_of_qrels,
    columns_of_run,
    hold_several_runs,
    qrels_columns,
    run_columns,
)
from .document_rows import GRADES, SCORES, ValueColumn, document_rows, lines_of_row
from .files import text_blocks, unpacked
from .formats import (
    CSV,
    JSON,
    MSMARCO,
    OF_ROWS,
    PARQUET,
    TREC,
    format_of,
    has_beir_header,
    is_table,
    mistakes_in,
)
from .identifiers import LONGEST_ID, Ids, ListIds, RepeatedIds
from .irds import IRDS, records
from .json_text import read_json
from .line_blocks import blocks, cells_of
from .numbers import read_float, read_integer
from .origin import Origin, lines_of_text
from .parquet import ParquetTable
from .rank_column import HeadRow, contradiction, head_of
from .utf8_identifiers import TextIds, joined, padded, text_ids

RUN_FIELDS = ("query_id", "iteration", "doc_id", "rank", "score", "tag")

QRELS_FIELDS = ("query_id", "iteration", "doc_id", "relevance")

BEIR_FIELDS = ("query_id", "doc_id", "relevance")

MSMARCO_FIELDS = ("query_id", "doc_id", "rank")

HINTS = {
    (6, 4): f" (these look like qrels: {SWAPPED})",
    (4, 6): f" (this looks like a run: {SWAPPED})",
    (6, 3): " (MS MARCO's query, document and rank are read with RunSet(..., format='msmarco') or "
    "--format msmarco)",
}

LONGEST_NUMBER = 64  # characters: Python writes a float with at most 24

"""How the log of reads calls them; the form of a run in a file includes its format."""

Value = TypeVar("Value")


def read_run(
    source: RunLike | RunColumns,
    name: str | None = None,
    form: str | None = None,
    lazy: bool = False,
) -> RunColumns:
    """A run as columns, from any accepted form.

    Parameters
    ----------
    source
        A path to a TREC run file (``query Q0 document rank score tag``, separated by spaces or
        tabs; ``.gz`` is decompressed; blank lines and lines starting with ``#`` are skipped), or to
        a ``.parquet``, ``.json``, ``.jsonl`` or ``.csv`` file, an ir_datasets id with scoreddocs
        (``irds:...``), or data in memory: see `containers`.
    name
        The name in error messages, for a run that is not a file.
    form
        The format of a file; None if its extension names the format. ``msmarco`` has three
        columns: query, document, rank.
    lazy
        Whether the columns of a TREC file, and the errors in its lines, are made when they are
        first needed: `RunColumns.source` is then a `UnparsedRun`.

    Raises
    ------
    ValueError
        When a file is malformed; the message names file and line.
    FileNotFoundError, OSError
        When a file cannot be read.
    """
    if isinstance(source, RunColumns):
        return source
    if isinstance(source, str) and source.startswith(IRDS):
        rows = partial(records, source, "scoreddocs")
        return run_columns(rows(), name)
    if isinstance(source, (str, PathLike)):
        path = Path(source)
        form_of_run = form or format_of(path)
        unparsed = _unparsed(path, form_of_run) if lazy else None
        return unparsed or _run_of_file(path, form_of_run)
    return run_columns(source, name)


def borrow_run(source: RunLike | RunColumns, name: str | None = None) -> RunColumns:
    """A run as columns that are valid for one call only; otherwise as `read_run`.

    A dict of dicts is not converted here: `RunColumns.source` is then a `NestedRun`.
    """
    if isinstance(source, dict):
        return borrowed_columns(source, name)
    return read_run(source, name)


@dataclass(frozen=True)
class UnparsedRun:
    """A TREC run file that was read, and whose lines are not checked.

    Attributes
    ----------
    path
        The file.
    text
        Its content, decompressed; no line is too long, and no byte is null.
    head
        Some of its first lines.
    """

    path: Path
    text: bytes
    head: list[HeadRow]

    def columns(self) -> Columns:
        text = BytesIO(self.text)
        return Columns(*_read_file(self.path, RUN_FIELDS, "score", None, text))

    def is_empty(self) -> bool:
        return all(line[:1] == b"#" or not line.split() for line in BytesIO(self.text))

    def query_ids(self) -> tuple[str, ...]:
        return RunColumns(*self.columns()).query_ids

    def first_rows(self, count: int) -> list[tuple[str, str]]:
        return [(row.query, row.doc) for row in self.head[:count]]


def _unparsed(path: Path, form: str) -> RunColumns | None:
    """A TREC run file as it is; None if it is of another form, is a pipe, or is damaged."""
    if form != TREC or not path.is_file():
        return None
    try:
        with unpacked(path) as file:
            if is_table(path, file):
                return None
            text = b"".join(blocks(file))
    except (ValueError, OSError):
        return None
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None
    head = head_of(BytesIO(text))
    origin, ranks = _origin(path, form, RUN_FIELDS), contradiction(head)
    return LazyRunColumns(UnparsedRun(path, text, head), origin=origin, ranks=ranks)


def read_qrels(source: QrelsLike | QrelsColumns) -> QrelsColumns:
    """Qrels as columns, from any accepted form; see `read_run`.

    A string is the path of a TREC qrels file (``query iteration document grade``) if that file
    exists, otherwise an ir_datasets id. The prefix ``irds:`` always means an ir_datasets id.
    """
    if isinstance(source, QrelsColumns):
        return source
    _refuse_runs(source)
    if is_dataset(source):
        judged = partial(records, source, "qrels")
        columns = qrels_columns(judged())
        return replace(columns, dataset=source.removeprefix(IRDS))
    if isinstance(source, (str, PathLike)):
        return _qrels_of_file(Path(source))
    return qrels_columns(source)


def _refuse_runs(source: object) -> None:
    """InputError if the caller passed several runs as qrels."""
    is_glob = (
        isinstance(source, str)
        and not _is_file(Path(source))  # whose name may have a bracket
        and glob.has_magic(source)
        and bool(glob.glob(source))
    )
    if is_glob or hold_several_runs(source):
        got = source if is_glob else type(source).__name__
        raise InputError(f"qrels must be judgments; got several runs ({got}): {SWAPPED}")


def _run_of_file(path: Path, form: str) -> RunColumns:
    _refuse_no_file(path)
    if form == MSMARCO:
        query, doc, rank = _read_file(path, MSMARCO_FIELDS, "rank", _grade)
        score = -rank.astype(np.float64)
        return RunColumns(query, doc, score, origin=_origin(path, form, MSMARCO_FIELDS))
    if form == TREC:
        if not path.is_file():  # a pipe has one reader, who cannot go back
            return RunColumns(*_read_file(path, RUN_FIELDS, "score", None))
        with unpacked(path) as file:
            if not is_table(path, file):
                ranks = contradiction(head_of(file))
                columns = _read_file(path, RUN_FIELDS, "score", None, file)
                return RunColumns(*columns, origin=_origin(path, form, RUN_FIELDS), ranks=ranks)
        form = CSV
    run = _columns_of_data(path, form, columns_of_run, SCORES)
    return replace(run, origin=_origin(path, form))


def _qrels_of_file(path: Path) -> QrelsColumns:
    _refuse_no_file(path)
    form = format_of(path)
    if form == TREC:
        if not path.is_file():  # a pipe has one reader, who cannot go back
            return QrelsColumns(*_read_file(path, QRELS_FIELDS, "relevance", _grade))
        with unpacked(path) as file:
            if has_beir_header(file):
                beir = _read_lines(path, file, BEIR_FIELDS, "relevance", _grade, header=True)
                return QrelsColumns(*beir, _origin(path, form, BEIR_FIELDS))
            if not is_table(path, file):
                columns = _read_file(path, QRELS_FIELDS, "relevance", _grade, file)
                return QrelsColumns(*columns, _origin(path, form, QRELS_FIELDS))
        form = CSV
    qrels = _columns_of_data(path, form, columns_of_qrels, GRADES)
    return replace(qrels, origin=_origin(path, form))


def _columns_of_data(
    path: Path, form: str, columns_of: Callable[[Any, str], Value], value: ValueColumn
) -> Value:
    """A run or qrels in a file of another format than TREC."""
    with mistakes_in(path):
        if form == PARQUET:
            data: Any = ParquetTable(path)
        elif form == JSON:
            data = read_json(path)
        else:
            data = list(document_rows(path, form, value))
        return columns_of(data, str(path))


def _origin(path: Path, form: str, fields: tuple[str, ...] = ()) -> Origin | None:
    """The file, unless it is a pipe, which cannot be read again.

    Parameters
    ----------
    path, form
        The file, and its format.
    fields
        The columns of a line, for a TREC file.
    """
    lines = None
    if fields:
        lines = partial(lines_of_text, doc_place=fields.index("doc_id"))
    elif form in OF_ROWS:
        lines = partial(lines_of_row, form=form)
    return Origin(path, lines) if path.is_file() else None


def _refuse_no_file(path: Path) -> None:
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, not a file; name files, such as {path}/*")


def is_dataset(source: object) -> TypeGuard[str]:
    """Whether qrels are named by an ir_datasets id: by its prefix, or because there is no file."""
    return isinstance(source, str) and (source.startswith(IRDS) or not _is_file(Path(source)))


def _is_file(path: Path) -> bool:
    """Whether there is a file or a pipe; a folder may have the same name as an ir_datasets id."""
    return path.exists() and not path.is_dir()


def _read_file(
    path: Path,
    fields: tuple[str, ...],
    number: str,
    integer_of: Callable[[bytes], int] | None,
    file: IO[bytes] | None = None,
) -> tuple[Ids, Ids, NDArray[Any]]:
    """Columns of a text file; `file` is its decompressed content, where it is open already."""
    try:
        with unpacked(path) if file is None else nullcontext(file) as content:
            can_be_read_twice = file is not None or path.is_file()  # a pipe cannot
            if can_be_read_twice and arrow.pays_off(content):
                regular = arrow.read_columns(content, fields, number, integer_of)
                if regular is not None:
                    return regular
                content.seek(0)
            return _read_lines(path, content, fields, number, integer_of)
    except MemoryError:
        raise MemoryError(f"{path} is too large") from None


def _read_lines(
    path: Path,
    file: IO[bytes],
    fields: tuple[str, ...],
    number: str,
    integer_of: Callable[[bytes], int] | None,
    header: bool = False,
) -> tuple[RepeatedIds, TextIds, NDArray[Any]]:
    """Read a file block by block, so that memory never holds all of its lines.

    Only ASCII white space and ASCII digits count, as in trec_eval.
    """
    wanted = fields.index("query_id"), fields.index("doc_id"), fields.index(number)
    read_regular: Callable[[bytes], float] = float if integer_of is None else cache(integer_of)
    read = read_float if integer_of is None else read_regular
    dtype = np.float64 if integer_of is None else np.int64
    kind = "a number" if integer_of is None else "a whole number of at most 31 bits"
    queries: list[str] = []
    lengths: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    doc: list[TextIds] = []
    values: list[NDArray[Any]] = [np.zeros(0, dtype)]
    texts = text_blocks(path, file)
    for lines_before, text in _without_header(texts) if header else texts:
        columns = _regular_columns(text, len(fields), wanted, read_regular)
        if columns is None:
            lines = BytesIO(text).readlines()
            if not lines_before:
                lines[0] = lines[0].removeprefix(codecs.BOM_UTF8)
            block = _Block(path, lines_before, lines, fields)
            columns = (
                ListIds(block.identifiers("query_id", cache(bytes.decode))),
                text_ids(block.identifiers("doc_id", bytes.decode)),
                block.column(number, read, kind),
            )
        names, of_names = columns[0].run_lengths()
        queries += names.all()
        lengths.append(of_names)
        doc.append(columns[1])
        values.append(np.array(columns[2], dtype))
    return RepeatedIds(queries, np.concatenate(lengths)), joined(doc), np.concatenate(values)


def _without_header(texts: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    for lines_before, text in texts:
        if lines_before:
            yield lines_before, text
        elif rest := text.partition(b"\n")[2]:
            yield 1, rest


def _regular_columns(
    block: bytes, width: int, wanted: tuple[int, int, int], read: Callable[[bytes], float]
) -> tuple[Ids, TextIds, list[float]] | None:
    """Split a block vectorised: queries, documents, numbers; None if the block is irregular."""
    cells = cells_of(block, width)
    if cells is None or not _is_utf8(block):
        return None
    text = padded(block)
    query, doc, number = (
        TextIds(text, *(positions[:, place].copy() for positions in cells)) for place in wanted
    )
    if (text[cells[0][:, 0]] == ord("#")).any():
        return None
    if max(query.length.max(), doc.length.max()) > LONGEST_ID:
        return None
    written = number.as_bytes(LONGEST_NUMBER)
    if written is None or b"_" in b"".join(written):  # one search for all numbers
        return None
    try:
        return query, doc, list(map(read, written))
    except ValueError:  # the slower reader reports the line
        return None


def _is_utf8(text: bytes) -> bool:
    try:
        return text.isascii() or bool(text.decode())
    except UnicodeDecodeError:
        return False


def _refuse_long(text: bytes) -> None:
    if len(text) > LONGEST_ID:
        raise ValueError


def _grade(text: bytes) -> int:
    grade = read_integer(text)
    if abs(grade) >= GRADE_LIMIT:
        raise ValueError(repr(text))
    return grade


class _Block:
    """Lines of a file as rows of columns; InputError with file and line if a line is malformed."""

    def __init__(
        self, path: Path, lines_before: int, lines: list[bytes], fields: tuple[str, ...]
    ) -> None:
        self.path, self.lines_before, self.lines, self.fields = path, lines_before, lines, fields
        self.rows = [row for line in lines if line[:1] != b"#" and (row := line.split())]
        if set(map(len, self.rows)) - {len(fields)}:
            for number, row in self._numbered():
                if len(row) != len(fields) and not self._continues_tag(number, row):
                    raise InputError(
                        f"{path}:{number}: a line must have {len(fields)} columns; got {len(row)}: "
                        f"{_shown(b' '.join(row))}{HINTS.get((len(fields), len(row)), '')}"
                    )

    def _continues_tag(self, number: int, row: list[bytes]) -> bool:
        """Whether text follows the tag, which trec_eval ignores.

        A document id with spaces would shift the later columns, so the rank must be a number.
        """
        line = self.lines[number - self.lines_before - 1].rstrip(b"\r\n")
        return (
            self.fields == RUN_FIELDS
            and len(row) > len(self.fields)
            and row[3].isdigit()
            and b"\r" not in line
        )

    def identifiers(self, name: str, read: Callable[[bytes], str]) -> list[str]:
        if max(map(len, self.lines)) > LONGEST_ID:
            self.column(name, _refuse_long, f"of at most {LONGEST_ID} bytes")
        return self.column(name, read, "UTF-8")

    def column(self, name: str, read: Callable[[bytes], Value], kind: str) -> list[Value]:
        place = self.fields.index(name)
        try:
            return [read(row[place]) for row in self.rows]
        except ValueError:
            number, text = next(
                (number, row[place])
                for number, row in self._numbered()
                if not _reads(read, row[place])
            )
            raise InputError(
                f"{self.path}:{number}: {name} must be {kind}; got {_shown(text)}"
            ) from None

    def _numbered(self) -> Iterator[tuple[int, list[bytes]]]:
        """Rows with their line numbers."""
        for number, line in enumerate(self.lines, self.lines_before + 1):
            if line[:1] != b"#" and (row := line.split()):
                yield number, row


def _reads(read: Callable[[bytes], Any], text: bytes) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


def _shown(text: bytes) -> str:
    return repr(cell(text))
