"""Evaluating the evaluation: score arrays in, results out; numpy and scipy only."""

from .trade_off import ParetoFront, pareto_front

__all__ = ["ParetoFront", "pareto_front"]
