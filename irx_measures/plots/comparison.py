"""Comparisons of systems: which pairs differ, and two systems topic by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.numeric import FloatArray
from ..comparison.difference import Difference
from ..comparison.hypotheses import TestedMeasure
from ..comparison.leaderboard import Leaderboard
from ..comparison.result import Comparison
from ..comparison.shown import shown_systems
from ..comparison.words import method_text, pairs_differ
from ..exceptions import InputError
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
from .rows import ROW
from .style import (
    ABOVE,
    BELOW,
    MUTED,
    NOT_SIGNIFICANT,
    P_RAMP,
    gap,
    name_size,
    named_rows,
    size_in_points,
    styled_axes,
    styled_square,
    subtitle,
    thinned,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEPARATE_BARS = 100  # topics, a choice: with more, bars have no gaps


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
        Show this number of systems, at least 2, the best by the measure. Tests are those of all
        systems.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the comparison has baselines: then not all pairs were tested.

    Notes
    -----
    - Where names have no room, only every second, third, ... system is named.
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
    if result.baselines:
        raise InputError(
            "`result` must be a comparison of all pairs, without a baseline; got one with "
            f"{', '.join(result.baselines)}: plots.leaderboard draws the differences to it"
        )
    shown = shown_systems(result, top, measure)
    board = result.board(measure).only(shown.systems)
    with styled_square(ax, max(4.0, 1.2 + ROW * len(board)), width) as ax:
        names = names_on(ax, board.systems)
        _draw_steps(ax, board)
        _name_diagonal(ax, board.systems, names)
        subtitle(
            ax,
            f"{cut(board.label, LONGEST_LABEL)}: {pairs_differ(board.tested)} "
            f"({method_text([board.tested])}). Best mean at the top left. A cell compares the "
            f"system above it, whose mean is better, with the system to its right. "
            f"{shown.sentence}".rstrip(),
        )
    return ax


def _draw_steps(ax: Axes, board: Leaderboard) -> None:
    """Draw how many thresholds the adjusted p of each pair reaches, below the diagonal."""
    from matplotlib.colors import ListedColormap

    # With fewer thresholds than colours, the darker ones stay: a colour has one meaning.
    systems, thresholds = len(board), board.tested.thresholds
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


def _name_diagonal(ax: Axes, systems: Sequence[str], names: Names) -> None:
    cell = min(size_in_points(ax)) / len(systems)
    for row in named_rows(ax, len(systems), cell):
        ax.text(row - 0.4, row, names(systems[row]), va="center", fontsize=name_size(cell))


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
        ax.axhline(found.difference, color="0.2", linewidth=1.0, linestyle="--")
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
    sentence = found.sentence(_label(found.tested), names.writing)
    return (
        f"{names(found.system)} minus {names(found.baseline)}: {sentence} Dashed line and "
        f"band: mean difference and interval. Test: {method_text([found.tested])}."
    )


def _label(tested: TestedMeasure) -> str:
    return cut(label_of(tested.measure), LONGEST_LABEL)
