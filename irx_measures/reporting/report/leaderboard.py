"""The sections of leaderboards: a table per measure, and the sentences that lead the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...common.numeric import FloatArray
from ...common.writing import UNDEFINED, Writing, level_text, marked
from ...comparison.board import Leaderboard, rank_texts
from ...comparison.words import (
    BEATEN,
    BEST,
    NOT_SIGNIFICANT,
    RANK,
    around_0,
    finding,
    in_brackets,
    interval_name,
    intervals_text,
    leading,
    mean_name,
    not_tested,
    paired_by,
)
from .content import REPORT, Content, number
from .svg import Axis, short, silhouette

# Of the silhouettes, in pixels, as in the design: 3 a topic; above 80 topics, bins in 130 in all.
MOST_TOPICS, BINNED_WIDTH = 80, 130
TOPIC_WIDTH = 3

SILHOUETTE_HEIGHT = 20.0  # pixels: the design's row of 25, less its margins


def leads(content: Content) -> list[tuple[str, str]]:
    """For each measure, its class and the sentences that answer the reader's first question."""
    sentences = []
    for key, board in zip(content.boards, content.result.boards, strict=True):
        opening = leading(board, content.writing)
        if len(board.leaders) == 1:
            low, high = number(float(board.lower[0])), number(float(board.upper[0]))
            opening += f" ({level_text(board.level)} interval {low} to {high})"
        stop = "." if board.is_tested else ";"  # after it, a sentence begins with a name
        sentences.append((key, f"{opening}{stop} {finding(board, content.writing)}."))
    return sentences


def leaderboard(content: Content) -> dict[str, Any]:
    """The tables of all measures, and what their marks mean."""
    return {
        "ranked": content.first.rank_low is not None,
        "best": BEST,
        "beaten": BEATEN,
        "rank": RANK,
        "level": level_text(content.first.level),
        "mean": mean_name(content.first),
        "paired": paired_by(content.first),
        "differences": _about_differences(content),
        "with_intervals": _with_intervals(content),
        "excerpt": content.shown.sentence,
        "cut": content.cut,
        "grouped": bool(content.groups),
        "tables": [_table(content, key, board) for key, board in content.boards.items()],
    }


def _with_intervals(content: Content) -> bool:
    """Whether the differences have intervals: those to a baseline that was chosen."""
    return content.baseline is not None and content.result.method.has_intervals


def _about_differences(content: Content) -> str:
    """What the marks and the intervals of the differences are."""
    shown = [board.reference for board in content.boards.values()]
    said = in_brackets(*shown, legend=NOT_SIGNIFICANT)
    if _with_intervals(content):
        said.append(f"Interval of a difference: {intervals_text(content.result.method)}.")
    return " ".join(said)


def _notes(board: Leaderboard, writing: Writing) -> list[str]:
    """What must be said of the differences of one measure."""
    notes = [f"{board.head}: {text}." for text in not_tested(board, writing)]
    if board.baseline_names:
        notes += around_0(board.reference)
    return notes


def _table(content: Content, key: str, board: Leaderboard) -> dict[str, Any]:
    axis = Axis(float(board.lower.min()), float(board.upper.max()))
    others = [other for other in content.boards.values() if other is not board]
    width, top, areas = 0.0, 0.0, [("", "")] * len(board)
    if board.macro is None:
        width, top, areas = _silhouettes(board)
    reference, base = board.references[0], ""
    subtracted = reference if board.is_tested else content.baseline
    if board.baseline_names:
        base = axis.percent(board.mean[board.place[reference]])
    rows = _scored(board, axis, areas)
    rows += [SystemRow(name) for name in content.shown.systems if name not in board.place]
    for row in rows:
        row.group = content.groups.get(row.name)
        row.means = [_mean(each, row.name) for each in (board, *others)]
    return {
        "key": key,
        "heads": [board.head, *(other.head for other in others)],
        "reference": subtracted,
        "interval": interval_name(board),
        "notes": _notes(board, content.writing),
        "ticks": [(axis.percent(tick), number(tick, 2)) for tick in axis.ticks],
        "base": base,
        "width": short(width) if width else "",
        "height": short(SILHOUETTE_HEIGHT),
        "view": f"0 -{short(top)} {short(width)} {short(SILHOUETTE_HEIGHT)}",
        "rows": rows,
    }


@dataclass
class SystemRow:
    """The cells of a system; without a score, most are undefined."""

    name: str
    group: str | None = None
    means: Sequence[str] = ()
    rank: str | None = UNDEFINED
    interval: str = ""
    ends: Sequence[str] = ()  # of the interval and its middle, on the axis
    best: bool = False
    is_reference: bool = False
    minus: str = UNDEFINED  # the difference to the reference, with its mark
    between: str = UNDEFINED  # its interval
    p: str = UNDEFINED
    areas: tuple[str, str] = ("", "")  # of the differences by topic


def _scored(board: Leaderboard, axis: Axis, areas: Sequence[tuple[str, str]]) -> list[SystemRow]:
    """The rows of the systems that have a score."""
    ranks: Sequence[str | None] = rank_texts(board, "–") or [None] * len(board)
    rows = []
    for place, name in enumerate(board.systems):
        ends = float(board.lower[place]), float(board.upper[place])
        row = SystemRow(name, rank=ranks[place], best=bool(board.best[place]))
        row.interval = " to ".join(map(number, ends))
        row.ends = [axis.percent(value) for value in (*ends, float(board.mean[place]))]
        if board.is_tested:
            row.areas = areas[place]
            _add_test(row, board, place)
        rows.append(row)
    return rows


def _add_test(row: SystemRow, board: Leaderboard, place: int) -> None:
    """The difference to the reference, its mark, its interval and its p."""
    reference = board.reference
    if not reference.compared[place]:
        row.is_reference = True
        row.between = row.p = ""
        row.minus = "baseline" if board.baseline_names else "best"
        return
    ends = reference["lower"][place], reference["upper"][place]
    difference = REPORT.difference(reference["difference"][place])
    row.minus = marked(difference, bool(reference.significant[place])).rstrip()
    row.between = " to ".join(map(REPORT.difference, ends))
    row.p = REPORT.p_value(reference["p_adjusted"][place])


def _mean(board: Leaderboard, name: str) -> str:
    return number(float(board.mean[board.place[name]])) if name in board.place else UNDEFINED


def _silhouettes(board: Leaderboard) -> tuple[float, float, list[tuple[str, str]]]:
    """The areas of each system's differences to the reference by topic, sorted; one scale for all.

    Also the width of a silhouette, and its height above zero.
    """
    differences = board.scores - board.scores[board.reference.second]
    topics = differences.shape[1]
    binned = _binned(-np.sort(-differences, axis=1))
    width = topics * TOPIC_WIDTH if topics <= MOST_TOPICS else BINNED_WIDTH
    highest, lowest = max(float(binned.max()), 0.0), max(float(-binned.min()), 0.0)
    scale = SILHOUETTE_HEIGHT / ((highest + lowest) or 1.0)
    areas = [silhouette(row, width / len(row), scale) for row in binned]
    return float(width), highest * scale, areas


def _binned(ordered: FloatArray) -> FloatArray:
    """Means of bins of equal count if there are many topics."""
    if ordered.shape[1] <= MOST_TOPICS:
        return ordered
    parts = np.array_split(ordered, BINNED_WIDTH // TOPIC_WIDTH, axis=1)
    return np.array([part.mean(axis=1) for part in parts]).T
