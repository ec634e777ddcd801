"""The section of what each system adds: NRG given each other system."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from .content import Content, number
from .svg import cell_paths, cell_size, classes_of, named_places, short

BAR = 110.0  # the longest bar, in pixels: a choice beside the matrix


def adds(content: Content) -> dict[str, Any] | None:
    """NRG@k of each system given each other one; None without runs."""
    if content.documents is None:
        return None
    found, shown = content.documents.adds, set(content.shown.systems)
    order = [place for place in found.order.tolist() if found.systems[place] in shown]
    systems = [found.systems[place] for place in order]
    cell = cell_size(len(systems))
    classes = classes_of(found.given[np.ix_(order, order)], found.limits)
    places = named_places(systems, cell, content.baseline)
    space = ceil(12 + max(content.width(systems[place]) for place in places))
    longest = float(found.given_all.max()) or 1.0
    limits = [number(limit, 2) for limit in found.limits.tolist()]
    return {
        "measure": f"NRG@{content.documents.depth}",
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
        "legend": [
            f"under {limits[0]}",
            *(f"{limit}–" for limit in limits[:-1]),
            f"{limits[-1]} and more",
        ],
    }
