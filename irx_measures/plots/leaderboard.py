"""Leaderboards: the means of the systems, or their differences to baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..common.numbers import level_text, p_text
from ..common.writing import Writing
from ..comparison.leaderboard import Leaderboard, Reference, rank_texts
from ..comparison.result import Comparison
from ..comparison.shown import shown_systems
from ..comparison.words import (
    BEST,
    finding,
    interval_name,
    may_be_best,
    method_text,
    pairs_differ,
)
from ..exceptions import InputError
from ..measures.named_score import lower_is_better
from ..typing import MeasureLike
from .canvas import check_kind, names_on, plain
from .rows import Block, draw_blocks, height_of
from .style import styled_axes, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIGNIFICANT = "Filled dots: significant"


def leaderboard(
    result: Comparison,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot the mean of each system with its interval; with baselines, the differences to them.

    Parameters
    ----------
    result
        The result of `irx_measures.compare`.
    measure
        One of the compared measures; it may be omitted if there is only one.
    ax
        Axes to draw on; if None, those of a new figure that is high enough for all systems.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.
    top
        Show this number of systems, at least 2, the best by the measure, and every baseline. Tests
        are those of all systems.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    - Without baselines: a filled dot means that no system is significantly better. At the right:
      the ranks that the tests cannot rule out. With `top`, a system
      whose mean is very low does not squeeze the others.
    - With baselines: the mean difference to each of them and its interval, in the order of the
      means. A filled dot means that the difference is significant. At the right: adjusted p.
    - Of more than 200 systems, the picture shows the best 200 by the first measure of the
      comparison, and every baseline; tests and counts are those of all systems.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import leaderboard
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> leaderboard(result).get_xlabel()
    'nDCG@10, mean and 95% interval'
    >>> against = irx_measures.compare(result.matrix, baseline="lexical-a")
    >>> leaderboard(against).get_xlabel()
    'nDCG@10 minus that of lexical-a, simultaneous 95% interval'
    """
    check_kind("result", result, Comparison, "irx_measures.compare")
    every, shown = result.board(measure), shown_systems(result, top, measure)
    board = every.only(shown.systems)
    blocks = [_of_means(board)]
    if board.baselines:
        several = len(board.baselines) > 1
        titles = [f"minus {one.name}" if several else "" for one in board.baselines]
        blocks = list(map(_of_differences, [board] * len(titles), board.baselines, titles))
    with styled_axes(ax, 1.6, width, rows=height_of(blocks)) as ax:
        names = names_on(ax, [*board.systems, *(block.title for block in blocks)])
        draw_blocks(ax, blocks, names, _head(board))
        _draw_axis(ax, board, [names(one.name) for one in board.baselines])
        said = f"{finding(every, Writing(names))}. {SIGNIFICANT}. Right: adjusted p"
        if not board.baselines:
            said = pairs_differ(every.tested)
            if board.ranks is not None:
                said = f"{may_be_best(every)} (filled dots). Right: ranks"
        falling = "".join(f" {text}" for text in lower_is_better([board.measure]))
        tests = method_text([board.tested])
        subtitle(ax, f"{said} ({tests}).{falling} {shown.sentence}".rstrip())
    return ax


def _of_means(board: Leaderboard) -> Block:
    right = [] if board.ranks is None else rank_texts(board.ranks, "–")
    filled = np.ones(len(board), bool) if board.ranks is None else board.best
    return Block("", board.systems, board.mean, board.lower, board.upper, filled, right)


def _of_differences(board: Leaderboard, baseline: Reference, title: str) -> Block:
    """The systems that were compared with a baseline, best first."""
    rows = np.flatnonzero(baseline.compared)
    return Block(
        title,
        [board.systems[row] for row in rows.tolist()],
        baseline.difference[rows],
        baseline.lower[rows],
        baseline.upper[rows],
        baseline.significant[rows],
        [p_text(p) for p in baseline.p_adjusted[rows].tolist()],
    )


def _head(board: Leaderboard) -> str:
    return "adjusted p" if board.baselines else "rank"


def _draw_axis(ax: Axes, board: Leaderboard, baselines: list[str]) -> None:
    """Name the axis and draw its zero; of means, set its ends."""
    label = plain(board.label)
    if not board.baselines:
        low, high = float(board.lower.min()), float(board.upper.max())
        margin = 0.02 * ((high - low) or 1.0)
        ax.set_xlim(low - margin, high + margin)
        ax.set_xlabel(f"{label}, mean and {level_text(board.level)} interval")
        return
    ax.axvline(0, color="0.3", linewidth=0.8, zorder=1)
    whose = f"that of {baselines[0]}" if len(baselines) == 1 else "the baseline's"
    interval = ""
    if board.tested.method.has_intervals:
        interval = f", {interval_name(board.tested)}"
    ax.set_xlabel(f"{label} minus {whose}{interval}")


def group_means(
    result: Comparison,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
) -> Axes:
    """Plot the mean of each system in each group of queries, or its difference to a baseline.

    Parameters
    ----------
    result
        The result of ``scores.by(groups).compare()``.
    measure
        One of the compared measures; it may be omitted if there is only one.
    ax
        Axes to draw on; if None, those of a new figure that is high enough for all groups.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    - The groups stand below each other. The systems have the same order in all of them: by the mean
      over the queries of all groups.
    - A filled dot means that no system is significantly better in this group.
    - With baselines, the picture shows the differences to the first one, as `leaderboard` does: a
      filled dot means that the difference is significant.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import group_means
    >>> campaign = irx_measures.simulate_campaign(systems=3, queries=20, seed=1)
    >>> scores = irx_measures.evaluate(campaign.runs, campaign.qrels, "nDCG@10")
    >>> groups = {query: "short" if query < "q08" else "long" for query in scores.query_ids}
    >>> group_means(scores.by(groups).compare()).get_xlabel()
    'nDCG@10, mean and 95% interval'
    """
    check_kind("result", result, Comparison, "ScoreMatrix.by(groups).compare()")
    if not result.groups:
        raise InputError("`result` must have groups: that of ScoreMatrix.by(groups).compare()")
    boards, shown = result.boards_of(measure), shown_systems(result)
    systems = [name for name in result.ordered_systems(measure) if name in shown.systems]
    blocks = [
        _of_group(f"{group} ({board.topics} topics)", board, systems)
        for group, board in boards.items()
    ]
    board = next(iter(boards.values()))
    with styled_axes(ax, 1.6, width, rows=height_of(blocks)) as ax:
        names = names_on(ax, [*systems, *(block.title for block in blocks)])
        draw_blocks(ax, blocks, names, _head(board))
        meaning = SIGNIFICANT if board.baselines else f"Filled dots: {BEST} in the group"
        if board.baselines:
            _draw_axis(ax, board, [names(one.name) for one in board.baselines[:1]])
        else:
            label = plain(board.label)
            ax.set_xlabel(f"{label}, mean and {level_text(board.level)} interval")
        falling = "".join(f" {text}" for text in lower_is_better([board.measure]))
        tests = method_text([each.tested for each in boards.values()])
        subtitle(ax, f"{meaning} ({tests}).{falling} {shown.sentence}".rstrip())
    return ax


def _of_group(title: str, board: Leaderboard, systems: list[str]) -> Block:
    """The rows of a group, in the order of all groups."""
    block = _of_means(board)._replace(right=[])
    if board.baselines:
        block = _of_differences(board, board.baselines[0], "")
    place = {name: number for number, name in enumerate(block.systems)}
    rows = [place[name] for name in systems if name in place]
    right = [block.right[row] for row in rows] if block.right else []
    return Block(
        title,
        [block.systems[row] for row in rows],
        block.value[rows],
        block.lower[rows],
        block.upper[rows],
        block.filled[rows],
        right,
    )
