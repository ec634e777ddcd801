"""Scores of measures x systems x queries, with their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NoReturn

import ir_measures
import numpy as np
from numpy.typing import NDArray

from ..common.numeric import FloatArray
from ..common.short_paths import public
from ..common.writing import counted, nearest_of, shown, some
from ..doubts.facts import Facts
from ..exceptions import InputError
from ..io.groups import read_query_groups
from ..measures.naming.labels import short_labels
from ..measures.naming.named_score import find_measure, find_measures, nearest_measure
from ..measures.naming.strings import MISSING
from ..results.base import Columns, StudyResult
from ..results.frames import DataFrame
from ..results.read_only import cached_array
from ..typing import (
    ArrowTable,
    FilesLike,
    How,
    MeasureLike,
    MeasuresLike,
    PathOrName,
    QueryGroupsLike,
    ScoreArray,
)
from .aggregates import aggregate
from .renaming import new_names
from .score_columns import COLLECTION
from .score_tables import (
    LongScores,
    fields_of,
    scores_of_files,
    scores_of_frame,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..comparison.result import Comparison
    from .grouped_scores import GroupedScores

MOST_NAMED = 5  # queries or groups in a message, a choice: one line or two


@public
@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix(StudyResult):
    """Scores of measures x systems x queries, with their names.

    Attributes
    ----------
    measures : tuple of Measure
        In the order in which they were given.
    systems : tuple of str
    query_ids : tuple of str
    scores : (measures, systems, queries) floats
        NaN for all queries if a system has no score on a measure: see `undefined`. The array is
        read-only, as all arrays of results are: change a copy.
    groups : tuple of str, optional
        The group of each system.
    warnings : tuple of str
        Why the scores may not answer the user's question: what `evaluate` warned of.
    facts : Facts, optional
        What `evaluate` knows of the runs and qrels, from which the warnings follow.

    Raises
    ------
    ValueError
        When the shape of `scores` does not match the names.

    Examples
    --------
    >>> import irx_measures
    >>> runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"X": 1.0}}}
    >>> qrels = {"q": {"A": 1, "X": 0}}
    >>> matrix = irx_measures.evaluate(qrels, runs, ["P@1", "UniqueRel(prior=others)@1"])
    >>> matrix.scores[:, :, 0]
    array([[1., 0.],
           [1., 0.]])
    """

    measures: tuple[ir_measures.Measure, ...]
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    scores: ScoreArray
    groups: tuple[str, ...] | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)
    facts: Facts | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        expected = (len(self.measures), len(self.systems), len(self.query_ids))
        got = self.scores.shape if isinstance(self.scores, np.ndarray) else type(self.scores)
        if got != expected:
            raise InputError(
                "`scores` must be an array of the shape (measures, systems, queries) = "
                f"{expected}; got {got}"
            )
        super().__post_init__()

    @property
    def _size(self) -> str:
        """The numbers of measures and systems, in words."""
        return f"{counted(len(self.measures), 'measure')} x {counted(len(self.systems), 'system')}"

    @property
    def summary(self) -> str:
        """The numbers of measures, systems, queries and groups."""
        queries = counted(len(self.query_ids), "query", "queries")
        groups = "" if self.groups is None else f", {counted(len(set(self.groups)), 'group')}"
        return f"{self._size} x {queries}{groups}"

    def _said(self) -> list[str]:
        return [*super()._said(), *(f"warning: {text}" for text in self.warnings)]

    def _shown(self) -> DataFrame:
        return self.means().set_axis(short_labels(self.measures), axis=1)

    def __getitem__(self, measure: MeasureLike) -> ScoreArray:
        """Scores of one measure: (systems, queries).

        The name may be the short one that tables show, or lack the parameters: NRG@10 for
        NRG(prior=others)@10. KeyError if no measure is called so.
        """
        found = find_measure(measure, self.measures)
        if found is None:
            raise self._not_among(measure)
        return self.scores[self.measures.index(found)]

    def _not_among(self, measure: MeasureLike) -> KeyError:
        known = ", ".join(short_labels(self.measures))
        return KeyError(f"{measure} is not among {known}{nearest_measure(measure, self.measures)}")

    def select(self, measures: MeasuresLike) -> ScoreMatrix:
        """The scores of some measures, each once, in the order given; named as in ``[...]``."""
        given = [measures] if isinstance(measures, (str, ir_measures.Measure)) else measures
        selected: dict[ir_measures.Measure, None] = {}
        for each in given:
            found = find_measures(each, self.measures)
            if not found:
                raise self._not_among(each)
            selected |= dict.fromkeys(found)
        if not selected:
            raise InputError(MISSING)
        places = [self.measures.index(measure) for measure in selected]
        chosen = replace(self, measures=tuple(selected), scores=self.scores[places])
        return chosen if self.facts is None else with_facts(chosen, self.facts)

    def queries(self, ids: Iterable[str]) -> ScoreMatrix:
        """The scores of some queries, in the order given.

        Raises
        ------
        ValueError
            When no query is named, or one is unknown or named twice.

        Examples
        --------
        >>> import irx_measures
        >>> campaign = irx_measures.simulate_campaign(systems=3, queries=9)
        >>> scores = irx_measures.evaluate(campaign.qrels, campaign.runs, "nDCG@10")
        >>> scores.queries(["q07", "q02"]).query_ids
        ('q07', 'q02')
        """
        if isinstance(ids, str):
            raise TypeError(f"`ids` must be a list of query ids; got {ids!r}")
        names = list(ids)
        if not names:
            raise InputError("`ids` must name at least one query; got none")
        place_of = {name: place for place, name in enumerate(self.query_ids)}
        for name, count in Counter(names).items():
            if name not in place_of:
                hint = nearest_of(name, place_of)
                raise InputError(f"`ids` must name queries with scores; got {name!r}{hint}")
            if count > 1:
                raise InputError(f"`ids` must name every query once; got {name!r} twice")
        places = [place_of[name] for name in names]
        return replace(self, query_ids=tuple(names), scores=self.scores[:, :, places])

    def renamed(self, names: Mapping[str, str]) -> ScoreMatrix:
        """The same scores with other names of systems, such as those of a paper.

        Tables, LaTeX, pictures and the report of these scores have them. Measures and `warnings`
        stay as they are.

        Parameters
        ----------
        names
            The new names of some systems, by their names.

        Raises
        ------
        ValueError
            When a system is unknown, or two would have the same name.
        TypeError
            When a new name is not a string.

        Examples
        --------
        >>> import irx_measures
        >>> campaign = irx_measures.simulate_campaign(systems=3, queries=9)
        >>> scores = irx_measures.evaluate(campaign.qrels, campaign.runs, "nDCG@10")
        >>> scores.renamed({"lexical-a": "BM25"}).systems
        ('BM25', 'lexical-b', 'lexical-c')
        """
        new = new_names(self.systems, names)
        return replace(self, systems=tuple(new[name] for name in self.systems))

    def by(self, groups: QueryGroupsLike, column: str = "group") -> GroupedScores:
        """The scores of each group of queries, such as languages, or short and long queries.

        Parameters
        ----------
        groups
            The group of each query by its id: a dict, a CSV file with the columns query_id (or
            qid) and group, a DataFrame such as PyTerrier's topics, or an ``irds:`` id. Queries
            without scores are ignored.
        column
            The column of the groups.

        Raises
        ------
        ValueError
            When a query with scores has no group, or two; or there is no such column.

        Examples
        --------
        >>> import irx_measures
        >>> campaign = irx_measures.simulate_campaign(systems=3, queries=9)
        >>> scores = irx_measures.evaluate(campaign.qrels, campaign.runs, "nDCG@10")
        >>> scores.by({query: "short" if query < "q05" else "long" for query in scores.query_ids})
        GroupedScores: 1 measure x 3 systems, 2 groups: short (4 queries), long (5 queries)
        measure     nDCG@10
        group         short      long
        system
        lexical-a  0.792065  0.659948
        lexical-b  0.754087  0.669774
        lexical-c  0.819415  0.702839
        """
        group_of = read_query_groups(groups, column)
        without = [query for query in self.query_ids if query not in group_of]
        if without:
            raise InputError(
                f"no group for {len(without)} of "
                f"{counted(len(self.query_ids), 'query', 'queries')}: "
                f"{some(list(map(shown, without)), MOST_NAMED)}"
            )
        members: dict[str, list[str]] = {group: [] for group in group_of.values()}
        for query in self.query_ids:
            members[group_of[query]].append(query)
        parts = {group: self.queries(queries) for group, queries in members.items() if queries}
        from .grouped_scores import GroupedScores  # it holds score matrices

        return GroupedScores(self, tuple(parts), tuple(parts.values()))

    @classmethod
    def from_frame(
        cls,
        frame: DataFrame | ArrowTable,
        measures: MeasuresLike | None = None,
        *,
        higher_is_better: bool | Mapping[str, bool] = True,
        strict: bool = True,
    ) -> ScoreMatrix:
        """The scores of a table, which may be of any measure: accuracy, faithfulness, seconds.

        Parameters
        ----------
        frame
            A DataFrame, or a polars, DuckDB or Arrow table.

            - A row per score: the columns name (or system), qid (or query_id), measure and value.
              ``pt.Experiment(..., perquery=True)`` returns and `to_frame` makes such tables. If
              there is no system column, all rows belong to one system.
            - Or a row per system and query: name, qid, and a column per measure.
            - Or a row per query: qid, and a column per system.
        measures
            The measures to keep, as names or as Measure objects. In a table without a column
            measure: the name of its only one.
        higher_is_better
            Whether higher scores are better, of all measures or by the names of some.
        strict
            Whether it is an error that a system has scores of some queries of a measure only. If
            false, these queries are left out with a warning.

        Raises
        ------
        ValueError
            If a column is missing or occurs twice, a row has no system, query or measure, a score
            occurs twice or is not a finite number, a measure does not exist, or a system lacks the
            score of some queries of a measure.
        TypeError
            If a name is not a string, or `measures` holds anything but names and Measure objects.

        Notes
        -----
        A name that is the string of a measure of ir_measures is that measure. Any other name is
        only a name. Rows of the query ``all`` or ``mean``, which tables use for means over queries,
        are left out with a warning. So is a column of booleans beside columns of scores, unless
        `measures` names it as a measure: then its cells are 0 and 1.

        Examples
        --------
        >>> import pandas as pd
        >>> from irx_measures import ScoreMatrix
        >>> rows = [("bm25", "q1", "AP", 0.5), ("dense", "q1", "AP", 0.7)]
        >>> ScoreMatrix.from_frame(pd.DataFrame(rows, columns=["name", "qid", "measure", "value"]))
        ScoreMatrix: 1 measure x 2 systems x 1 query
                 AP
        system
        bm25    0.5
        dense   0.7
        >>> times = pd.DataFrame({"qid": ["q1", "q2", "q3"], "bm25": [1, 2, 2], "dense": [3, 4, 3]})
        >>> seconds = ScoreMatrix.from_frame(times, "seconds", higher_is_better=False)
        >>> print(*seconds.compare().findings)
        seconds: bm25 is better than dense by 1.667 (95% interval 0.232 to 3.101;
        adjusted p = 0.038)
        """
        long = scores_of_frame(frame, measures)
        return cls(*fields_of(_of_one_collection(long), higher_is_better, strict))

    @classmethod
    def from_files(
        cls,
        paths: PathOrName | FilesLike,
        measures: MeasuresLike | None = None,
        *,
        higher_is_better: bool | Mapping[str, bool] = True,
        strict: bool = True,
    ) -> ScoreMatrix:
        """The scores in files, which may be of any measure; see `from_frame`.

        Parameters
        ----------
        paths
            A file, or several: ``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``, with the columns of
            `from_frame`, or what ``irx evaluate -q`` writes as csv, json or json lines. In a file
            with a row per score and without a column system, the system is called as the file.
        measures, higher_is_better, strict
            As for `from_frame`.

        Raises
        ------
        FileNotFoundError
            When a file does not exist.
        ValueError
            When a file cannot be read, and as for `from_frame`.
        """
        long = scores_of_files(paths, measures)
        return cls(*fields_of(_of_one_collection(long), higher_is_better, strict))

    def compare(self, *systems: NoReturn, **how: Unpack[How]) -> Comparison:
        """Test which systems differ: `irx_measures.compare` on these scores."""
        from ..comparison.compare import compare

        if systems:
            raise TypeError(
                "write `compare(baseline=...)`: it compares every system with the baseline, or all "
                f"pairs without one; got {', '.join(map(repr, systems))}. For two systems: "
                "compare().difference(system, baseline)"
            )
        return compare(scores=self, **how)

    @property
    def undefined(self) -> NDArray[np.bool_]:
        """Which systems have no score on which measures: (measures, systems).

        NRG, UniqueRel and TaSC are undefined for a run that is its own only prior.
        """
        return np.asarray(np.isnan(self.scores).any(axis=2))

    @cached_array
    def aggregates(self) -> FloatArray:
        """Aggregate over queries, the mean for most measures: (measures, systems)."""
        return np.array(
            [
                [aggregate(measure, row) for row in rows]
                for measure, rows in zip(self.measures, self.scores, strict=True)
            ]
        ).reshape(len(self.measures), len(self.systems))

    def means(self) -> DataFrame:
        """Each measure's aggregate over queries: systems x measures, in the order of evaluation.

        The aggregate is the mean. For counting measures of ir_measures, such as NumQ, it is the
        sum. It is NaN if the system has no score.
        """
        import pandas as pd

        return pd.DataFrame(
            self.aggregates.T.copy(),
            index=pd.Index(self.systems, name="system"),
            columns=pd.Index([str(measure) for measure in self.measures], name="measure"),
        )

    def to_columns(self) -> Columns:
        """One row per score: system, query_id, measure, value. Undefined scores have no row."""
        measures = np.array([str(measure) for measure in self.measures], object)
        systems, queries = np.array(self.systems, object), np.array(self.query_ids, object)
        of_measure, of_system, of_query = np.nonzero(~np.isnan(self.scores))
        return {
            "system": systems[of_system],
            "query_id": queries[of_query],
            "measure": measures[of_measure],
            "value": self.scores[of_measure, of_system, of_query],
        }


def with_facts(matrix: ScoreMatrix, facts: Facts) -> ScoreMatrix:
    """The scores with the warnings about their measures that follow from facts."""
    return replace(matrix, warnings=facts.warnings(matrix.measures), facts=facts)


def _of_one_collection(long: LongScores) -> LongScores:
    """The scores; InputError if they are of collections, whose queries may have the same ids."""
    if long.unit == COLLECTION:
        raise InputError(
            f"{long.table} has a column 'collection': read it by "
            "GroupedScores.from_frame or GroupedScores.from_files"
        )
    return long
