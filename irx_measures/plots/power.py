"""Discriminative power: which systems differ, and at which level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.numeric import FloatArray
from ..comparison.shown import first_places
from ..meta.power import DiscriminativePower
from ..stats.tests import TESTS
from ..typing import MeasureLike
from .canvas import (
    LONGEST_BOTH,
    LONGEST_LABEL,
    check_kind,
    cut,
    key_below,
    label_of,
    names_on,
)
from .style import (
    ABOVE,
    BELOW,
    NOT_SIGNIFICANT,
    hide_frame,
    styled_square,
    subtitle,
    write_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE_BELOW, PALE_ABOVE = "#f0b9a0", "#9cc3e2"

SHADES = (BELOW, PALE_BELOW, NOT_SIGNIFICANT, PALE_ABOVE, ABOVE)  # from worse to better

NAMED = 60  # systems, a choice: the names of more would be too small


def how_tested(power: DiscriminativePower) -> str:
    """The test, its correction, and what it was used on."""
    details = [f"{power.pairs} pairs of {len(power.systems)} systems"]
    if power.correction != "none":
        details.insert(0, f"{power.correction.capitalize()} correction")
    if power.resamples is not None:
        details.append(f"{power.resamples} resamples")
    return f"{TESTS[power.test].title}, {', '.join(details)}"


def significance_heatmap(
    power: DiscriminativePower,
    ax: Axes | None = None,
    levels: tuple[float, float] = (0.95, 0.99),
    *,
    measure: MeasureLike | None = None,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot which pairs of systems differ significantly. Systems are sorted from best to worst.

    Parameters
    ----------
    power
        The result for one measure.
    ax
        Axes to draw on; if None, those of a new figure.
    levels
        A lower and a higher confidence level, in (0, 1). The colour of a pair shows which system
        is better, and at which of the two levels the difference is significant.
    measure
        The measure of the result, to name it.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.
    top
        Show this number of systems, at least 2, the best ones. If None, at most 200.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    With more than 60 systems, the axes do not show the systems' names. Where names have no room,
    only every second, third, ... system is named.
    """
    check_kind("power", power, DiscriminativePower, "meta.discriminative_power")
    from matplotlib.colors import BoundaryNorm, ListedColormap

    order, shade = _shades(power, levels)
    kept, shown = first_places(range(len(order)), top, "the pairs that they win")
    order, shade = order[: len(kept)], shade[: len(kept), : len(kept)]
    with styled_square(ax, 5.2, width) as ax:
        ax.imshow(shade, cmap=ListedColormap(SHADES), norm=BoundaryNorm(np.arange(-2.5, 3), 5))
        low, high = (f"{level:.4g}%" for level in np.array(levels) * 100)
        meanings = [f"row worse, {high}", f"row worse, {low}", "not significant"]
        meanings += [f"row better, {low}", f"row better, {high}"]
        _name_systems(ax, [power.systems[position] for position in order])
        key_below(ax, SHADES, meanings)
        hide_frame(ax)
        whose = "" if measure is None else f"{cut(label_of(measure), LONGEST_LABEL)}: "
        differing = f"{power.significant(levels[0])} of {power.pairs} pairs of systems differ"
        found = f"{whose}{differing} significantly at {low} ({how_tested(power)})."
        subtitle(ax, f"{found} Best at the top. {shown}".rstrip())
    return ax


def _shades(
    power: DiscriminativePower, levels: tuple[float, float]
) -> tuple[list[int], FloatArray]:
    """The order of the systems, and by how many levels the row is better: -2 to 2."""
    shade, better = np.zeros((2, len(power.systems), len(power.systems)))
    above = np.triu_indices(len(power.systems), 1)
    reached = sum(power.significant_pairs(level).astype(int) for level in levels)
    better[above] = np.sign(power.difference)
    shade[above] = better[above] * reached
    order = np.argsort(-(better - better.T).sum(axis=1), kind="stable")
    return order.tolist(), (shade - shade.T)[np.ix_(order, order)]


def _name_systems(ax: Axes, systems: Sequence[str]) -> None:
    """Name rows and columns if there is room for the names."""
    if len(systems) > NAMED:
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_ylabel("systems, best first")
        ax.set_xlabel("systems, best first")
        return
    names = list(map(names_on(ax, systems, LONGEST_BOTH), systems))

    def write(named: list[int], size: float) -> None:
        labels = [names[place] for place in named]
        ax.set_yticks(named, labels, fontsize=size)
        ax.set_xticks(named, labels, fontsize=size, rotation=90)

    write_names(ax, len(names), write, both=True)
