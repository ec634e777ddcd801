"""Scores of several groups of queries, or of several collections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..common.escapes import printable
from ..common.short_paths import public
from ..common.writing import counted, nearest_of, some
from ..measures.naming.labels import labels_of_measures
from ..results.base import Columns, StudyResult
from ..results.frames import DataFrame
from ..typing import ArrowTable, FilesLike, GroupedHow, MeasuresLike, PathOrName
from .aggregates import is_summed
from .collections import alike, pooled
from .score_columns import COLLECTION, GROUP
from .score_matrix import MOST_NAMED, ScoreMatrix
from .score_tables import (
    LongScores,
    fields_of,
    groups_of_queries,
    scores_of_collections,
    scores_of_files,
    scores_of_frame,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..comparison.result import Comparison


@public
@dataclass(frozen=True, eq=False, repr=False)
class GroupedScores(StudyResult):
    """The scores of each group of queries, or of several collections.

    Attributes
    ----------
    matrix : ScoreMatrix
        The scores of all queries. Those of a collection are called ``scifact/1``.
    groups : tuple of str
        In the order in which they were given, without groups of no query.
    parts : tuple of ScoreMatrix
        The scores of each group; their systems and measures are the same.
    unit : {'group', 'collection'}
        What a group is; also the name of its column in tables.

    See Also
    --------
    irx_measures.ScoreMatrix.by : Makes those of groups of queries.
    irx_measures.compare : Tests which systems differ in each group.
    """

    matrix: ScoreMatrix
    groups: tuple[str, ...]
    parts: tuple[ScoreMatrix, ...]
    unit: Literal["group", "collection"] = GROUP

    @classmethod
    def of(cls, collections: Mapping[str, ScoreMatrix], *, strict: bool = True) -> GroupedScores:
        """The scores of the same systems on several collections.

        Parameters
        ----------
        collections
            The scores by the names of the collections. The strings of their measures are the same.
        strict
            Whether it is an error that a system has no scores on a collection. If false, the system
            is left out with a warning.

        Returns
        -------
        GroupedScores
            Its parts keep the ids of their queries.

        Raises
        ------
        ValueError
            When there is no collection, measures or their directions differ, or a system lacks a
            collection.
        TypeError
            When a value is no ScoreMatrix.

        Examples
        --------
        >>> import irx_measures
        >>> from irx_measures import GroupedScores
        >>> scores = {}
        >>> for name, seed in [("news", 1), ("law", 2), ("health", 3)]:
        ...     made = irx_measures.simulate_campaign(systems=3, queries=20, seed=seed)
        ...     scores[name] = irx_measures.evaluate(made.qrels, made.runs, "nDCG@10")
        >>> collections = GroupedScores.of(scores)
        >>> collections.macro.means().round(3)
        measure    nDCG@10
        system
        lexical-a    0.832
        lexical-b    0.849
        lexical-c    0.828
        """
        found = alike(collections, strict)
        return cls(pooled(found, collections), tuple(found), tuple(found.values()), COLLECTION)

    @classmethod
    def from_frame(
        cls,
        frame: DataFrame | ArrowTable,
        measures: MeasuresLike | None = None,
        *,
        higher_is_better: bool | Mapping[str, bool] = True,
        strict: bool = True,
    ) -> GroupedScores:
        """The scores of a table with the column group or collection, as `to_frame` makes it.

        Parameters
        ----------
        frame, measures, higher_is_better, strict
            As for `ScoreMatrix.from_frame`. In the column group, each query has one group. In the
            column collection, a query is of the collection of its row; `strict` is also as for
            `of`.

        Returns
        -------
        GroupedScores
            Its groups are in the order of the table.

        Raises
        ------
        ValueError
            When a row has no group, a query has two, a system lacks a collection, and as for
            `ScoreMatrix.from_frame`.

        See Also
        --------
        irx_measures.ScoreMatrix.by : The groups of scores from another table.
        """
        long = scores_of_frame(frame, measures)
        return cls.of_long(long, higher_is_better, strict)

    @classmethod
    def from_files(
        cls,
        paths: PathOrName | FilesLike,
        measures: MeasuresLike | None = None,
        *,
        higher_is_better: bool | Mapping[str, bool] = True,
        strict: bool = True,
    ) -> GroupedScores:
        """The scores in files with the column group or collection; see `from_frame`.

        ``irx evaluate -q`` writes such files with ``--by`` and with ``--collections``.

        Parameters
        ----------
        paths, measures, higher_is_better, strict
            As for `from_frame` and `ScoreMatrix.from_files`.

        Returns
        -------
        GroupedScores
            Its groups are in the order of the files.

        Raises
        ------
        FileNotFoundError
            When a file does not exist.
        ValueError
            When a row has no group, a query has two, a system lacks a collection, and as for
            `ScoreMatrix.from_files`.

        See Also
        --------
        irx_measures.ScoreMatrix.by : The groups of scores from another table.
        """
        long = scores_of_files(paths, measures)
        return cls.of_long(long, higher_is_better, strict)

    @classmethod
    def of_long(
        cls,
        long: LongScores,
        higher_is_better: bool | Mapping[str, bool],
        strict: bool,
    ) -> GroupedScores:
        """The scores of a table with a row per score."""
        if long.unit != COLLECTION:
            fields = fields_of(long, higher_is_better, strict)
            return ScoreMatrix(*fields).by(groups_of_queries(long))
        found = {}
        for name, part in scores_of_collections(long).items():
            fields = fields_of(part, higher_is_better, strict, f"{name}: ")
            found[name] = ScoreMatrix(*fields)
        return cls.of(found, strict=strict)

    def __getitem__(self, group: str) -> ScoreMatrix:
        """The scores of one group; KeyError if there is no such group."""
        return self.parts[place_of(group, self.groups)]

    @property
    def summary(self) -> str:
        """The numbers of measures and systems, and the groups with their numbers of queries."""
        sizes = [
            f"{group} ({counted(size, 'query', 'queries')})"
            for group, size in zip(self.groups, self.sizes, strict=True)
        ]
        named = printable(some(sizes, MOST_NAMED))
        return f"{self.matrix._size}, {counted(len(sizes), self.unit)}: {named}"

    def _said(self) -> list[str]:
        return [*super()._said(), *self.matrix._said()[1:]]

    def _shown(self) -> DataFrame:
        labels = labels_of_measures(self.matrix.measures)
        return self.means().rename(columns=labels, level="measure")

    def renamed(self, names: Mapping[str, str]) -> GroupedScores:
        """The same scores with other names of systems; see `ScoreMatrix.renamed`."""
        parts = tuple(part.renamed(names) for part in self.parts)
        return replace(self, matrix=self.matrix.renamed(names), parts=parts)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of queries of each group."""
        return tuple(len(part.query_ids) for part in self.parts)

    @cached_property
    def macro(self) -> ScoreMatrix:
        """The means of the groups as scores, one "query" per group: measures x systems x groups.

        Its means are macro means: each group has the same weight. They are undefined for a system
        without a score on a group, and for measures that are sums over queries, such as NumRet.
        """
        scores = np.stack([part.aggregates for part in self.parts], axis=2)
        summed = [is_summed(measure) for measure in self.matrix.measures]
        scores[np.array(summed, bool)] = np.nan
        return replace(self.matrix, query_ids=self.groups, scores=scores, facts=None)

    def means(self) -> DataFrame:
        """Each measure's aggregate over the queries of a group: systems x (measure, group)."""
        import pandas as pd

        means = [part.means() for part in self.parts]
        names = [self.unit, "measure"]
        table = pd.concat(means, axis=1, keys=self.groups, names=names).swaplevel(axis=1)
        measures = list(map(str, self.matrix.measures))
        return table[[(measure, group) for measure in measures for group in self.groups]]

    def to_columns(self) -> Columns:
        """One row per score: group (or collection), system, query_id, measure, value."""
        parts = [part.to_columns() for part in self.parts]
        rows = [len(part["value"]) for part in parts]
        columns: Columns = {self.unit: np.repeat(np.array(self.groups, object), rows)}
        for name in parts[0]:
            columns[name] = np.concatenate([part[name] for part in parts])
        return columns

    def compare(self, **how: Unpack[GroupedHow]) -> Comparison:
        """Test which systems differ, in each group or on the macro mean of all groups.

        Parameters
        ----------
        macro : {None, 'queries', 'groups', 'none'}
            By default, ``queries`` for collections, else ``none``.

            - ``none``: within each group. One correction covers the hypotheses of a measure in all
              groups. A group of fewer than 3 queries has means but is not tested; a warning says
              so. A difference that is significant in one group only does not show that the groups
              differ: the other group may have too few queries.
            - ``queries``: the macro mean, in which each group has the same weight, of these groups.
              It is uncertain because other queries might have been drawn. Student's t only, from 2
              groups of at least 5 queries.
            - ``groups``: the macro mean of groups like these: it is uncertain because other groups
              might have been chosen. From 3 groups, by any test of `irx_measures.compare`.
        **how
            The other parameters are those of `irx_measures.compare`: baseline, test, correction,
            level, resamples, seed, prior_topics, progress, limits.

        Returns
        -------
        Comparison
            With macro means, its `matrix` has the means of the groups, and `topics` counts groups.

        Raises
        ------
        ValueError
            When there are too few groups, or queries in one; when a measure is a sum over queries,
            or the test is not for the question; and as for `irx_measures.compare`.

        Notes
        -----
        With d_c the mean difference in group c of C, s_c its standard deviation over the n_c
        queries, ``D = mean of d_c``:

        - queries: ``SE^2 = sum of v_c / C^2`` with ``v_c = s_c^2 / n_c``, and Student's t with
          ``(sum of v_c)^2 / sum of v_c^2 / (n_c - 1)`` degrees of freedom (Welch, Satterthwaite),
          or with those of each group's mean v_c over all tested pairs if they are fewer: a raw p
          depends on the other pairs
        - groups: the t test of the d_c, with C - 1 degrees of freedom. It is conservative where
          groups differ in their variance (Ibragimov and Müller, 2010).

        Examples
        --------
        >>> import irx_measures
        >>> from irx_measures import GroupedScores
        >>> scores = {}
        >>> for name, seed in [("news", 1), ("law", 2), ("health", 3)]:
        ...     made = irx_measures.simulate_campaign(systems=6, queries=20, seed=seed)
        ...     scores[name] = irx_measures.evaluate(made.qrels, made.runs, "nDCG@10")
        >>> collections = GroupedScores.of(scores)
        >>> result = collections.compare(macro="queries", baseline="lexical-a")
        >>> print(result.summary)
        nDCG@10, macro mean of 3 collections: 0 of 5 systems are significantly better than
        lexical-a, 3 significantly worse
        """
        from ..comparison.compare import compare

        return compare(scores=self, **how)


def scores_in_files(
    paths: PathOrName | FilesLike,
    measures: MeasuresLike | None,
    higher_is_better: bool | Mapping[str, bool],
    strict: bool,
) -> ScoreMatrix | GroupedScores:
    """The scores in files: of collections, if they have a column of them."""
    long = scores_of_files(paths, measures)
    if long.unit == COLLECTION:
        return GroupedScores.of_long(long, higher_is_better, strict)
    return ScoreMatrix(*fields_of(long, higher_is_better, strict))


def place_of(group: str, groups: Sequence[str]) -> int:
    """The position of a group by its name; KeyError if there is none."""
    if group not in groups:
        hint = nearest_of(group, groups)
        raise KeyError(
            f"{group!r} is not among the groups {some(list(map(repr, groups)), MOST_NAMED)}{hint}"
        )
    return groups.index(group)
