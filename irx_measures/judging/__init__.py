"""Judging by people and machines: how far machine judgments agree, and what they are good for."""

from .agreement import Agreement
from .audit import JudgeAudit, audit_judges
from .planning.simulation import simulate_judging

__all__ = ["Agreement", "JudgeAudit", "audit_judges", "simulate_judging"]
