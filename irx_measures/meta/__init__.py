"""Evaluating the evaluation: arrays of scores in, results out."""

from .leave_out import leave_group_out
from .prediction import (
    PredictionError,
    Preferences,
    prediction_error,
    reconstructed_preferences,
)
from .query_sets import QueryPartition, informativeness, partition_queries
from .trade_off import ParetoFront, pareto_front

__all__ = [
    "ParetoFront",
    "PredictionError",
    "Preferences",
    "QueryPartition",
    "informativeness",
    "leave_group_out",
    "pareto_front",
    "partition_queries",
    "prediction_error",
    "reconstructed_preferences",
]
