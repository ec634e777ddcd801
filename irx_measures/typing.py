"""Types of public arguments: the accepted forms of runs, qrels and measures, and the words.

These types are for annotations only. The other packages' types are imported by type checkers, and
by `typing.get_type_hints` when it evaluates an annotation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from os import PathLike
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ForwardRef,
    Literal,
    Protocol,
    TypeAlias,
    TypedDict,
)

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ArrowTable",
    "Bound",
    "Coefficient",
    "CollectionsLike",
    "ComparisonCorrection",
    "ComparisonTest",
    "DaskTable",
    "FilesLike",
    "GradesLike",
    "GroupsLike",
    "How",
    "MeasureLike",
    "MeasuresLike",
    "NamedRunLike",
    "NamedRunsLike",
    "OverlapBound",
    "OverlapTies",
    "PairTest",
    "PathOrName",
    "QrelsLike",
    "QueryGroupsLike",
    "RankedListsLike",
    "RanxObject",
    "Row",
    "RowsLike",
    "RunLike",
    "RunsLike",
    "ScoreArray",
    "ScoresLike",
    "SetOfRuns",
    "SystemLike",
    "TableLike",
    "Ties",
]

if TYPE_CHECKING:
    import dask.dataframe
    from distributed import Client as Client
    from ir_measures import Measure
    from matplotlib.axes import Axes as Axes
    from pandas import DataFrame as DataFrame
    from pyterrier import Transformer

    DaskFrame: TypeAlias = dask.dataframe.DataFrame
else:
    # Strings, until the end of this module.
    Measure = "__import__('ir_measures').Measure"
    Axes = "__import__('matplotlib.axes').axes.Axes"  # what plots return
    DataFrame = "__import__('pandas').DataFrame"  # the type of results
    Transformer = "__import__('pyterrier').Transformer"
    DaskFrame = "__import__('dask.dataframe').dataframe.DataFrame"
    Client = "__import__('distributed').Client"


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


#: A path. Some parameters also accept a glob or an ``irds:`` id as a string.
PathOrName: TypeAlias = str | PathLike[str]

# Each alias is one string: pyright does not know the type of strings that are joined.

#: Runs or judgments as an object of another library.
TableLike: TypeAlias = "DataFrame | ArrowTable | RanxObject"

#: Runs or judgments as rows that are namedtuples or dicts.
RowsLike: TypeAlias = "Iterable[Row] | Iterable[Mapping[str, Any]]"

#: A run as a dict of dicts, query -> document -> score.
ScoresLike: TypeAlias = "Mapping[str, Mapping[str, float | np.number[Any]]]"

#: A run as a dict of lists, query -> documents in order.
RankedListsLike: TypeAlias = "Mapping[str, list[str]] | Mapping[str, tuple[str, ...]]"

#: Judgments as a dict of dicts, query -> document -> grade, or of sets of relevant documents.
GradesLike: TypeAlias = (
    "Mapping[str, Mapping[str, int | np.integer[Any]]] | Mapping[str, AbstractSet[str]]"
)

#: One run.
RunLike: TypeAlias = "TableLike | ScoresLike | RankedListsLike | RowsLike | PathOrName"

#: The files of a run, each of which has other queries.
FilesLike: TypeAlias = "Sequence[PathOrName]"

#: One run where it has a name.
NamedRunLike: TypeAlias = "RunLike | FilesLike"

#: Several runs by their names. A dict literal whose runs have different forms needs an annotation:
#: ``dict[str, RunLike]``.
NamedRunsLike: TypeAlias = "Mapping[str, NamedRunLike] | Sequence[tuple[str, NamedRunLike]]"

#: Several runs by name, in a list, as files that match a glob, or as a `RunSet`; or one run.
RunsLike: TypeAlias = "SetOfRuns | RunLike | NamedRunsLike | Sequence[RunLike]"

#: Judgments.
QrelsLike: TypeAlias = "TableLike | GradesLike | RowsLike | PathOrName"

#: A system of `Experiment`.
SystemLike: TypeAlias = "Transformer | DataFrame"

#: Runs or judgments of `distributed.evaluate`.
DaskTable: TypeAlias = "DaskFrame | PathOrName | FilesLike"

#: The group of each run by its name, as a dict or as a table (csv, tsv, JSON lines) with the
#: columns run and group.
GroupsLike: TypeAlias = Mapping[str, str] | PathOrName

#: The group of each query by its id, as a dict, a DataFrame such as the topics, a table (csv, tsv,
#: JSON lines) with a column query_id (or qid), or an ``irds:`` id.
QueryGroupsLike: TypeAlias = "Mapping[str, str] | DataFrame | PathOrName"

#: Folders of collections, a table of their files, or pairs of qrels and runs by their names.
CollectionsLike: TypeAlias = (
    "Mapping[str, tuple[QrelsLike, RunsLike]] | PathOrName | Sequence[PathOrName]"
)

#: A measure of this package or of ir_measures, or a string such as ``"NRG(prior=others)@10"``.
MeasureLike: TypeAlias = "str | Measure"

#: One measure or several.
MeasuresLike: TypeAlias = "MeasureLike | Iterable[MeasureLike]"

#: Scores; the last axis is the queries.
ScoreArray: TypeAlias = NDArray[np.float64]

# Words. The tuples that the program checks arguments with come from these, by `get_args`.

#: `test` of `compare`.
ComparisonTest: TypeAlias = Literal["t", "moderated-t", "wilcoxon", "randomisation", "bootstrap"]

#: `correction` of `compare`.
ComparisonCorrection: TypeAlias = Literal["holm", "bonferroni", "bh", "none"]

#: `test` of studies of all pairs in `irx_measures.meta`.
PairTest: TypeAlias = Literal[
    ComparisonTest, "hsd-pairwise", "tukey", "tukey-blocks", "tukey-randomised"
]

#: `coefficient` of rank correlations.
Coefficient: TypeAlias = Literal["tau", "tau_b", "tau_AP", "spearman", "RBO", "RBA"]

#: `ties` of `rba` and `rbr`.
Ties: TypeAlias = Literal["share", "break", "least", "greatest"]

#: `bound` of `rba` and `rbr`.
Bound: TypeAlias = Literal["lower", "upper", "residual"]

#: `ties` of `rbo`.
OverlapTies: TypeAlias = Literal["share", "a", "w", "b", "break", "least", "greatest"]

#: `bound` of `rbo`.
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
    limits: int | None


class GroupedHow(How, total=False):
    """How `GroupedScores.compare` tests."""

    macro: Literal["queries", "groups", "none"] | None


if not TYPE_CHECKING:
    # `get_type_hints` would evaluate the text of an alias in the module that uses the alias.
    for _name, _alias in [*globals().items()]:
        if isinstance(_alias, str) and not _name.startswith("_"):
            globals()[_name] = Annotated[ForwardRef(_alias, module=__name__), _name]
