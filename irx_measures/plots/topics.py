"""Two systems topic by topic, and the distributions of scores per query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ir_measures
import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import FloatArray
from ..comparison.result import Comparison
from ..comparison.words import interval_name, method_text
from ..exceptions import InputError
from ..measures.labels import short_labels
from ..scoring.score_matrix import ScoreMatrix
from ..typing import Axes, MeasureLike
from . import style
from .docs import documented

SEPARATE_BARS = 100  # topics, a choice: with more, bars have no gaps

ROUNDING = 1e-9  # far above float noise, far below a difference that can be seen

MOST_STEPS = 5  # of an axis: the design has 3 to 6 ticks

BINS = 20  # a choice: 50 of 1000 samples to a bin in the mean

MARKS = "Dxv^+s"

KEY_LINE = 0.2  # inches: a line of 8 points, and space

MOST_QUERIES = 1000  # more would be narrower than half a point

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
    system
        The system from which the other is subtracted.
    baseline
        The system that is subtracted; it may be omitted if the comparison has one baseline.
    %(measure)s
    %(ax)s
    %(width)s

    %(returns)s

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
    >>> topic_differences(result, "dense-a", "lexical-a").get_ylabel().splitlines()
    ['nDCG@10:', 'dense-a', 'minus lexical-a']
    """
    from matplotlib.ticker import MaxNLocator

    style.check_kind("result", result, Comparison, "irx_measures.compare")
    found = result.difference(system, baseline, measure)
    label = style.label_of(found.tested.measure)
    writing = style.names_in_caption(result.matrix.systems)
    with style.picture(ax, 3.6, width) as ax:
        names = style.names_of(ax, result.matrix.systems, 0.17)
        style.caption(
            ax,
            f"{writing.name(found.system)} minus {writing.name(found.baseline)}: "
            f"{found.sentence(style.in_caption(label), writing)} Dashed line and band: mean "
            f"difference and interval. Test: {method_text([found.tested])}.",
        )
        pair = f"{names[found.system]}\nminus {names[found.baseline]}"
        ax.set_ylabel(f"{style.plain(label, 30)}:\n{pair}")
        _draw_topics(ax, found.by_topic[found.order])
        ax.axhline(0, color="0.3", linewidth=0.8, marker="")
        ax.axhline(found.difference, color="0.2", linewidth=1.0, linestyle="--", marker="")
        ax.axhspan(found.lower, found.upper, color=style.MUTED, alpha=0.15, linewidth=0, zorder=0)
        ax.yaxis.set_major_locator(MaxNLocator(MOST_STEPS, steps=[1, 2, 5, 10]))
        ax.yaxis.set_major_formatter(lambda tick, place: f"{tick:+.2f}" if tick else "0")
        band = ""
        if found.tested.method.has_intervals:
            band = f"; dashed and band: mean, {interval_name(found.tested)}"
        names = style.names_of(ax, result.matrix.query_ids, 0.15)
        style.name_columns(ax, [names[result.matrix.query_ids[n]] for n in found.order.tolist()])
        topics = f"{len(found.order)} topics, by falling difference"
        ax.set_xlabel(f"{topics}{band}", wrap=True)
    return ax


def _draw_topics(ax: Axes, differences: FloatArray) -> None:
    """Draw a bar per topic, all as one collection: matplotlib is slow with many single bars."""
    from matplotlib.collections import PolyCollection

    topics = len(differences)
    half = 0.4 if topics <= SEPARATE_BARS else 0.5
    left, right = np.arange(topics) - half, np.arange(topics) + half
    base = np.zeros(topics)
    corners = [(left, base), (left, differences), (right, differences), (right, base)]
    colours = np.where(differences > 0, style.ABOVE, style.BELOW).tolist()
    bars = PolyCollection(np.array(corners).transpose(2, 0, 1), facecolors=colours, linewidth=0)
    ax.add_collection(bars)
    ax.set_xlim(-0.8, topics - 0.2)
    ax.autoscale_view(scalex=False)
    ax.grid(visible=False, axis="x")


@documented
def score_histogram(
    matrix: ScoreMatrix,
    measure: ir_measures.Measure | str,
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
    %(ax)s
    %(width)s

    %(returns)s

    Raises
    ------
    ValueError
        If the matrix does not contain the system, or has no score, or an undefined or infinite one,
        for it.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import score_histogram
    >>> measure = "Expected(normalized=True)@10"
    >>> matrix = irx_measures.evaluate({"a": {"q": {"A": 1.0}}}, {"q": {"A": 1, "B": 0}}, measure)
    >>> score_histogram(matrix, measure).get_ylabel()
    'queries'
    """
    system = _system_of(matrix, system)
    scores = matrix[measure][matrix.systems.index(system)]
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
        ax.set_xlabel(f"{style.plain(style.label_of(measure))} (dashed: mean)", wrap=True)
        ax.set_ylabel("queries")
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
    %(ax)s
    actual
        Scores to mark as actual scores, on qrels in which the unjudged documents were judged later.
    measure
        The measure that was bootstrapped: the label of the y axis.
    %(width)s

    %(returns)s

    Raises
    ------
    ValueError
        If there is no query or there are more than 1000, if a query's sample is empty or has values
        outside [0, 1], or if `marks` or `actual` lacks a query or the system.

    %(warns)s

    Notes
    -----
    - A thick line is the central half of a query's samples, a thin line their central 90%.
    - A dash without a line means that the central 90% are equal, as all samples are for a query
      whose documents are all judged.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import score_distributions
    >>> qrels = {"q": {"A": 1, "B": 1, "C": 0}}
    >>> run = {"q": {"A": 3.0, "X": 2.0, "C": 1.0}}
    >>> samples = irx_measures.bootstrap_ndcg(qrels, run, 3)
    >>> marks = irx_measures.evaluate({"a": run}, qrels, ["nDCG@3", "nDCGBound(bound=upper)@3"])
    >>> [text.get_text() for text in score_distributions(samples, marks).get_xticklabels()]
    ['q']
    """
    if not samples:
        raise InputError("`samples` must hold at least one query; got none")
    if len(samples) > MOST_QUERIES:
        raise InputError(
            f"`samples` must hold at most {MOST_QUERIES} queries, because each has a row; "
            f"got {len(samples)}"
        )
    checked = {query_id: _checked(query_id, of_query) for query_id, of_query in samples.items()}
    order = sorted(checked, key=lambda query_id: round(float(np.median(checked[query_id])), 9))
    ends = np.array([np.quantile(checked[query_id], QUANTILES) for query_id in order])
    equal = np.count_nonzero(np.ptp(ends, axis=1) <= ROUNDING)
    marked: dict[str, FloatArray] = {}
    for what, matrix in {"marks": marks, "actual": actual}.items():
        if matrix is not None:
            system = _system_of(matrix, system)
            marked |= _marked(what, matrix, order, system)
    undefined = [label for label, scores in marked.items() if not np.isfinite(scores).all()]
    style.say_undefined(undefined, len(samples))
    marked = {label: scores for label, scores in marked.items() if label not in undefined}
    with style.picture(ax, 3.4, width, rows=KEY_LINE * len(marked)) as ax:
        ax.set_xlim(-0.8, len(order) - 0.2)
        ax.set_ylim(-0.02, 1.02)
        ax.grid(visible=False, axis="x")
        ax.set_xlabel("query, sorted by median; thick: central half, thin: central 90%", wrap=True)
        ax.set_ylabel(style.plain(style.label_of(measure)), wrap=True)
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
        _draw_samples(ax, ends)
        names = style.names_of(ax, order, 0.15)
        style.name_columns(ax, [names[query_id] for query_id in order])
    return ax


def _checked(query_id: str, of_query: ArrayLike) -> FloatArray:
    """The sample of a query, at most 1."""
    sample = np.asarray(of_query, np.float64)
    if not sample.size or not ((sample >= 0) & (sample <= 1 + ROUNDING)).all():
        raise InputError(f"`samples` must lie in [0, 1], at least one; got others for {query_id!r}")
    return np.minimum(sample, 1.0)


def _system_of(matrix: ScoreMatrix, system: str | None) -> str:
    """The system to draw; the first of the matrix if None."""
    if not matrix.systems:
        raise InputError("a matrix to plot must hold at least one system; got none")
    if system is None:
        return matrix.systems[0]
    if system not in matrix.systems:
        raise InputError(f"`system` must be one of {', '.join(matrix.systems)}; got {system!r}")
    return system


def _draw_samples(ax: Axes, ends: FloatArray) -> None:
    """Draw the intervals and the median of each query.

    Parameters
    ----------
    ax
    ends : (queries, 5) floats
        The `QUANTILES` of each query's samples.
    """
    place, pitch = np.arange(len(ends)), style.size_in_points(ax)[0] / len(ends)
    low, lower, median, upper, high = ends.T
    dash, half = min(1.2, pitch / 3), min(0.35, 8 / pitch)
    ax.vlines(place, low, high, color=style.INTERVAL, linewidth=min(1.5, 0.3 * pitch))
    ax.vlines(place, lower, upper, color=style.ABOVE, linewidth=min(5.0, 0.6 * pitch))
    inside = np.where(upper - lower < NARROW_HALF, style.ABOVE, "white").tolist()
    ax.hlines(median, place - half, place + half, color=inside, linewidth=dash)


def _marked(
    what: str, matrix: ScoreMatrix, query_ids: Sequence[str], system: str
) -> dict[str, FloatArray]:
    """A system's scores on the sampled queries, by their labels in the key."""
    place_of = {query_id: place for place, query_id in enumerate(matrix.query_ids)}
    missing = [query_id for query_id in query_ids if query_id not in place_of]
    if missing:
        raise InputError(f"`{what}` must score every query of `samples`; missing {missing[:3]}")
    places = [place_of[query_id] for query_id in query_ids]
    row = matrix.systems.index(system)
    prefix = "actual " if what == "actual" else ""
    labels = short_labels(matrix.measures)
    return {
        f"{prefix}{label}": matrix[measure][row][places]
        for label, measure in zip(labels, matrix.measures, strict=True)
    }
