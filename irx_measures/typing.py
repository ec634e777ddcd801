"""Types of public arguments: the accepted forms of runs, qrels, groups and measures.

These types are for annotations only. Only type checkers import the other packages' types; this
module does not import them at run time.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas


class Row(Protocol):
    """A namedtuple such as ``ir_measures.ScoredDoc`` and ``ir_measures.Qrel``."""

    @property
    def _fields(self) -> tuple[str, ...]: ...


class ArrowTable(Protocol):
    """A table with an Arrow interface: a polars, pyarrow or DuckDB table."""

    def __arrow_c_stream__(self, requested_schema: Any = None, /) -> Any: ...


class RanxObject(Protocol):
    """A ``ranx.Run`` or ``ranx.Qrels``."""

    name: Any

    def to_dict(self) -> Any: ...


class MeasureObject(Protocol):
    """A measure of this package or of ir_measures, such as ``nDCG@10``."""

    NAME: str

    def aggregator(self) -> Any: ...


class SetOfRuns(Protocol):
    """A `RunSet`, described as a protocol, so that every folder can use these types."""

    names: tuple[str, ...]
    groups: tuple[str, ...] | None

    @property
    def label(self) -> str: ...


PathOrName: TypeAlias = str | PathLike[str]
"""A path. Some parameters also accept a glob or an ``irds:`` id as a string."""

RunLike: TypeAlias = (
    "pandas.DataFrame | ArrowTable | RanxObject "
    "| Mapping[str, Mapping[str, float | np.number[Any]]] "
    "| Mapping[str, list[str]] | Mapping[str, tuple[str, ...]] | Iterable[Row] "
    "| Iterable[Mapping[str, Any]] | PathOrName"
)
"""One run: query -> document -> score, as a table, a dict of dicts or of ranked lists, rows or a
file."""

RunsLike: TypeAlias = (
    "SetOfRuns | RunLike | Mapping[str, RunLike] | Sequence[RunLike] "
    "| Sequence[tuple[str, RunLike]]"
)
"""Several runs: by name, in a list, as files that match a glob, or a `RunSet`; or one run.

A dict literal whose runs have different forms needs an annotation: ``dict[str, RunLike]``.
"""

QrelsLike: TypeAlias = (
    "pandas.DataFrame | ArrowTable | RanxObject "
    "| Mapping[str, Mapping[str, int | np.integer[Any]]] "
    "| Iterable[Row] | Iterable[Mapping[str, Any]] | PathOrName"
)
"""Judgments: query -> document -> grade, as a table, a dict of dicts, rows or a file."""

GroupsLike: TypeAlias = Mapping[str, str] | PathOrName
"""The group of each run by the run's name: a dict, or a CSV file with the columns run and group."""

MeasureLike: TypeAlias = str | MeasureObject
"""A measure, or a measure string such as ``"NRG(prior=others)@10"``."""

MeasuresLike: TypeAlias = "MeasureLike | Iterable[MeasureLike]"
"""One measure or several."""

ScoreArray: TypeAlias = NDArray[np.float64]
"""Scores; the last axis is the queries."""
