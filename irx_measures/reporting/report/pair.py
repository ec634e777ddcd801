"""The section of two systems: the default pair, and what the script needs to draw every pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .content import REPORT, Content, number
from .documents import NOTHING, PooledDocuments

UNJUDGED, DARKEST = "u", 4  # colours of grades in style.css: u, and 0 to 4


def pair(content: Content) -> dict[str, Any] | None:
    """The numbers of the default pair of the first measure; the script draws every pair.

    None of macro means, of which the section of collections has the pair.
    """
    if content.result.macro is not None:
        return None
    board, documents = content.first, content.documents
    names = board.default_pair
    one, two = board.scores[[board.place[name] for name in names]]
    rows = [
        (content.titles.get(topic, topic), number(a), number(b), REPORT.difference(a - b))
        for topic, a, b in zip(content.result.matrix.query_ids, one, two, strict=True)
    ]
    means = float(one.mean()), float(two.mean())
    depth, grades = 0, []
    if documents is not None:
        depth, grades = documents.depth, grades_of(documents)
    return {
        "names": names,
        "head": board.head,
        "rows": rows,
        "means": [*map(number, means), REPORT.difference(means[0] - means[1])],
        "depth": depth,
        "grades": grades,
        "excerpt": bool(content.shown.sentence),
    }


def grades_of(documents: PooledDocuments) -> list[tuple[int, str]]:
    """The grades of the shown documents, the highest first, with the colour of each."""
    grades = {grade for pool in documents.pools for grade in pool.values() if grade is not None}
    return [(grade, shade(grade)) for grade in sorted(grades, reverse=True)]


def shade(grade: int | None) -> str:
    """The colour of a grade."""
    return UNJUDGED if grade is None else str(min(max(grade, 0), DARKEST))


def documents_of_pair(documents: PooledDocuments, places: Sequence[int]) -> list[str]:
    """The documents that these systems return at the shown ranks."""
    found: dict[str, None] = {}
    for topic, pool in enumerate(documents.pools):
        names, top = list(pool), documents.top[places, topic]
        found |= dict.fromkeys(names[document] for document in top[top != NOTHING].tolist())
    return list(found)
