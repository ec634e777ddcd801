"""Forest: the difference of two systems in every collection, and on all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..common.numeric import IntArray
from ..common.validators import check_kind
from ..common.writing import PLAIN, level_text, p_text
from ..comparison.forest import Forest, ForestRow, forest_of
from ..comparison.result import Comparison
from ..comparison.words import around_0, method_text
from ..measures.naming.named_score import lower_is_better
from ..typing import Axes, MeasureLike
from . import style
from .docs import documented

NAMES = 0.35  # of the width: the longest name

TICK, MOST_TICKS = 40.0, 6  # points that a number at the axis takes; the design has 3 to 6

DOT_SHARE = 0.55  # of the size of dots in rows, a choice: the intervals below are short


@documented
def forest(
    result: Comparison,
    system: str,
    baseline: str | None = None,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
) -> Axes:
    """Plot one system minus another in every collection, and on the macro mean of all of them.

    Parameters
    ----------
    result
        A comparison of macro means, which `irx_measures.GroupedScores.compare` makes with
        ``macro="queries"`` or ``macro="groups"``.
    %(pair)s
    %(measure)s
    %(drawn)s

    Raises
    ------
    TypeError
        If the result is not of the kind that is drawn.
    ValueError
        If macro means were not compared, or not those of the two systems on the measure.

    Notes
    -----
    - A square is the mean difference in a collection, a line its t interval, without correction: it
      is there to see how collections differ, not to decide in which of them a system is better.
      ``n`` is the number of queries.
    - "These collections" is the tested difference of the macro means, with its interval, which
      agrees with the correction. A filled dot means that the difference is significant.
    - "Other collections like these" is the second question of ``macro="queries"``; with
      ``macro="groups"`` it is the only one.
    - "One more collection" is the interval in which the difference on one further collection is
      expected. It has no correction. It is drawn from 3 collections.
    - Groups of queries are drawn in the same way.

    See Also
    --------
    irx_measures.GroupedScores.compare : Makes the result.
    irx_measures.plots.leaderboard : Draws the macro means.
    """
    check_kind("result", result, Comparison, "irx_measures.compare")
    found = forest_of(result, system, baseline, measure)
    with style.picture(ax, 1.3, width, rows=style.height_of_rows(_height(found))) as ax:
        style.caption(ax, _caption(result, found))
        ax.set_ylim(_height(found) - 0.4, -0.6)
        ax.grid(visible=False, axis="y")
        pair = found.pair.system, found.pair.baseline
        names = style.names_of(ax, [*pair, *(row.name for row in found.groups)], NAMES)
        label = style.axis_of(found.board.measure, found.board.label)
        level = level_text(found.board.level)
        across = f"{label}: {names[pair[0]]} minus {names[pair[1]]}, {level} intervals"
        style.name_axes(ax, across, "")
        _draw(ax, found)
        labels = [names[row.name] for row in found.groups]
        labels += ["", *(_name(ax, row) for row in found.totals)]
        style.name_rows(ax, labels, _columns(ax, found))
        ticks = style.size_in_points(ax)[0] // TICK
        ax.locator_params(axis="x", nbins=min(MOST_TICKS, max(1, ticks)))
    return ax


def _height(found: Forest) -> int:
    """The number of rows, with the empty one below the groups."""
    return len(found.groups) + 1 + len(found.totals)


def _caption(result: Comparison, found: Forest) -> str:
    writing = style.names_in_caption(result.matrix.systems)
    tested = found.board
    texts = [
        found.sentence(writing),
        *(around_0(found.row) if tested.method.has_intervals else ()),
        found.about_intervals,
        "n: queries. Filled dots: significant.",
        *lower_is_better([tested.measure]),
        f"Test: {method_text([tested])}.",
    ]
    return " ".join(texts)


def _draw(ax: Axes, found: Forest) -> None:
    """Draw the intervals, the squares of the groups and the dots of the tests."""
    count = len(found.groups)
    size = DOT_SHARE * style.dot_in_rows(ax, _height(found))
    ax.axvline(0, color="0.3", linewidth=0.8, zorder=1)
    ax.axhline(count, color=style.NOT_SIGNIFICANT, linewidth=0.8, zorder=1, marker="")
    places = np.arange(count)
    _draw_intervals(ax, places, found.groups, style.INTERVAL)
    values = [row.difference for row in found.groups]
    ax.scatter(values, places, s=size, c=style.MUTED, marker="s", zorder=3, clip_on=False)
    places = count + 1 + np.arange(len(found.totals))
    tests = len(found.tests)
    _draw_intervals(ax, places[:tests], found.tests, style.ABOVE)
    if found.new is not None:
        _draw_intervals(ax, places[tests:], [found.new], style.ABOVE, "dotted")
    filled = np.array([row.significant for row in found.tests])
    style.draw_dots(ax, [row.difference for row in found.tests], places[:tests], filled, size)


def _draw_intervals(
    ax: Axes, places: IntArray, rows: Sequence[ForestRow], colour: str, line: str = "solid"
) -> None:
    lower, upper = [row.lower for row in rows], [row.upper for row in rows]
    ax.hlines(places, lower, upper, color=colour, linewidth=1.5, linestyle=line)


def _name(ax: Axes, row: ForestRow) -> str:
    """What a row below the groups is: in short where the whole name has no room."""
    room = style.points_of(row.name, style.SMALL) <= NAMES * style.inches(ax) * 72
    return row.name if room else row.short


def _columns(ax: Axes, found: Forest) -> dict[str, list[str]]:
    """The numbers at the right; the p-values, which the caption has too, where there is room."""
    rows: list[ForestRow | None] = [*found.groups, None, *found.totals]
    columns: dict[str, list[str]] = {"n": [], "difference": [], "adjusted p": []}
    for row in rows:
        texts = ["", "", ""] if row is None else _texts(row)
        for column, text in zip(columns.values(), texts, strict=True):
            column.append(text)
    if style.inches(ax) < style.NARROW:
        del columns["adjusted p"]
    return columns


def _texts(row: ForestRow) -> list[str]:
    """The number of queries, the difference and p."""
    queries = "" if row.queries is None else f"{row.queries:,}"
    difference = "" if row.is_new else PLAIN.difference(row.difference)
    p = "" if row.p_adjusted is None else p_text(row.p_adjusted)
    return [queries, difference, p]
