"""What the script of the page reads: the numbers of every pair, and all that it says of them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...common.escapes import printable
from ...common.names import first_words
from ...common.numeric import FloatArray, Int64Array
from ...comparison.board import Leaderboard, Rows
from ...comparison.pair_words import pair_cases, pair_forms
from ...comparison.words import not_tested
from ...measures.naming.named_score import is_rising
from .content import MINUS, Content
from .documents import NOTHING, PooledDocuments
from .pair import shade

# Round numbers: 1, 2 and 5 times a power of 10, up to those of any score, such as milliseconds.
TICK_STEPS = tuple(float(f"{digit}e{power}") for power in range(-2, 7) for digit in (1, 2, 5))

PLACES = 6  # decimals of scores: their differences with 3 decimals are those of Python

LONGEST_TEXT = 120  # characters: the design's first 120

# Numbers are written with these digits, so that they take fewer bytes than in JSON.
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"

LARGEST = 2**53  # up to which JavaScript counts; no score of a measure is as large

WORDS = {
    "plus": "+",
    "minus": MINUS,
    "topics": ["{count} topic", "{count} topics"],
    "pair": "{one} minus {other}: {found}",
    "pointed": f"{{one}} {MINUS} {{other}}: {{found}}",
    "same": "choose two different systems.",
    "without_score": "no score on {measure}.",
    "menus": ["System", "minus"],
    "smaller": "{count} topics with smaller differences",
    "grade": "grade ",
    "unjudged": ["unjudged", "?"],
    "unique": ["◆", "only here"],
    "other_rank": ", rank {rank} in the other",
    "nothing": "returns no document",
    "wide": "Wider than the screen: scroll to the right.",
    "copy": ["Copy", "Copied", "Press Ctrl+C"],
}
"""All that the script says beside the sentences of a measure."""

# The columns of tests that the script shows; the ends only where differences have intervals.
COLUMNS = ("difference", "p_adjusted", "wins", "ties", "losses")
ENDS = ("lower", "upper")

NOT_TESTED = "not tested, because neither is a baseline"


def script_json(content: Content) -> str:
    """The data as JSON; it holds no ``<``, so that no name can end the element."""
    topics = content.result.matrix.query_ids
    data: dict[str, Any] = {
        "systems": [content.short[name] for name in content.shown.systems],
        "topics": [printable(topic) for topic in topics],
        "titles": [content.titles.get(topic, "") for topic in topics],
        "texts": {name: first_words(text, LONGEST_TEXT) for name, text in content.texts.items()},
        "ticks": TICK_STEPS,
        "digits": DIGITS,
        "words": WORDS,
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
    untested = "; ".join(not_tested(board, content.writing))
    return {
        "label": board.head,
        "rising": is_rising(board.measure),
        "order": [position[name] for name in board.systems],
        "pair": [position[name] for name in board.default_pair],
        "scores": packed(_whole(board.scores.ravel() * 10**PLACES)),
        "untested": untested or NOT_TESTED,
        "forms": pair_forms(board)._asdict(),
        "pairs": _pairs(board, position),
    }


def _pairs(board: Leaderboard, position: dict[str, int]) -> dict[str, Any]:
    """The tests of all pairs, or of the pairs with each baseline.

    Of all pairs, each system follows those with a better mean: the pair of the systems at places 3
    and 1, the former minus the latter, is at 3 * (3 - 1) / 2 + 1.
    """
    if not board.all_pairs:
        return {
            "against": {
                position[name]: _columns(board.minus(name)) for name in board.baseline_names
            },
        }
    return {"of": _columns(board.rows(*np.tril_indices(len(board), -1)))}


def _columns(rows: Rows) -> dict[str, Any]:
    """What the script shows of some tests, rounded as it is shown."""
    columns = {name: _rounded(rows[name]) for name in COLUMNS}
    if rows.board.method.has_intervals:
        columns |= {name: _rounded(rows[name]) for name in ENDS}
    numbers = (rows[name] for name in ("lower", "upper", "wins", "losses"))
    columns["case"] = pair_cases(rows.significant, *numbers)
    return {name: packed(values) for name, values in columns.items()}


def _rounded(values: FloatArray | Int64Array) -> Int64Array:
    """Counts, and numbers in thousandths: with 3 decimals, as they are written.

    0 where nothing is tested.
    """
    if values.dtype.kind == "i":
        return values.astype(np.int64)
    rounded = np.array([round(value, 3) for value in np.nan_to_num(values).tolist()])
    return _whole(1000 * rounded)


def _whole(values: FloatArray) -> Int64Array:
    return np.rint(np.clip(values, -LARGEST, LARGEST)).astype(np.int64)


def packed(values: Int64Array) -> dict[str, Any]:
    """Whole numbers as a text, each with as many digits: what it is above the least one."""
    least = int(values.min(initial=0))
    above = values - least
    width = 1
    while above.max(initial=0) >= len(DIGITS) ** width:
        width += 1
    powers = len(DIGITS) ** np.arange(width - 1, -1, -1)
    places = above[:, np.newaxis] // powers % len(DIGITS)
    text = "".join(np.array(list(DIGITS))[places].ravel().tolist())
    return {"least": least, "width": width, "text": text}


def _of_documents(documents: PooledDocuments) -> dict[str, Any]:
    grades = {grade for pool in documents.pools for grade in pool.values()}
    return {
        "depth": documents.depth,
        "pools": [list(pool) for pool in documents.pools],
        "grades": [list(pool.values()) for pool in documents.pools],
        "chips": {_key(grade): f"g{shade(grade)}" for grade in grades},
        "lines": {_key(grade): "rel" for grade in grades if grade is not None and grade > 0},
        "top": [[row[row != NOTHING].tolist() for row in rows] for rows in documents.top],
    }


def _key(grade: int | None) -> str:
    """What JavaScript calls a grade, or null, as a key."""
    return "null" if grade is None else str(grade)
