"""Results of pt.Experiment, in any of its forms, with the measures in the order asked for.

PyTerrier uses the order of a Python set, which differs between processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from ..typing import DataFrame

PERQUERY = ["name", "qid", "measure", "value"]  # the columns of ``perquery=True``


Names: TypeAlias = Mapping[str, str]
"""What PyTerrier calls each measure, by the names that are asked for, in the requested order."""


def in_order(result: Any, names: Names) -> Any:
    """A result of pt.Experiment with the measures by these names, in this order."""
    if isinstance(result, tuple):
        return _both_in_order(result, names)
    if isinstance(result, dict):
        return _dict_in_order(result, names)
    if hasattr(result, "export"):
        return _styled_in_order(result, names)
    if not hasattr(result, "columns"):  # a score
        return result
    if list(result.columns) == PERQUERY:
        return _rows_in_order(result, names)
    return _columns_in_order(result, names)


def _both_in_order(result: tuple[Any, ...], names: Names) -> tuple[Any, ...]:
    """The means and the scores per query, of ``perquery='both'``; PyTerrier may name the two."""
    ordered = [in_order(part, names) for part in result]
    if hasattr(result, "_make"):
        named: tuple[Any, ...] = result._make(ordered)
        return named
    return tuple(ordered)


def _dict_in_order(result: dict[Any, Any], names: Names) -> dict[Any, Any]:
    """Scores by measure; or those dicts by system or query."""
    if any(isinstance(value, dict) for value in result.values()):
        return {key: in_order(value, names) for key, value in result.items()}
    return {name: result[key] for name, key in _shown(result, names)}


def _styled_in_order(result: Any, names: Names) -> Any:
    """A Styler of pandas, for ``highlight``."""
    return in_order(result.data, names).style.use(result.export())


def _rows_in_order(result: DataFrame, names: Names) -> DataFrame:
    """A row per system, query and measure, of ``perquery=True``."""
    index: Any = result.index
    if len(names) > len({*names.values()}):
        called = {label: _names_of(label, names) for label in names.values()}
        kind = result["measure"].dtype
        result = result.assign(measure=result["measure"].map(called)).explode("measure")
        result["measure"] = result["measure"].astype(kind)
        index = range(len(result))
    of_query = result.groupby(["name", "qid"], sort=False).ngroup()
    order = np.lexsort([result["measure"].map([*names].index), of_query])
    return result.iloc[order].set_axis(index)


def _columns_in_order(result: DataFrame, names: Names) -> DataFrame:
    """A row per system, and a column per measure."""
    shown = _shown(result.columns, names)
    return result[[column for _, column in shown]].set_axis([name for name, _ in shown], axis=1)


def _shown(columns: Iterable[Any], names: Names) -> list[tuple[Any, Any]]:
    """What is shown, in order, and the columns of PyTerrier, of which one may be shown twice."""
    shown = [(name, column) for column in columns for name in _names_of(column, names)]
    labels = list(names)
    return sorted(shown, key=lambda pair: _place(pair[0], labels))


def _names_of(column: Any, names: Names) -> list[Any]:
    """The columns that are asked for with a column of a measure, or of its comparisons."""
    label = _label_of(column, names.values())
    if label is None:
        return [column]
    rest = str(column).removeprefix(label)
    return [f"{name}{rest}" for name, known in names.items() if known == label]


def _label_of(column: Any, labels: Iterable[str]) -> str | None:
    """The measure of a column."""
    text = f"{column} "
    return max((label for label in labels if text.startswith(f"{label} ")), key=len, default=None)


def _place(column: Any, labels: list[str]) -> tuple[int, int]:
    """Where a column stands: names, measures, times, then comparisons, by their measure."""
    label = _label_of(column, labels)
    if label is None:
        return (2, 0) if column == "mrt" else (0, 0)
    part = 1 if column == label else 3
    return part, labels.index(label)
