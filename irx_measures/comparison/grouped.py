"""GroupedComparison: which systems differ within which group of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..common.warn import warn
from ..common.writing import some
from ..exceptions import InputError
from ..io.frames import frame
from ..measures.named_score import lower_is_better
from ..scoring.grouped_scores import MOST_NAMED, GroupedScores, place_of
from ..stats.results import Columns, StudyResult
from ..typing import ComparisonCorrection, ComparisonTest, MeasureLike
from .compare import FEWEST_TOPICS, checked_systems, tested_parts, warn_left_out
from .how_tested import method_text
from .hypotheses import Hypotheses, Tested
from .leaderboard import Leaderboard
from .method import Method
from .paper_table import html_table, latex_table, markdown_table
from .result import Comparison, checked_places, hypotheses_of
from .score_table import PLACES, ScoreTable, grouped_name, score_table

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class GroupedComparison(StudyResult):
    """Which systems differ within which group of queries, and by how much.

    ``result[group]`` is the `Comparison` of one group. Its p-values and intervals are corrected
    for the hypotheses of all groups.

    Attributes
    ----------
    scores : GroupedScores
        The scores of all groups. Those with fewer than 3 queries are not compared.
    method : Method
        Test, correction, level, resamples and seed.
    baselines : tuple of str
        The systems that the others are compared with; empty if all pairs are compared.
    tested : tuple of Tested
        The tested hypotheses of every measure and group.
    """

    scores: GroupedScores
    method: Method
    baselines: tuple[str, ...] = ()
    tested: tuple[Tested, ...] = field(compare=False, default=())

    filled = None  # groups are compared without worlds of unjudged documents

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the compared groups."""
        return _large_groups(self.scores)

    def __getitem__(self, group: str) -> Comparison:
        """The comparison of one group; KeyError if there is no such group."""
        return self._parts[place_of(group, self.groups)]

    @cached_property
    def _parts(self) -> tuple[Comparison, ...]:
        return tuple(
            Comparison(
                self.scores[group],
                self.method,
                self.baselines,
                tuple(part for part in self.tested if part.hypotheses.group == group),
            )
            for group in self.groups
        )

    def to_columns(self) -> Columns:
        """One row per group, measure and hypothesis; see `to_frame`."""
        columns = [part.to_columns() for part in self._parts]
        return {
            name: np.concatenate([np.asarray(part[name]) for part in columns])
            for name in columns[0]
        }

    def to_latex(self, *, systems: Sequence[str] | None = None, places: int = PLACES) -> str:
        """The scores in LaTeX, with a column per measure and group; see `Comparison.to_latex`."""
        return latex_table(self.paper_table(systems), self.tested, checked_places(places))

    def to_markdown(self, *, systems: Sequence[str] | None = None, places: int = PLACES) -> str:
        """The scores as a table in Markdown, as GitHub shows it; see `to_latex`."""
        return markdown_table(self.paper_table(systems), self.tested, checked_places(places))

    def to_html(self, *, systems: Sequence[str] | None = None, places: int = PLACES) -> str:
        """The scores as a table in HTML; see `to_latex`."""
        return html_table(self.paper_table(systems), self.tested, checked_places(places))

    def paper_table(self, systems: Sequence[str] | None = None) -> ScoreTable:
        """The means of the systems as papers print them: all systems, or some."""
        letters = [board.letters_by_system for board in self.boards]
        known = self.scores.matrix.systems
        return score_table(self.tested, known, self.baselines, systems, letters)

    @property
    def significant(self) -> int:
        """Number of rejected hypotheses, of all measures and groups."""
        return sum(part.significant for part in self.tested)

    @property
    def labels(self) -> dict[str, str]:
        """Heads of the measures in the groups by their labels, in the order of the tests."""
        names = dict(zip(self._measures, self._parts[0].labels.items(), strict=True))
        return {
            grouped_name(label, group): grouped_name(head, group)
            for part in self.tested
            for (label, head), group in [
                (names[str(part.hypotheses.measure)], part.hypotheses.group)
            ]
        }

    @property
    def _measures(self) -> list[str]:
        return list(dict.fromkeys(str(part.hypotheses.measure) for part in self.tested))

    def board_of(self, part: Tested) -> Leaderboard:
        """The leaderboard of the measure and the group of some of the tests."""
        return self[part.hypotheses.group or ""].board(part.hypotheses.measure)

    @cached_property
    def boards(self) -> tuple[Leaderboard, ...]:
        """The leaderboards of all measures and groups."""
        return tuple(map(self.board_of, self.tested))

    def boards_of(self, measure: MeasureLike | None = None) -> dict[str, Leaderboard]:
        """The leaderboard of every group on a measure, which may be omitted if there is one."""
        return {group: self[group].board(measure) for group in self.groups}

    def ordered_systems(self, measure: MeasureLike | None = None) -> list[str]:
        """The systems by their means over the queries of all groups, best first."""
        total: dict[str, float] = {}
        for board in self.boards_of(measure).values():
            gains = board.tested.hypotheses.direction * board.topics * board.mean
            for system, gain in zip(board.systems, gains.tolist(), strict=True):
                total[system] = total.get(system, 0.0) + gain
        return sorted(total, key=lambda system: -round(total[system], 9))

    @property
    def summary(self) -> str:
        """The result in one line."""
        return "; ".join(self.findings)

    @property
    def findings(self) -> list[str]:
        """What was found in each measure and group, with their names."""
        found = {
            (tested.hypotheses.measure, tested.hypotheses.group): finding
            for part in self._parts
            for tested, finding in zip(part.tested, part.findings, strict=True)
        }
        return [
            f"{name}: {found[part.hypotheses.measure, part.hypotheses.group]}"
            for name, part in zip(self.labels, self.tested, strict=True)
        ]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the scores may not answer the question: what `evaluate` warned of."""
        return self.scores.matrix.warnings

    def _said(self) -> list[str]:
        return [
            *super()._said(),
            *lower_is_better(dict.fromkeys(part.hypotheses.measure for part in self.tested)),
            f"tests: {method_text(self.tested)}",
            *(f"warning: {text}" for text in self.warnings),
        ]

    def _shown(self) -> DataFrame:
        kept = ("group", "measure", "system", "baseline", "difference", "p_adjusted")
        columns = self.to_columns()
        return frame({name: columns[name] for name in kept})


AnyComparison: TypeAlias = Comparison | GroupedComparison


def compare_groups(
    scores: GroupedScores,
    *,
    baseline: str | Sequence[str] | None,
    test: ComparisonTest,
    correction: ComparisonCorrection,
    level: float,
    resamples: int,
    seed: int,
    prior_topics: float,
    progress: bool | None,
) -> GroupedComparison:
    """Test which systems differ within each group; see `GroupedScores.compare`."""
    method = Method.of(test, correction, level, resamples, seed, prior_topics)
    result = compare_grouped_scores(scores, method, baseline, progress)
    warn_left_out(scores.matrix, [part.hypotheses for part in result.tested])
    return result


def compare_grouped_scores(
    scores: GroupedScores,
    method: Method,
    baseline: str | Sequence[str] | None = None,
    progress: bool | None = None,
) -> GroupedComparison:
    """`compare_groups` for a checked method, without warnings of systems that have no score."""
    names = checked_systems(scores.matrix.systems, baseline)
    large = _large_groups(scores)
    if not large:
        raise InputError(
            f"a comparison needs at least {FEWEST_TOPICS} queries in a group; "
            f"{len(scores.groups)} groups have at most {max(scores.sizes)}"
        )
    small = [group for group in scores.groups if group not in large]
    if small:
        warn(
            f"groups of fewer than {FEWEST_TOPICS} queries have means but are not compared: "
            f"{some(list(map(repr, small)), MOST_NAMED)}"
        )
    tested = tested_parts(scores.matrix, _hypotheses(scores, names), method, progress)
    return GroupedComparison(scores, method, names, tested)


def _large_groups(scores: GroupedScores) -> tuple[str, ...]:
    """The groups with enough queries for a test."""
    sized = zip(scores.groups, scores.sizes, strict=True)
    return tuple(group for group, size in sized if size >= FEWEST_TOPICS)


def _hypotheses(scores: GroupedScores, baselines: Sequence[str]) -> list[Hypotheses]:
    """The hypotheses of all groups, measure by measure."""
    parts = [
        part
        for group in _large_groups(scores)
        for part in hypotheses_of(scores[group], baselines, group)
    ]
    order = scores.matrix.measures
    return sorted(parts, key=lambda part: order.index(part.measure))
