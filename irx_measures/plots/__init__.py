"""Pictures of results: a result in, Axes out; nothing is computed here (extra: plots)."""

from .canvas import save
from .queries import score_distributions, score_histogram
from .systems import pareto_front, system_scatter

__all__ = ["pareto_front", "save", "score_distributions", "score_histogram", "system_scatter"]
