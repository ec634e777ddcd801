"""Puts the measures in results and files of pt.Experiment in the requested order.

PyTerrier uses the order of a Python set, which differs between processes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

PERQUERY = ["name", "qid", "measure", "value"]


def in_order(result: Any, labels: Sequence[str]) -> Any:
    """A result of pt.Experiment, in any of its forms, with the measures in order.

    Parameters
    ----------
    result
        The result; dicts are reordered in place.
    labels
        The names of the measures.
    """
    if isinstance(result, tuple):
        ordered = [in_order(part, labels) for part in result]
        return result._make(ordered) if hasattr(result, "_make") else tuple(ordered)
    if isinstance(result, dict):
        _put_dict_in_order(result, labels)
        return result
    if hasattr(result, "export"):  # a pandas Styler, for `highlight`
        return in_order(result.data, labels).style.use(result.export())
    return _rows(result, labels) if list(result.columns) == PERQUERY else _columns(result, labels)


def put_files_in_order(save_dir: str, labels: Sequence[str]) -> None:
    """Rewrite the tables that pt.Experiment saved, with the measures in order."""
    for name in ("aggregated.csv", "perquery.csv"):
        path = os.path.join(save_dir, name)
        _write(path, in_order(_cells(path), labels))


def put_saved_mrt(save_dir: str, mrt: Mapping[str, float]) -> None:
    """Replace the response times that pt.Experiment saved for some systems."""
    path = os.path.join(save_dir, "aggregated.csv")
    table = _cells(path)
    for name, time in mrt.items():
        table.loc[table["name"] == name, "mrt"] = repr(time)
    _write(path, table)


def _cells(path: str) -> Any:
    """A saved table as text, so that unchanged cells are written back unchanged."""
    import pandas as pd

    return pd.read_csv(path, dtype=str, keep_default_na=False)


def _write(path: str, table: Any) -> None:
    table.to_csv(path, index=False)


def _put_dict_in_order(result: dict[Any, Any], labels: Sequence[str]) -> None:
    inner = [value for value in result.values() if isinstance(value, dict)]
    for value in inner:
        _put_dict_in_order(value, labels)
    if not inner:
        items = sorted(result.items(), key=lambda item: _place(item[0], labels))
        result.clear()
        result.update(items)


def _columns(averages: Any, labels: Sequence[str]) -> Any:
    """Columns in order: name, measures, ``mrt``, then comparisons with the baseline."""

    def place(column: str) -> tuple[int, int]:
        if column == "name":
            return 0, 0
        if column in labels:
            return 1, _place(column, labels)
        compared = [label for label in labels if column.startswith(f"{label} ")]
        if compared:
            return 3, _place(max(compared, key=len), labels)
        return (2 if column == "mrt" else 4), 0

    return averages[sorted(averages.columns, key=place)]


def _rows(perquery: Any, labels: Sequence[str]) -> Any:
    """Put the rows of each system and query in order; the index stays."""
    name, query, number = perquery["name"], perquery["qid"], perquery.index.to_series()
    starts = (name != name.shift()) | (query != query.shift())
    starts |= number.diff() != 1  # several systems can have the same name
    place = [_place(measure, labels) for measure in perquery["measure"]]
    order = np.lexsort([place, starts.cumsum()])
    return perquery.iloc[order].set_axis(perquery.index)


def _place(label: str, labels: Sequence[str]) -> int:
    return labels.index(label) if label in labels else len(labels)
