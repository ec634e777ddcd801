"""Where pictures are drawn, and how they get to a file."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def new_axes(height: float = 5.0) -> Axes:
    """Axes of a new figure, which no window shows; its height in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install 'irx-measures[plots]'") from None
    return Figure(figsize=(7, height), layout="constrained").add_subplot()


def plain(name: str) -> str:
    """A name for matplotlib to write as it is, where it would set what stands between $ as TeX."""
    return name.replace("$", r"\$")


def save(ax: Axes, path: str | os.PathLike[str]) -> None:
    """Write a picture's figure; the ending (.png, .svg, .pdf) says in which format."""
    path, out = Path(path), io.BytesIO()
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("`ax` must belong to a figure")
    figure.savefig(out, format=path.suffix.removeprefix("."), dpi=150)
    write_whole(path, out.getvalue())
