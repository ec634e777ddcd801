"""Rank correlations: as a function of a parameter, and side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ..exceptions import InputError
from ..meta.correlation import RankCorrelation
from ..typing import MeasureLike
from .canvas import (
    LEGEND_LINE,
    LONGEST_LABEL,
    check_results,
    cut,
    defined,
    label_of,
    legend_below,
    names_on,
    plain,
)
from .style import ABOVE, INTERVAL, look, styled_axes, styled_panels, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_ROW = 60  # characters: about half of the width of the picture


def correlation_curves(
    results: Mapping[str, Mapping[float, RankCorrelation]],
    parameter: str = "alpha",
    ax: Axes | None = None,
    *,
    measure: MeasureLike | None = None,
    reference: MeasureLike | None = None,
    width: float | None = None,
) -> Axes:
    """Plot correlations, with intervals, against a measure's parameter (rareness paper, Figure 2).

    Parameters
    ----------
    results
        For each curve, by its legend label: the correlation at each value of the parameter.
    parameter
        Label of the x axis.
    ax
        Axes to draw on; if None, those of a new figure.
    measure
        The measure with the parameter, to name it.
    reference
        The measure that it is correlated with, to name it.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

    Returns
    -------
    matplotlib.axes.Axes
        The first axes, if the results have several coefficients: each has axes of its own.

    Raises
    ------
    ValueError
        If there is no correlation, if every correlation is undefined, or if results with several
        coefficients are to be drawn on given axes.

    Warns
    -----
    EvaluationWarning
        If undefined correlations are left out.
    """
    check_results(results)
    for curve in results.values():
        check_results(curve)
    points = {
        f"{label} at {parameter}={value:g}": correlation.value
        for label, curve in results.items()
        for value, correlation in curve.items()
    }
    defined(points, isfinite)
    several = {label: _coefficient(next(iter(curve.values()))) for label, curve in results.items()}
    rows = LEGEND_LINE * len(results)
    with _axes_of(several.values(), ax, 4.0, width, rows) as axes:
        names = names_on(next(iter(axes.values())), results, LONGEST_LABEL)
        for number, (label, curve) in enumerate(results.items()):
            _draw_curve(axes[several[label]], curve, names(label), number)
        for coefficient, panel in axes.items():
            panel.set_xlabel(plain(parameter))
            panel.set_ylabel(coefficient)
            panel.tick_params(labelleft=True)
            legend_below(panel)
        first = next(iter(axes.values()))
        some = next(result for curve in results.values() for result in curve.values())
        whose = "the measures named below"
        if measure is not None:
            whose = f"{cut(label_of(measure), LONGEST_LABEL)} as its {cut(parameter)} varies"
        text = f"{_summary(some, whose, reference)} Band: {_interval(some)}."
        subtitle(first, text, list(axes.values())[-1])
    return first


def _draw_curve(ax: Axes, curve: Mapping[float, RankCorrelation], label: str, number: int) -> None:
    across = sorted(value for value in curve if isfinite(curve[value].value))
    if not across:
        return
    values = np.array([curve[value].value for value in across])
    low, high = np.array([curve[value].interval for value in across]).T
    colour, marker = look(number)
    ax.plot(across, values, color=colour, marker=marker, markersize=4.5, label=label)
    ax.fill_between(across, low, high, color=colour, alpha=0.12, linewidth=0)


def correlation_bars(
    results: Mapping[str, RankCorrelation],
    ax: Axes | None = None,
    *,
    reference: MeasureLike | None = None,
    width: float | None = None,
) -> Axes:
    """Plot correlations side by side, with their intervals.

    Parameters
    ----------
    results
        Correlations, by their labels on the y axis.
    ax
        Axes to draw on; if None, those of a new figure.
    reference
        The measure that all others are correlated with, to name it.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

    Returns
    -------
    matplotlib.axes.Axes
        The first axes, if the results have several coefficients: each has axes of its own.

    Notes
    -----
    Raises and warns as `correlation_curves` does.
    """
    labels = defined(results, lambda result: isfinite(result.value))
    with _axes_of(
        [_coefficient(results[label]) for label in labels], ax, 1.4, width, 0.3 * len(labels)
    ) as axes:
        for row, result in enumerate(results[label] for label in labels):
            panel = axes[_coefficient(result)]
            panel.plot(
                result.interval, [row, row], color=INTERVAL, linewidth=2, marker="",
                solid_capstyle="butt",
            )  # fmt: skip
            panel.plot(result.value, row, "o", color=ABOVE, linestyle="")
        for coefficient, panel in axes.items():
            panel.set_xlabel(coefficient)
            panel.grid(visible=False, axis="y")
        first = next(iter(axes.values()))
        names = names_on(first, labels, LONGEST_ROW)
        first.set_yticks(range(len(labels)), list(map(names, labels)))
        first.set_ylim(len(labels) - 0.5, -0.5)
        some = results[labels[0]]
        text = f"{_summary(some, 'the measures at the left', reference)} Line: {_interval(some)}."
        subtitle(first, text, list(axes.values())[-1])
    return first


def _coefficient(result: RankCorrelation) -> str:
    """The name of the coefficient, with its persistence."""
    return result.coefficient + ("" if result.phi is None else f" (phi={result.phi:g})")


@contextmanager
def _axes_of(
    coefficients: Iterable[str], ax: Axes | None, height: float, width: float | None, rows: float
) -> Iterator[dict[str, Axes]]:
    """Axes for each coefficient: two coefficients do not share an axis."""
    names = list(dict.fromkeys(coefficients))
    if len(names) == 1:
        with styled_axes(ax, height, width, rows) as ax:
            yield {names[0]: ax}
    elif ax is None:
        with styled_panels(height, len(names), width, rows) as panels:
            yield dict(zip(names, panels, strict=True))
    else:
        raise InputError(f"`ax` must be None for several coefficients; got {', '.join(names)}")


def _summary(result: RankCorrelation, whose: str, reference: MeasureLike | None) -> str:
    """Which rankings are correlated."""
    text = f"Rankings of {len(result.systems)} systems by {whose}"
    if reference is not None:
        text += f", correlated with the ranking by {cut(label_of(reference), LONGEST_LABEL)}"
    return f"{text}."


def _interval(result: RankCorrelation) -> str:
    return f"{100 * result.level:g}% interval over {len(result.bootstrap)} bootstrap samples"
