"""Scores of single queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ir_measures
import numpy as np

from ..score_matrix import ScoreMatrix
from .canvas import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BINS = 20


def score_histogram(
    matrix: ScoreMatrix,
    measure: ir_measures.Measure | str,
    system: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Number of queries by score, as Figures 2 and 3 of the upper-expected paper show it.

    Those figures are of expected nDCG and AP: ``Expected(normalized=True)@10`` and
    ``Expected(base=AP, normalized=True)@10``, which are the same for every system.

    Parameters
    ----------
    matrix
        Scores that hold the measure.
    measure
        Whose scores to count.
    system
        Whose scores to count; the first system's where None.
    ax
        Where to draw; a new figure where None.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        When the system is not among those of the matrix.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import score_histogram
    >>> measure = "Expected(normalized=True)@10"
    >>> matrix = irx_measures.evaluate({"a": {"q": {"A": 1.0}}}, {"q": {"A": 1, "B": 0}}, measure)
    >>> score_histogram(matrix, measure).get_ylabel()
    'queries'
    """
    system = matrix.systems[0] if system is None else system
    if system not in matrix.systems:
        raise ValueError(f"`system` must be one of {', '.join(matrix.systems)}; got {system!r}")
    scores = matrix[measure][matrix.systems.index(system)]
    ax = ax or new_axes()
    low, high = min(0.0, float(scores.min())), max(1.0, float(scores.max()))
    ax.hist(scores, bins=np.linspace(low, high, BINS + 1).tolist(), edgecolor="white")
    ax.axvline(float(scores.mean()), color="0.3", linestyle="--", label="mean")
    ax.set_xlabel(str(measure))
    ax.set_ylabel("queries")
    ax.legend(fontsize="small")
    return ax
