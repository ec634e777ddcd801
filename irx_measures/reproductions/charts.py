"""Axes of the papers' figures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..plots.style import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Curve = tuple[Any, Any, str, str]  # x, y, matplotlib's format, and the label; "": no label


def chart(
    x_label: str,
    y_label: str,
    curves: Iterable[Curve],
    *,
    width: float | None = None,
    **style: Any,
) -> Axes:
    """Curves under the names of both axes, with a legend if they have labels."""
    ax = new_axes(width)
    for x, y, form, label in curves:
        ax.plot(x, y, form, label=label or None, **style)
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(fontsize="small")
    return ax
