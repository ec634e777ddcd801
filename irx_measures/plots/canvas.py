"""Axes to draw on, their legend, and saving a plot to a file."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping, Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..common.warn import warn
from ..exceptions import InputError, MissingExtraError
from ..io.files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Result = TypeVar("Result")

LEGEND_LINE = 0.2  # inches


def new_axes(height: float = 5.0) -> Axes:
    """Axes of a new figure without a window; `height` is in inches."""
    return figure_class()(figsize=(7, height), layout="constrained").add_subplot()


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


def plain(name: str) -> str:
    """Escape $, so that matplotlib writes the name unchanged; it sets text between $ as TeX."""
    return name.replace("$", r"\$")


def legend_below(ax: Axes) -> None:
    """Put a legend of one column below the x label, inside the figure and outside the axes.

    Its distance from the axes is in inches, like that of the label, so it suits any axes height.
    """
    from matplotlib.transforms import ScaledTranslation

    label = ScaledTranslation(0.0, -0.5, ax.figure.dpi_scale_trans)
    ax.legend(
        fontsize="small",
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        bbox_transform=ax.transAxes + label,
        frameon=False,
    )


def save(ax: Axes, path: str | os.PathLike[str]) -> None:
    """Save the figure of a plot to a file. If writing fails, no file is left.

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
    file, out = Path(path), io.BytesIO()
    figure_of(ax).savefig(out, format=file.suffix.removeprefix("."), dpi=150)
    write_whole(file, out.getvalue())
