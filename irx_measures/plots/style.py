"""Figures in the package's style: axes, captions, keys, names and saving."""

from __future__ import annotations

import io
import os
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from functools import lru_cache, partial
from math import ceil, inf, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..common.escapes import printable
from ..common.names import cut_name, cut_names
from ..common.numeric import BoolArray
from ..common.validators import check_kind, number_in
from ..common.warn import warn
from ..common.writing import Writing, shown
from ..exceptions import InputError, importing
from ..io.saving import write_whole
from ..measures.naming.labels import short_labels
from ..measures.naming.named_score import is_rising
from ..typing import Axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

STYLE = Path(__file__).with_name("irx.mplstyle")

PAGE, NARROW = 7.0, 5.0  # inches: a page's text, and below which a caption is the paper's

NARROWEST, WIDEST = 2.0, 40.0  # inches: names fit in 2, and a poster is 40 wide

WIDTH = number_in(NARROWEST, WIDEST, closed=True)

DPI = 150  # of saved files; of new figures too, so that a file has the layout that was made

SAVED: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "irx", "pdf.fonttype": 42, "ps.fonttype": 42,
    "text.hinting": "none",
}  # fmt: skip

UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}

# Colours; dark text has a contrast of at least 5 on white. White is the colour of no data.
ABOVE, BELOW = "#0b5fa5", "#c2410c"
INTERVAL = "#7892ab"
MUTED, INK = "#596169", "#181c20"
NOT_SIGNIFICANT = "#e3e8ed"
P_RAMP = ("#c3d7ea", "#7aa9d2", "#1a5f9e")  # adjusted p at most .05, .01, .001
AMOUNT_RAMP = ("#e3e8ed", "#c9dcee", "#aecbe5", "#8fb9dc", "#639dce", "#3a7ab5", "#174f87")
UNJUDGED_RAMP = ("#e8e9ea", "#d9d3ca", "#bfb7ab", "#a0968a", "#6f6557")

MARKERS = "os^DvPX<>*hd"  # in the order of the style's cycle

# Lines without markers differ without their colours: lengths of dashes and gaps, in line widths.
LINES: tuple[Any, ...] = (
    "-", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.2, 1, 1.2)), (0, (10, 2)), (0, (5, 1, 1, 1, 1, 1)),
)  # fmt: skip

SMALL, SMALLEST = 7.0, 5.5  # points: names, and the smallest that print legibly

CAPTION_SIZE, CAPTION_SHARE = 7.5, 0.9  # points; of the width: the longest word

KEY_LINE = 0.17  # inches: a line of a key

KEY_LENGTH = 2.8  # font sizes, of a line in a key: the longest dashes are seen twice

KEY_SPACES = ("columnspacing", "handlelength", "handletextpad", "borderpad", "borderaxespad")

COLUMN_GAP = 5.0  # points: before a column of numbers

LINE = 1.25  # of font sizes: the height of a line of text

LONGEST = 120  # characters of a label: about a line of a page

SHORTEST = 50.0  # points: a name has this width at least, about ten letters

LABEL_SHARE = 0.94  # of an axis: with hinting, which other settings draw, letters are wider

SHORTEST_AXIS = 72.0  # points: words of labels that are not longer have room at every axis

ROW, NARROW_ROW = 0.17, 0.125  # inches: names of 7 points fit both; many rows are drawn closer
MANY_ROWS = 60  # with the wider rows, 60 systems fill a page of 11.7 inches
TALLEST = 60.0  # inches, of all rows: at 300 dpi 18 000 pixels; matplotlib can draw 2^16

DOT, SMALLEST_DOT = 22.0, 4.0  # points squared: of a dot in a row, and in very low rows


@contextmanager
def picture(
    ax: Axes | None, height: float, width: float | None = None, rows: float = 0.0
) -> Iterator[Axes]:
    """The given axes, without a frame above and at the right; if None, axes of a new figure.

    A new figure is in the package's style. `height`, in inches, is that of one as wide as a page: a
    narrower one is lower, but less so, 7 x 4 inches become 3.3 x 2.7. `rows` is what rows and the
    lines of a key add to it, whatever the `width`.
    """
    if ax is not None:
        check_axes(ax)
        if width is not None:
            raise InputError(
                f"`width` must be None if `ax` is given, as they have one; got {width}"
            )
        ax.spines[["top", "right"]].set_visible(False)
        yield ax
        return
    wide = PAGE if width is None else WIDTH.check("width", width)
    with package_style() as new_figure:
        size = wide, height * sqrt(wide / PAGE) + rows
        ax = new_figure(figsize=size, dpi=DPI, layout="constrained").add_subplot()
        if wide < NARROW:
            ax.locator_params(axis="x", nbins=5)  # numbers of five digits stand apart
        yield ax
        part_of(ax).figure.draw_without_rendering()  # matplotlib makes ticks only then


@contextmanager
def package_style() -> Iterator[type[Figure]]:
    """matplotlib in the package's style, as a context; it gives the class of figures."""
    with importing("plots", "plots need matplotlib"):
        from matplotlib import style
        from matplotlib.figure import Figure
    with style.context(STYLE):
        yield Figure


def part_of(ax: Axes) -> Figure | SubFigure:
    """The figure or subfigure in which the axes stand."""
    part = ax.get_figure(root=False)
    if part is None:
        raise InputError("`ax` must belong to a figure")
    return part


def is_alone(ax: Axes) -> bool:
    """Whether no other axes stand in the figure or subfigure of these."""
    part = part_of(ax)
    return [other for other in part.axes if other.get_figure(root=False) is part] == [ax]


def inches(ax: Axes) -> float:
    """The width that the axes and their names have."""
    part, place = part_of(ax), ax.get_subplotspec()
    columns = 1 if place is None else place.get_gridspec().ncols
    return float(part.bbox.width / part.figure.dpi / columns)


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes as they are laid out now, in points."""
    figure = part_of(ax).figure
    figure.draw_without_rendering()
    box = ax.get_window_extent()
    return box.width * 72 / figure.dpi, box.height * 72 / figure.dpi


def points_of(text: str, size: float) -> float:
    """The width of a line of text of a font size, in points; infinite beyond `LONGEST`.

    Where letters move together, as in AV, the line is a little shorter.
    """
    from matplotlib.font_manager import FontProperties

    if len(text) > LONGEST:
        return inf
    font = FontProperties().get_name()  # that of the style, or of the user's axes
    return size * sum(_em_width(sign, font) for sign in text)


@lru_cache(10_000)
def _em_width(sign: str, font: str) -> float:
    """The width of a character as renderers set it, in font sizes.

    To measure whole texts takes a millisecond each: too long, where 129 names are cut to a width.
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    look = FontProperties(family=[font, "sans-serif"], size=100)

    def width(text: str) -> float:
        return float(text_to_path.get_text_width_height_descent(text, look, ismath=False)[0])

    # The ink of a character is narrower than its place: ten more characters take ten places.
    return (width(sign * 11) - width(sign)) / 1000


def in_lines(words: Iterable[str], points: float, size: float) -> str:
    """The words in lines of at most this width, where no word is wider."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and points_of(longer, size) <= points:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


def caption(ax: Axes, text: str) -> None:
    """Keep the caption as ``ax.irx_caption``, and write it above wide axes that are alone."""
    ax.irx_caption = text = printable(text.strip())  # type: ignore[attr-defined]
    if is_alone(ax) and inches(ax) >= NARROW:
        points = CAPTION_SHARE * 72 * inches(ax)
        words = [piece for word in text.split() for piece in _pieces(word, points)]
        part_of(ax).suptitle(
            " ".join(words).replace("$", r"\$"), x=0.01, ha="left", fontsize=CAPTION_SIZE,
            color=MUTED, wrap=True, fontweight="normal",
        )  # fmt: skip


def _pieces(word: str, points: float) -> Iterator[str]:
    """A word, in pieces that fit a line of a caption: there nothing is left out."""
    while points_of(word, CAPTION_SIZE) > points:
        ends = range(1, len(word))
        end = bisect(ends, points, key=lambda end: points_of(word[:end], CAPTION_SIZE))
        yield word[: max(1, end)]
        word = word[max(1, end) :]
    yield word


def key(ax: Axes, handles: Sequence[Any] | None = None, title: str = "", **look: Any) -> None:
    """A key, below axes that are alone, in as many columns as fit; by default of the curves.

    It reads from left to right, line by line.
    """
    from matplotlib import rcParams

    handles = ax.get_legend_handles_labels()[0] if handles is None else handles
    size = {"fontsize": SMALL, "title_fontsize": SMALL}
    look = {"handles": handles, **size, "frameon": False, "handlelength": KEY_LENGTH, **look}
    if not is_alone(ax):
        ax.legend(title=title, **look)
        return
    usual: Any = rcParams
    space = {name: float(look.get(name, usual[f"legend.{name}"])) for name in KEY_SPACES}
    between = SMALL * space["columnspacing"]
    longest = max(points_of(str(handle.get_label()), SMALL) for handle in handles)
    column = longest + SMALL * (space["handlelength"] + space["handletextpad"]) + between
    points = inches(ax) * 72 - 2 * SMALL * (space["borderpad"] + space["borderaxespad"])
    columns = max(1, min(len(handles), int((points + between) / column)))
    title = in_lines(_cut_words(title, points, SMALL), points, SMALL)
    # matplotlib fills a column before it begins the next one.
    look["handles"] = [handle for start in range(columns) for handle in handles[start::columns]]
    part_of(ax).legend(loc="outside lower center", ncols=columns, title=title, **look)


def label_of(measure: object) -> str:
    """The short label of a measure."""
    return short_labels([measure])[0]


def plain(text: str) -> str:
    """A text in a picture: it prints, is cut in the middle if it is long, and is not TeX."""
    text = cut_name(printable(text), LONGEST).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text  # a key hides a label that starts with _


def axis_of(measure: Any, label: str | None = None) -> str:
    """A measure at an axis, by its short label or the given one, and whether lower is better."""
    if label is None:
        label = label_of(measure)
    label = plain(label)
    return label if is_rising(measure) else f"{label} (lower is better)"


def names_of(ax: Axes, names: Iterable[str], share: float = 0.35) -> dict[str, str]:
    """What a picture calls systems or results: cut to a share of its width, no two equal."""
    points = max(SHORTEST, share * inches(ax) * 72)
    cut = cut_names(names, points, measure=partial(points_of, size=SMALL))
    return {name: plain(short) for name, short in cut.items()}


def in_caption(name: str) -> str:
    """A name in a caption: there it has a line, however narrow the picture is."""
    return cut_name(name, LONGEST)


def names_in_caption(names: Iterable[str]) -> Writing:
    """What a caption calls systems, of which no two are equal."""
    return Writing(cut_names(names, LONGEST).__getitem__)


def with_room(count: int, points: float) -> tuple[range, float]:
    """The positions of the names that have room side by side in a length, and their font size."""
    pitch = points / count
    step = max(1, ceil(SMALLEST * LINE / pitch))
    return range(0, count, step), min(SMALL, max(SMALLEST, pitch * step / LINE))


def height_of_rows(rows: int) -> float:
    """The height of so many rows with names, in inches."""
    row = ROW if rows <= MANY_ROWS else NARROW_ROW
    return min(TALLEST, rows * row)


def dot_in_rows(ax: Axes, rows: int) -> float:
    """The size of dots in so many rows, of which neighbouring ones do not touch."""
    pitch = size_in_points(ax)[1] / rows
    return min(DOT, max(SMALLEST_DOT, pitch**2))


def name_rows(ax: Axes, names: Sequence[str], right: Mapping[str, Sequence[str]]) -> None:
    """Write the names of rows for which there is room, and columns of texts at their right.

    The texts of a column, by its head, end at the same place; an empty column is left out.
    """
    named, size = with_room(len(names), size_in_points(ax)[1])
    ax.set_yticks(named, [names[row] for row in named], fontsize=size)
    ax.tick_params(axis="y", length=0)
    end = 0.0
    for head, cells in right.items():
        if not any(cells):
            continue
        end += COLUMN_GAP + max(points_of(text, size) for text in (head, *cells)) / LABEL_SHARE
        beside = ax.secondary_yaxis("right")
        beside.set_yticks(
            named, [cells[row] for row in named], fontsize=size, color=MUTED, ha="right"
        )
        beside.tick_params(length=0, pad=end)
        beside.spines["right"].set_visible(False)
        ax.annotate(
            head, (1, 1), (end, 2), xycoords="axes fraction", textcoords="offset points",
            color=MUTED, fontsize=size, ha="right", annotation_clip=False,
        )  # fmt: skip


def name_columns(ax: Axes, names: Sequence[str]) -> None:
    """Write the names of columns for which there is room, upright where they all fit."""
    points = size_in_points(ax)[0]
    named, size = with_room(len(names), points)
    pitch = points / len(named)
    chosen = [names[column] for column in named]
    upright = max(points_of(name, size) for name in chosen) + size / 2 < pitch
    rotation = 0 if upright else 90
    ax.set_xticks(named, chosen, rotation=rotation, fontsize=size)
    if not upright:  # they make the other axis shorter
        name_axes(ax, ax.get_xlabel(), ax.get_ylabel())


def name_axes(ax: Axes, across: str, up: str) -> None:
    """Write what both axes are: long texts in several lines, long words cut in the middle."""
    size = max(float(axis.label.get_fontsize()) for axis in (ax.xaxis, ax.yaxis))
    together = [*across.split(), *up.split("\n")]
    if all(points_of(text, size) <= SHORTEST_AXIS for text in together):
        ax.set_xlabel(across, wrap=True)
        ax.set_ylabel(up)
        return
    for _ in range(2):  # the label of one axis makes the other shorter
        width, height = LABEL_SHARE * np.array(size_in_points(ax))
        below = [" ".join(_cut_words(line, width, size)) for line in across.split("\n")]
        ax.set_xlabel("\n".join(below), wrap=True)
        # matplotlib breaks lines at the edge of the figure: a caption or a key comes before it.
        beside = [in_lines(_cut_words(line, height, size), height, size) for line in up.split("\n")]
        ax.set_ylabel("\n".join(beside))


def _cut_words(line: str, points: float, size: float) -> list[str]:
    """The words of a line, of which none is wider than it."""
    measure = partial(points_of, size=size)
    return [cut_name(word, points, measure=measure) for word in line.split()]


def draw_dots(ax: Axes, x: ArrayLike, y: ArrayLike, filled: BoolArray, size: float = DOT) -> None:
    """Draw dots in one colour; those that are not filled are circles of a line."""
    fill = np.where(filled, ABOVE, "white").tolist()
    ax.scatter(x, y, s=size, c=fill, edgecolors=ABOVE, linewidths=1.1, zorder=3, clip_on=False)


def draw_level(ax: Axes, level: float) -> None:
    """Draw a dotted line at a level, which stands at its right end, where no curve is."""
    ax.axhline(level, color="0.4", linewidth=0.8, linestyle=":", marker="")
    ax.annotate(
        f"{level:g}", (1, level), (3, 0), xycoords=("axes fraction", "data"), va="center",
        textcoords="offset points", color=MUTED, fontsize=SMALL, annotation_clip=False,
    )  # fmt: skip


def look(number: int, markers: bool = True) -> dict[str, Any]:
    """Colour and marker, or line style, of one of several curves or groups."""
    from matplotlib import rcParams
    from matplotlib.colors import to_hex

    # A colour like C0 would be looked up when it is drawn, without the style.
    colours = rcParams["axes.prop_cycle"].by_key()["color"]
    colour, turn = to_hex(colours[number % len(colours)]), number // len(colours)
    if markers:
        return {"color": colour, "marker": MARKERS[(number + turn) % len(MARKERS)]}
    return {"color": colour, "marker": "", "linestyle": LINES[(number + turn) % len(LINES)]}


class NothingToDrawError(InputError):
    """All that was to be drawn is undefined."""


def check_axes(ax: object) -> None:
    """Refuse to draw on what are no axes, such as a figure or an array of axes."""
    with importing("plots", "plots need matplotlib"):
        from matplotlib.axes import Axes
    if not isinstance(ax, Axes):
        raise TypeError(f"`ax` must be Axes of matplotlib; got {type(ax).__name__}")


def check_dict(name: str, given: Any) -> None:
    """Refuse what is no dict, or an empty one."""
    if not isinstance(given, Mapping):
        raise TypeError(
            f"`{name}` must be a dict of the results to draw; got {type(given).__name__}"
        )
    check_results(given, name)


def check_dict_of(kind: type, maker: str, name: str, given: Any) -> None:
    """Refuse what is no dict of results of one kind, or an empty one; see `check_kind`."""
    check_dict(name, given)
    for label, result in given.items():
        check_kind(f"{name}[{shown(label)}]", result, kind, maker)


def check_results(results: Sized, name: str = "results") -> None:
    """Refuse to draw an empty picture."""
    if not hasattr(results, "__len__"):
        raise TypeError(f"`{name}` must hold the results to draw; got {type(results).__name__}")
    if not len(results):
        raise InputError(f"`{name}` must hold at least one result to draw; got none")


def say_undefined(names: Sequence[str], drawn: int) -> None:
    """Warn of the names that a picture leaves out; with nothing `drawn`, refuse to draw it."""
    if names and not drawn:
        raise NothingToDrawError(f"all that was to be drawn is undefined: {', '.join(names)}")
    if names:
        warn(f"the picture leaves out what is undefined: {', '.join(names)}")


def say_empty(ax: Axes, why: str) -> None:
    """Write in axes that show no data why they show none."""
    ax.text(
        0.5, 0.75, plain(why), ha="center", va="center", transform=ax.transAxes, color=MUTED,
        fontsize=SMALL, wrap=True, bbox={"facecolor": "white", "edgecolor": "none"},
    )  # fmt: skip


def save(ax: Axes, path: str | os.PathLike[str]) -> None:
    """Save the figure of a plot to a file. If writing fails, no file is left.

    Text in SVG stays text, in DejaVu Sans, a font that matplotlib brings. The same plot gives the
    same bytes, because the file has no date.

    Parameters
    ----------
    ax
        Axes that a function of `irx_measures.plots` returned.
    path
        The file; its ending (.png, .svg, .pdf) selects the format.

    Raises
    ------
    ValueError
        If `ax` does not belong to a figure, or the format is unknown.
    TypeError
        If `ax` are no axes.

    See Also
    --------
    irx_measures.plots.leaderboard : Returns such axes, as every plot does.
    """
    check_axes(ax)
    figure = part_of(ax).figure
    from matplotlib import rc_context

    file, out = Path(path), io.BytesIO()
    kind = file.suffix.removeprefix(".")
    with rc_context(SAVED):
        figure.savefig(out, format=kind, dpi=DPI, metadata=UNDATED.get(kind))
    write_whole(file, out.getvalue())
