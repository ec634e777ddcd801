"""Files of scores that were computed elsewhere, as tables for `ScoreMatrix.from_frame`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..exceptions import InputError
from ..io.csv_tables import DELIMITERS, with_decimal_point
from ..io.files import unpacked
from ..io.formats import JSONL, extension_of, mistakes_in, numbered_rows, parse_json
from ..io.parquet import ParquetTable
from ..runsets.sources import path_name
from .score_frame import MEASURE, QUERY, SYSTEM, VALUE

if TYPE_CHECKING:
    import pandas

SEPARATORS = {".csv": DELIMITERS, ".tsv": "\t"}

ROWS = (".jsonl", ".ndjson")

PARQUET = ".parquet"

ENDINGS = (*SEPARATORS, *ROWS, PARQUET)

# sentence-transformers: a row per checkpoint, a column per measure, and the evaluator in the name.
CHECKPOINT = ("epoch", "steps")
EVALUATOR, RESULTS = "Information-Retrieval_evaluation_", "_results"

MAIN_SCORE = "main_score"  # mteb: the one score that every task has


def score_files(path: Path) -> list[Path]:
    """The files that scores come from: those in a folder of mteb's results, or the file itself."""
    return sorted(path.rglob("*.json")) if path.is_dir() else [path]


def read_score_files(paths: Sequence[Path], measures: Sequence[str] | None) -> pandas.DataFrame:
    """The tables of some files, one below the other; see `ScoreMatrix.from_files`."""
    import pandas as pd

    tables = [_table(path, measures) for path in paths]
    if len(tables) == 1:
        return tables[0]
    for path, table in zip(paths, tables, strict=True):
        if not _has(table, VALUE) or not _has(table, SYSTEM):
            raise InputError(
                f"{path}: of several files of scores, each must have a row per score: query_id, "
                "measure, value and, unless the system is called as the file, system"
            )
    return pd.concat(tables, ignore_index=True)


def _has(table: pandas.DataFrame, names: Sequence[str]) -> bool:
    return any(name in table.columns for name in names)


def _table(path: Path, measures: Sequence[str] | None) -> pandas.DataFrame:
    if path.is_dir():
        return _of_mteb(path, measures)
    ending = extension_of(path)
    if ending not in ENDINGS:
        raise InputError(
            f"{path}: scores must be in a file that ends in {', '.join(ENDINGS)} (or .gz), or in a "
            "folder of mteb's results"
        )
    with mistakes_in(path):
        table = _read(path, ending)
    if set(CHECKPOINT) <= set(table.columns):
        return _of_checkpoints(path, table)
    if _has(table, MEASURE) and _has(table, QUERY) and not _has(table, SYSTEM):
        return table.assign(system=path_name(path))
    return table


def _read(path: Path, ending: str) -> pandas.DataFrame:
    import pandas as pd

    if ending == PARQUET:
        table: pandas.DataFrame = ParquetTable(path).read(tuple).to_pandas()
        return table
    if ending in ROWS:
        return pd.DataFrame([row for _, row in numbered_rows(path, JSONL, VALUE)])
    with unpacked(path) as file:
        head = file.readline()
        file.seek(0)
        separators = SEPARATORS[ending].encode()
        separator = chr(max(separators, key=head.count))
        try:
            with warnings.catch_warnings():  # pandas cuts rows that are too long, with a warning
                warnings.simplefilter("error", pd.errors.ParserWarning)
                table = pd.read_csv(
                    file, sep=separator, dtype=str, keep_default_na=False, encoding="utf-8-sig",
                    index_col=False,
                )  # fmt: skip
        except (ValueError, pd.errors.ParserWarning) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"{path}: not a table of scores ({reason})") from None
    numbers = table.columns.difference([*SYSTEM, *QUERY, *MEASURE])
    table[numbers] = table[numbers].map(with_decimal_point, delimiter=separator)
    return table


def _of_checkpoints(path: Path, table: pandas.DataFrame) -> pandas.DataFrame:
    """A file of sentence-transformers: means over the queries of an evaluator, by checkpoint."""
    epoch, steps = (table[name].astype(str) for name in CHECKPOINT)
    folder = path.resolve().parent.name
    trained = (epoch != "-1") | (steps != "-1")
    system = (folder + ", epoch " + epoch + ", step " + steps).where(trained, folder)
    evaluator = path.stem.removeprefix(EVALUATOR).removesuffix(RESULTS)
    rows = table.drop(columns=list(CHECKPOINT)).assign(system=system, query_id=evaluator)
    return rows.melt(["system", "query_id"], var_name="measure", value_name="value")


def _of_mteb(folder: Path, measures: Sequence[str] | None) -> pandas.DataFrame:
    """A folder of mteb's results: a row per model and task."""
    import pandas as pd

    names = [MAIN_SCORE] if measures is None else list(measures)
    rows = [row for path in score_files(folder) for row in _of_task(path, names)]
    if not rows:
        raise InputError(f"{folder}: no results of mteb with {', '.join(names)}")
    return pd.DataFrame(rows)


def _of_task(path: Path, measures: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The scores of a model on a task: means over its splits and subsets, as mteb aggregates."""
    result = parse_json(str(path), path.read_bytes())
    if not isinstance(result, dict) or not {"task_name", "scores"} <= set(result):
        return
    subsets = [subset for split in result["scores"].values() for subset in split]
    for measure in measures:
        values = [subset[measure] for subset in subsets if measure in subset]
        if values:
            yield {
                "system": _model(path),
                "query_id": result["task_name"],
                "measure": measure,
                "value": float(np.mean(values)),
            }


def _model(path: Path) -> str:
    """The model of a result: mteb writes ``model/revision/task.json`` and its name beside it."""
    described = path.with_name("model_meta.json")
    if described.is_file():
        meta = parse_json(str(described), described.read_bytes())
        if isinstance(meta, dict) and isinstance(meta.get("name"), str):
            return str(meta["name"])
    return path.parent.parent.name.replace("__", "/")
