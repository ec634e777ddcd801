"""Statistics of score arrays: intervals of means, effects, and how many topics a test needs."""

from ..common.short_paths import public
from .intervals import mean_interval
from .planning import hedges_g, topics_for_power, topics_needed

__all__ = ["hedges_g", "mean_interval", "topics_for_power", "topics_needed"]

for _name in __all__:
    public(globals()[_name], home=__name__)
