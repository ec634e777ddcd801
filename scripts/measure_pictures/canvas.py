"""Axes that fit a page's column, and what several pictures draw alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from matplotlib.axes import Axes

from irx_measures.plots.canvas import figure_of
from irx_measures.plots.style import ABOVE, BELOW, MUTED, P_RAMP, styled_panels

WIDTH = 5.4  # inches: text stays readable where a phone scales the picture down

PALE = P_RAMP[0]

__all__ = ["ABOVE", "BELOW", "MUTED", "PALE", "WIDTH", "legend_above", "panels", "say"]


@contextmanager
def panels(height: float, count: int = 1) -> Iterator[list[Axes]]:
    """Axes side by side in the package's style; `height` is in inches."""
    with styled_panels(height, count) as axes:
        figure_of(axes[0]).set_size_inches(WIDTH, height)
        yield axes


def legend_above(ax: Axes, columns: int) -> None:
    """A legend in one row above all axes of the figure."""
    handles, labels = ax.get_legend_handles_labels()
    figure_of(ax).legend(
        handles, labels, loc="outside upper left", ncols=columns, frameon=False, fontsize=7.5
    )


def say(ax: Axes, x: float, y: float, text: str, **options: object) -> None:
    """A small text at a place of the axes."""
    settings: dict[str, object] = {"ha": "center", "va": "bottom", "fontsize": 7, "color": MUTED}
    ax.text(x, y, text, **{**settings, **options})  # type: ignore[arg-type]


def names_below(ax: Axes, names: Sequence[str]) -> None:
    """Names at 1, 2, ... of the x axis, and no lines upwards from them."""
    ax.set_xticks(range(1, len(names) + 1), list(names))
    ax.grid(visible=False, axis="x")
