"""The section of two systems: the default pair, and what the script needs to draw every pair."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...common.escapes import printable
from ...common.names import first_words
from ...common.numeric import FloatArray, Int64Array
from ...comparison.hypotheses import TestedMeasure
from ...comparison.leaderboard import Leaderboard
from ...comparison.words import AROUND_0, correction_text, interval_name, not_tested, p_name
from ...measures.naming.named_score import is_rising
from .content import REPORT, Content, number
from .documents import NOTHING, PooledDocuments

# Round numbers: 1, 2 and 5 times a power of 10, up to those of any score, such as milliseconds.
TICK_STEPS = tuple(float(f"{digit}e{power}") for power in range(-2, 7) for digit in (1, 2, 5))

PLACES = 6  # decimals of scores: numbers with 3 decimals are those of Python

LONGEST_TEXT = 120  # characters: the design's first 120


def default_pair(board: Leaderboard) -> tuple[str, str]:
    """The best system and the baseline; without a baseline, the best one and the next one."""
    if board.baselines:
        best = next(name for name in board.systems if name != board.reference.name)
        return best, board.reference.name
    return board.systems[0], board.systems[1]


def pair(content: Content) -> dict[str, Any]:
    """The numbers of the default pair of the first measure; the script draws every pair."""
    board, documents = content.first, content.documents
    names = default_pair(board)
    one, two = (board.scores[board.place[name]] for name in names)
    rows = [
        (content.titles.get(topic, topic), number(a), number(b), REPORT.difference(a - b))
        for topic, a, b in zip(content.result.matrix.query_ids, one, two, strict=True)
    ]
    means = float(one.mean()), float(two.mean())
    return {
        "names": names,
        "head": board.head,
        "rows": rows,
        "means": [*map(number, means), REPORT.difference(means[0] - means[1])],
        "depth": documents.depth if documents else 0,
        "grades": grades_of(documents) if documents else [],
        "excerpt": bool(content.shown.sentence),
    }


def grades_of(documents: PooledDocuments) -> list[tuple[int, int]]:
    """The grades of the shown documents, the highest first, with the colour of each: 0 to 4."""
    grades = {grade for pool in documents.pools for grade in pool.values() if grade is not None}
    return [(grade, min(max(grade, 0), 4)) for grade in sorted(grades, reverse=True)]


def documents_of_pair(documents: PooledDocuments, places: Sequence[int]) -> list[str]:
    """The documents that these systems return at the shown ranks."""
    found: dict[str, None] = {}
    for topic, pool in enumerate(documents.pools):
        names, top = list(pool), documents.top[places, topic]
        found |= dict.fromkeys(names[document] for document in top[top != NOTHING].tolist())
    return list(found)


def script_json(content: Content) -> str:
    """The data as JSON; it holds no ``<``, so that no name can end the element."""
    topics = content.result.matrix.query_ids
    data: dict[str, Any] = {
        "systems": [content.short[name] for name in content.shown.systems],
        "topics": list(map(printable, topics)),
        "titles": [content.titles.get(topic, "") for topic in topics],
        "texts": {name: first_words(text, LONGEST_TEXT) for name, text in content.texts.items()},
        "ticks": TICK_STEPS,
        "contains_0": f" {AROUND_0}",
        "measures": [_of_board(board, content) for board in content.boards.values()],
    }
    if content.documents is not None:
        data["documents"] = _of_documents(content.documents)
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _of_board(board: Leaderboard, content: Content) -> dict[str, Any]:
    position = {name: place for place, name in enumerate(content.shown.systems)}
    return {
        "label": board.head,
        "rising": is_rising(board.measure),
        "order": [position[name] for name in board.systems],
        "pair": [position[name] for name in default_pair(board)],
        "scores": _units(board.scores).tolist(),
        "untested": "; ".join(not_tested(board, content.writing)),
        "tests": {**_words(board.tested), **_decided(board, position)},
    }


def _decided(board: Leaderboard, position: dict[str, int]) -> dict[str, Any]:
    """The decisions about all pairs, or about the pairs with each baseline."""
    tested = board.tested
    pairs = np.array(
        [
            board.square(np.nan_to_num(each.astype(float)), 0.0)
            for each in (tested.rejected, tested.p_adjusted, tested.half_width)
        ]
    )
    if board.all_pairs:
        lower = np.tril_indices(len(board), -1)
        return {"of": _decisions(pairs[:, lower[0], lower[1]])}
    return {
        "against": {position[one.name]: _decisions(pairs[:, one.place]) for one in board.baselines}
    }


def _words(tested: TestedMeasure) -> dict[str, str]:
    """How the tests and their intervals are called; no name of intervals if there are none."""
    return {
        "family": correction_text(tested),
        "p": p_name(tested),
        "interval": interval_name(tested) if tested.method.has_intervals else "",
    }


def _decisions(values: FloatArray) -> dict[str, Any]:
    """Decisions as digits; p-values in thousandths, 0 where Python writes ``<.001``; widths."""
    rejected, p, half = values
    thousandths = [round(1000 * float(f"{value:.3f}")) if value >= 0.0005 else 0 for value in p]
    return {
        "rejected": "".join(map(str, rejected.astype(int).tolist())),
        "p": thousandths,
        "half": _units(half).tolist(),
    }


def _units(values: FloatArray) -> Int64Array:
    """Numbers in units of their last decimal, which are shorter than decimals."""
    return np.rint(values * 10**PLACES).astype(np.int64)


def _of_documents(documents: PooledDocuments) -> dict[str, Any]:
    return {
        "depth": documents.depth,
        "pools": [list(pool) for pool in documents.pools],
        "grades": [list(pool.values()) for pool in documents.pools],
        "top": [[row[row != NOTHING].tolist() for row in rows] for rows in documents.top],
    }
