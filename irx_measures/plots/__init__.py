"""Plots of results: each function takes a result and returns Axes (extra: plots)."""

from .canvas import save
from .comparison import significance_pairs, topic_differences
from .correlation import correlation_bars, correlation_curves
from .curves import asl_curves, impact_curves, stability_curves, swap_curves
from .distributions import score_distributions, score_histogram
from .judge_audit import judge_calibration
from .judging_progress import judging_progress
from .leaderboard import group_means, leaderboard
from .pareto import pareto_front
from .power import significance_heatmap
from .residual_gain import residual_gain_matrix
from .scatter import system_scatter
from .unjudged import unjudged_by_rank

__all__ = [
    "asl_curves",
    "correlation_bars",
    "correlation_curves",
    "group_means",
    "impact_curves",
    "judge_calibration",
    "judging_progress",
    "leaderboard",
    "pareto_front",
    "residual_gain_matrix",
    "save",
    "score_distributions",
    "score_histogram",
    "significance_heatmap",
    "significance_pairs",
    "stability_curves",
    "swap_curves",
    "system_scatter",
    "topic_differences",
    "unjudged_by_rank",
]
