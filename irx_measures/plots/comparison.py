"""Comparisons of systems: the leaderboard, which pairs differ, and two systems topic by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.arrays import FloatArray
from ..comparison.difference import Difference
from ..comparison.hypotheses import Tested
from ..comparison.leaderboard import Leaderboard
from ..comparison.method import CORRECTION_TITLES
from ..comparison.result import Comparison
from ..stats.tests import TESTS
from ..typing import MeasureLike
from .canvas import LONGEST_LABEL, cut, label_of, plain, plain_name
from .style import (
    ABOVE,
    BELOW,
    INTERVAL,
    MUTED,
    NOT_SIGNIFICANT,
    P_RAMP,
    name_size,
    size_in_points,
    styled_axes,
    subtitle,
    thinned,
    write_right,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, NARROW_ROW = 0.17, 0.125  # inches
MANY_SYSTEMS = 60
TALLEST = 60.0  # inches

FEWEST_FOR_OUTLIERS = 10  # systems
OUTLIERS = 0.05  # the largest share of the systems that may be off the axis
SHRINKS = 0.7  # of its length, to which the axis must shrink without them

P_STEPS = (0.05, 0.01, 0.001)
GAPS = 70  # systems: with more, cells have no gaps

SEPARATE_BARS = 100  # topics: with more, bars have no gaps


def leaderboard(
    result: Comparison, measure: MeasureLike | None = None, ax: Axes | None = None
) -> Axes:
    """Plot the mean of each system, its interval, and the ranks that the tests leave open.

    Parameters
    ----------
    result
        The result of `irx_measures.compare`.
    measure
        One of the compared measures; it may be omitted if there is only one.
    ax
        Axes to draw on; if None, those of a new figure that is high enough for all systems.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    - A filled dot means that no system is significantly better.
    - A dashed line is a baseline's mean; the names of baselines are bold.
    - Systems with very low means are off the axis if it would be much longer with them.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import leaderboard
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> leaderboard(result).get_xlabel()
    'nDCG@10, mean and 95% interval'
    """
    board, tested = result.board(measure), result.all_pairs(measure)
    systems = len(board)
    row = ROW if systems <= MANY_SYSTEMS else NARROW_ROW
    baselines = [name for name in result.baselines if name in board.systems]
    with styled_axes(ax, min(TALLEST, 1.2 + row * systems)) as ax:
        hidden = _off_axis(board)
        _draw_means(ax, board, systems - hidden)
        _write_off_axis(ax, board, hidden)
        for name in baselines:
            mean = board.mean[board.systems.index(name)]
            ax.axvline(float(mean), color=MUTED, linewidth=0.9, linestyle="--", zorder=1)
        ax.set_ylim(systems - 0.4, -0.6)
        _name_rows(ax, board, baselines)
        ax.grid(visible=False, axis="y")
        ax.set_xlabel(f"{plain(_label(tested))}, mean and {100 * result.method.level:g}% interval")
        dashed = f" Dashed: mean of {' and of '.join(map(cut, baselines))}." if baselines else ""
        subtitle(
            ax,
            f"Filled: no system is significantly better.{dashed} Right: ranks that the tests "
            f"leave open ({_how_tested(tested)}).",
        )
    return ax


def _off_axis(board: Leaderboard) -> int:
    """Number of systems, the lowest, without which the axis is much shorter; mostly 0."""
    systems = len(board)
    if systems < FEWEST_FOR_OUTLIERS:
        return 0

    def length(shown: int) -> float:
        return float(board.upper[:shown].max() - board.lower[:shown].min())

    most = max(1, int(OUTLIERS * systems))
    shorter = (n for n in range(1, most + 1) if length(systems - n) <= SHRINKS * length(systems))
    return next(shorter, 0)


def _draw_means(ax: Axes, board: Leaderboard, shown: int) -> None:
    rows = np.arange(shown)
    mean, lower, upper = board.mean[:shown], board.lower[:shown], board.upper[:shown]
    ax.hlines(rows, lower, upper, color=INTERVAL, linewidth=1.5)
    fill = np.where(board.best[:shown], ABOVE, "white")
    ax.scatter(mean, rows, s=22, c=fill.tolist(), edgecolors=ABOVE, linewidths=1.2, zorder=3)
    length = float(upper.max() - lower.min()) or 1.0
    ax.set_xlim(float(lower.min()) - 0.02 * length, float(upper.max()) + 0.02 * length)


def _write_off_axis(ax: Axes, board: Leaderboard, hidden: int) -> None:
    """Write the means that are left of the axis."""
    for row in range(len(board) - hidden, len(board)):
        ax.annotate(
            f"◄ {board.mean[row]:.3f}, off the axis", (0, row), (2, 0), va="center",
            xycoords=("axes fraction", "data"), textcoords="offset points", fontsize=7,
            color=MUTED,
        )  # fmt: skip


def _name_rows(ax: Axes, board: Leaderboard, baselines: Sequence[str]) -> None:
    """Write the systems' names at the left and their rank intervals at the right."""
    height = size_in_points(ax)[1] / len(board)
    named = thinned(len(board), height, [board.systems.index(name) for name in baselines])
    size = name_size(height)
    ax.set_yticks(named, [plain_name(board.systems[row]) for row in named], fontsize=size)
    for label, row in zip(ax.get_yticklabels(), named, strict=True):
        if board.systems[row] in baselines:
            label.set_fontweight("bold")
    ranks = [_rank(int(board.rank_low[row]), int(board.rank_high[row])) for row in named]
    write_right(ax, named, ranks, size, MUTED)
    ax.annotate(
        "rank", (1, 1), (4, 2), xycoords="axes fraction", textcoords="offset points", color=MUTED,
        fontsize=size, annotation_clip=False,
    )  # fmt: skip


def _rank(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def significance_pairs(
    result: Comparison, measure: MeasureLike | None = None, ax: Axes | None = None
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

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    - All pairs of systems are tested for this picture, also if baselines were given.
    - Where names have no room, only every second, third, ... system and the baselines are named.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import significance_pairs
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> [text.get_text() for text in significance_pairs(result).texts]
    ['family1-c', 'family1-b', 'family1-a', 'family2-a']
    """
    board, tested = result.board(measure), result.all_pairs(measure)
    baselines = [name for name in result.baselines if name in board.systems]
    with styled_axes(ax, min(6.6, max(4.0, 1.2 + ROW * len(board)))) as ax:
        _draw_steps(ax, _steps(tested, board.systems))
        _name_diagonal(ax, board.systems, baselines)
        differing = np.count_nonzero(tested.rejected)
        subtitle(
            ax,
            f"{_label(tested)}: {differing} of {len(tested.hypotheses)} pairs differ "
            f"({_how_tested(tested)}). Best mean at the top left. A cell compares the system above "
            "it, whose mean is higher, with the system to its right.",
        )
    return ax


def _steps(tested: Tested, systems: Sequence[str]) -> FloatArray:
    """How many of `P_STEPS` each pair's adjusted p reaches: (systems, systems), NaN on and above
    the diagonal; row and column are positions in `systems`."""
    place = np.array([systems.index(name) for name in tested.hypotheses.systems])
    first, second = (place[of] for of in tested.hypotheses.pairs)
    steps = np.full((len(systems),) * 2, np.nan)
    reached = (tested.p_adjusted[:, np.newaxis] <= np.array(P_STEPS)).sum(axis=1)
    steps[np.maximum(first, second), np.minimum(first, second)] = reached
    return steps


def _draw_steps(ax: Axes, steps: FloatArray) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    systems, colours = len(steps), [NOT_SIGNIFICANT, *P_RAMP]
    edges = np.arange(systems + 1) - 0.5
    ax.pcolormesh(
        edges, edges, steps, cmap=ListedColormap(colours), vmin=-0.5, vmax=3.5,
        edgecolors="white" if systems <= GAPS else "none", linewidth=0.5,
    )  # fmt: skip
    ax.set_aspect("equal")
    ax.invert_yaxis()
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)
    meanings = [f"above {P_STEPS[0]}", *(f"at most {step}" for step in P_STEPS)]
    keys = [
        Patch(color=colour, label=label) for colour, label in zip(colours, meanings, strict=True)
    ]
    ax.legend(
        handles=keys, title="adjusted p", loc="upper right", frameon=False, fontsize="small",
        title_fontsize="small", alignment="left",
    )  # fmt: skip


def _name_diagonal(ax: Axes, systems: Sequence[str], baselines: Sequence[str]) -> None:
    cell = min(size_in_points(ax)) / len(systems)
    size = name_size(cell)
    for row in thinned(len(systems), cell, [systems.index(name) for name in baselines]):
        weight = "bold" if systems[row] in baselines else "normal"
        ax.text(
            row - 0.4, row, plain_name(systems[row]), va="center", fontsize=size, fontweight=weight
        )


def topic_differences(
    result: Comparison,
    system: str,
    baseline: str | None = None,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
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

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the two systems were not compared on the measure.

    Notes
    -----
    The line and the band are the mean difference and its interval, which agrees with the
    correction.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import topic_differences
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> topic_differences(result, "family2-a", "family1-a").get_ylabel()
    'difference in nDCG@10'
    """
    found = result.difference(system, baseline, measure)
    order = np.argsort(-found.by_topic.round(12), kind="stable")
    with styled_axes(ax, 3.6) as ax:
        _draw_topics(ax, found.by_topic[order])
        ax.axhline(0, color="0.3", linewidth=0.8)
        ax.axhline(found.mean, color="0.2", linewidth=1.0, linestyle="--")
        if np.isfinite(found.lower):
            ax.axhspan(found.lower, found.upper, color=MUTED, alpha=0.15, linewidth=0, zorder=0)
        _name_topics(ax, [result.matrix.query_ids[place] for place in order.tolist()])
        ax.grid(visible=False, axis="x")
        ax.set_ylabel(f"difference in {plain(_label(found.tested))}")
        subtitle(ax, _in_words(found))
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
    names = [plain_name(query_id) for query_id in query_ids]
    ax.set_xticks(range(topics), names, rotation=90, fontsize=name_size(width))
    ax.set_xlabel("topic, by falling difference")


def _in_words(found: Difference) -> str:
    """The test of one pair."""
    level = f"{100 * found.tested.method.level:g}%"
    p = f"=\N{NO-BREAK SPACE}{found.p_adjusted:.3f}"
    if found.p_adjusted < 0.001:
        p = "<\N{NO-BREAK SPACE}0.001"
    verdict = f"{'' if found.significant else 'not '}significant"
    return (
        f"{cut(found.system)} minus {cut(found.baseline)}: {found.mean:+.3f} ({level} "
        f"interval {found.lower:+.3f} to {found.upper:+.3f}, dashed line and band), "
        f"{verdict}, adjusted p\N{NO-BREAK SPACE}{p} ({_how_tested(found.tested)}). "
        f"Higher on {found.wins} topics, equal on {found.ties}, lower on {found.losses}."
    )


def _how_tested(tested: Tested) -> str:
    """The test, its correction and its level."""
    method = tested.method
    covered = f"{tested.in_family} comparison{'s' if tested.in_family > 1 else ''}"
    if method.controls_family:
        correction = f"for {covered}"
    elif method.correction == "none":
        correction = "no correction"
    else:
        correction = f"{CORRECTION_TITLES[method.correction]} over {covered}"
    return f"{TESTS[method.test].title}, {correction}, level {method.level:g}"


def _label(tested: Tested) -> str:
    return cut(label_of(tested.hypotheses.measure), LONGEST_LABEL)
