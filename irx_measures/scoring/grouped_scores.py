"""GroupedScores: the scores of each group of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..common.nearest import did_you_mean
from ..common.shown import ShownByPandas
from ..common.writing import counted, some
from ..common.writing import shown as quoted
from ..exceptions import InputError
from ..io.groups import read_query_groups
from ..typing import How, QueryGroupsLike
from .score_matrix import ScoreMatrix

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Unpack

    from ..comparison.result import Comparison

MOST_NAMED = 5  # queries or groups in a message, a choice: one line or two


@dataclass(frozen=True, repr=False)
class GroupedScores(ShownByPandas):
    """The scores of each group of queries.

    Attributes
    ----------
    matrix : ScoreMatrix
        The scores of all queries.
    groups : tuple of str
        In the order in which they were given, without groups of no query.
    parts : tuple of ScoreMatrix
        The scores of each group; their systems and measures are the same.
    """

    matrix: ScoreMatrix
    groups: tuple[str, ...]
    parts: tuple[ScoreMatrix, ...]

    def __getitem__(self, group: str) -> ScoreMatrix:
        """The scores of one group; KeyError if there is no such group."""
        return self.parts[place_of(group, self.groups)]

    def _said(self) -> list[str]:
        sizes = [
            f"{group} ({counted(size, 'query', 'queries')})"
            for group, size in zip(self.groups, self.sizes, strict=True)
        ]
        groups = f"{counted(len(sizes), 'group')}: {some(sizes, MOST_NAMED)}"
        return [f"GroupedScores: {self.matrix._size}, {groups}", *self.matrix._said()[1:]]

    def _shown(self) -> pandas.DataFrame:
        return self.means()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of queries of each group."""
        return tuple(len(part.query_ids) for part in self.parts)

    def means(self) -> pandas.DataFrame:
        """Each measure's aggregate over the queries of a group: systems x (measure, group)."""
        import pandas as pd

        means = [part.means() for part in self.parts]
        names = ["group", "measure"]
        table = pd.concat(means, axis=1, keys=self.groups, names=names).swaplevel(axis=1)
        measures = list(map(str, self.matrix.measures))
        return table[[(measure, group) for measure in measures for group in self.groups]]

    def to_frame(self) -> pandas.DataFrame:
        """One row per score: group, system, query_id, measure, value, group by group."""
        import pandas as pd

        frames = {
            group: part.to_frame() for group, part in zip(self.groups, self.parts, strict=True)
        }
        return pd.concat(frames, names=["group"]).reset_index("group").reset_index(drop=True)

    def compare(self, **how: Unpack[How]) -> Comparison:
        """Test which systems differ within each group: `irx_measures.compare` on these scores.

        One correction covers the hypotheses of a measure in all groups. A group of fewer than 3
        queries has means but is not tested; a warning says so. A difference that is significant in
        one group only does not show that the groups differ: the other group may have too few
        queries.
        """
        from ..comparison.compare import compare

        return compare(self, **how)


def group_scores(matrix: ScoreMatrix, groups: QueryGroupsLike, column: str) -> GroupedScores:
    """The scores of each group; see `ScoreMatrix.by`."""
    group_of = read_query_groups(groups, column)
    without = [query for query in matrix.query_ids if query not in group_of]
    if without:
        raise InputError(
            f"no group for {len(without)} of {counted(len(matrix.query_ids), 'query', 'queries')}: "
            f"{some(list(map(quoted, without)), MOST_NAMED)}"
        )
    members: dict[str, list[str]] = {group: [] for group in group_of.values()}
    for query in matrix.query_ids:
        members[group_of[query]].append(query)
    parts = {group: matrix.queries(queries) for group, queries in members.items() if queries}
    return GroupedScores(matrix, tuple(parts), tuple(parts.values()))


def place_of(group: str, groups: Sequence[str]) -> int:
    """The position of a group by its name; KeyError if there is none."""
    if group not in groups:
        hint = did_you_mean(str(group), {name.lower(): repr(name) for name in groups})
        raise KeyError(
            f"{group!r} is not among the groups {some(list(map(repr, groups)), MOST_NAMED)}{hint}"
        )
    return groups.index(group)
