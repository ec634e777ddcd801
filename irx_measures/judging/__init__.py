"""Judging by people and machines: how far machine judgments agree, and what they are good for."""

from ..common.short_paths import public
from .agreement import Agreement
from .audit import JudgeAudit, audit_judges
from .planning.adding import AddedJudgments, add_judgments
from .planning.records import JudgingState
from .planning.simulation import simulate_judging

__all__ = [
    "AddedJudgments",
    "Agreement",
    "JudgeAudit",
    "JudgingState",
    "add_judgments",
    "audit_judges",
    "simulate_judging",
]

for _name in __all__:
    public(globals()[_name], home=__name__)
