"""Meta-evaluation: studies of the scores that measures give to systems.

Scores are arrays (systems, queries) of finite numbers, or a `ScoreMatrix` of one measure. Other
shapes, other numbers and parameters out of range are InputErrors, which are ValueErrors.
"""

from ..common.short_paths import public
from ..unjudged.leave_out import leave_group_out
from .correlation import RankCorrelation, SystemImpact, rank_correlation, system_impact
from .pareto import ParetoFront, pareto_front
from .power import Concordance, DiscriminativePower, concordance, discriminative_power
from .prediction import (
    LeftOutScores,
    PredictionErrors,
    Preferences,
    left_out_scores,
    prediction_error,
    reconstructed_preferences,
)
from .residual_gain import ResidualGainMatrix, residual_gain_matrix
from .topic_sets import Stability, SwapCurve, Swaps, split_swap_rate, stability, swap_rate
from .unjudged import UnjudgedByRank, unjudged_by_rank
from .upper_expected import (
    QuerySets,
    informativeness,
    partition_queries,
    percentage_absolute_difference,
)

__all__ = [
    "Concordance",
    "DiscriminativePower",
    "LeftOutScores",
    "ParetoFront",
    "PredictionErrors",
    "Preferences",
    "QuerySets",
    "RankCorrelation",
    "ResidualGainMatrix",
    "Stability",
    "SwapCurve",
    "Swaps",
    "SystemImpact",
    "UnjudgedByRank",
    "concordance",
    "discriminative_power",
    "informativeness",
    "leave_group_out",
    "left_out_scores",
    "pareto_front",
    "partition_queries",
    "percentage_absolute_difference",
    "prediction_error",
    "rank_correlation",
    "reconstructed_preferences",
    "residual_gain_matrix",
    "split_swap_rate",
    "stability",
    "swap_rate",
    "system_impact",
    "unjudged_by_rank",
]

for _name in __all__:
    public(globals()[_name], home=__name__)
