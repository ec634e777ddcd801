"""Comparisons of systems: the leaderboard, which pairs differ, and two systems topic by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.arrays import FloatArray
from ..common.numbers import level_text
from ..comparison.difference import Difference
from ..comparison.excerpt import excerpt_of
from ..comparison.findings import may_be_best, pairs_differ
from ..comparison.how_tested import method_text
from ..comparison.hypotheses import Tested
from ..comparison.leaderboard import Leaderboard, rank_texts
from ..comparison.result import Comparison
from ..measures.named_score import lower_is_better
from ..typing import MeasureLike
from .canvas import (
    KEY_SIZE,
    LONGEST_LABEL,
    Names,
    check_kind,
    cut,
    key_below,
    label_of,
    names_on,
    plain,
)
from .style import (
    ABOVE,
    BELOW,
    INTERVAL,
    MUTED,
    NOT_SIGNIFICANT,
    P_RAMP,
    dot_size,
    draw_dots,
    gap,
    name_size,
    named_rows,
    size_in_points,
    styled_axes,
    styled_square,
    subtitle,
    thinned,
    write_right,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, NARROW_ROW = 0.17, 0.125  # inches: names of 7 points fit both; many systems are drawn closer
MANY_SYSTEMS = 60  # with the wider rows, 60 systems fill a page of 11.7 inches
TALLEST = 60.0  # inches, of all rows: 18 000 pixels at 300 dpi; matplotlib can draw 2^16

SEPARATE_BARS = 100  # topics, a choice: with more, bars have no gaps


def leaderboard(
    result: Comparison,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot the mean of each system, its interval, and its rank interval.

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
        Show this number of systems, at least 2, the best by the measure, and every baseline. Ranks
        and tests are those of all systems.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    - A filled dot means that no system is significantly better.
    - A dashed line is a baseline's mean; the names of baselines are bold.
    - At the right: the ranks that the tests of all pairs cannot rule out.
    - Systems with very low means are off the axis if it would be much longer with them.
    - Of more than 200 systems, the picture shows the best 200 by the first measure of the
      comparison, and every baseline; ranks and counts are those of all systems.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import leaderboard
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> leaderboard(result).get_xlabel()
    'nDCG@10, mean and 95% interval'
    """
    check_kind("result", result, Comparison, "irx_measures.compare")
    every, excerpt = result.board(measure), excerpt_of(result, top, measure)
    board = every.only(excerpt.systems)
    systems = len(board)
    row = ROW if systems <= MANY_SYSTEMS else NARROW_ROW
    baselines = [reference.name for reference in board.baselines]
    with styled_axes(ax, 1.6, width, rows=min(TALLEST, row * systems)) as ax:
        names = names_on(ax, board.systems)
        _draw_means(ax, board)
        for reference in board.baselines:
            mean = float(board.mean[reference.place])
            ax.axvline(mean, color=MUTED, linewidth=0.9, linestyle="--", zorder=1)
        ax.set_ylim(systems - 0.4, -0.6)
        _name_rows(ax, board, baselines, names)
        _write_off_axis(ax, board)
        ax.grid(visible=False, axis="y")
        ax.set_xlabel(f"{plain(board.label)}, mean and {level_text(board.level)} interval")
        means = " and of ".join(map(names.writing.name, baselines))
        dashed = f" Dashed: mean of {means}." if baselines else ""
        subtitle(
            ax,
            " ".join(
                [
                    f"{may_be_best(every)} (filled dots).{dashed}",
                    *lower_is_better([board.measure]),
                    f"Right: ranks ({method_text([board.all_pairs])}). {excerpt.sentence}".rstrip(),
                ]
            ),
        )
    return ax


def _draw_means(ax: Axes, board: Leaderboard) -> None:
    rows = np.flatnonzero(board.on_axis)
    mean, lower, upper = board.mean[rows], board.lower[rows], board.upper[rows]
    ax.hlines(rows, lower, upper, color=INTERVAL, linewidth=1.5)
    draw_dots(ax, mean, rows, board.best[rows], dot_size(ax, len(board)), 1.2)
    low, high = board.axis
    margin = 0.02 * ((high - low) or 1.0)
    ax.set_xlim(low - margin, high + margin)


def _write_off_axis(ax: Axes, board: Leaderboard) -> None:
    """Write the means that are left of the axis."""
    size = name_size(size_in_points(ax)[1] / len(board))
    for row in np.flatnonzero(~board.on_axis).tolist():
        ax.annotate(
            f"◄ {board.mean[row]:.3f}, off the axis", (0, row), (2, 0), va="center",
            xycoords=("axes fraction", "data"), textcoords="offset points", fontsize=size,
            color=MUTED,
        )  # fmt: skip


def _name_rows(ax: Axes, board: Leaderboard, baselines: Sequence[str], names: Names) -> None:
    """Write the systems' names at the left and their rank intervals at the right."""
    height = size_in_points(ax)[1] / len(board)
    always = [board.systems.index(name) for name in baselines]
    named = named_rows(ax, len(board), height, always)
    size = name_size(height)
    ax.set_yticks(named, [names(board.systems[row]) for row in named], fontsize=size)
    for label, row in zip(ax.get_yticklabels(), named, strict=True):
        if board.systems[row] in baselines:
            label.set_fontweight("bold")
    ranks = rank_texts(board, "–")
    write_right(ax, named, [ranks[row] for row in named], size, MUTED)
    ax.annotate(
        "rank", (1, 1), (4, 2), xycoords="axes fraction", textcoords="offset points", color=MUTED,
        fontsize=size, annotation_clip=False,
    )  # fmt: skip


def significance_pairs(
    result: Comparison,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot which pairs of systems differ, as half a matrix with the best system first.

    The names stand on the diagonal. To look up a pair, go down from the better system and left from
    the other one.

    Parameters
    ----------
    result
        The result of `irx_measures.compare`.
    measure
        One of the compared measures; it may be omitted if there is only one.
    ax
        Axes to draw on; if None, those of a new figure.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.
    top
        Show this number of systems, at least 2, the best by the measure, and every baseline. Ranks
        and tests are those of all systems.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    - All pairs of systems are tested for this picture, also if baselines were given.
    - Where names have no room, only every second, third, ... system and the baselines are named.
    - Of more than 200 systems, the picture shows the same ones as `leaderboard`.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import significance_pairs
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> [text.get_text() for text in significance_pairs(result).texts]
    ['lexical-c', 'lexical-b', 'lexical-a', 'dense-a']
    """
    check_kind("result", result, Comparison, "irx_measures.compare")
    excerpt = excerpt_of(result, top, measure)
    board = result.board(measure).only(excerpt.systems)
    baselines = [reference.name for reference in board.baselines]
    with styled_square(ax, max(4.0, 1.2 + ROW * len(board)), width) as ax:
        names = names_on(ax, board.systems)
        _draw_steps(ax, board)
        _name_diagonal(ax, board.systems, baselines, names)
        subtitle(
            ax,
            f"{cut(board.label, LONGEST_LABEL)}: {pairs_differ(board.all_pairs)} "
            f"({method_text([board.all_pairs])}). Best mean at the top left. A cell compares the "
            f"system above it, whose mean is better, with the system to its right. "
            f"{excerpt.sentence}".rstrip(),
        )
    return ax


def _draw_steps(ax: Axes, board: Leaderboard) -> None:
    """Draw how many thresholds the adjusted p of each pair reaches, below the diagonal."""
    from matplotlib.colors import ListedColormap

    # With fewer thresholds than colours, the darker ones stay: a colour has one meaning.
    systems, thresholds = len(board), board.all_pairs.thresholds
    colours = [NOT_SIGNIFICANT, *P_RAMP[len(P_RAMP) - len(thresholds) :]]
    below = np.tril(np.ones((systems, systems), bool), -1)
    edges = np.arange(systems + 1) - 0.5
    ax.pcolormesh(
        edges, edges, np.where(below, board.steps, np.nan), cmap=ListedColormap(colours),
        vmin=-0.5, vmax=len(thresholds) + 0.5,
        edgecolors="white", linewidth=gap(ax, systems),
    )  # fmt: skip
    ax.set_aspect("equal")
    ax.invert_yaxis()
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)
    meanings = [f"above {thresholds[0]:g}", *(f"at most {step:g}" for step in thresholds)]
    key_below(ax, colours, meanings, title="adjusted p", title_fontsize=KEY_SIZE)


def _name_diagonal(
    ax: Axes, systems: Sequence[str], baselines: Sequence[str], names: Names
) -> None:
    cell = min(size_in_points(ax)) / len(systems)
    size = name_size(cell)
    for row in named_rows(ax, len(systems), cell, [systems.index(name) for name in baselines]):
        weight = "bold" if systems[row] in baselines else "normal"
        name = names(systems[row])
        ax.text(row - 0.4, row, name, va="center", fontsize=size, fontweight=weight)


def topic_differences(
    result: Comparison,
    system: str,
    baseline: str | None = None,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
) -> Axes:
    """Plot one system minus another, topic by topic, sorted.

    Parameters
    ----------
    result
        The result of `irx_measures.compare`.
    system
        The name of a system.
    baseline
        The system that is subtracted; it may be omitted if the comparison has one baseline.
    measure
        One of the compared measures; it may be omitted if there is only one.
    ax
        Axes to draw on; if None, those of a new figure.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the two systems were not compared on the measure.

    Notes
    -----
    The dashed line and the band are the mean difference and its interval, which agrees with the
    correction, as in the table of `irx compare --show differences`.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import topic_differences
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> topic_differences(result, "dense-a", "lexical-a").get_ylabel()
    'difference in nDCG@10'
    """
    check_kind("result", result, Comparison, "irx_measures.compare")
    found = result.difference(system, baseline, measure)
    topics = [result.matrix.query_ids[place] for place in found.order.tolist()]
    with styled_axes(ax, 3.6, width) as ax:
        _draw_topics(ax, found.by_topic[found.order])
        ax.axhline(0, color="0.3", linewidth=0.8)
        ax.axhline(found.mean, color="0.2", linewidth=1.0, linestyle="--")
        ax.axhspan(found.lower, found.upper, color=MUTED, alpha=0.15, linewidth=0, zorder=0)
        _name_topics(ax, topics)
        ax.set_yticks(found.ticks, [f"{tick:+.2f}" if tick else "0" for tick in found.ticks])
        ax.grid(visible=False, axis="x")
        ax.set_ylabel(f"difference in {plain(_label(found.tested))}")
        subtitle(ax, _in_words(found, names_on(ax, result.matrix.systems)))
    return ax


def _draw_topics(ax: Axes, differences: FloatArray) -> None:
    """Draw a bar per topic, all as one collection: matplotlib is slow with many single bars."""
    from matplotlib.collections import PolyCollection

    topics = len(differences)
    half = 0.4 if topics <= SEPARATE_BARS else 0.5
    left, right = np.arange(topics) - half, np.arange(topics) + half
    base = np.zeros(topics)
    corners = [(left, base), (left, differences), (right, differences), (right, base)]
    colours = np.where(differences > 0, ABOVE, BELOW).tolist()
    bars = PolyCollection(np.array(corners).transpose(2, 0, 1), facecolors=colours, linewidth=0)
    ax.add_collection(bars)
    ax.set_xlim(-0.8, topics - 0.2)
    ax.autoscale_view(scalex=False)


def _name_topics(ax: Axes, query_ids: Sequence[str]) -> None:
    """Name the topics where all names have room."""
    topics = len(query_ids)
    width = size_in_points(ax)[0] / topics
    if len(thinned(topics, width)) < topics:
        ax.set_xticks([])
        ax.set_xlabel(f"{topics} topics, by falling difference")
        return
    names = list(map(names_on(ax, query_ids), query_ids))
    ax.set_xticks(range(topics), names, rotation=90, fontsize=name_size(width))
    ax.set_xlabel("topic, by falling difference")


def _in_words(found: Difference, names: Names) -> str:
    """The sentence of the pair, and how it was tested."""
    return (
        f"{found.sentence(_label(found.tested), names.writing)} Dashed line and band: mean "
        f"difference and interval. Test: {method_text([found.tested])}."
    )


def _label(tested: Tested) -> str:
    return cut(label_of(tested.hypotheses.measure), LONGEST_LABEL)
