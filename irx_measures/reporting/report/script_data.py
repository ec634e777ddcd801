"""The data that the script reads: names, scores, tests, rankings."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...common.arrays import Int64Array
from ...comparison.difference import TICK_STEPS, correction_text, p_name
from ...comparison.leaderboard import Leaderboard, Reference
from ...measures.named_score import is_rising
from ...stats.intervals import two_sided_t
from .content import Content
from .documents import NOTHING, UNJUDGED, PooledDocuments
from .pair import default_pair

PLACES = 6  # decimals of scores: numbers with 3 decimals are those of Python

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def script_json(content: Content) -> str:
    """The data as JSON; it holds no ``<``, so that no name can end the element."""
    systems = content.excerpt.systems
    first = content.boards[0].all_pairs
    data: dict[str, Any] = {
        "systems": [content.short[name] for name in systems],
        "topics": list(content.topics),
        "titles": [content.titles.get(topic, "") for topic in content.topics],
        "level": content.level,
        "t": round(two_sided_t(first.method.alpha, first.topics - 1), 6),
        "ticks": TICK_STEPS,
        "measures": [_of_board(board, content) for board in content.boards],
    }
    if content.documents is not None:
        data["documents"] = _of_documents(content.documents)
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _of_board(board: Leaderboard, content: Content) -> dict[str, Any]:
    position = {name: place for place, name in enumerate(content.excerpt.systems)}
    lower = np.tril_indices(len(board), -1)
    return {
        "label": board.head,
        "rising": is_rising(board.measure),
        "family": correction_text(board.all_pairs),
        "p": p_name(board.all_pairs),
        "order": [position[name] for name in board.systems],
        "pair": [position[name] for name in default_pair(content, board)],
        "scores": _whole(board.scores),
        "thresholds": board.all_pairs.thresholds,
        "steps": "".join(map(str, board.steps[lower].tolist())),
        "asked": {
            "family": correction_text(board.asked),
            "p": p_name(board.asked),
            "steps": {position[one.name]: _digits(board, one) for one in board.baselines},
        },
    }


def _digits(board: Leaderboard, reference: Reference) -> str:
    """The steps of adjusted p of every system against a baseline."""
    steps = np.where(reference.compared, board.asked.steps_of(reference.p_adjusted), 0)
    return "".join(map(str, steps.tolist()))


def _whole(scores: np.ndarray) -> list[list[int]]:
    """Scores in units of their last decimal, which are shorter than decimals."""
    return np.rint(scores * 10**PLACES).astype(np.int64).tolist()


def _of_documents(documents: PooledDocuments) -> dict[str, Any]:
    largest = max(map(len, documents.pools), default=1)
    width = 1
    while len(DIGITS) ** width <= largest:  # the highest code is free for `NOTHING`
        width += 1
    return {
        "depth": documents.depth,
        "pools": documents.pools,
        "grades": [
            [None if grade == UNJUDGED else grade for grade in grades]
            for grades in documents.grades
        ],
        "width": width,
        "top": [_coded(rows, width) for rows in documents.top],
    }


def _coded(rows: Int64Array, width: int) -> str:
    """Positions as digits of base 36, topic after topic."""
    codes = np.where(rows == NOTHING, len(DIGITS) ** width - 1, rows).ravel()
    powers = len(DIGITS) ** np.arange(width - 1, -1, -1)
    digits = codes[:, np.newaxis] // powers % len(DIGITS)
    return np.array(list(DIGITS))[digits].ravel().tobytes().decode("utf-32-le")
