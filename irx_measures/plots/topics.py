"""Two systems topic by topic, and the distributions of scores per query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray
from ..common.validators import check_kind
from ..common.writing import counted, nearest_of
from ..comparison.result import Comparison
from ..comparison.words import interval_name, method_text
from ..exceptions import InputError
from ..measures.naming.labels import short_labels
from ..scoring.score_matrix import ScoreMatrix
from ..typing import Axes, MeasureLike
from . import style
from .docs import documented

SEPARATE_BARS = 100  # topics, a choice: with more, bars have no gaps

ROUNDING = 1e-9  # far above float noise, far below a difference that can be seen

MOST_STEPS = 5  # of an axis: the design has 3 to 6 ticks

BINS = 20  # a choice: 50 of 1000 samples to a bin in the mean

MARKS = "Dxv^+s"

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)  # the median, the central half and the central 90%

NARROW_HALF = 0.012  # a central half that is smaller would be covered by its median


@documented
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
    %(comparison)s
    %(pair)s
    %(drawn)s

    Raises
    ------
    ValueError
        If the two systems were not compared on the measure.

    Notes
    -----
    The dashed line and the band are the mean difference and its interval, which agrees with the
    correction, as in the table of `irx compare --show differences`.

    See Also
    --------
    irx_measures.compare : Makes the result.
    """
    check_kind("result", result, Comparison, "irx_measures.compare")
    found = result.difference(system, baseline, measure)
    label = style.label_of(found.board.measure)
    writing = style.names_in_caption(result.matrix.systems)
    with style.picture(ax, 3.6, width) as ax:
        names = style.names_of(ax, result.matrix.systems, 0.17)
        style.caption(
            ax,
            f"{writing.name(found.system)} minus {writing.name(found.baseline)}: "
            f"{found.sentence(style.in_caption(label), writing)} Dashed line and band: mean "
            f"difference and interval. Test: {method_text([found.board])}.",
        )
        pair = f"{names[found.system]}\nminus {names[found.baseline]}"
        _draw_topics(ax, found.by_topic[found.order])
        ax.axhline(0, color="0.3", linewidth=0.8, marker="")
        ax.axhline(found.difference, color="0.2", linewidth=1.0, linestyle="--", marker="")
        ax.axhspan(found.lower, found.upper, color=style.MUTED, alpha=0.15, linewidth=0, zorder=0)
        ax.locator_params(axis="y", nbins=MOST_STEPS, steps=[1, 2, 5, 10])
        ax.yaxis.set_major_formatter(_tick_text)
        across = f"{counted(len(found.order), found.board.unit)}, by falling difference"
        if found.board.method.has_intervals:
            across += f"; dashed and band: mean, {interval_name(found.board)}"
        style.name_axes(ax, across, f"{style.axis_of(found.board.measure)}:\n{pair}")
        queries = [result.matrix.query_ids[place] for place in found.order.tolist()]
        style.name_columns(ax, [*style.names_of(ax, queries, 0.15).values()])
        if not found.by_topic.any():
            ax.set_ylim(-0.5, 0.5)
            style.say_empty(ax, f"no difference on any {found.board.unit}")
    return ax


def _tick_text(tick: float, place: float) -> str:
    """The label of a difference at the axis."""
    return f"{tick:+.2f}" if tick else "0"


def _draw_topics(ax: Axes, differences: FloatArray) -> None:
    """Draw a bar per topic, all as one collection: matplotlib is slow with many single bars."""
    from matplotlib.collections import PolyCollection

    topics = len(differences)
    half = 0.4 if topics <= SEPARATE_BARS else 0.5
    left, right = np.arange(topics) - half, np.arange(topics) + half
    base = np.zeros(topics)
    corners = [(left, base), (left, differences), (right, differences), (right, base)]
    colours = np.where(differences > 0, style.ABOVE, style.BELOW).tolist()
    # The types of matplotlib ask for a sequence; it draws an array faster.
    polygons: Any = np.array(corners).transpose(2, 0, 1)
    bars = PolyCollection(polygons, facecolors=colours, linewidth=0)
    ax.add_collection(bars)
    ax.set_xlim(-0.8, topics - 0.2)
    ax.autoscale_view(scalex=False)
    ax.grid(visible=False, axis="x")


@documented
def score_histogram(
    matrix: ScoreMatrix,
    measure: MeasureLike,
    system: str | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
) -> Axes:
    """Plot a histogram of one system's scores per query (upper-expected paper, Figures 2 and 3).

    The figures of the paper show expected nDCG and AP: ``Expected(normalized=True)@10`` and
    ``Expected(base=AP, normalized=True)@10``. Both are the same for every system.

    Parameters
    ----------
    matrix
        Scores, including those of `measure`.
    measure
        The measure to plot.
    system
        The system to plot; if None, the first system of the matrix.
    %(drawn)s

    Raises
    ------
    ValueError
        If the matrix does not contain the system, or has no score, or an undefined or infinite one,
        for it.

    See Also
    --------
    irx_measures.evaluate : Computes the scores.
    """
    system = _system_of("matrix", matrix, system)
    chosen = matrix.select([measure])
    scores = chosen.scores[0, matrix.systems.index(system)]
    if not scores.size or not np.isfinite(scores).all():
        got = scores[~np.isfinite(scores)][0] if scores.size else "none"
        raise InputError(
            f"`matrix` must hold finite scores of {system!r} by {measure}, at least one; got {got}"
        )
    low, high = min(0.0, float(scores.min())), max(1.0, float(scores.max()))
    mean = float(scores.mean())
    with style.picture(ax, 3.2, width) as ax:
        name = style.in_caption(system)
        style.caption(ax, f"{name}: {len(scores)} queries. Dashed: their mean, {mean:.3f}.")
        bins = np.linspace(low, high, BINS + 1).tolist()
        ax.hist(scores, bins=bins, color=style.ABOVE, edgecolor="white", linewidth=0.5)
        ax.axvline(mean, color=style.MUTED, linestyle="--", linewidth=1.0, marker="")
        style.name_axes(ax, f"{style.axis_of(chosen.measures[0])} (dashed: mean)", "queries")
        ax.grid(visible=False, axis="x")
    return ax


@documented
def score_distributions(
    samples: Mapping[str, ArrayLike],
    marks: ScoreMatrix | None = None,
    system: str | None = None,
    ax: Axes | None = None,
    actual: ScoreMatrix | None = None,
    *,
    measure: MeasureLike = "bootstrapped score",
    width: float | None = None,
) -> Axes:
    """Plot bootstrapped scores per query, with marks for other scores (bootstrap paper, Figure 1).

    Queries are sorted by the median of their samples.

    Parameters
    ----------
    samples
        Samples of each query, in [0, 1], as `irx_measures.bootstrap_ndcg` returns them.
    marks
        Other scores to mark for each query, for instance nDCG, nDCG of condensed lists, or the
        naive upper bound.
    system
        The system whose scores are marked; if None, the first system of `marks`.
    actual
        Scores to mark as actual scores, on qrels in which the unjudged documents were judged later.
    measure
        The measure that was bootstrapped: the label of the y axis.
    %(drawn)s

    Raises
    ------
    ValueError
        If there is no query, if a query's sample is empty or has values outside [0, 1], or if
        `marks` or `actual` lacks a query or the system.

    Warns
    -----
    EvaluationWarning
        If marks that are undefined for a query are left out.

    Notes
    -----
    - A thick line is the central half of a query's samples, a thin line their central 90%.
    - A dash without a line means that the central 90% are equal, as all samples are for a query
      whose documents are all judged.

    See Also
    --------
    irx_measures.bootstrap_ndcg : Draws the samples.
    """
    style.check_dict("samples", samples)
    quantiles = {query_id: _quantiles(query_id, sample) for query_id, sample in samples.items()}
    order = sorted(quantiles, key=lambda query_id: round(float(quantiles[query_id][2]), 9))
    ends = np.array([quantiles[query_id] for query_id in order])
    equal = np.count_nonzero(np.ptp(ends, axis=1) <= ROUNDING)
    marked: dict[str, FloatArray] = {}
    for what, matrix in {"marks": marks, "actual": actual}.items():
        if matrix is not None:
            system = _system_of(what, matrix, system)
            marked |= _marked(what, matrix, order, system)
    undefined = [label for label, scores in marked.items() if not np.isfinite(scores).all()]
    style.say_undefined(undefined, len(samples))
    marked = {label: scores for label, scores in marked.items() if label not in undefined}
    with style.picture(ax, 3.4, width, rows=style.KEY_LINE * len(marked)) as ax:
        ax.set_xlim(-0.8, len(order) - 0.2)
        ax.set_ylim(-0.02, 1.02)
        ax.grid(visible=False, axis="x")
        whose = f"{style.in_caption(system)}. " if system is not None else ""
        style.caption(
            ax,
            f"{whose}Thick: central half; thin: central 90%; white: median of a query's samples. "
            f"A dash alone: the central 90% are equal ({equal} of {len(order)} queries).",
        )
        labels = style.names_of(ax, marked, 0.5)
        for number, (label, scores) in enumerate(marked.items()):
            ax.scatter(
                np.arange(len(scores)), scores, s=16, marker=MARKS[number % len(MARKS)],
                color=style.look(number + 1)["color"], linewidths=1.0, label=labels[label],
                clip_on=False, zorder=3,
            )  # fmt: skip
        if marked:
            style.key(ax)
        across = "query, sorted by median; thick: central half, thin: central 90%"
        style.name_axes(ax, across, style.axis_of(measure))
        _draw_samples(ax, ends)
        style.name_columns(ax, [*style.names_of(ax, order, 0.15).values()])
    return ax


def _quantiles(query_id: str, of_query: ArrayLike) -> FloatArray:
    """The `QUANTILES` of a query's sample, at most 1: (5,)."""
    try:
        sample = np.asarray(of_query, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"`samples` must hold numbers; got others for {query_id!r}") from None
    if not sample.size or not ((sample >= 0) & (sample <= 1 + ROUNDING)).all():
        raise InputError(f"`samples` must lie in [0, 1], at least one; got others for {query_id!r}")
    return np.asarray(np.quantile(np.minimum(sample, 1.0), QUANTILES))


def _system_of(what: str, matrix: ScoreMatrix, system: str | None) -> str:
    """The system to draw; the first of the matrix, a parameter called `what`, if None."""
    check_kind(what, matrix, ScoreMatrix, "irx_measures.evaluate")
    style.check_results(matrix.systems, what)
    if system is None:
        return matrix.systems[0]
    if system not in matrix.systems:
        hint = nearest_of(system, matrix.systems)
        raise InputError(
            f"`system` must be one of {', '.join(matrix.systems)}; got {system!r}{hint}"
        )
    return system


def _marked(
    what: str, matrix: ScoreMatrix, query_ids: Sequence[str], system: str
) -> dict[str, FloatArray]:
    """A system's scores on the sampled queries, by their labels in the key."""
    missing = [query_id for query_id in query_ids if query_id not in matrix.query_ids]
    if missing:
        raise InputError(f"`{what}` must score every query of `samples`; missing {missing[:3]}")
    scores = matrix.queries(query_ids).scores[:, matrix.systems.index(system)]
    prefix = "actual " if what == "actual" else ""
    labels = [f"{prefix}{label}" for label in short_labels(matrix.measures)]
    return dict(zip(labels, scores, strict=True))


def _draw_samples(ax: Axes, ends: FloatArray) -> None:
    """Draw the intervals and the median of each query; `ends` are its `QUANTILES`: (queries, 5)."""
    place, pitch = np.arange(len(ends)), style.size_in_points(ax)[0] / len(ends)
    low, lower, median, upper, high = ends.T
    dash, half = min(1.2, pitch / 3), min(0.35, 8 / pitch)
    ax.vlines(place, low, high, color=style.INTERVAL, linewidth=min(1.5, 0.3 * pitch))
    ax.vlines(place, lower, upper, color=style.ABOVE, linewidth=min(5.0, 0.6 * pitch))
    inside = np.where(upper - lower < NARROW_HALF, style.ABOVE, "white").tolist()
    ax.hlines(median, place - half, place + half, color=inside, linewidth=dash)
