"""Judging by people and machines: how far machine judgments agree, and what they are good for."""

from .agreement import Agreement
from .audit import JudgeAudit, SystemRanking, audit_judges
from .favour import Favour
from .planning.simulation import simulate_judging

__all__ = [
    "Agreement",
    "Favour",
    "JudgeAudit",
    "SystemRanking",
    "audit_judges",
    "simulate_judging",
]
