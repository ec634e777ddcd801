"""The figures of the upper-expected paper."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...plots import score_histogram
from ...plots.style import new_axes
from ..results import PaperFigure
from .scores import BASES, FIGURE_CUTOFF, SETS, Scores, expected_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def query_types(scores: Scores, base: str = "nDCG") -> PaperFigure:
    """Figure 1: the actual mean score of each query against its expected value."""
    title = f"{BASES[base]} of the queries against its expected value"
    return PaperFigure("Figure 1", title, partial(_draw_query_types, scores, base))


def _draw_query_types(scores: Scores, base: str, width: float | None = None) -> Axes:
    actual = scores.at(base, "original", FIGURE_CUTOFF).mean(axis=0)
    expected = scores.matrix[expected_measure(base, FIGURE_CUTOFF)][0]
    sets = scores.query_sets[base]
    others = np.setdiff1d(sets[SETS[0]], np.concatenate([sets[name] for name in SETS[1:]]))
    ax = new_axes(width)
    for name, queries in {
        "other": others,
        **{name.lower(): sets[name] for name in SETS[1:]},
    }.items():
        ax.scatter(actual[queries], expected[queries], s=16, alpha=0.7, label=name)
    ax.axline((0, 0), (1, 1), color="0.3", linestyle="--")
    ax.set_xlabel(f"{BASES[base]}@{FIGURE_CUTOFF}, mean over rankers")
    ax.set_ylabel(f"expected {BASES[base]}@{FIGURE_CUTOFF}")
    ax.legend(title="queries", fontsize="small")
    return ax


def expected_values(scores: Scores, base: str) -> PaperFigure:
    """Figures 2 and 3: a histogram of the expected values of the queries."""
    measure = expected_measure(base, FIGURE_CUTOFF)
    return PaperFigure(
        {"nDCG": "Figure 2", "AP": "Figure 3"}[base],
        f"Expected {BASES[base]}@{FIGURE_CUTOFF} of the queries",
        partial(score_histogram, scores.matrix, measure),
    )
