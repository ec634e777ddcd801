"""Parameters of measures: their allowed values, defaults and descriptions."""

from __future__ import annotations

import os
from typing import Any

from ir_measures.measures import ParamInfo

from ..common.validators import Allowed, choice, either, flag, integer, number_in, optional

__all__ = [
    "CUTOFF",
    "FILE",
    "RBP_PHI",
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
    """A parameter of a measure: its allowed values, default and description."""

    def __init__(self, allowed: Allowed, default: Any, desc: str) -> None:
        super().__init__(default=default, desc=desc)
        self.allowed = allowed

    def validate(self, value: Any) -> bool:
        """Accept every value, because values are checked when the measure is created."""
        return True


def _file(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)) and str(value):
        return str(value)
    raise ValueError(value)


FILE = Allowed("be the path of a file", _file)


CUTOFF = Param(integer(1), None, "``@k``: only the first k documents of a ranking count.")

# 0.8 is the default of ir_measures' own RBP.
RBP_PHI = Param(number_in(0, 1, closed=False), 0.8, "The persistence of RBP.")
