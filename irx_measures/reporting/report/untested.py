"""The page of scores that are too few for any test: all that can be said without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...common.escapes import printable
from ...common.numbers import level_text
from ...comparison.compare import FEWEST_TOPICS, why_untested
from ...measures.named_score import is_rising
from ...scoring.score_matrix import ScoreMatrix
from ...stats.intervals import topic_interval
from .documents import NOTHING, PooledDocuments
from .method import ORDER_OF_TIES, UNJUDGED, cited, inputs, mean_fact, scored, software
from .pair import RankedDocument
from .words import number

LEVEL = 0.95  # the default of `compare`


class Table(NamedTuple):
    """A table of scores."""

    head: str
    names: list[str]
    columns: list[str]
    rows: list[tuple[list[str], list[str]]]


class Ranking(NamedTuple):
    """What a system returns on a topic."""

    label: str
    system: str
    entries: list[RankedDocument]


def untested_page(
    matrix: ScoreMatrix,
    titles: Mapping[str, str],
    documents: PooledDocuments | None,
) -> dict[str, Any]:
    """What the template shows; the best system of the first measure is first."""
    sign = -1 if is_rising(matrix.measures[0]) else 1
    order = np.argsort(sign * matrix.aggregates[0], kind="stable").tolist()
    topics = [printable(titles.get(topic, topic)) for topic in matrix.query_ids]
    why = why_untested(matrix.systems, matrix.query_ids)
    by_topic = _by_topic(matrix, order, topics)
    shown = documents.unjudged.sentence(documents.depth) if documents else ""
    return {
        "lead": f"These scores are not tested: {why}. A difference from other scores may be "
        "chance.",
        "tables": [_means(matrix, order), by_topic] if len(topics) > 1 else [by_topic],
        "unjudged": shown,
        "rankings": list(_rankings(matrix, order, topics, documents)) if documents else [],
        "data": scored(matrix, matrix.measures, documents),
        "method": [
            mean_fact(len(topics)),
            ORDER_OF_TIES,
            ("Unjudged", UNJUDGED),
            inputs(matrix, documents),
            ("Software", software()),
        ],
        "bibtex": cited(matrix.measures),
    }


def _means(matrix: ScoreMatrix, order: Sequence[int]) -> Table:
    """The mean of each system, with its interval, as the leaderboard has them."""
    columns, cells = [], []
    for measure, scores, means in zip(
        matrix.measures, matrix.scores, matrix.aggregates, strict=True
    ):
        columns.append(str(measure))
        cells.append(list(map(number, means.tolist())))
        if len(matrix.query_ids) < FEWEST_TOPICS:
            continue
        columns.append(f"{level_text(LEVEL)} interval")
        ends = zip(*topic_interval(scores, LEVEL), strict=True)
        cells.append([f"{number(lower)} to {number(upper)}" for lower, upper in ends])
    rows = [([printable(matrix.systems[row])], [column[row] for column in cells]) for row in order]
    return Table("Mean over topics", ["System"], columns, rows)


def _by_topic(matrix: ScoreMatrix, order: Sequence[int], topics: Sequence[str]) -> Table:
    """The scores; a single system stands in the table of means, above."""
    one = len(matrix.systems) == 1 and len(topics) > 1
    rows = [
        (
            [topic] if one else [printable(matrix.systems[row]), topic],
            list(map(number, matrix.scores[:, row, place].tolist())),
        )
        for row in order
        for place, topic in enumerate(topics)
    ]
    names = ["Topic"] if one else ["System", "Topic"]
    return Table("Scores by topic", names, list(map(str, matrix.measures)), rows)


def _rankings(
    matrix: ScoreMatrix,
    order: Sequence[int],
    topics: Sequence[str],
    documents: PooledDocuments,
) -> Iterator[Ranking]:
    for row in order:
        system = printable(matrix.systems[row])
        for place, topic in enumerate(topics):
            top = documents.top[row, place]
            entries = [
                RankedDocument(documents, place, document, (rank, 0), False)
                for rank, document in enumerate(top[top != NOTHING].tolist(), 1)
            ]
            label = topic if len(matrix.systems) == 1 else f"{topic}: {system}"
            yield Ranking(f"{label}, top {documents.depth}", system, entries)
