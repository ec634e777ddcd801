"""The package's style of plots, colours and subtitles; a caller's own axes keep their style."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from .canvas import figure_class, figure_of, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLE = Path(__file__).with_name("irx.mplstyle")

# Colours; dark text has a contrast of at least 5 on white.
ABOVE, BELOW = "#0b5fa5", "#c2410c"
INTERVAL = "#7892ab"
MUTED = "#596169"
P_RAMP = ("#c3d7ea", "#7aa9d2", "#1a5f9e")  # adjusted p at most .05, .01, .001
NOT_SIGNIFICANT = "#f1f3f5"

PAGE = 7.0  # inches: the width of a page's text

NAME_SIZE, SMALLEST_NAME = 7.0, 5.5  # points
LINE = 1.25  # the height of a line of text, in font sizes


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
    figure = figure_class()
    from matplotlib import rcParams, style

    with style.context(STYLE):
        rcParams["font.family"] = _first_font(rcParams["font.sans-serif"])
        new = figure(figsize=(PAGE, height), layout="constrained").add_subplot()
        _keep_tick_style(new)
        yield new


def _first_font(names: list[str]) -> str:
    """The first of the fonts that is installed.

    Text keeps this font. It would look up a generic family when it is drawn, without the style.
    """
    from matplotlib.font_manager import get_font_names

    installed = set(get_font_names())
    return next((name for name in names if name in installed), "sans-serif")


def _keep_tick_style(ax: Axes) -> None:
    """Fix the style of ticks, because matplotlib creates them when it draws."""
    from matplotlib import rcParams

    ax.tick_params(
        length=rcParams["xtick.major.size"],
        labelcolor=rcParams["xtick.labelcolor"],
        labelsize=rcParams["xtick.labelsize"],
        labelfontfamily=rcParams["font.family"][0],
        grid_color=rcParams["grid.color"],
        grid_linewidth=rcParams["grid.linewidth"],
    )


def subtitle(ax: Axes, text: str) -> None:
    """Write a muted text above the axes, at the left, wrapped to their width."""
    written = plain(text)
    title = ax.set_title(written, loc="left", fontsize=7.5, fontweight="normal", color=MUTED)
    figure_of(ax).draw_without_rendering()  # fixes the width of the axes
    available, needed = ax.get_window_extent().width, title.get_window_extent().width
    if needed > available:
        title.set_text(textwrap.fill(written, int(0.95 * len(written) * available / needed)))


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
