"""The section of unjudged documents: how many there are at which ranks."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np

from ...common.writing import level_text, percent
from ...meta.unjudged import LIMITS
from .content import Content, number
from .documents import PooledDocuments
from .svg import NO_CELL, cell_paths, cell_size, classes_of, named_places

CELL = 20  # pixels: 20 bins take 400

FEW = 0.01  # a choice: of a smaller share of unjudged documents, the sentence says enough


def unjudged(content: Content) -> dict[str, Any] | None:
    """Shares of unjudged documents over ranks, and at the report's depth; None without runs."""
    documents = content.documents
    if documents is None:
        return None
    found = documents.unjudged
    return {
        "text": found.sentence(documents.depth),
        "chart": _chart(content, documents)
        if found.unjudged.sum() >= FEW * found.returned.sum()
        else None,
        "head": content.first.head,
        "level": level_text(content.first.level),
        "learned": list(_learned(content)),
    }


def _chart(content: Content, documents: PooledDocuments) -> dict[str, Any]:
    systems, found = content.first.systems, documents.unjudged
    order = [found.systems.index(name) for name in systems]
    height = cell_size(len(systems))
    classes = classes_of(found.shares[order], LIMITS)
    nothing = cell_paths(np.where(classes == NO_CELL, 0, NO_CELL), CELL, height)
    places = named_places(systems, height, content.baseline)
    depths = list(dict.fromkeys([documents.depth, found.depth]))
    counts = [found.counts_at(depth) for depth in depths]
    return {
        "cell": CELL,
        "row_height": height,
        "space": ceil(12 + max(content.width(systems[place]) for place in places)),
        "width": CELL * classes.shape[1],
        "height": height * len(systems),
        "heads": [f"@{depth}" for depth in depths],
        "paths": list(cell_paths(classes, CELL, height).items()),
        "nothing": nothing.get(0, ""),
        "rows": [
            (
                systems[place],
                place * height + height // 2 + 4,
                [
                    percent(returned[order[place]] - holes[order[place]], returned[order[place]])
                    for holes, returned in counts
                ],
            )
            for place in places
        ],
        "legend": [
            f"under {100 * LIMITS[0]:g}%",
            *(f"{100 * limit:g}–" for limit in LIMITS[:-1]),
            f"{100 * LIMITS[-1]:g}% and more",
        ],
    }


def _learned(content: Content) -> Iterator[tuple[str, list[str]]]:
    """Each system's mean, its mean over worlds in which every document has a grade, P(best)."""
    board = content.first
    if board.worlds is None:
        return
    alpha = board.tested.method.alpha
    for place, name in enumerate(board.systems):
        means = board.worlds[board.order[place]]
        ends = map(number, np.quantile(means, (alpha / 2, 1 - alpha / 2)).tolist())
        cells = [number(float(board.mean[place])), number(float(means.mean())), " to ".join(ends)]
        if not content.baseline and board.p_best is not None:
            cells.append(number(float(board.p_best[place])))
        yield name, cells
