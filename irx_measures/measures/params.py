"""Parameters of measures: what they may be, their defaults, what they mean."""

from __future__ import annotations

from typing import Any

from ir_measures.measures import ParamInfo

from ..common.validators import Allowed, choice, either, flag, integer, number_in, optional

__all__ = [
    "CUTOFF",
    "Allowed",
    "Param",
    "choice",
    "either",
    "flag",
    "integer",
    "number_in",
    "optional",
]


class Param(ParamInfo):
    """A parameter of a measure: what it may be, its default, and what it means."""

    def __init__(self, allowed: Allowed, default: Any, desc: str) -> None:
        super().__init__(default=default, desc=desc)
        self.allowed = allowed

    def validate(self, value: Any) -> bool:
        """Values were checked when the measure was made."""
        return True


CUTOFF = Param(integer(1), None, "Only the first `cutoff` documents of a ranking count: `@k`.")
