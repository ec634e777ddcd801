"""Distributions of scores per query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import ir_measures
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..common.arrays import FloatArray
from ..exceptions import InputError
from ..scoring.score_matrix import ScoreMatrix
from .canvas import LEGEND_LINE, legend_below, new_axes, plain, say_undefined

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUNDING = 1e-9

BINS = 20

MARKS = "|xvd+s"

MOST_QUERIES = 1000  # a PNG of 1500 rows is higher than matplotlib can draw


def score_histogram(
    matrix: ScoreMatrix,
    measure: ir_measures.Measure | str,
    system: str | None = None,
    ax: Axes | None = None,
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
    ax
        Axes to draw on; if None, those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

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
    ax = ax or new_axes()
    low, high = min(0.0, float(scores.min())), max(1.0, float(scores.max()))
    ax.hist(scores, bins=np.linspace(low, high, BINS + 1).tolist(), edgecolor="white")
    ax.axvline(float(scores.mean()), color="0.3", linestyle="--", label="mean")
    ax.set_xlabel(str(measure))
    ax.set_ylabel("queries")
    ax.legend(fontsize="small")
    return ax


def score_distributions(
    samples: Mapping[str, ArrayLike],
    marks: ScoreMatrix | None = None,
    system: str | None = None,
    ax: Axes | None = None,
    actual: ScoreMatrix | None = None,
) -> Axes:
    """Plot bootstrapped scores per query, with marks for other scores (bootstrap paper, Figure 1).

    Parameters
    ----------
    samples
        Samples of each query, in [0, 1], as `irx_measures.bootstrap_ndcg` returns them. Each query
        is a row of the plot, the first query at the top.
    marks
        Other scores to mark in each row, for instance nDCG, nDCG of condensed lists, or the naive
        upper bound.
    system
        The system whose scores are marked; if None, the first system of `marks`.
    ax
        Axes to draw on; if None, those of a new figure that is high enough for all queries.
    actual
        Scores to mark as actual scores, on qrels in which the unjudged documents were judged later.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no query or there are more than 1000, if a query's sample is empty or has values
        outside [0, 1], or if `marks` or `actual` lacks a query or the system.

    Warns
    -----
    EvaluationWarning
        If undefined scores are left out.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import score_distributions
    >>> qrels = {"q": {"A": 1, "B": 1, "C": 0}}
    >>> run = {"q": {"A": 3.0, "X": 2.0, "C": 1.0}}
    >>> samples = irx_measures.bootstrap_ndcg(qrels, run, 3)
    >>> marks = irx_measures.evaluate({"a": run}, qrels, ["nDCG@3", "nDCGBound(bound=upper)@3"])
    >>> [text.get_text() for text in score_distributions(samples, marks).get_yticklabels()]
    ['q']
    """
    if not samples:
        raise InputError("`samples` must hold at least one query; got none")
    if len(samples) > MOST_QUERIES:
        raise InputError(
            f"`samples` must hold at most {MOST_QUERIES} queries, because each has a row; "
            f"got {len(samples)}"
        )
    for query_id, of_query in samples.items():
        sample = np.asarray(of_query, np.float64)
        if not sample.size or not ((sample >= 0) & (sample <= 1 + ROUNDING)).all():
            raise InputError(
                f"`samples` must lie in [0, 1], at least one; got others for {query_id!r}"
            )
    rows = np.arange(len(samples))
    given = {"marks": marks, "actual": actual}
    marked: dict[str, NDArray[np.float64]] = {}
    for what, matrix in given.items():
        if matrix is not None:
            system = _system_of(matrix, system)
            marked |= _marked(what, matrix, samples, system)
    undefined = [label for label, scores in marked.items() if not np.isfinite(scores).all()]
    say_undefined(undefined, len(samples))
    marked = {label: scores for label, scores in marked.items() if label not in undefined}
    ax = ax or new_axes(height=1.0 + 0.3 * len(samples) + LEGEND_LINE * len(marked))
    _draw_bars(ax, [np.asarray(of_query, np.float64) for of_query in samples.values()])
    for number, (label, scores) in enumerate(marked.items()):
        shape = MARKS[number % len(MARKS)]
        ax.scatter(scores, rows, marker=shape, color=f"C{number + 1}", label=label, zorder=3)
    if marked:
        legend_below(ax)
    ax.set_yticks(rows, list(map(plain, samples)))
    ax.set_ylim(len(samples) - 0.4, -0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("score")
    ax.set_ylabel("query")
    ax.grid(axis="x", alpha=0.3)
    return ax


def _system_of(matrix: ScoreMatrix, system: str | None) -> str:
    """The system to draw; the first of the matrix if None."""
    if not matrix.systems:
        raise InputError("a matrix to plot must hold at least one system; got none")
    if system is None:
        return matrix.systems[0]
    if system not in matrix.systems:
        raise InputError(f"`system` must be one of {', '.join(matrix.systems)}; got {system!r}")
    return system


def _draw_bars(ax: Axes, samples: Sequence[FloatArray]) -> None:
    """Draw a histogram per row, all as one collection: matplotlib is slow with many single bars."""
    from matplotlib.collections import PolyCollection

    edges = np.linspace(0.0, 1.0, 2 * BINS + 1)
    counts = np.array([np.histogram(np.minimum(sample, 1.0), edges)[0] for sample in samples])
    row, place = np.nonzero(counts)
    top = 0.8 * counts[row, place] / counts.max(axis=1)[row]
    left, right, base = edges[place], edges[place + 1], row + 0.4
    corners = [(left, base), (left, base - top), (right, base - top), (right, base)]
    bars = np.array(corners).transpose(2, 0, 1)
    ax.add_collection(PolyCollection(bars, color="C0", alpha=0.5, linewidth=0))


def _marked(
    what: str, matrix: ScoreMatrix, samples: Mapping[str, ArrayLike], system: str
) -> dict[str, NDArray[np.float64]]:
    """A system's scores on the sampled queries, by their legend labels."""
    place_of = {query_id: place for place, query_id in enumerate(matrix.query_ids)}
    missing = [query_id for query_id in samples if query_id not in place_of]
    if missing:
        raise InputError(f"`{what}` must score every query of `samples`; missing {missing[:3]}")
    places = [place_of[query_id] for query_id in samples]
    row = matrix.systems.index(system)
    prefix = "actual " if what == "actual" else ""
    return {f"{prefix}{measure}": matrix[measure][row][places] for measure in matrix.measures}
