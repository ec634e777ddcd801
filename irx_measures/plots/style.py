"""The package's style of plots, colours and subtitles; a caller's own axes keep their style."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import BoolArray
from ..common.validators import number_in
from ..exceptions import InputError
from .canvas import NARROWEST, PAGE, SAVED_DPI, WIDEST, figure_class, figure_of, room

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

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

NARROW = 5.0  # inches: between a column's 3.3 and a page's 7; a text above would take many lines

FEW_TICKS = 5  # of a narrow picture: numbers of five digits stand apart

KEY = 0.4  # inches: the lines of a key of colours, and their space

PADDING = 0.08  # inches: twice matplotlib's own around axes in a constrained layout

MOST_LINES = 16  # of a caption, a choice: more would take the room of a picture with long names

SHORTEST_LINE = 20  # characters, a choice: shorter lines are not read with ease

PASSES = 5  # a choice: names take room from the cells, which then have room for fewer names

SETTLING = 2  # drawings: after a change of height, each moves equal scales by a third of the last

WIDTH = number_in(NARROWEST, WIDEST, closed=True)

GAP, SMALL_CELL = 0.5, 5.0  # points, choices: a line is at most a tenth of a cell

AT_THE_RIGHT = "texts at the right of rows"

NAME_SIZE, SMALLEST_NAME = 7.0, 5.5  # points: as tick labels, and the smallest that print legibly
LINE = 1.25  # the height of a line of text, in font sizes: as typesetters have it

DOT, SMALLEST_DOT = 22.0, 4.0  # points squared: of a dot in a row, and in very low rows


@dataclass
class _Texts:
    """What is written around axes, until they have their size.

    Attributes
    ----------
    title
        The text above the axes; None before there is a caption.
    last
        The axes up to which the title reaches.
    unnamed
        The sentence about names that have no room.
    write_names
        Writes the names of rows again.
    """

    title: Text | None = None
    last: Axes | None = None
    unnamed: str = ""
    write_names: Callable[[], None] | None = None


def _texts(ax: Axes) -> _Texts:
    """The texts of axes that are being drawn."""
    texts: _Texts = vars(ax).setdefault("irx_texts", _Texts())
    return texts


@contextmanager
def styled_axes(
    ax: Axes | None, height: float, width: float | None = None, rows: float = 0.0
) -> Iterator[Axes]:
    """The given axes; if None, axes of a new figure in the package's style.

    The style holds within the context, and afterwards for the axes' ticks. Given axes keep their
    style, but without the frame at the top and at the right.

    Parameters
    ----------
    ax
    height
        Height of a new figure as wide as a page, in inches; a narrower one is lower.
    width
        Width of a new figure, in inches; if None, that of a page.
    rows
        What rows and the lines of a key add to the height, whatever the width.
    """
    if ax is None:
        with styled_panels(height, 1, width, rows) as (panel,):
            yield panel
        return
    if width is not None:
        raise InputError(f"`width` must be None if `ax` is given, as they have one; got {width}")
    ax.spines[["top", "right"]].set_visible(False)
    yield ax
    _settle([ax])


@contextmanager
def styled_square(ax: Axes | None, height: float, width: float | None = None) -> Iterator[Axes]:
    """As `styled_axes`, for a square of cells: the figure is as high as the square and its names.

    `height` is the most that the figure may have; it is never higher than wide, but for a key.
    """
    highest = min(height, PAGE if width is None else width) + KEY
    with styled_axes(ax, 0.0, width, rows=highest) as square:
        yield square
    if ax is None:
        _cut_empty_height(square)


def _cut_empty_height(ax: Axes) -> None:
    """Make the figure as high as what is drawn: axes of equal scales leave the rest empty."""
    figure = figure_of(ax)
    figure.draw_without_rendering()
    used = figure.get_tightbbox()
    figure.set_figheight(min(figure.get_figheight(), used.height + 2 * PADDING))
    for _ in range(SETTLING):
        figure.draw_without_rendering()


@contextmanager
def styled_panels(
    height: float, panels: int, width: float | None = None, rows: float = 0.0
) -> Iterator[list[Axes]]:
    """Axes side by side, in a new figure in the package's style; they share their y axis.

    In a narrow figure they stand below each other. The other parameters are those of `styled_axes`.
    """
    width = PAGE if width is None else WIDTH.check("width", width)
    figure = figure_class()
    from matplotlib import rcParams, style

    with style.context(STYLE):
        rcParams["font.family"] = _fonts(rcParams["font.sans-serif"])
        high, across = (panels, 1) if width < NARROW else (1, panels)
        size = width, high * (height * shrunk(width) + rows)
        grid = figure(figsize=size, layout="constrained").subplots(
            high, across, sharey=True, squeeze=False
        )
        for ax in grid.flat:
            _keep_tick_style(ax)
            if width < NARROW:
                ax.locator_params(axis="x", nbins=FEW_TICKS)
        yield list(grid.flat)
        _settle(list(grid.flat))


def _settle(panels: list[Axes]) -> None:
    """Say which names have no room, and wrap texts again: names and a key took their space."""
    for ax in panels:
        texts = _texts(ax)
        if texts.write_names is not None:
            texts.write_names()  # a key has taken room since
        if texts.title is not None:
            vars(ax)["irx_caption"] += texts.unnamed
    figure_of(panels[0]).draw_without_rendering()
    for ax in panels:
        _fit_texts(ax)
        del vars(ax)["irx_texts"]


def shrunk(width: float) -> float:
    """The height of a chart in a picture of this width, divided by that in a picture of a page.

    It falls less than the width: a chart of 7 x 4 inches becomes one of 3.3 x 2.7.
    """
    return float(np.sqrt(width / PAGE))


def new_axes(width: float | None = None) -> Axes:
    """Axes of a new figure in the package's style, without markers; `width` is in inches."""
    with styled_axes(None, 4.0, width) as ax:
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
    """Keep the caption as ``ax.irx_caption``, and write it above the axes where they are wide.

    It is muted, at the left, and wrapped to the width of the axes. The names of the axes are
    wrapped, too. A caption of more than 16 lines is not written.

    Parameters
    ----------
    ax
    text
    last
        The last of several axes side by side, up to which the text reaches.
    """
    texts = _texts(ax)
    texts.title = ax.set_title("", loc="left", fontsize=7.5, fontweight="normal", color=MUTED)
    texts.last = last or ax
    ax.irx_caption = text  # type: ignore[attr-defined]
    figure_of(ax).draw_without_rendering()  # fixes the width of the axes, which a line would shrink
    _fit_texts(ax)


def _fit_texts(ax: Axes) -> None:
    """Wrap the names of the axes and the caption, which wide axes have, as the layout is now."""
    box, texts = ax.get_window_extent(), _texts(ax)
    _wrap(ax.xaxis.label, ax.get_xlabel(), box.width)
    _wrap(ax.yaxis.label, ax.get_ylabel(), box.height)
    if texts.title is None or texts.last is None or room(ax, texts.last) < NARROW:
        return
    caption = vars(ax)["irx_caption"].replace("$", r"\$")
    _wrap(texts.title, caption, texts.last.get_window_extent().x1 - box.x0)
    if texts.title.get_text().count("\n") >= MOST_LINES:
        texts.title.set_text("")


def _wrap(label: Text, text: str, available: float) -> None:
    """Write a text in lines of at most so many dots; only a name longer than a line is broken."""
    label.set_text(text)
    needed = _length(label)
    if needed > available:
        most = max(SHORTEST_LINE, int(len(text) * available / needed))
        for width in range(most, SHORTEST_LINE - 1, -2):  # some lines have more wide letters
            label.set_text(textwrap.fill(text, width, break_on_hyphens=False))
            if _length(label) <= available:
                break


def _length(label: Text) -> float:
    """The length of a text's longest line in dots, on the screen or in a file: the greater one.

    Hinting moves letters to whole dots, so that a line is up to a tenth longer in a file.
    """
    from matplotlib.backends.backend_agg import RendererAgg

    dpi = label.get_figure(root=True).dpi  # type: ignore[union-attr]
    boxes = {
        dots: label.get_window_extent(RendererAgg(1, 1, dots), dpi=dots)
        for dots in (dpi, SAVED_DPI)
    }
    level = label.get_rotation() == 0
    return max((box.width if level else box.height) * dpi / dots for dots, box in boxes.items())


def draw_dots(
    ax: Axes, x: ArrayLike, y: ArrayLike, filled: BoolArray, size: float, line: float, **more: Any
) -> None:
    """Draw dots in one colour; those that are not filled are circles of a line."""
    fill = np.where(filled, ABOVE, "white").tolist()
    ax.scatter(x, y, s=size, c=fill, edgecolors=ABOVE, linewidths=line, zorder=3, **more)


def dot_size(ax: Axes, rows: int) -> float:
    """The area of dots that do not touch those of neighbouring rows, in points squared."""
    return min(DOT, max(SMALLEST_DOT, (size_in_points(ax)[1] / rows) ** 2))


def draw_level(ax: Axes, level: float) -> None:
    """Draw a dotted line at a level, which stands at its right end, where no curve is."""
    ax.axhline(level, color="0.4", linewidth=0.8, linestyle=":", marker="")
    ax.annotate(
        f"{level:g}", (1, level), (3, 0), xycoords=("axes fraction", "data"), va="center",
        textcoords="offset points", color=MUTED, fontsize=NAME_SIZE, annotation_clip=False,
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


def named_rows(ax: Axes, count: int, points: float, always: Collection[int] = ()) -> list[int]:
    """As `thinned`; the caption will say how many of the systems are named, if not all are."""
    named = thinned(count, points, always)
    say_named(ax, len(named), count)
    return named


def say_named(ax: Axes, named: int, count: int) -> None:
    """Let the caption say how many of the systems are named, if not all are."""
    few = f" There is room for the names of {named} of {count} systems."
    _texts(ax).unnamed = few if named < count else ""


def room_for(count: int, points: float) -> tuple[list[int], float]:
    """Positions of the names for which there is room, as `thinned`, and their font size."""
    named = thinned(count, points)
    return named, name_size(points * (named[1] if len(named) > 1 else 1))


def write_names(
    ax: Axes, count: int, write: Callable[[list[int], float], None], both: bool = False
) -> None:
    """Write the names of rows for which there is room, and again as they take room themselves.

    Parameters
    ----------
    ax
    count
        Number of rows.
    write
        Writes names, given the positions and the font size.
    both
        Whether the columns have names, too.
    """

    def write_again() -> None:
        before: list[int] = []
        for _ in range(PASSES):
            figure_of(ax).draw_without_rendering()
            width, height = size_in_points(ax)
            named, size = room_for(count, (min(width, height) if both else height) / count)
            write(named, size)
            if named == before:
                break
            before = named
        say_named(ax, len(named), count)

    write_again()
    _texts(ax).write_names = write_again


def gap(ax: Axes, cells: int) -> float:
    """The width of the white line between cells, of so many in a row; 0 if they are small."""
    return GAP if min(size_in_points(ax)) / cells >= SMALL_CELL else 0.0


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
    known = (axes for axes in ax.child_axes if axes.get_label() == AT_THE_RIGHT)
    right = next(known, None) or ax.secondary_yaxis("right", label=AT_THE_RIGHT)
    right.set_yticks(rows, texts, fontsize=size, color=color)
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
