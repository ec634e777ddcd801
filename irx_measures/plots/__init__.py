"""Pictures of results: a result in, Axes out; nothing is computed here (extra: plots)."""

from .canvas import save
from .correlation import correlation_bars, correlation_curves, impact_curves
from .queries import score_distributions, score_histogram
from .significance import asl_curves, significance_heatmap
from .steadiness import stability_curves, swap_curves
from .systems import pareto_front, system_scatter

__all__ = [
    "asl_curves",
    "correlation_bars",
    "correlation_curves",
    "impact_curves",
    "pareto_front",
    "save",
    "score_distributions",
    "score_histogram",
    "significance_heatmap",
    "stability_curves",
    "swap_curves",
    "system_scatter",
]
