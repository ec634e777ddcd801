"""Rows of systems, each with a dot and an interval, in blocks that stand below each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray
from .canvas import Names
from .style import (
    INTERVAL,
    MUTED,
    dot_size,
    draw_dots,
    name_size,
    say_named,
    size_in_points,
    thinned,
    write_right,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, NARROW_ROW = 0.17, 0.125  # inches: names of 7 points fit both; many systems are drawn closer
MANY_ROWS = 60  # with the wider rows, 60 systems fill a page of 11.7 inches
TALLEST = 60.0  # inches, of all rows: 18 000 pixels at 300 dpi; matplotlib can draw 2^16


class Block(NamedTuple):
    """Systems that are drawn below each other.

    Attributes
    ----------
    title
        Stands above the rows; empty if there is only one block.
    systems
    value, lower, upper : (systems,) floats
        The dot, and the interval, which NaN leaves out.
    filled : (systems,) bools
        Whether the dot is filled.
    right
        A text at the right of each row; empty for none.
    """

    title: str
    systems: Sequence[str]
    value: FloatArray
    lower: FloatArray
    upper: FloatArray
    filled: BoolArray
    right: Sequence[str] = ()

    @property
    def rows(self) -> int:
        """The number of rows, with that of the title."""
        return len(self.systems) + bool(self.title)


def height_of(blocks: Sequence[Block]) -> float:
    """The height of the rows in inches."""
    rows = sum(block.rows for block in blocks)
    return min(TALLEST, rows * (ROW if rows <= MANY_ROWS else NARROW_ROW))


def draw_blocks(ax: Axes, blocks: Sequence[Block], names: Names, head: str = "") -> None:
    """Draw and name the rows.

    Parameters
    ----------
    ax
    blocks
    names
        What the picture calls systems and titles.
    head
        What the texts at the right are.
    """
    rows = sum(block.rows for block in blocks)
    height, size = size_in_points(ax)[1] / rows, dot_size(ax, rows)
    labels: dict[int, str] = {}
    right: dict[int, str] = {}
    titles: list[int] = []
    start = 0
    for block in blocks:
        first = start + bool(block.title)
        if block.title:
            titles.append(start)
            labels[start] = names(block.title)
        _draw_rows(ax, block, first, size)
        for row in _named(block, height):
            labels[first + row] = names(block.systems[row])
            if block.right:
                right[first + row] = block.right[row]
        start += block.rows
    ax.set_ylim(rows - 0.4, -0.6)
    ax.set_yticks([*labels], [*labels.values()], fontsize=name_size(height))
    for row, label in zip(labels, ax.get_yticklabels(), strict=True):
        label.set_fontweight("bold" if row in titles else "normal")
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    say_named(ax, len(_named(blocks[0], height)), len(blocks[0].systems))
    _write_right(ax, right, name_size(height), head)


def _draw_rows(ax: Axes, block: Block, first: int, size: float) -> None:
    rows = first + np.arange(len(block.systems))
    ax.hlines(rows, block.lower, block.upper, color=INTERVAL, linewidth=1.5)
    draw_dots(ax, block.value, rows, block.filled, size, 1.2)


def _named(block: Block, height: float) -> list[int]:
    """The rows of a block whose names have room, between its title and the next one."""
    if not block.title:
        return thinned(len(block.systems), height)
    ends = 0, block.rows
    places = thinned(block.rows + 1, height, ends)
    return [place - 1 for place in places if place not in ends]


def _write_right(ax: Axes, texts: dict[int, str], size: float, head: str) -> None:
    if not texts:
        return
    write_right(ax, [*texts], [*texts.values()], size, MUTED)
    ax.annotate(
        head, (1, 1), (4, 2), xycoords="axes fraction", textcoords="offset points", color=MUTED,
        fontsize=size, annotation_clip=False,
    )  # fmt: skip
