"""What the sections of the report are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ...common.escapes import printable
from ...common.names import cut_names
from ...common.numbers import level_text
from ...common.writing import Writing
from ...comparison.leaderboard import Leaderboard
from ...comparison.result import Comparison
from ...comparison.shown import ShownSystems, shown_systems
from .documents import PooledDocuments
from .text_widths import name_width
from .words import REPORT, named

LONGEST_NAME = 24  # in tables and charts, where a longer name has no room


@dataclass(frozen=True)
class Content:
    """Everything that the report shows.

    Attributes
    ----------
    title
    result
        The tested scores.
    baseline
        The baseline that the page names, the first of the comparison; None if there is none.
    documents
        None if no runs were given.
    titles
        The text of each topic that has one.
    texts
        The text of each document that has one.
    by
        The comparison within groups of queries; None if there are no groups.
    """

    title: str
    result: Comparison
    baseline: str | None
    documents: PooledDocuments | None
    titles: Mapping[str, str]
    texts: Mapping[str, str]
    by: Comparison | None = None

    @cached_property
    def shown(self) -> ShownSystems:
        """The systems that the page shows."""
        return shown_systems(self.result)

    @cached_property
    def boards(self) -> tuple[Leaderboard, ...]:
        """The leaderboards of all measures, with the systems that the page shows."""
        return tuple(board.only(self.shown.systems) for board in self.result.boards)

    @property
    def keys(self) -> list[str]:
        """The class of each measure's elements: ``m1``, ``m2``, ..."""
        return [f"m{number + 1}" for number in range(len(self.boards))]

    @property
    def level(self) -> str:
        """The confidence level, such as ``95%``."""
        return level_text(self.result.method.level)

    @property
    def warnings(self) -> list[str]:
        """Why the scores may not answer the question."""
        return [printable(text) for text in self.result.warnings]

    @property
    def topics(self) -> tuple[str, ...]:
        return self.result.matrix.query_ids

    @property
    def groups(self) -> dict[str, str]:
        """The group of each system; empty if there are no groups."""
        matrix = self.result.matrix
        return dict(zip(matrix.systems, matrix.groups or (), strict=False))

    @cached_property
    def short(self) -> dict[str, str]:
        """What the page calls each system and group: no two of them are equal."""
        return cut_names([*self.result.matrix.systems, *self.groups.values()], LONGEST_NAME)

    def width(self, name: str) -> float:
        """The width of a system's name in a chart, in pixels: a baseline's name is bold."""
        return name_width(self.short[name], name == self.baseline)

    @property
    def cut(self) -> dict[str, str]:
        """The whole names, by the short ones, of those that are not shown whole."""
        names = [*self.shown.systems, *self.groups.values()]
        whole = {self.short[name]: printable(name) for name in names}
        return {short: name for short, name in whole.items() if short != name}

    @property
    def writing(self) -> Writing:
        """How the page writes the sentences of results."""
        return REPORT._replace(name=lambda name: named(self.short[name]))
