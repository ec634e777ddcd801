"""The section of leaderboards: a table per measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...common.arrays import FloatArray
from ...comparison.axis import ends
from ..leaderboard import MOST_LETTERS, MOST_SYSTEMS
from ..strip import Axis
from .content import Board, Content
from .svg import inside, share, short, silhouette
from .words import UNDEFINED, difference, number, p_value, span

MOST_TOPICS, TOPIC_WIDTH, BINNED_WIDTH = 80, 3, 130  # of the silhouettes, in pixels

SILHOUETTE_HEIGHT = 20.0


class Strip(NamedTuple):
    """The interval and the mean of a system on the axis, in percent."""

    low: str
    high: str
    mean: str
    off_left: bool
    off_right: bool


class Row(NamedTuple):
    """A system in the leaderboard, as text."""

    rank: str
    name: str
    group: str
    best: bool
    is_baseline: bool
    strip: Strip | None
    mean: str
    interval: str
    others: list[str]
    letters: str
    difference: str
    p: str
    above: str
    below: str


class Table(NamedTuple):
    """The leaderboard of a measure.

    Attributes
    ----------
    key, label
        As in `Board`.
    others
        The labels of the other measures.
    reference
        The system that is subtracted.
    marked
        The position of the baseline's mean on the axis; None without baseline.
    ticks
        Positions and labels.
    width, height, zero
        Size of a silhouette, and the position of zero.
    has_groups, has_letters
        Whether there are these columns.
    """

    key: str
    label: str
    others: list[str]
    reference: str
    marked: str | None
    ticks: list[tuple[str, str]]
    width: str
    height: str
    zero: str
    has_groups: bool
    has_letters: bool
    rows: list[Row]


def tables(content: Content) -> list[Table]:
    """The leaderboards of all measures."""
    return [_table(content, board) for board in content.boards]


def shows_letters(board: Board) -> bool:
    """Whether letters are few enough to be read."""
    letters = board.board.letters
    return (
        letters is not None
        and len(letters) <= MOST_SYSTEMS
        and len(set("".join(letters))) <= MOST_LETTERS
    )


def _table(content: Content, board: Board) -> Table:
    low, high = ends(board.board.lower, board.board.upper)
    axis = Axis(low, high, 1)
    others = [other for other in content.boards if other is not board]
    silhouettes = _Silhouettes(board)
    rows = [_row(content, board, axis, others, place, silhouettes) for place in _places(board)]
    rows += [
        _undefined(content, name, others)
        for name in content.result.matrix.systems
        if name not in board.place
    ]
    reference = board.board.systems.index(board.reference)
    mean = float(board.board.mean[reference])
    marked = board.reference == content.baseline and inside(axis, mean)
    return Table(
        board.key,
        board.label,
        [other.label for other in others],
        board.reference,
        share(axis, mean) if marked else None,
        [(share(axis, tick), number(tick, 2)) for tick in axis.ticks],
        short(silhouettes.width),
        short(SILHOUETTE_HEIGHT),
        short(silhouettes.zero),
        bool(content.groups),
        shows_letters(board),
        rows,
    )


def _places(board: Board) -> range:
    return range(len(board.board))


def _row(
    content: Content,
    board: Board,
    axis: Axis,
    others: Sequence[Board],
    place: int,
    silhouettes: _Silhouettes,
) -> Row:
    found = board.board
    name, reference = found.systems[place], found.systems.index(board.reference)
    mean, lower, upper = (float(part[place]) for part in (found.mean, found.lower, found.upper))
    is_reference = place == reference
    above, below = ("", "") if is_reference else silhouettes.of(place)
    what = "baseline" if board.reference == content.baseline else "best"
    return Row(
        span(int(found.rank_low[place]), int(found.rank_high[place])),
        name,
        content.groups.get(name, ""),
        bool(found.best[place]),
        name == content.baseline,
        _strip(axis, mean, lower, upper),
        number(mean),
        f"{content.level} interval {number(lower)} to {number(upper)}",
        [_mean(other, name) for other in others],
        found.letters[place] if found.letters else "",
        what if is_reference else difference(mean - float(found.mean[reference])),
        "" if is_reference else p_value(float(board.p_adjusted[place, reference])),
        above,
        below,
    )


def _undefined(content: Content, name: str, others: Sequence[Board]) -> Row:
    """The row of a system without a score on the measure."""
    means = [_mean(other, name) for other in others]
    group = content.groups.get(name, "")
    is_baseline = name == content.baseline
    return Row(
        UNDEFINED, name, group, False, is_baseline, None, UNDEFINED, "no score", means,
        "", UNDEFINED, UNDEFINED, "", "",
    )  # fmt: skip


def _mean(board: Board, name: str) -> str:
    if name not in board.place:
        return UNDEFINED
    return number(float(board.board.mean[board.board.systems.index(name)]))


def _strip(axis: Axis, mean: float, lower: float, upper: float) -> Strip:
    return Strip(
        share(axis, max(lower, axis.low)),
        share(axis, min(upper, axis.high)),
        share(axis, mean),
        mean < axis.low,
        mean > axis.high,
    )


class _Silhouettes:
    """Differences to the reference by topic, sorted; one scale for all systems."""

    def __init__(self, board: Board) -> None:
        reference = board.board.systems.index(board.reference)
        differences = board.scores - board.scores[reference]
        ordered = -np.sort(-differences, axis=1)
        self.binned = _binned(ordered)
        topics = ordered.shape[1]
        self.width = float(topics * TOPIC_WIDTH if topics <= MOST_TOPICS else BINNED_WIDTH)
        highest = max(float(self.binned.max()), 0.0)
        lowest = max(float(-self.binned.min()), 0.0)
        self.scale = SILHOUETTE_HEIGHT / ((highest + lowest) or 1.0)
        self.zero = highest * self.scale

    def of(self, place: int) -> tuple[str, str]:
        """The areas above and below zero."""
        differences = self.binned[place]
        return silhouette(differences, self.width / len(differences), self.scale, self.scale)


def _binned(ordered: FloatArray) -> FloatArray:
    """Means of bins of equal count if there are many topics."""
    topics = ordered.shape[1]
    if topics <= MOST_TOPICS:
        return ordered
    parts = np.array_split(ordered, BINNED_WIDTH // TOPIC_WIDTH, axis=1)
    return np.array([part.mean(axis=1) for part in parts]).T
