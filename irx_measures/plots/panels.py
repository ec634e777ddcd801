"""Several pictures as panels of one figure, below each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..typing import Axes
from . import style


def panels(draw: Sequence[Callable[..., Axes]], width: float | None = None) -> list[Axes]:
    """The axes of pictures, which share a figure if there are several.

    A function of `draw` takes `width`, or the axes `ax` to draw on. A panel is as high as the
    picture would be alone; so each is drawn alone first.
    """
    alone = [one(width=width) for one in draw]
    if len(alone) == 1:
        return alone
    heights = [float(style.part_of(ax).figure.get_figheight()) for ax in alone]
    wide = float(style.part_of(alone[0]).figure.get_figwidth())
    with style.package_style() as new_figure:
        figure = new_figure(figsize=(wide, sum(heights)), dpi=style.DPI, layout="constrained")
        parts = figure.subfigures(len(draw), squeeze=False, height_ratios=heights)
        empty = [part.add_subplot() for part in parts.ravel()]
        drawn = [one(ax=ax) for one, ax in zip(draw, empty, strict=True)]
        figure.draw_without_rendering()  # matplotlib makes ticks only then
    return drawn
