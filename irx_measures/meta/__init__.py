"""Evaluating the evaluation: score arrays in, results out; numpy, scipy and statsmodels only."""

from .absolute_difference import AbsoluteDifference, percentage_absolute_difference
from .coefficients import COEFFICIENTS
from .concordance import Concordance, concordance
from .correlation import RankCorrelation, rank_correlation
from .power import CORRECTIONS, TESTS, DiscriminativePower, discriminative_power
from .stability import Stability, stability
from .swap_rate import SwapCurve, SwapRate, split_swap_rate, swap_rate
from .systems import SystemImpact, system_impact
from .trade_off import ParetoFront, pareto_front

__all__ = [
    "COEFFICIENTS",
    "CORRECTIONS",
    "TESTS",
    "AbsoluteDifference",
    "Concordance",
    "DiscriminativePower",
    "ParetoFront",
    "RankCorrelation",
    "Stability",
    "SwapCurve",
    "SwapRate",
    "SystemImpact",
    "concordance",
    "discriminative_power",
    "pareto_front",
    "percentage_absolute_difference",
    "rank_correlation",
    "split_swap_rate",
    "stability",
    "swap_rate",
    "system_impact",
]
