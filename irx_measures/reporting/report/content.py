"""What the sections of the report are made from, and how the page writes names and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from unicodedata import bidirectional

from ...common.escapes import printable
from ...common.names import cut_name, cut_names
from ...common.writing import UNDEFINED, Writing
from ...comparison.board import Leaderboard
from ...comparison.result import Comparison
from ...comparison.shown import ShownSystems, shown_systems
from .documents import PooledDocuments
from .svg import name_width

LONGEST_NAME = 24  # in tables and charts, where a longer name has no room

LONGEST_IN_SENTENCE = 60  # a choice: most names of runs are whole

MINUS = "−"

ISOLATE, END = "\u2068", "\u2069"

TURNING = {"R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}


def number(value: float, places: int = 3) -> str:
    """A score: ``.764``, ``1.000``, ``−.055``; script.js writes it the same way."""
    if isnan(value):
        return UNDEFINED
    digits = f"{abs(value):.{places}f}"
    text = digits[1:] if digits.startswith("0.") else digits
    return f"{MINUS}{text}" if value < 0 and float(digits) else text


def named(name: str) -> str:
    """A name in a sentence: a very long one is cut, and its direction stays its own."""
    short = cut_name(name, LONGEST_IN_SENTENCE)
    turns = any(bidirectional(character) in TURNING for character in name)
    return f"{ISOLATE}{short}{END}" if turns else short


REPORT = Writing(named, number)
"""How the report writes the sentences of results."""


@dataclass(frozen=True)
class Content:
    """Everything that the report shows."""

    result: Comparison  # the tested scores
    documents: PooledDocuments | None  # None if no runs were given
    titles: Mapping[str, str]  # the text of each topic that has one
    texts: Mapping[str, str]  # the text of each document that has one
    facts: Mapping[str, str]  # what else the first lines say, by its name
    by: Comparison | None = None  # within groups of queries; None if there are no groups

    @property
    def baseline(self) -> str | None:
        """The baseline that the page names: the first one; None if there is none."""
        return self.result.baselines[0] if self.result.baselines else None

    @cached_property
    def shown(self) -> ShownSystems:
        """The systems that the page shows."""
        return shown_systems(self.result)

    @cached_property
    def boards(self) -> dict[str, Leaderboard]:
        """The leaderboards with the shown systems, by the class of a measure's elements."""
        boards = (board.only(self.shown.systems) for board in self.result.boards)
        return {f"m{number}": board for number, board in enumerate(boards, 1)}

    @property
    def first(self) -> Leaderboard:
        """The leaderboard of the first measure."""
        return self.boards["m1"]

    @cached_property
    def groups(self) -> dict[str, str]:
        """The group of each system; empty if there are no groups."""
        matrix = self.result.matrix
        return dict(zip(matrix.systems, matrix.groups or (), strict=False))

    @cached_property
    def short(self) -> dict[str, str]:
        """What the page calls each system and group: no two of them are equal."""
        of_queries = () if self.by is None else self.by.groups
        if self.result.grouped is not None:
            of_queries = self.result.grouped.groups
        names = [*self.result.matrix.systems, *self.groups.values(), *of_queries]
        return cut_names(names, LONGEST_NAME)

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

    def width(self, name: str) -> float:
        """The width of a system's name in a chart, in pixels: a baseline's name is bold."""
        return name_width(self.short[name], name == self.baseline)
