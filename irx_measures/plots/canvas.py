"""Figures, names in pictures, legends, and saving a plot to a file."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
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

LEGEND_LINE = 0.2  # inches: a line of 8 points, and space

LONGEST_LABEL, LONGEST_NAME = 120, 40  # characters: about a line of 7 inches, and a third of it

UNWRITABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Characters that XML forbids, or that would turn the text around them or break its line."""

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


class NothingToDrawError(InputError):
    """All that was to be drawn is undefined."""


def check_results(results: Sized, name: str = "results") -> None:
    """Refuse to draw an empty picture."""
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
        self.short = cut_names(names, longest)
        self.writing = Writing(self.short.__getitem__)

    def __call__(self, name: str) -> str:
        """A name as a label."""
        return plain(self.short[name])


def label_of(measure: object) -> str:
    """The short label of a measure."""
    return short_labels([measure])[0]


def legend_below(ax: Axes) -> None:
    """Put a legend of one column below the x label, inside the figure and outside the axes.

    Its distance from the axes is in inches, like that of the label, so it suits any axes height.
    """
    from matplotlib.transforms import ScaledTranslation

    figure = figure_of(ax)
    figure.draw_without_rendering()  # fixes the position of the x label
    down = (ax.get_window_extent().y0 - ax.xaxis.label.get_window_extent().y0) / figure.dpi
    label = ScaledTranslation(0.0, -down - 0.05, figure.dpi_scale_trans)
    ax.legend(
        fontsize="small",
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        bbox_transform=ax.transAxes + label,
        frameon=False,
    )


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
        figure.savefig(out, format=kind, dpi=150, metadata=UNDATED.get(kind))
    write_whole(file, out.getvalue())
