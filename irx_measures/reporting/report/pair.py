"""The section of two systems: their scores topic by topic, and what both return."""

from __future__ import annotations

import numpy as np

from ...common.numeric import BoolArray, FloatArray
from ...comparison.difference import difference_of
from ...comparison.leaderboard import Leaderboard
from ...stats.ranks import rounded
from .content import Content
from .documents import NOTHING, UNJUDGED, PooledDocuments
from .svg import short
from .words import number

MOST_TOPICS, MOST_SHOWN = 100, 40  # the design's: above 100 topics, the 40 largest of each sign

LONGEST_TEXT = 120  # characters: the design's first 120

ROW_HEIGHT = 24  # pixels: a line of 14 with padding; style.css has the same


class RankedDocument:
    """A document of a ranking.

    Attributes
    ----------
    rank, name, text
    grade
        As text; ``?`` if the document is unjudged.
    shade
        The class of the grade's colour: 0 to 4, or ``u``.
    alone
        Whether no other system returns it in its top ranks.
    other
        Its rank in the other ranking; 0 if it is not there.
    """

    def __init__(
        self,
        documents: PooledDocuments,
        topic: int,
        document: int,
        ranks: tuple[int, int],
        alone: bool,
    ) -> None:
        (self.rank, self.other), self.alone = ranks, alone
        self.name, grade = documents.pools[topic][document], documents.grades[topic][document]
        self.grade = str(grade) if grade != UNJUDGED else "?"
        self.shade = str(min(max(grade, 0), 4)) if grade != UNJUDGED else "u"

    @property
    def link(self) -> tuple[int, int]:
        """The ends of the line to the same document in the other ranking."""
        one, other = (rank * ROW_HEIGHT - ROW_HEIGHT // 2 for rank in (self.rank, self.other))
        return one, other


class Pair:
    """Two systems on a measure: their scores by topic, and where bars begin and end."""

    def __init__(
        self,
        content: Content,
        key: str,
        board: Leaderboard,
        documents: PooledDocuments | None,
    ) -> None:
        self.key, self.documents = key, documents
        self.one, self.two = default_pair(content, board)
        found = difference_of(board, self.one, self.two)
        self.sentence = [
            (content.short[self.one], "a"),
            (" minus ", ""),
            (content.short[self.two], "b"),
            (f": {found.sentence(board.head, content.writing)}", ""),
        ]
        places = [board.place[name] for name in (self.one, self.two)]
        self.scores: list[list[float]] = board.scores[places].T.tolist()
        self.low, high = found.ends
        self.length = (high - self.low) or 1.0
        self.ticks = [(self.x(tick), _tick(tick)) for tick in found.ticks]
        self.depth = documents.depth if documents else 0
        self.height = self.depth * ROW_HEIGHT
        self.places = [content.shown.systems.index(name) for name in (self.one, self.two)]
        self.head, self.rest, self.tail = _split(
            found.order.tolist(), found.by_topic[found.order].tolist()
        )

    def x(self, difference: float) -> str:
        """The position of a difference, in percent."""
        return short(100 * (difference - self.low) / self.length)

    def width(self, difference: float) -> str:
        """The length of a bar, in percent."""
        return short(100 * abs(difference) / self.length)

    def entries(self, topic: int) -> list[list[RankedDocument]]:
        """What both systems return on a topic."""
        if self.documents is None:
            return []
        top = self.documents.top[:, topic]
        systems = np.bincount(top[top != NOTHING].ravel(), minlength=1)
        rankings = [top[place][top[place] != NOTHING].tolist() for place in self.places]
        return [
            [
                RankedDocument(
                    self.documents,
                    topic,
                    document,
                    (rank, other.index(document) + 1 if document in other else 0),
                    bool(systems[document] == 1),
                )
                for rank, document in enumerate(own, 1)
            ]
            for own, other in (rankings, rankings[::-1])
        ]


def default_pairs(content: Content) -> list[Pair]:
    """The default pair of each measure; for the first one, with what both systems return.

    Rankings are long: the script adds those of all other pairs and measures.
    """
    rankings = [content.documents, *[None] * len(content.boards[1:])]
    both = zip(content.keys, content.boards, rankings, strict=True)
    return [Pair(content, key, board, documents) for key, board, documents in both]


def beginning(text: str) -> str:
    """A text, cut at the end if it is long."""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT].rstrip()}…"


def default_pair(content: Content, board: Leaderboard) -> tuple[str, str]:
    """The best system and the baseline; without a baseline, the two best systems that differ.

    They differ significantly if any two systems do. Otherwise, their scores differ on a topic.
    """
    systems = board.systems
    if content.baseline in systems and content.baseline is not None:
        best = next(name for name in systems if name != content.baseline)
        return best, content.baseline
    one, two = _first_pair(board.rejected) or _first_different(board.scores)
    return systems[one], systems[two]


def _first_pair(differ: BoolArray) -> tuple[int, int] | None:
    """The first pair that differs, in the order of the better system, then of the other one."""
    pairs = np.argwhere(np.triu(differ, 1))
    return (int(pairs[0, 0]), int(pairs[0, 1])) if len(pairs) else None


def _first_different(scores: FloatArray) -> tuple[int, int]:
    """The best system and the first one with other scores on a topic; else the two best."""
    others = np.flatnonzero((rounded(scores[1:] - scores[0]) != 0).any(axis=1))
    return 0, 1 + int(others[0]) if len(others) else 1


def _split(topics: list[int], differences: list[float]) -> tuple[list[int], list[int], list[int]]:
    """The topics that are shown at once, those in the middle, and the others shown at once."""
    if len(topics) <= MOST_TOPICS:
        return topics, [], []
    higher = min(MOST_SHOWN, sum(value > 0 for value in differences))
    lower = min(MOST_SHOWN, sum(value < 0 for value in differences))
    end = len(topics) - lower
    return topics[:higher], topics[higher:end], topics[end:]


def _tick(value: float) -> str:
    """The label of a tick: ``+.20``, ``0``."""
    sign = "+" if value > 0 else ""
    return f"{sign}{number(value, 2)}" if value else "0"
