"""Reading runs and qrels: TREC files (.gz too) and ir_datasets ids; anything else is in memory."""

from __future__ import annotations

import csv
import gzip
import logging
import zlib
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from . import arrow
from .columns import QrelsColumns, RunColumns, qrels_columns, run_columns
from .ids import Ids, ListIds

IRDS = "irds:"
RUN_FIELDS = ("query_id", "iteration", "doc_id", "rank", "score", "tag")
QRELS_FIELDS = ("query_id", "iteration", "doc_id", "relevance")
BLOCK_BYTES = 1 << 24

logger = logging.getLogger("irx_measures")


def read_run(source: Any) -> RunColumns:
    """A run as columns, from any accepted form.

    Parameters
    ----------
    source
        A path to a TREC run file (``query Q0 document rank score tag`` in columns set apart by
        spaces or tabs; ``.gz`` is unpacked; blank lines and lines starting with ``#`` are skipped),
        an ir_datasets id with scoreddocs (``irds:...``), a DataFrame, a dict of dicts or an
        iterable of namedtuples.

    Raises
    ------
    ValueError
        Naming file and line where a file is malformed.
    FileNotFoundError, OSError
        Where a file cannot be read.
    """
    if isinstance(source, RunColumns):
        return source
    if isinstance(source, str) and source.startswith(IRDS):
        return run_columns(_irds(source, "scoreddocs"))
    if isinstance(source, (str, PathLike)):
        return RunColumns(*_read_file(Path(source), RUN_FIELDS, "score"))
    return run_columns(source)


def read_qrels(source: Any) -> QrelsColumns:
    """Qrels as columns, from any accepted form; see `read_run`.

    A string is a TREC qrels file (``query iteration document grade``) where such a file exists,
    else an ir_datasets id; ``irds:`` forces the id.
    """
    if isinstance(source, QrelsColumns):
        return source
    if isinstance(source, str) and (source.startswith(IRDS) or not Path(source).exists()):
        return qrels_columns(_irds(source, "qrels"))
    if isinstance(source, (str, PathLike)):
        return QrelsColumns(*_read_file(Path(source), QRELS_FIELDS, "relevance"))
    return qrels_columns(source)


def _irds(name: str, kind: str) -> Iterator[Any]:
    identifier = name.removeprefix(IRDS)
    forced = name.startswith(IRDS)
    try:
        import ir_datasets
    except ImportError:
        where = "" if forced else "no such file, and "
        raise ValueError(
            f"{name}: {where}ir_datasets is not installed (pip install 'irx-measures[datasets]')"
        ) from None
    try:
        dataset = ir_datasets.load(identifier)
    except KeyError:
        what = "no such" if forced else "neither a file nor an"
        raise ValueError(f"{name}: {what} ir_datasets id") from None
    if not getattr(dataset, f"has_{kind}")():
        raise ValueError(f"{name}: this ir_datasets id has no {kind}")
    logger.info("%s: from ir_datasets, which downloads what is not in its cache", name)
    return getattr(dataset, f"{kind}_iter")()


def _read_file(path: Path, fields: tuple[str, ...], number: str) -> tuple[Ids, Ids, NDArray[Any]]:
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, not a file")
    if arrow.available():
        regular = arrow.read_columns(path, fields, number, whole=number == "relevance")
        if regular is not None:
            return regular
    return _read_lines(path, fields, number)


def _read_lines(
    path: Path, fields: tuple[str, ...], number: str
) -> tuple[ListIds, ListIds, NDArray[Any]]:
    """Block by block, so that a large file never stands in memory as lines at once."""
    wanted = [fields.index(name) for name in ("query_id", "doc_id", number)]
    dtype = np.int64 if number == "relevance" else np.float64
    query: list[str] = []
    doc: list[str] = []
    values: list[NDArray[Any]] = [np.zeros(0, dtype)]
    known_query: dict[str, str] = {}
    before = 0
    try:
        with _open(path) as file:
            while lines := file.readlines(BLOCK_BYTES):
                rows = _split(path, lines, before, len(fields))
                queries, docs, texts = ([row[column] for row in rows] for column in wanted)
                query += [known_query.setdefault(name, name) for name in queries]
                doc += docs
                values.append(_parse(path, lines, before, texts, number, dtype))
                before += len(lines)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file in UTF-8") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path}: damaged gzip file ({error})") from None
    return ListIds(query), ListIds(doc), np.concatenate(values)


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return open(path, encoding="utf-8-sig")


def _split(path: Path, lines: list[str], before: int, width: int) -> list[list[str]]:
    rows = [line.split() for line in lines if line[:1] != "#"]
    if set(map(len, rows)) == {width}:
        return rows
    for line_number, line in _numbered(lines, before):
        count = len(line.split())
        if count != width:
            raise ValueError(
                f"{path}:{line_number}: a line must have {width} columns; got {count}: "
                f"{line.strip()[:80]!r}"
            )
    return [row for row in rows if row]


def _parse(
    path: Path, lines: list[str], before: int, texts: list[str], name: str, dtype: type
) -> NDArray[Any]:
    read = int if dtype is np.int64 else float
    try:
        return np.fromiter(map(read, texts), dtype, len(texts))
    except (ValueError, OverflowError):
        kind = "a whole number" if read is int else "a number"
    for (line_number, _), text in zip(_numbered(lines, before), texts, strict=True):
        try:
            dtype(read(text))
        except (ValueError, OverflowError):
            raise ValueError(
                f"{path}:{line_number}: {name} must be {kind}; got {text[:80]!r}"
            ) from None
    raise ValueError(f"{path}: {name} must be {kind} in every line")


def _numbered(lines: list[str], before: int) -> Iterator[tuple[int, str]]:
    """The lines that hold data, with their numbers in the file."""
    for line_number, line in enumerate(lines, before + 1):
        if line[:1] != "#" and line.strip():
            yield line_number, line


def read_groups(source: Any) -> dict[str, str]:
    """The group (team) of each run, from a mapping or a CSV file with columns run and group.

    Raises
    ------
    ValueError
        When the file lacks a column, leaves a cell empty, or gives a run two groups.
    """
    if isinstance(source, Mapping):
        return dict(source)
    path = Path(source)
    groups: dict[str, str] = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if not {"run", "group"} <= set(rows.fieldnames or ()):
            raise ValueError(
                f"{path}:1: the header must name columns run and group; got {rows.fieldnames}"
            )
        for row in rows:
            run, group = row["run"], row["group"]
            if not run or not group:
                raise ValueError(f"{path}:{rows.line_num}: run and group must not be empty")
            if groups.setdefault(run, group) != group:
                raise ValueError(
                    f"{path}:{rows.line_num}: run {run!r} is in {groups[run]!r} and in {group!r}"
                )
    return groups
