"""Evaluating the evaluation: score arrays in, results out; numpy and scipy only."""

from .query_sets import QueryPartition, informativeness, partition_queries
from .trade_off import ParetoFront, pareto_front

__all__ = [
    "ParetoFront",
    "QueryPartition",
    "informativeness",
    "pareto_front",
    "partition_queries",
]
