"""Types of public arguments: the accepted forms of runs, qrels and measures, and the words.

These types are for annotations only. Only type checkers import the other packages' types; this
module does not import them at run time.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ir_measures
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


class SetOfRuns(Protocol):
    """A `RunSet`, described as a protocol, so that every folder can use these types."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def groups(self) -> tuple[str, ...] | None: ...


PathOrName: TypeAlias = str | PathLike[str]
"""A path. Some parameters also accept a glob or an ``irds:`` id as a string."""

# Each alias is one string: pyright does not know the type of strings that are joined.

TableLike: TypeAlias = "pandas.DataFrame | ArrowTable | RanxObject"
"""Runs or judgments as an object of another library."""

RowsLike: TypeAlias = "Iterable[Row] | Iterable[Mapping[str, Any]]"
"""Runs or judgments as rows: namedtuples or dicts."""

ScoresLike: TypeAlias = "Mapping[str, Mapping[str, float | np.number[Any]]]"
"""A run as a dict of dicts: query -> document -> score."""

RankedListsLike: TypeAlias = "Mapping[str, list[str]] | Mapping[str, tuple[str, ...]]"
"""A run as a dict of ranked lists: query -> documents."""

GradesLike: TypeAlias = "Mapping[str, Mapping[str, int | np.integer[Any]]]"
"""Judgments as a dict of dicts: query -> document -> grade."""

RunLike: TypeAlias = "TableLike | ScoresLike | RankedListsLike | RowsLike | PathOrName"
"""One run: query -> document -> score, as a table, a dict of dicts or of ranked lists, rows or a
file."""

FilesLike: TypeAlias = "Sequence[PathOrName]"
"""The files of one run, each of which has other queries."""

NamedRunLike: TypeAlias = "RunLike | FilesLike"
"""A run that has a name."""

NamedRunsLike: TypeAlias = "Mapping[str, NamedRunLike] | Sequence[tuple[str, NamedRunLike]]"
"""Several runs by name."""

RunsLike: TypeAlias = "SetOfRuns | RunLike | NamedRunsLike | Sequence[RunLike]"
"""Several runs: by name, in a list, as files that match a glob, or a `RunSet`; or one run.

A dict literal whose runs have different forms needs an annotation: ``dict[str, RunLike]``.
"""

QrelsLike: TypeAlias = "TableLike | GradesLike | RowsLike | PathOrName"
"""Judgments: query -> document -> grade, as a table, a dict of dicts, rows or a file."""

GroupsLike: TypeAlias = Mapping[str, str] | PathOrName
"""The group of each run by the run's name: a dict, or a table (csv, tsv, JSON lines) with the
columns run and group."""

QueryGroupsLike: TypeAlias = "Mapping[str, str] | pandas.DataFrame | PathOrName"
"""The group of each query by its id: a dict, a DataFrame such as the topics, a table
(csv, tsv, JSON lines) with a column query_id (or qid), or an ``irds:`` id."""

MeasureLike: TypeAlias = "str | ir_measures.Measure"
"""A measure of this package or of ir_measures, or a measure string such as
``"NRG(prior=others)@10"``."""

MeasuresLike: TypeAlias = "MeasureLike | Iterable[MeasureLike]"
"""One measure or several."""

ScoreArray: TypeAlias = NDArray[np.float64]
"""Scores; the last axis is the queries."""

# Words. The tuples that the program checks arguments with come from these, by `get_args`.

ComparisonTest: TypeAlias = Literal["t", "moderated-t", "wilcoxon", "randomisation", "bootstrap"]
"""`test` of `compare`."""

ComparisonCorrection: TypeAlias = Literal["holm", "bonferroni", "bh", "none"]
"""`correction` of `compare` and of tests of all pairs in `irx_measures.meta`."""


class How(TypedDict, total=False):
    """How `compare` tests; `ScoreMatrix.compare` and `GroupedScores.compare` hand it on."""

    baseline: str | Sequence[str] | None
    test: ComparisonTest
    correction: ComparisonCorrection
    level: float
    resamples: int
    seed: int
    prior_topics: float
    progress: bool | None


PairTest: TypeAlias = Literal[
    ComparisonTest, "hsd-pairwise", "tukey", "tukey-blocks", "tukey-randomised"
]
"""`test` of `irx_measures.meta.discriminative_power` and `irx_measures.meta.concordance`."""

Coefficient: TypeAlias = Literal["tau", "tau_b", "tau_AP", "spearman", "RBO", "RBA"]
"""`coefficient` of rank correlations."""

Ties: TypeAlias = Literal["share", "break", "least", "greatest"]
"""`ties` of `rba` and `rbr`."""

Bound: TypeAlias = Literal["lower", "upper", "residual"]
"""`bound` of `rba` and `rbr`."""

OverlapTies: TypeAlias = Literal["share", "a", "w", "b", "break", "least", "greatest"]
"""`ties` of `rbo`."""

OverlapBound: TypeAlias = Literal["lower", "upper", "residual", "ext"]
"""`bound` of `rbo`."""
