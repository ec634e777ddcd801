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


def put_saved_comparisons(
    save_dir: str, result: Any, names: Sequence[str], labels: Sequence[str]
) -> None:
    """Replace the comparisons with baselines that pt.Experiment saved by those of its result.

    Parameters
    ----------
    save_dir
        The folder.
    result
        The result. A dict has no comparisons, and none are left in the file.
    names
        The names of the systems.
    labels
        The names of the measures.
    """
    path = os.path.join(save_dir, "aggregated.csv")
    saved = _cells(path)
    table = result.data if hasattr(result, "export") else result
    shown = {} if isinstance(table, dict) else {name: table[name] for name in table.columns}
    for column in [name for name in {**shown, **saved} if _compared(name, labels)]:
        cells = [""] * len(names)
        if column in shown:
            cells = shown[column].astype(object).where(shown[column].notna(), "").map(str).tolist()
        text = dict(zip(names, cells, strict=True))
        before = saved[column] if column in saved else [""] * len(saved)
        saved[column] = [
            text.get(name, old) for name, old in zip(saved["name"], before, strict=True)
        ]
        if column not in shown and not any(saved[column]):
            del saved[column]
    _write(path, saved)


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
        compared = _compared(column, labels)
        if compared is not None:
            return 3, _place(compared, labels)
        return (2 if column == "mrt" else 4), 0

    return averages[sorted(averages.columns, key=place)]


def _compared(column: str, labels: Sequence[str]) -> str | None:
    """The measure that a column compares with a baseline; None if it is another column."""
    if column in labels:
        return None
    return max((one for one in labels if column.startswith(f"{one} ")), key=len, default=None)


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
