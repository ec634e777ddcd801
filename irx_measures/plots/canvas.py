"""Where pictures are drawn, and how they get to a file."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..exceptions import InputError, MissingExtraError
from ..io.files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEGEND_LINE = 0.2  # inches


def new_axes(height: float = 5.0) -> Axes:
    """Axes of a new figure, which no window shows; its height in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError(
            "pictures need matplotlib: pip install 'irx-measures[plots]'"
        ) from None
    return Figure(figsize=(7, height), layout="constrained").add_subplot()


def plain(name: str) -> str:
    """A name for matplotlib to write as it is, where it would set what stands between $ as TeX."""
    return name.replace("$", r"\$")


def legend_below(ax: Axes) -> None:
    """A legend under the axes' label, a line each, so that it neither covers nor leaves the figure.

    Its distance is in inches, as that of the label is, whatever the height of the axes.
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
    """Write a picture's figure to a file, which appears whole or not at all.

    Parameters
    ----------
    ax
        As the functions of this module return them.
    path
        Its ending (.png, .svg, .pdf) says in which format.

    Raises
    ------
    ValueError
        When `ax` belongs to no figure, or the format is unknown.
    """
    file, out = Path(path), io.BytesIO()
    figure = ax.get_figure(root=True)
    if figure is None:
        raise InputError("`ax` must belong to a figure")
    figure.savefig(out, format=file.suffix.removeprefix("."), dpi=150)
    write_whole(file, out.getvalue())
