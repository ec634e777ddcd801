"""Figures, names in pictures, legends, and saving a plot to a file."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..common.names import cut_name, cut_names
from ..common.warn import warn
from ..common.writing import Writing
from ..exceptions import InputError, MissingExtraError
from ..io.files import write_whole
from ..measures.labels import short_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Result = TypeVar("Result")

PAGE = 7.0  # inches: the width of a page's text, in two columns

NARROWEST, WIDEST = 2.0, 40.0  # inches: names fit in 2, and a poster is 40 wide

SHORTEST_NAME = 12  # characters, a choice: of fewer, a name cut in the middle is not recognised

LEGEND_LINE = 0.2  # inches: a line of 8 points, and space

KEY_SIZE = 7.0  # points: as names, also in a figure whose own text is larger

LONGEST_LABEL, LONGEST_NAME = 120, 40  # characters: about a line of 7 inches, and a third of it

LONGEST_BOTH = 24  # characters of names at two sides of a square, which leave half of it to cells

UNWRITABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Characters that XML forbids, or that would turn the text around them or break its line."""

SAVED_DPI = 150  # dots per inch

SAVED: Any = {"svg.fonttype": "none", "svg.hashsalt": "irx", "pdf.fonttype": 42, "ps.fonttype": 42}

UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def figure_class() -> type[Figure]:
    """matplotlib's class of figures; an error says how to install it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError(
            "plots need matplotlib: pip install 'irx-measures[plots]'"
        ) from None
    return Figure


def figure_of(ax: Axes) -> Figure:
    """The figure of the axes."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise InputError("`ax` must belong to a figure")
    return figure


def room(ax: Axes, last: Axes | None = None) -> float:
    """The width of the columns of the figure in which the axes stand, in inches.

    Parameters
    ----------
    ax
    last
        The last of several axes side by side.
    """
    part = ax.get_figure(root=False) or figure_of(ax)  # a figure, or a subfigure
    first, end = ax.get_subplotspec(), (last or ax).get_subplotspec()
    if first is None or end is None:
        share = float(ax.get_position(original=True).width)
    else:
        share = (end.colspan.stop - first.colspan.start) / first.get_gridspec().ncols
    return part.bbox.width / figure_of(ax).dpi * share


class NothingToDrawError(InputError):
    """All that was to be drawn is undefined."""


def check_kind(name: str, given: object, kind: type, maker: str) -> None:
    """Refuse what a picture is not made of; the error names the function that makes it."""
    if not isinstance(given, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise TypeError(
            f"`{name}` must be {article} {kind.__name__}, which {maker} gives; got "
            f"{type(given).__name__}"
        )


def check_results(results: Sized, name: str = "results") -> None:
    """Refuse to draw an empty picture."""
    if not hasattr(results, "__len__"):
        raise TypeError(f"`{name}` must hold the results to draw; got {type(results).__name__}")
    if not len(results):
        raise InputError(f"`{name}` must hold at least one result to draw; got none")


def say_undefined(names: Sequence[str], drawn: int) -> None:
    """Warn of what a picture leaves out because it is undefined, and refuse an empty picture.

    Parameters
    ----------
    names
        What is left out.
    drawn
        How much is left.
    """
    if names and not drawn:
        raise NothingToDrawError(f"all that was to be drawn is undefined: {', '.join(names)}")
    if names:
        warn(f"the picture leaves out what is undefined: {', '.join(names)}")


def defined(results: Mapping[str, Result], is_defined: Callable[[Result], object]) -> list[str]:
    """The labels of the results that can be drawn; a warning names the others."""
    check_results(results)
    labels = [label for label, result in results.items() if is_defined(result)]
    say_undefined([label for label in results if label not in labels], len(labels))
    return labels


def cut(text: str, longest: int = LONGEST_NAME) -> str:
    """The text without characters that no picture can show, cut in the middle if it is long."""
    return UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", cut_name(text, longest))


def plain(label: str, longest: int = LONGEST_LABEL) -> str:
    """The label of a measure, as `cut` gives it, with $ escaped.

    matplotlib would set text between $ as TeX.
    """
    text = cut(label, longest).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text  # a legend hides a label that starts with _


def plain_name(name: str) -> str:
    """The name of a system, a group or a query, as `plain` writes labels but shorter."""
    return plain(name, LONGEST_NAME)


class Names:
    """What a picture calls systems, queries or results: no two of them are equal.

    Parameters
    ----------
    names
        All names of the picture.
    longest
        The characters that there are for a name.
    """

    def __init__(self, names: Iterable[str], longest: int = LONGEST_NAME) -> None:
        every = list(names)
        self.short = cut_names(every, longest)
        # A caption has the room of a line for a name, however narrow the picture is.
        self.writing = Writing(cut_names(every, LONGEST_LABEL).__getitem__)

    def __call__(self, name: str) -> str:
        """A name as a label."""
        return plain(self.short[name])


def names_on(ax: Axes, names: Iterable[str], longest: int = LONGEST_NAME) -> Names:
    """Names that fit these axes: in a narrow picture, they are shorter.

    `longest` is the number of characters in a picture as wide as a page.
    """
    return Names(names, max(SHORTEST_NAME, int(longest * min(1.0, room(ax) / PAGE))))


def label_of(measure: object) -> str:
    """The short label of a measure."""
    return short_labels([measure])[0]


def legend_below(ax: Axes, **keys: Any) -> None:
    """Put a legend below the x label, inside the figure and outside the axes.

    Its distance from the axes is in inches, like that of the label, so it suits any axes height.

    Parameters
    ----------
    ax
    **keys
        As for `Axes.legend`: by default the labelled curves, in one column. With `ncols`, as many
        columns as fit, up to that number.
    """
    from matplotlib.transforms import ScaledTranslation

    figure = figure_of(ax)
    figure.draw_without_rendering()  # fixes the position of the x label
    box, around = ax.get_window_extent(), ax.get_tightbbox() or ax.get_window_extent()
    below = [ax.xaxis.label, *ax.get_xticklabels()]
    lowest = min((text.get_window_extent().y0 for text in below if text.get_text()), default=box.y0)
    down = (box.y0 - min(lowest, box.y0)) / figure.dpi + 0.05
    look: dict[str, Any] = {"fontsize": KEY_SIZE, "loc": "upper center", "frameon": False}
    widest, entries = room(ax) * figure.dpi, keys.pop("ncols", 1)
    for rows in range(1, entries + 1):
        legend = ax.legend(ncols=ceil(entries / rows), bbox_to_anchor=(0.5, 0.0), **look, **keys)
        width = legend.get_window_extent().width
        if width <= widest:
            break
    # A legend wider than the axes is centred below the axes with their names.
    aside = (around.x0 + around.x1 - box.x0 - box.x1) / 2 / figure.dpi if width > box.width else 0.0
    shift = ScaledTranslation(aside, -down, figure.dpi_scale_trans)
    legend.set_bbox_to_anchor((0.5, 0.0), transform=ax.transAxes + shift)


def key_below(ax: Axes, colours: Sequence[str], meanings: Sequence[str], **keys: Any) -> None:
    """Explain the colours of cells, in a legend below the axes; `keys` as for `legend_below`."""
    from matplotlib.patches import Patch

    pairs = zip(colours, meanings, strict=True)
    handles = [Patch(facecolor=colour, label=meaning) for colour, meaning in pairs]
    look: dict[str, Any] = {"handlelength": 1.2, "columnspacing": 1.4}
    legend_below(ax, handles=handles, ncols=len(handles), **look, **keys)


def save(ax: Axes, path: str | os.PathLike[str]) -> None:
    """Save the figure of a plot to a file. If writing fails, no file is left.

    Text in SVG stays text. The same plot gives the same bytes, because the file has no date.

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
    """
    figure = figure_of(ax)
    from matplotlib import rc_context

    file, out = Path(path), io.BytesIO()
    kind = file.suffix.removeprefix(".")
    with rc_context(SAVED):
        figure.savefig(out, format=kind, dpi=SAVED_DPI, metadata=UNDATED.get(kind))
    write_whole(file, out.getvalue())
