"""The table of papers: systems x measures, the best in bold, marks per baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from math import isnan

import numpy as np

from ..common.markup import Markup
from ..common.numeric import BoolArray, FloatArray, highest
from ..exceptions import InputError
from ..measures.labels import short_labels
from ..stats.letters import letter_names
from .hypotheses import Tested

PLACES = 3  # as papers print scores

SINGLE_LETTERS = 26  # of the alphabet; then aa, ab, ..., with commas between

# With more, letters are harder to read than rank intervals: TREC DL 2019 needs 14 for its 37 runs.
MOST_LETTERS, MOST_SYSTEMS = 6, 15


@dataclass(frozen=True)
class ScoreTable:
    """Means of systems and measures, with what is best and which baselines are beaten.

    Attributes
    ----------
    systems : tuple of str
        Best first, by the first measure; systems without a score on it come last.
    measures : tuple of str
        Short labels; with the group if queries are grouped.
    means : (systems, measures) floats
        NaN for undefined scores.
    best : (systems, measures) bool
        The best mean of each measure.
    marks
        Per system and measure, the letters of the baselines that are significantly worse; without
        baselines, letters that systems share if they do not differ, if they can be read.
    baselines
        The baselines by their letters.
    """

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    means: FloatArray
    best: BoolArray
    marks: Sequence[Sequence[tuple[str, ...]]]
    baselines: dict[str, str]

    def number(self, row: int, column: int, places: int, undefined: str) -> str:
        """A mean as text."""
        mean = float(self.means[row, column])
        if isnan(mean):
            return undefined
        return str(mean) if places == -1 else f"{mean:.{places}f}"

    def cell(self, row: int, column: int, places: int, markup: Markup) -> str:
        """A mean with its marks."""
        number = self.number(row, column, places, markup.undefined)
        marks = self.joined(self.marks[row][column])
        text = markup.bold(number) if self.best[row, column] else number
        return text + markup.raised(marks)

    def cells(self, row: int, places: int, markup: Markup) -> list[str]:
        """The cells of a row, without the system."""
        return [self.cell(row, column, places, markup) for column in range(len(self.measures))]

    @property
    def has_letters(self) -> bool:
        """Whether the marks are letters of systems that do not differ."""
        return not self.baselines and any(map(any, self.marks))

    def without_marks(self) -> ScoreTable:
        """The means alone."""
        return replace(self, marks=[[()] * len(self.measures)] * len(self.systems))

    def widest_marks(self, column: int) -> str:
        """The longest mark of a column."""
        return max((self.joined(marks[column]) for marks in self.marks), key=len)

    def joined(self, letters: Sequence[str]) -> str:
        """Letters as one mark; beyond 26 baselines, commas separate ``aa`` from ``a`` and ``a``."""
        return ("" if len(self.baselines) <= SINGLE_LETTERS else ",").join(letters)


def score_table(
    tested: Sequence[Tested],
    known: Sequence[str],
    baselines: Sequence[str],
    systems: Sequence[str] | None,
    letters: Sequence[Mapping[str, str]] = (),
) -> ScoreTable:
    """Arrange tested hypotheses as a table.

    Parameters
    ----------
    tested
        The hypotheses of every measure.
    known
        The names of all systems.
    baselines
        The baselines in the order of their letters.
    systems
        The systems to show; None shows all.
    letters
        For each measure, the letters of the systems, which share one if they do not differ.

    Raises
    ------
    InputError
        If a system is unknown, or no system is to be shown.
    """
    shown = list(known) if systems is None else _known(systems, known)
    means, better = _means_and_better(tested, known)
    chosen = [list(known).index(name) for name in shown]
    gains = means * [part.hypotheses.direction for part in tested]
    rows = sorted(chosen, key=lambda row: _descending(gains[row, 0]))
    names = letter_names(len(baselines))
    against = [list(known).index(name) for name in baselines]
    beaten = [
        [
            tuple(compress(names, better[column, row, against].tolist()))
            for column in range(len(tested))
        ]
        for row in rows
    ]
    shared = [[tuple(of.get(known[row], "")) for of in _readable(letters)] for row in rows]
    return ScoreTable(
        tuple(known[row] for row in rows),
        tuple(_column_names(tested)),
        means[rows],
        highest(gains[rows]),
        shared if letters and not baselines else beaten,
        dict(zip(names, baselines, strict=True)),
    )


def _readable(letters: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """The letters of each measure if there are few systems and letters, else none."""
    return [
        of if len(of) <= MOST_SYSTEMS and len({*"".join(of.values())}) <= MOST_LETTERS else {}
        for of in letters
    ]


def _column_names(tested: Sequence[Tested]) -> list[str]:
    """The measure of each column, and its group."""
    measures = list(dict.fromkeys(part.hypotheses.measure for part in tested))
    labels = dict(zip(measures, short_labels(measures), strict=True))
    return [grouped_name(labels[part.hypotheses.measure], part.hypotheses.group) for part in tested]


def grouped_name(measure: str, group: str | None) -> str:
    """What a column or a sentence calls a measure in a group."""
    return measure if group is None else f"{measure}, {group}"


def _known(systems: Sequence[str], known: Sequence[str]) -> list[str]:
    if isinstance(systems, str):
        raise TypeError(f"`systems` must be a list of names; got {systems!r}")
    names = list(dict.fromkeys(systems))
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        got = repr(unknown[0]) if unknown else "an empty list"
        raise InputError(f"`systems` must name some of the {len(known)} systems; got {got}")
    return names


def _means_and_better(
    tested: Sequence[Tested], known: Sequence[str]
) -> tuple[FloatArray, BoolArray]:
    """Means (systems, measures), and which system is better than which, per measure."""
    means = np.full((len(known), len(tested)), np.nan)
    better = np.zeros((len(tested), len(known), len(known)), bool)
    positions = {name: position for position, name in enumerate(known)}
    for column, part in enumerate(tested):
        scored = [positions[name] for name in part.hypotheses.systems]
        means[scored, column] = part.hypotheses.scores.mean(axis=1)
        better[column][np.ix_(scored, scored)] = part.better
    return means, better


def _descending(mean: float) -> float:
    """A key for sorting: the highest number first, undefined ones last."""
    return float("inf") if isnan(mean) else -round(float(mean), 12)
