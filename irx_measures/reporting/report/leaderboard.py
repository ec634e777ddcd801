"""The section of leaderboards: a table per measure."""

from __future__ import annotations

import numpy as np

from ...common.numeric import FloatArray
from ...comparison.leaderboard import Leaderboard, rank_texts
from .axis import Axis
from .content import Content
from .svg import axis_percent, short, silhouette

# Of the silhouettes, in pixels, as in the design: 3 a topic; above 80 topics, bins in 130 in all.
MOST_TOPICS, TOPIC_WIDTH, BINNED_WIDTH = 80, 3, 130

SILHOUETTE_HEIGHT = 20.0  # pixels: the design's row of 25, less its margins


class Table:
    """What the leaderboard of a measure has beside its numbers: an axis, and silhouettes.

    A silhouette is the area of a system's differences to the reference by topic, sorted; one scale
    is for all systems.
    """

    def __init__(self, content: Content, key: str, board: Leaderboard) -> None:
        self.key, self.board, self.reference = key, board, board.reference
        self.others = [other for other in content.boards if other is not board]
        unscored = (name for name in content.shown.systems if name not in board.place)
        self.systems = [*board.systems, *unscored]
        self.ranks = None if board.ranks is None else rank_texts(board.ranks, "–")
        self.axis = Axis(float(board.lower.min()), float(board.upper.max()))
        differences = board.scores - board.scores[self.reference.place]
        topics = differences.shape[1]
        self.binned = _binned(-np.sort(-differences, axis=1))
        self.width = float(topics * TOPIC_WIDTH if topics <= MOST_TOPICS else BINNED_WIDTH)
        highest = max(float(self.binned.max()), 0.0)
        lowest = max(float(-self.binned.min()), 0.0)
        self.scale = SILHOUETTE_HEIGHT / ((highest + lowest) or 1.0)
        self.view = f"0 -{short(highest * self.scale)} {short(self.width)} {self.height}"

    height = short(SILHOUETTE_HEIGHT)

    def x(self, score: float) -> str:
        """The position of a score on the axis."""
        return axis_percent(self.axis, score)

    def areas(self, place: int) -> tuple[str, str]:
        """The areas of a silhouette above and below zero; the reference has none."""
        if not self.reference.compared[place]:
            return "", ""
        differences = self.binned[place]
        return silhouette(differences, self.width / len(differences), self.scale, self.scale)


def tables(content: Content) -> list[Table]:
    """The leaderboards of all measures."""
    return [
        Table(content, key, board) for key, board in zip(content.keys, content.boards, strict=True)
    ]


def _binned(ordered: FloatArray) -> FloatArray:
    """Means of bins of equal count if there are many topics."""
    topics = ordered.shape[1]
    if topics <= MOST_TOPICS:
        return ordered
    parts = np.array_split(ordered, BINNED_WIDTH // TOPIC_WIDTH, axis=1)
    return np.array([part.mean(axis=1) for part in parts]).T
