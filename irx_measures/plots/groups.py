"""The means of the systems in each group of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..common.numbers import level_text
from ..comparison.excerpt import excerpt_of_groups
from ..comparison.findings import BEST
from ..comparison.grouped import GroupedComparison
from ..comparison.how_tested import method_text
from ..comparison.leaderboard import Leaderboard
from ..measures.named_score import lower_is_better
from ..typing import MeasureLike
from .canvas import check_kind, names_on, plain
from .comparison import NARROW_ROW, ROW, TALLEST
from .style import (
    INTERVAL,
    MUTED,
    dot_size,
    draw_dots,
    name_size,
    say_named,
    size_in_points,
    styled_axes,
    subtitle,
    thinned,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_ROWS = 60  # as in `leaderboard`: with the wider rows they fill a page


def group_means(
    result: GroupedComparison,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
) -> Axes:
    """Plot the mean of each system in each group of queries, and its interval.

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
    - A short dashed line is the baseline's mean in the group.

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
    check_kind("result", result, GroupedComparison, "ScoreMatrix.by(groups).compare()")
    boards, excerpt = result.boards_of(measure), excerpt_of_groups(result, measure)
    systems = excerpt.systems
    block = len(systems) + 1
    rows = block * len(boards)
    row = ROW if rows <= MANY_ROWS else NARROW_ROW
    some_board = next(iter(boards.values()))
    with styled_axes(ax, 1.6, width, rows=min(TALLEST, row * rows)) as ax:
        names, groups = names_on(ax, systems), names_on(ax, boards)
        height = size_in_points(ax)[1] / rows
        labels: dict[int, str] = {}
        for number, (group, board) in enumerate(boards.items()):
            first = number * block
            labels[first] = f"{groups(group)} ({board.topics} topics)"
            places = {system: first + 1 + place for place, system in enumerate(systems)}
            labels |= {place: names(name) for name, place in places.items() if name in board.place}
            _draw_group(ax, board, places, dot_size(ax, rows))
        ax.set_ylim(rows - 0.4, -0.6)
        # Between its name and the next group's, each group names the same systems.
        of_block = thinned(block + 1, height, (0, block))[:-1]
        named = [place for place in labels if place % block in of_block]
        say_named(ax, len(of_block) - 1, len(systems))
        ax.set_yticks(named, [labels[place] for place in named], fontsize=name_size(height))
        for place, label in zip(named, ax.get_yticklabels(), strict=True):
            if place % block == 0:
                label.set_fontweight("bold")
        ax.tick_params(axis="y", length=0)
        ax.grid(visible=False, axis="y")
        ax.set_xlabel(
            f"{plain(some_board.label)}, mean and {level_text(some_board.level)} interval"
        )
        dashed = [names.writing.name(one.name) for one in some_board.baselines]
        subtitle(
            ax,
            f"Filled dots: {BEST} in the group "
            f"({method_text([board.all_pairs for board in boards.values()])})."
            + (f" Dashed: mean of {dashed[0]} in the group." if dashed else "")
            + "".join(f" {text}" for text in lower_is_better([some_board.measure]))
            + f" {excerpt.sentence}".rstrip(),
        )
    return ax


def _draw_group(ax: Axes, board: Leaderboard, places: dict[str, int], size: float) -> None:
    shown = np.flatnonzero([system in places for system in board.systems])
    rows = np.array([places[board.systems[place]] for place in shown.tolist()])
    ax.hlines(rows, board.lower[shown], board.upper[shown], color=INTERVAL, linewidth=1.5)
    draw_dots(ax, board.mean[shown], rows, board.best[shown], size, 1.2)
    for reference in board.baselines[:1]:
        mean = float(board.mean[reference.place])
        ax.vlines(
            mean, rows.min() - 0.5, rows.max() + 0.5, color=MUTED, linewidth=0.9,
            linestyles="--", zorder=1,
        )  # fmt: skip
