"""The package's style of plots, colours and subtitles; a caller's own axes keep their style."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..common.arrays import BoolArray
from .canvas import figure_class, figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLE = Path(__file__).with_name("irx.mplstyle")

# Colours; dark text has a contrast of at least 5 on white.
ABOVE, BELOW = "#0b5fa5", "#c2410c"
INTERVAL = "#7892ab"
MUTED = "#596169"
INK = "#181c20"
P_RAMP = ("#c3d7ea", "#7aa9d2", "#1a5f9e")  # adjusted p at most .05, .01, .001
NOT_SIGNIFICANT = "#f1f3f5"
AMOUNT_RAMP = ("#f1f3f5", "#dde9f4", "#c0d7eb", "#98bfe0", "#669fcf", "#3a7ab5", "#174f87")
UNJUDGED_RAMP = (NOT_SIGNIFICANT, "#e4e0da", "#c8c1b7", "#a59b8d", "#6f6557")

MARKERS = "os^DvPX<>*hd"  # in the order of the style's cycle
LINES = ("-", "--", "-.", ":")

PAGE = 7.0  # inches: the width of a page's text, in two columns

NAME_SIZE, SMALLEST_NAME = 7.0, 5.5  # points: as tick labels, and the smallest that print legibly
LINE = 1.25  # the height of a line of text, in font sizes: as typesetters have it


@contextmanager
def styled_axes(ax: Axes | None, height: float) -> Iterator[Axes]:
    """The given axes; if None, axes of a new figure in the package's style.

    The style holds within the context, and afterwards for the axes' ticks.

    Parameters
    ----------
    ax
    height
        Height of a new figure, in inches.
    """
    if ax is not None:
        yield ax
        return
    with styled_panels(height, 1) as (panel,):
        yield panel


@contextmanager
def styled_panels(height: float, panels: int) -> Iterator[list[Axes]]:
    """Axes side by side, in a new figure in the package's style; they share their y axis."""
    figure = figure_class()
    from matplotlib import rcParams, style

    with style.context(STYLE):
        rcParams["font.family"] = _fonts(rcParams["font.sans-serif"])
        row = figure(figsize=(PAGE, height), layout="constrained").subplots(
            1, panels, sharey=True, squeeze=False
        )
        for ax in row[0]:
            _keep_tick_style(ax)
        yield list(row[0])


def new_axes(height: float = 4.0) -> Axes:
    """Axes of a new figure in the package's style, without markers; `height` is in inches."""
    with styled_axes(None, height) as ax:
        ax.set_prop_cycle(color=[_colour(number)[0] for number in range(len(MARKERS) // 2)])
        return ax


def look(number: int) -> tuple[str, str]:
    """Colour and marker of one of several groups."""
    colour, turn = _colour(number)
    return colour, MARKERS[(number + turn) % len(MARKERS)]


def line_look(number: int) -> tuple[str, str]:
    """Colour and line style of one of several curves without markers."""
    colour, turn = _colour(number)
    return colour, LINES[turn % len(LINES)]


def _colour(number: int) -> tuple[str, int]:
    """A colour of the style in force, and how often the colours have been used up before."""
    from matplotlib import rcParams
    from matplotlib.colors import to_hex

    # A colour like C0 would be looked up when it is drawn, without the style.
    colours = rcParams["axes.prop_cycle"].by_key()["color"]
    return to_hex(colours[number % len(colours)]), number // len(colours)


def _fonts(names: list[str]) -> list[str]:
    """The first of the fonts that is installed, then the generic family.

    Text keeps the first font. It would look up a generic family when it is drawn, without the
    style. The generic family is for glyphs that the font lacks, and for readers of SVG files on
    machines without the font.
    """
    from matplotlib.font_manager import get_font_names

    installed = set(get_font_names())
    return [*[name for name in names if name in installed][:1], "sans-serif"]


def _keep_tick_style(ax: Axes) -> None:
    """Fix the style of ticks, because matplotlib creates them when it draws."""
    from matplotlib import rcParams

    ax.tick_params(
        length=rcParams["xtick.major.size"],
        labelcolor=rcParams["xtick.labelcolor"],
        labelsize=rcParams["xtick.labelsize"],
        labelfontfamily=rcParams["font.family"],
        grid_color=rcParams["grid.color"],
        grid_linewidth=rcParams["grid.linewidth"],
    )


def subtitle(ax: Axes, text: str, last: Axes | None = None) -> None:
    """Write a muted text above the axes, at the left, wrapped to their width.

    Parameters
    ----------
    ax
    text
    last
        The last of several axes side by side, up to which the text reaches.
    """
    written = text.replace("$", r"\$")
    title = ax.set_title("", loc="left", fontsize=7.5, fontweight="normal", color=MUTED)
    figure_of(ax).draw_without_rendering()  # fixes the width of the axes, which a line would shrink
    available = (last or ax).get_window_extent().x1 - ax.get_window_extent().x0
    title.set_text(written)
    needed = title.get_window_extent().width
    if needed > available:
        width = max(20, int(0.95 * len(written) * available / needed))
        title.set_text(textwrap.fill(written, width, break_on_hyphens=False))


def draw_dots(
    ax: Axes, x: ArrayLike, y: ArrayLike, filled: BoolArray, size: float, line: float, **more: Any
) -> None:
    """Draw dots in one colour; those that are not filled are circles of a line."""
    fill = np.where(filled, ABOVE, "white").tolist()
    ax.scatter(x, y, s=size, c=fill, edgecolors=ABOVE, linewidths=line, zorder=3, **more)


def draw_level(ax: Axes, level: float, text: str) -> None:
    """Draw a dotted line at a level, with its name at the right."""
    ax.axhline(level, color="0.4", linewidth=0.8, linestyle=":", marker="")
    ax.annotate(
        text, (1, level), (-3, 2), xycoords=("axes fraction", "data"), ha="right",
        textcoords="offset points", color=MUTED, fontsize=7,
    )  # fmt: skip


def name_size(points: float) -> float:
    """Font size of names in rows of this height; both are in points."""
    return min(NAME_SIZE, max(SMALLEST_NAME, points / LINE))


def thinned(count: int, points: float, always: Collection[int] = ()) -> list[int]:
    """Positions of the names for which there is room.

    Parameters
    ----------
    count
        Number of names.
    points
        Distance between neighbouring names, in points.
    always
        Positions whose names are always written; names too close to them are left out.
    """
    step = max(1, ceil(SMALLEST_NAME * LINE / points))
    free = [
        place
        for place in range(0, count, step)
        if all(abs(place - other) >= step for other in always)
    ]
    return sorted({*free, *always})


def room_for(count: int, points: float) -> tuple[list[int], float]:
    """Positions of the names for which there is room, as `thinned`, and their font size."""
    named = thinned(count, points)
    return named, name_size(points * (named[1] if len(named) > 1 else 1))


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes, in points."""
    box, dots = ax.get_window_extent(), figure_of(ax).dpi
    return box.width * 72 / dots, box.height * 72 / dots


def hide_frame(ax: Axes) -> None:
    """Hide grid, spines and tick marks, as cells need none."""
    ax.grid(visible=False)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def write_right(ax: Axes, rows: list[int], texts: list[str], size: float, color: str = INK) -> None:
    """Write texts at the right of rows."""
    right = ax.secondary_yaxis("right")
    right.set_yticks(rows, texts, fontsize=size, color=color)
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
