"""Types of public arguments: the accepted forms of runs, qrels and measures, and the words.

These types are for annotations only. Only type checkers import the other packages' types; this
module does not import them at run time.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ir_measures
    import pandas
    from matplotlib.axes import Axes as Axes
else:
    Axes = "Axes"  # what plots return


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


# A path. Some parameters also accept a glob or an ``irds:`` id as a string.
PathOrName: TypeAlias = str | PathLike[str]

# Each alias is one string: pyright does not know the type of strings that are joined.

# Runs or judgments: an object of another library, or rows that are namedtuples or dicts.
TableLike: TypeAlias = "pandas.DataFrame | ArrowTable | RanxObject"
RowsLike: TypeAlias = "Iterable[Row] | Iterable[Mapping[str, Any]]"

# Dicts: query -> document -> score, query -> documents in order, query -> document -> grade, or
# query -> set of relevant documents.
ScoresLike: TypeAlias = "Mapping[str, Mapping[str, float | np.number[Any]]]"
RankedListsLike: TypeAlias = "Mapping[str, list[str]] | Mapping[str, tuple[str, ...]]"
GradesLike: TypeAlias = (
    "Mapping[str, Mapping[str, int | np.integer[Any]]] | Mapping[str, AbstractSet[str]]"
)

# One run: query -> document -> score. Each of several files of a run has other queries.
RunLike: TypeAlias = "TableLike | ScoresLike | RankedListsLike | RowsLike | PathOrName"
FilesLike: TypeAlias = "Sequence[PathOrName]"

# Several runs: by name, in a list, as files that match a glob, or a `RunSet`; or one run. A dict
# literal whose runs have different forms needs an annotation: ``dict[str, RunLike]``.
NamedRunLike: TypeAlias = "RunLike | FilesLike"
NamedRunsLike: TypeAlias = "Mapping[str, NamedRunLike] | Sequence[tuple[str, NamedRunLike]]"
RunsLike: TypeAlias = "SetOfRuns | RunLike | NamedRunsLike | Sequence[RunLike]"

# Judgments: query -> document -> grade.
QrelsLike: TypeAlias = "TableLike | GradesLike | RowsLike | PathOrName"

# The group of each run by its name: a dict, or a table (csv, tsv, JSON lines) with the columns run
# and group.
GroupsLike: TypeAlias = Mapping[str, str] | PathOrName

# The group of each query by its id: a dict, a DataFrame such as the topics, a table (csv, tsv,
# JSON lines) with a column query_id (or qid), or an ``irds:`` id.
QueryGroupsLike: TypeAlias = "Mapping[str, str] | pandas.DataFrame | PathOrName"

# A measure of this package or of ir_measures, or a string such as ``"NRG(prior=others)@10"``.
MeasureLike: TypeAlias = "str | ir_measures.Measure"
MeasuresLike: TypeAlias = "MeasureLike | Iterable[MeasureLike]"

# Scores; the last axis is the queries.
ScoreArray: TypeAlias = NDArray[np.float64]

# Words. The tuples that the program checks arguments with come from these, by `get_args`.

# `test` and `correction` of `compare`, and `test` of studies of all pairs in `irx_measures.meta`.
ComparisonTest: TypeAlias = Literal["t", "moderated-t", "wilcoxon", "randomisation", "bootstrap"]
ComparisonCorrection: TypeAlias = Literal["holm", "bonferroni", "bh", "none"]
PairTest: TypeAlias = Literal[
    ComparisonTest, "hsd-pairwise", "tukey", "tukey-blocks", "tukey-randomised"
]

# `coefficient` of rank correlations.
Coefficient: TypeAlias = Literal["tau", "tau_b", "tau_AP", "spearman", "RBO", "RBA"]

# `ties` and `bound` of `rba` and `rbr`, and of `rbo`.
Ties: TypeAlias = Literal["share", "break", "least", "greatest"]
Bound: TypeAlias = Literal["lower", "upper", "residual"]
OverlapTies: TypeAlias = Literal["share", "a", "w", "b", "break", "least", "greatest"]
OverlapBound: TypeAlias = Literal["lower", "upper", "residual", "ext"]


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
