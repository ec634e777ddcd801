"""Plots of results: each function takes a result and returns Axes (extra: plots)."""

from ..common.short_paths import public
from .curves import (
    asl_curves,
    correlation_curves,
    impact_curves,
    judging_progress,
    stability_curves,
    swap_curves,
)
from .forest import forest
from .leaderboard import leaderboard
from .matrices import (
    judge_calibration,
    residual_gain_matrix,
    significance_pairs,
    unjudged_by_rank,
)
from .scatter import pareto_front, system_scatter
from .style import save
from .topics import score_distributions, score_histogram, topic_differences

__all__ = [
    "asl_curves",
    "correlation_curves",
    "forest",
    "impact_curves",
    "judge_calibration",
    "judging_progress",
    "leaderboard",
    "pareto_front",
    "residual_gain_matrix",
    "save",
    "score_distributions",
    "score_histogram",
    "significance_pairs",
    "stability_curves",
    "swap_curves",
    "system_scatter",
    "topic_differences",
    "unjudged_by_rank",
]

for _name in __all__:
    public(globals()[_name], home=__name__)
