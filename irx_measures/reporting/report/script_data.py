"""The data that the script reads: names, scores, tests, rankings."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...common.escapes import printable
from ...common.names import first_words
from ...common.numeric import FloatArray, Int64Array
from ...comparison.hypotheses import TestedMeasure
from ...comparison.leaderboard import Leaderboard
from ...comparison.words import AROUND_0, correction_text, interval_name, p_name
from ...measures.named_score import is_rising
from .content import Content
from .documents import NOTHING, PooledDocuments
from .pair import default_pair

# Round numbers: 1, 2 and 5 times a power of 10, up to those of any score, such as milliseconds.
TICK_STEPS = tuple(float(f"{digit}e{power}") for power in range(-2, 7) for digit in (1, 2, 5))

PLACES = 6  # decimals of scores: numbers with 3 decimals are those of Python

LONGEST_TEXT = 120  # characters: the design's first 120


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
    if not board.baselines:
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
