"""The section of two systems: their scores topic by topic, and what both return."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...comparison.difference import difference_of
from ...stats.intervals import t_half_width, two_sided_t
from ...stats.ranks import ROUNDING
from .content import Board, Content
from .documents import NOTHING, UNJUDGED, Documents
from .svg import short
from .words import counted, difference, number, shortened

MOST_TOPICS, MOST_SHOWN = 100, 40  # topics; shown of each sign if there are more

LONGEST_TEXT = 120

ROW_HEIGHT = 24

LINKS_WIDTH = 48


class Entry(NamedTuple):
    """A document of a ranking.

    Attributes
    ----------
    rank
    grade
        As text; ``?`` if the document is unjudged.
    shade
        The class of the grade's colour: 0 to 4, or ``u``.
    name
    text
    alone
        Whether no other system returns it in its top ranks.
    other
        Its rank in the other ranking; 0 if it is not there.
    """

    rank: int
    grade: str
    shade: str
    name: str
    text: str
    alone: bool
    other: int


class Link(NamedTuple):
    """A line between the same document in both rankings."""

    y1: str
    y2: str
    relevant: bool


class Topic(NamedTuple):
    """A topic: scores, bar and rankings."""

    place: int
    name: str
    title: str
    one: str
    two: str
    difference: str
    start: str
    width: str
    above: bool
    entries: tuple[list[Entry], list[Entry]]
    links: list[Link]


class Pair:
    """Two systems on the first measure."""

    def __init__(self, content: Content) -> None:
        board = content.boards[0]
        self.one, self.two = default_pair(content, board)
        self.label, self.places = (
            board.label,
            [content.result.matrix.systems.index(name) for name in (self.one, self.two)],
        )
        self.sentence = _sentence(content, board, self.one, self.two)
        one, two = (
            board.tested.hypotheses.scores[board.place[name]] for name in (self.one, self.two)
        )
        by_topic = (one - two).round(12)
        low, high = min(0.0, float(by_topic.min())), max(0.0, float(by_topic.max()))
        length = (high - low) or 1.0
        self.zero = short(-100 * low / length)
        self.ticks = _ticks(low, high)
        self.depth = content.documents.depth if content.documents else 0
        self.height = self.depth * ROW_HEIGHT
        order = np.argsort(-by_topic, kind="stable").tolist()
        topics = [
            self._topic(content, place, float(one[place]), float(two[place]), low, length)
            for place in order
        ]
        self.head, self.rest, self.tail = _split(topics, by_topic[order].tolist())

    def _topic(
        self, content: Content, place: int, one: float, two: float, low: float, length: float
    ) -> Topic:
        name = content.topics[place]
        value = one - two
        documents = content.documents
        entries = _entries(content, documents, place, self.places) if documents else ([], [])
        return Topic(
            place,
            name,
            content.titles.get(name, ""),
            number(one),
            number(two),
            difference(value),
            short(100 * (min(value, 0.0) - low) / length),
            short(100 * abs(value) / length),
            value >= 0,
            entries,
            _links(entries[0]),
        )


def default_pair(content: Content, board: Board) -> tuple[str, str]:
    """The best system and the baseline; without another baseline, the two best."""
    systems = board.board.systems
    if content.baseline in systems and content.baseline is not None:
        best = next(name for name in systems if name != content.baseline)
        return best, content.baseline
    return systems[0], systems[1]


def _sentence(content: Content, board: Board, one: str, two: str) -> list[tuple[str, str]]:
    """The sentence in parts, each with the class of its colour."""
    tested = difference_of(board.tested, one, two)
    deviation = tested.by_topic.std(ddof=1)
    topics = len(tested.by_topic)
    critical = two_sided_t(board.tested.method.alpha, topics - 1)
    half = float(t_half_width(np.asarray(deviation), topics, critical))
    step = board.steps[board.board.systems.index(one), board.board.systems.index(two)]
    wins = int(np.count_nonzero(tested.by_topic > ROUNDING))
    losses = int(np.count_nonzero(tested.by_topic < -ROUNDING))
    return [
        (shortened(one), "a"),
        (" minus ", ""),
        (shortened(two), "b"),
        (
            f": mean difference {difference(tested.mean)} in {board.label} ({content.level} "
            f"interval of this pair alone {difference(tested.mean - half)} to "
            f"{difference(tested.mean + half)}); {verdict(board, int(step))}. Higher on "
            f"{counted(wins, 'topic')}, lower on {losses}, equal on {topics - wins - losses}.",
            "",
        ),
    ]


def verdict(board: Board, step: int) -> str:
    """What the test of a pair says, given how many thresholds adjusted p is below."""
    family = (
        ""
        if board.tested.method.correction == "none"
        else (f" after correction over {counted(len(board.tested.hypotheses), 'pair')}")
    )
    if not step:
        return f"not significant{family}"
    threshold = number(board.thresholds[step - 1]).rstrip("0")
    return f"significant{family} (adjusted p < {threshold})"


def _split(
    topics: list[Topic], differences: list[float]
) -> tuple[list[Topic], list[Topic], list[Topic]]:
    """The topics that are shown at once, those in the middle, and the others shown at once."""
    if len(topics) <= MOST_TOPICS:
        return topics, [], []
    higher = min(MOST_SHOWN, sum(value > 0 for value in differences))
    lower = min(MOST_SHOWN, sum(value < 0 for value in differences))
    end = len(topics) - lower
    return topics[:higher], topics[higher:end], topics[end:]


def _entries(
    content: Content, documents: Documents, topic: int, places: list[int]
) -> tuple[list[Entry], list[Entry]]:
    top = documents.top[:, topic]
    found = np.bincount(top[top != NOTHING].ravel(), minlength=len(documents.pools[topic]))
    one, two = (top[place][top[place] != NOTHING].tolist() for place in places)
    lists = []
    for own, other in ((one, two), (two, one)):
        ranks = {document: rank for rank, document in enumerate(other, 1)}
        lists.append(
            [
                _entry(content, documents, topic, rank, document, found, ranks.get(document, 0))
                for rank, document in enumerate(own, 1)
            ]
        )
    return lists[0], lists[1]


def _entry(
    content: Content,
    documents: Documents,
    topic: int,
    rank: int,
    document: int,
    found: np.ndarray,
    other: int,
) -> Entry:
    name, grade = documents.pools[topic][document], documents.grades[topic][document]
    judged = grade != UNJUDGED
    text = content.texts.get(name, "")
    return Entry(
        rank,
        str(grade) if judged else "?",
        str(shade_of(grade)) if judged else "u",
        name,
        text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT].rstrip()}…",
        bool(found[document] == 1),
        other,
    )


def shade_of(grade: int) -> int:
    """The colour of a grade."""
    return min(max(grade, 0), 4)


def _links(entries: list[Entry]) -> list[Link]:
    return [
        Link(_middle(entry.rank), _middle(entry.other), entry.shade not in ("0", "u"))
        for entry in entries
        if entry.other
    ]


def _middle(rank: int) -> str:
    return str(rank * ROW_HEIGHT - ROW_HEIGHT // 2)


def _tick(value: float) -> str:
    """The label of a tick: ``+.20``, ``0``."""
    sign = "+" if value > 0 else ""
    return f"{sign}{number(value, 2)}" if round(value, 9) else "0"


def _ticks(low: float, high: float) -> list[tuple[str, str]]:
    """Positions in percent and labels of three to five ticks; zero is one of them."""
    length = (high - low) or 1.0
    step = next(size for size in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 1e9) if length / size <= 5)
    places = range(int(low / step) - 1, int(high / step) + 2)
    return [
        (short(100 * (place * step - low) / length), _tick(place * step))
        for place in places
        if low <= place * step <= high
    ]
