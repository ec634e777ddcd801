"""pyarrow, where it is installed: Arrow-backed columns and TREC files. Imported only when used."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .ids import CodeArray, IdIndex, ListIds


def available() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


@dataclass(frozen=True)
class ArrowIds:
    """Identifiers in an Arrow string column; becomes Python strings only row by row asked for."""

    values: Any  # pyarrow.ChunkedArray of strings

    def __len__(self) -> int:
        return len(self.values)

    def codes(self, index: IdIndex) -> CodeArray:
        import pyarrow as pa
        import pyarrow.compute as pc

        known = pa.array(index.ids, self.values.type)
        found = pc.index_in(self.values, value_set=known)
        return pc.fill_null(found, -1).to_numpy()

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        return self.values.take(rows).to_pylist()

    def all(self) -> Sequence[str]:
        return self.values.to_pylist()


def arrow_ids(values: Any, what: str) -> ArrowIds | ListIds:
    """An Arrow column as identifiers; TypeError where it does not hold strings."""
    import pyarrow as pa

    if isinstance(values, pa.Array):
        values = pa.chunked_array([values])
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        raise TypeError(f"{what} must hold strings; got {values.type} (use .astype(str))")
    if values.null_count:
        raise TypeError(f"{what} must hold strings; got {values.null_count} missing values")
    return ArrowIds(values)


def read_columns(
    path: Path, names: tuple[str, ...], number: str, whole: bool
) -> tuple[ArrowIds, ArrowIds, NDArray[Any]] | None:
    """A TREC file by pyarrow's CSV reader: query ids, document ids, numbers.

    Parameters
    ----------
    path
        The file; compression goes by its ending.
    names
        The file's columns, ``query_id`` and ``doc_id`` among them.
    number
        The numeric column.
    whole
        Whether its numbers are integers.

    Returns
    -------
    None where the file is not regular (comments, several spaces, a bad line): the tolerant reader
    decides about those.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    delimiter = _delimiter(path)
    if delimiter is None:
        return None
    wanted = ["query_id", "doc_id", number]
    kind = pa.int64() if whole else pa.float64()
    try:
        table = csv.read_csv(
            path,
            read_options=csv.ReadOptions(column_names=list(names)),
            parse_options=csv.ParseOptions(delimiter=delimiter, quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types={"query_id": pa.string(), "doc_id": pa.string(), number: kind},
                include_columns=wanted,
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except (pa.ArrowException, ValueError, OSError):
        return None
    query, doc, value = (table.column(name) for name in wanted)
    irregular = pc.or_(pc.starts_with(query, "#"), pc.equal(pc.binary_length(query), 0))
    if value.null_count or pc.any(irregular).as_py() or pc.any(pc.equal(doc, "")).as_py():
        return None
    return ArrowIds(query), ArrowIds(doc), value.to_numpy()


def _delimiter(path: Path) -> str | None:
    """Tab or space, whichever the first line uses alone."""
    import pyarrow as pa

    try:
        with pa.input_stream(path, compression="detect") as stream:
            start = stream.read(4096)
    except (pa.ArrowException, OSError):
        return None
    first = start.split(b"\n", 1)[0]
    if (b"\t" in first) == (b" " in first):
        return None
    return "\t" if b"\t" in first else " "
