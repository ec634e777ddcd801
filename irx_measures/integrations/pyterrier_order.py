"""Results of pt.Experiment, in any of its forms, with the measures in the order asked for.

PyTerrier uses the order of a Python set, which differs between processes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..typing import DataFrame

PERQUERY = ["name", "qid", "measure", "value"]  # the columns of ``perquery=True``


def in_order(result: Any, labels: list[str]) -> Any:
    """A result of pt.Experiment with the measures, by their names in it, in this order."""
    if isinstance(result, tuple):
        return _both_in_order(result, labels)
    if isinstance(result, dict):
        return _dict_in_order(result, labels)
    if hasattr(result, "export"):
        return _styled_in_order(result, labels)
    if not hasattr(result, "columns"):  # a score
        return result
    if list(result.columns) == PERQUERY:
        return _rows_in_order(result, labels)
    return _columns_in_order(result, labels)


def _both_in_order(result: tuple[Any, ...], labels: list[str]) -> tuple[Any, ...]:
    """The means and the scores per query, of ``perquery='both'``; PyTerrier may name the two."""
    ordered = [in_order(part, labels) for part in result]
    if hasattr(result, "_make"):
        named: tuple[Any, ...] = result._make(ordered)
        return named
    return tuple(ordered)


def _dict_in_order(result: dict[Any, Any], labels: list[str]) -> dict[Any, Any]:
    """Scores by measure; or those dicts by system or query."""
    keys = sorted(result, key=lambda key: _place(key, labels))
    return {key: in_order(result[key], labels) for key in keys}


def _styled_in_order(result: Any, labels: list[str]) -> Any:
    """A Styler of pandas, for ``highlight``."""
    return in_order(result.data, labels).style.use(result.export())


def _rows_in_order(result: DataFrame, labels: list[str]) -> DataFrame:
    """A row per system, query and measure, of ``perquery=True``."""
    of_query = result.groupby(["name", "qid"], sort=False).ngroup()
    same = result.groupby(PERQUERY[:3], sort=False).cumcount()  # rows of systems with one name
    order = np.lexsort([result["measure"].map(labels.index), same, of_query])
    return result.iloc[order].set_axis(result.index)


def _columns_in_order(result: DataFrame, labels: list[str]) -> DataFrame:
    """A row per system, and a column per measure."""
    return result[sorted(result.columns, key=lambda column: _place(column, labels))]


def _place(column: Any, labels: list[str]) -> tuple[int, int]:
    """Where a column stands: names, measures, times, then comparisons, by their measure."""
    if column in labels:
        return 1, labels.index(column)
    of = [label for label in labels if str(column).startswith(f"{label} ")]
    if of:
        return 3, labels.index(max(of, key=len))
    return (2, 0) if column == "mrt" else (0, 0)
