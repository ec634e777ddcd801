"""Leaderboards: the means of the systems, or their differences to baselines, in rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray
from ..common.validators import check_kind
from ..common.writing import Writing, level_text, p_text
from ..comparison.board import Leaderboard, rank_texts
from ..comparison.result import Comparison
from ..comparison.shown import shown_systems
from ..comparison.words import (
    BEST,
    around_0,
    finding,
    interval_name,
    may_be_best,
    mean_name,
    method_text,
    not_tested,
    pairs_differ,
)
from ..measures.naming.named_score import lower_is_better
from ..typing import Axes, MeasureLike
from . import style
from .docs import documented


@documented
def leaderboard(
    result: Comparison,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot the mean of each system with its interval; with baselines, the differences to them.

    If topics have groups, the leaderboards of the groups stand below each other.

    Parameters
    ----------
    %(comparison)s
    %(top)s

    %(refused)s

    Notes
    -----
    - Without baselines: a filled dot means that no system is significantly better. At the right:
      the ranks that the tests cannot rule out. With `top`, a system whose mean is very low does not
      squeeze the others.
    - With baselines: the mean difference to each of them and its interval, in the order of the
      means. A filled dot means that the difference is significant. At the right: adjusted p.
    - In all groups the systems have the same order: by the mean over the topics of all groups. With
      several baselines, the differences are those to the first one.

    See Also
    --------
    irx_measures.compare : Makes the result.
    irx_measures.plots.significance_pairs : Draws which pairs of systems differ.
    """
    check_kind("result", result, Comparison, "irx_measures.compare")
    boards, shown = result.boards_of(measure), shown_systems(result, top, measure)
    systems = [name for name in result.ordered_systems(measure) if name in shown.systems]
    blocks = list(_blocks(boards.values(), systems, bool(result.groups)))
    tested = [board for board in boards.values() if board.is_tested]
    board = next(iter(tested or boards.values()))
    writing = style.names_in_caption(result.matrix.systems)
    said = _found(board, writing, bool(result.groups))
    if tested:
        said = f"{said} ({method_text(tested)})"
    contains_0 = [text for each in tested if each.baseline_names for text in around_0(each.tested)]
    notes = [*dict.fromkeys(contains_0), *lower_is_better([board.measure]), shown.sentence]
    return _draw(board, blocks, " ".join([f"{said}.", *notes]), ax, width)


def _found(board: Leaderboard, writing: Writing, in_groups: bool) -> str:
    """What the tests found, and what the dots and the texts at the right are."""
    if not board.is_tested:
        (why,) = not_tested(board, writing)
        return f"Means; {why}"
    if board.baseline_names:
        marks = "Filled dots: significant. Right: adjusted p"
        return marks if in_groups else f"{finding(board, writing)}. {marks}"
    if board.rank_low is None:
        return "Means in each group" if in_groups else pairs_differ(board)
    if in_groups:
        return f"Filled dots: {BEST} in the group. Right: ranks in the group"
    return f"Filled dots: {may_be_best(board, writing)}. Right: ranks"


class _Block(NamedTuple):
    """Systems that are drawn below each other; arrays and texts are (systems,)."""

    title: str  # a name above the rows, which may be cut; empty for a single block
    note: str  # stands after the title
    systems: Sequence[str]
    value: FloatArray
    lower: FloatArray  # NaN leaves out the interval
    upper: FloatArray
    filled: BoolArray  # whether the dot is filled
    right: Sequence[str]  # texts at the right of the rows; empty ones are not written


def _blocks(
    boards: Collection[Leaderboard], systems: Sequence[str], in_groups: bool
) -> Iterator[_Block]:
    """The blocks of all groups and baselines; in groups, of the first baseline only.

    Where there are baselines, a group in which none has a score has no rows.
    """
    against = any(board.baseline_names for board in boards)
    most = 1 if in_groups else None
    for board in boards:
        drawn = systems if board.is_tested or not against else []
        for baseline in board.baseline_names[:most] or [""]:
            yield _block(board, drawn, baseline)


def _block(board: Leaderboard, order: Sequence[str], name: str) -> _Block:
    """The means of the systems of a board in this order, or their differences to a baseline."""
    title, note = "", ""
    if board.group is not None:
        title = board.group
        note = "; ".join([f" ({board.over})", *not_tested(board)])
    elif len(board.baseline_names) > 1:
        title = f"minus {name}"
    rows = np.array([board.place[name] for name in order if name in board.place], int)
    right = [""] * len(board)
    if name:
        baseline = board.minus(name)
        rows = rows[baseline.compared[rows]]
        ends = baseline["lower"], baseline["upper"]
        drawn = baseline["difference"], *ends, baseline.significant
        right = [p_text(p) for p in baseline["p_adjusted"].tolist()]
    elif board.rank_low is not None:
        drawn = board.mean, board.lower, board.upper, board.best
        right = rank_texts(board, "–") or right
    else:
        drawn = board.mean, board.lower, board.upper, np.ones(len(board), bool)
    systems = [board.systems[row] for row in rows.tolist()]
    texts = [right[row] for row in rows.tolist()]
    value, lower, upper, filled = drawn
    return _Block(
        title, note, systems, value[rows], lower[rows], upper[rows], filled[rows], texts
    )  # fmt: skip


def _draw(
    board: Leaderboard, blocks: Sequence[_Block], said: str, ax: Axes | None, width: float | None
) -> Axes:
    """Draw and name the rows of all blocks, and their axis; `board` has the measure and tests."""
    rows = sum(len(block.systems) + bool(block.title) for block in blocks)
    with style.picture(ax, 1.3, width, rows=style.height_of_rows(rows)) as ax:
        names = style.names_of(ax, [*board.systems, *(block.title for block in blocks)])
        style.caption(ax, said)
        ax.set_ylim(rows - 0.4, -0.6)
        ax.grid(visible=False, axis="y")
        _draw_axis(ax, board, names)
        dot = style.dot_in_rows(ax, rows)
        labels: list[str] = []
        right: list[str] = []
        for block in blocks:
            if block.title:
                ax.text(
                    0.01, len(labels), f"{names[block.title]}{block.note}", va="center",
                    fontsize=style.SMALL, fontweight="bold", transform=ax.get_yaxis_transform(),
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
                )  # fmt: skip
                labels.append("")
                right.append("")
            places = len(labels) + np.arange(len(block.systems))
            ax.hlines(places, block.lower, block.upper, color=style.INTERVAL, linewidth=1.5)
            style.draw_dots(ax, block.value, places, block.filled, dot)
            labels += [names[name] for name in block.systems]
            right += block.right
        head = "adjusted p" if board.baseline_names else "rank"
        style.name_rows(ax, labels, {head: right})
    return ax


def _draw_axis(ax: Axes, board: Leaderboard, names: dict[str, str]) -> None:
    """Name the axis, and draw the zero of differences."""
    label = style.axis_of(board.measure, board.label)
    if not board.baseline_names:
        ax.margins(x=0.02)
        mean = mean_name(board)
        style.name_axes(ax, f"{label}, {mean} and {level_text(board.level)} interval", "")
        return
    ax.axvline(0, color="0.3", linewidth=0.8, zorder=1)
    first, *others = board.baseline_names
    whose = "the baseline's" if others else f"that of {names[first]}"
    has_intervals = board.method.has_intervals
    interval = f", {interval_name(board)}" if has_intervals else ""
    style.name_axes(ax, f"{label} minus {whose}{interval}", "")
