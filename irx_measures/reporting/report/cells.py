"""The sections with a picture of cells: ties, what each system adds, unjudged documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from math import ceil
from typing import Any

import numpy as np

from ...common.numeric import FloatArray, IntArray
from ...common.writing import level_text, percent, some
from ...comparison.board import Leaderboard, steps_of
from ...comparison.words import MOST_BEST, may_be_best, pairs_differ
from ...measures.declaring.relative import PriorMeasure
from ...measures.naming.strings import parse_measure
from ...measures.residual_gain import NRG
from ...plots.shades import UNJUDGED_STARTS, score_starts
from .content import Content, number
from .documents import PooledDocuments
from .svg import short

NO_CELL = -1  # classes of cells count from 0

MOST_NAMED = 24  # the design's: 24 names, "and N more"

BAR = 110.0  # the longest bar, in pixels: a choice beside the matrix

# Colours of cells in style.css: pairs that cannot be told apart, and those with small p.
TIED, SIGNIFICANT = 0, (1, 2, 3)

CELL = 20  # pixels: 20 bins take 400

FEW = 0.01  # a choice: of a smaller share of unjudged documents, the sentence says enough


def ties(content: Content) -> list[dict[str, Any]]:
    """Which pairs differ, for each measure; nothing of one pair.

    Nothing with baselines: then not all pairs were tested.
    """
    if content.baseline is not None or len(content.result.matrix.systems) == 2:
        return []
    return [_ties(content, key, board) for key, board in content.boards.items()]


def _ties(content: Content, key: str, board: Leaderboard) -> dict[str, Any]:
    systems = board.systems
    cell = cell_size(len(systems))
    lower = np.tril(np.ones((len(systems),) * 2, bool), -1)
    names = [(systems[place], place * cell) for place in named_places(systems, cell, None)]
    every = content.result.board(board.measure)
    thresholds = [number(step).rstrip("0") for step in board.thresholds]
    # By how many thresholds a pair reaches. A level of .01 has no step at .05, nor its colour.
    colours = [TIED, *SIGNIFICANT[-len(thresholds) :]]
    steps = [f"above {thresholds[0]}, cannot be told apart"]
    steps += [f"at most {threshold}" for threshold in thresholds]
    of_best = "" if board.rank_low is None else _of_best(content, every)
    paths = cell_paths(np.where(lower, steps_of(board), NO_CELL), cell)
    return {
        "key": key,
        "head": board.head,
        "cell": cell,
        "side": len(systems) * cell,
        "width": ceil(max(corner + 10 + content.width(name) for name, corner in names)),
        "names": names,
        "paths": [(colours[reached], path) for reached, path in paths.items()],
        "steps": list(zip(colours, steps, strict=True)),
        "text": f"{pairs_differ(board)} in {board.head}.",
        "of_best": of_best,
    }


def _of_best(content: Content, board: Leaderboard) -> str:
    """Which systems may be the best: the sentence, and their names if it has not all of them."""
    found = f"In {board.head}, {may_be_best(board, content.writing)}."
    best = [content.writing.name(name) for name in compress(board.systems, board.best.tolist())]
    if not MOST_BEST < len(best) < len(board):
        return found
    return f"{found} These {len(best):,}: {some(best, MOST_NAMED)}."


def adds(content: Content) -> dict[str, Any] | None:
    """What each system adds: its score given each other one; None without runs."""
    if content.documents is None:
        return None
    found, shown = content.documents.adds, set(content.shown.systems)
    order = [place for place in found.order.tolist() if found.systems[place] in shown]
    systems = [found.systems[place] for place in order]
    cell = cell_size(len(systems))
    starts = score_starts(found.given)
    classes = classes_of(found.given[np.ix_(order, order)], starts)
    places = named_places(systems, cell, content.baseline)
    space = _space(content, systems, places)
    longest = float(found.given_all.max()) or 1.0
    label = f"NRG@{content.documents.depth}"
    for board in content.boards.values():
        if str(board.measure) == found.measure:
            label = board.head
    return {
        "measure": label,
        "about": _about(found.measure, label),
        "others": len(found.systems) - 1,
        "text": found.sentence(content.writing),
        "cell": cell,
        "side": cell * len(systems),
        "space": space,
        "width": int(space + cell * len(systems) + 12 + BAR + 36),
        "names": [(systems[place], space + (place + 0.5) * cell) for place in places],
        "paths": list(cell_paths(classes, cell).items()),
        "bars": [
            (number(value), short(BAR * value / longest))
            for value in found.given_all[order].tolist()
        ],
        "legend": _legend([number(limit, 2) for limit in starts.tolist()]),
    }


def _about(measure: str, label: str) -> str:
    """What the measure of the section counts."""
    parsed = parse_measure(measure)
    if isinstance(parsed, PriorMeasure) and parsed.NAME != NRG.NAME:
        return f"{label}: {parsed.summary}."
    return (
        f"{label} counts only the gain that other systems leave: a document at rank 1 of another "
        "system adds nothing."
    )


def unjudged(content: Content) -> dict[str, Any] | None:
    """Shares of unjudged documents over ranks, and at the report's depth; None without runs."""
    documents = content.documents
    if documents is None:
        return None
    found = documents.unjudged
    are_few = found.unjudged.sum() < FEW * found.returned.sum()
    chart = None if are_few else _chart(content, documents)
    return {
        "text": found.sentence(documents.depth),
        "chart": chart,
        "head": content.first.head,
        "level": level_text(content.first.level),
        "learned": list(_learned(content)),
    }


def _chart(content: Content, documents: PooledDocuments) -> dict[str, Any]:
    systems, found = content.first.systems, documents.unjudged
    order = [found.systems.index(name) for name in systems]
    height = cell_size(len(systems))
    classes = classes_of(found.shares[order], UNJUDGED_STARTS)
    nothing = cell_paths(np.where(classes == NO_CELL, 0, NO_CELL), CELL, height)
    places = named_places(systems, height, content.baseline)
    depths = list(dict.fromkeys([documents.depth, found.depth]))
    counts = [found.counts_at(depth) for depth in depths]
    rows = []
    for place in places:
        row, middle = order[place], place * height + height // 2 + 4
        judged = [percent(of[row] - holes[row], of[row]) for holes, of in counts]
        rows.append((systems[place], middle, judged))
    return {
        "cell": CELL,
        "row_height": height,
        "space": _space(content, systems, places),
        "width": CELL * classes.shape[1],
        "height": height * len(systems),
        "heads": [f"@{depth}" for depth in depths],
        "paths": list(cell_paths(classes, CELL, height).items()),
        "nothing": nothing.get(0, ""),
        "rows": rows,
        "legend": _legend([f"{100 * limit:g}" for limit in UNJUDGED_STARTS], "%"),
    }


def _learned(content: Content) -> Iterator[tuple[str, list[str]]]:
    """Each system's mean, its mean over worlds in which every document has a grade, P(best)."""
    board = content.first
    if board.worlds is None:
        return
    alpha = board.method.alpha
    for place, name in enumerate(board.systems):
        means = board.worlds[place]
        ends = map(number, np.quantile(means, (alpha / 2, 1 - alpha / 2)).tolist())
        cells = [number(float(board.mean[place])), number(float(means.mean())), " to ".join(ends)]
        if not content.baseline and board.p_best is not None:
            cells.append(number(float(board.p_best[place])))
        yield name, cells


def cell_size(systems: int) -> int:
    """The width of a cell in pixels."""
    if systems <= 45:
        return 16
    return 10 if systems <= 70 else 6


def named_places(systems: Sequence[str], cell: int, baseline: str | None) -> list[int]:
    """Positions of the names for which there is room; the baseline is among them."""
    step = ceil(10 / cell)
    always = [place for place, name in enumerate(systems) if name == baseline]
    free = range(0, len(systems), step)
    return sorted({*always, *(n for n in free if all(abs(n - one) >= step for one in always))})


def _space(content: Content, systems: Sequence[str], places: Sequence[int]) -> int:
    """The pixels beside the cells for the names in these places."""
    return ceil(12 + max(content.width(systems[place]) for place in places))


def _legend(limits: Sequence[str], unit: str = "") -> list[str]:
    """What the classes between ascending limits mean."""
    between = [f"{limit}–" for limit in limits[:-1]]
    return [f"under {limits[0]}{unit}", *between, f"{limits[-1]}{unit} and more"]


def classes_of(values: FloatArray, limits: Sequence[float] | FloatArray) -> IntArray:
    """The class of each value by ascending limits, from 0; `NO_CELL` if it is undefined."""
    return np.where(np.isnan(values), NO_CELL, np.searchsorted(limits, values, side="right"))


def cell_paths(classes: IntArray, cell: int, height: int | None = None) -> dict[int, str]:
    """A heat map as one path per class: (rows, columns) ints, `NO_CELL` where there is no cell.

    A row of equal neighbours is one sub-path, whose dashes are the cells: the template sets
    ``stroke-dasharray`` to ``cell-1 1``. Dashes start anew in each sub-path.
    A cell is `cell` wide; a row is as high, or `height`.
    """
    paths: dict[int, list[str]] = {}
    for place, row in enumerate(classes):
        middle = short((place + 0.5) * (height or cell))
        starts = np.flatnonzero(np.diff(row, prepend=NO_CELL - 1))
        lengths = np.diff(np.append(starts, len(row)))
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            if row[start] != NO_CELL:
                line = f"M{start * cell} {middle}h{length * cell - 1}"
                paths.setdefault(int(row[start]), []).append(line)
    return {number: "".join(paths[number]) for number in sorted(paths)}
