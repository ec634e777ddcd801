"""Parameters of measures: their allowed values, defaults and descriptions."""

from __future__ import annotations

import os
from typing import Any

import ir_measures
from ir_measures.measures import ParamInfo

from ..common.validators import Allowed, integer, number_in
from ..exceptions import InputError


class Param(ParamInfo):
    """A parameter of a measure: its allowed values, default and description."""

    def __init__(self, allowed: Allowed, default: Any, desc: str) -> None:
        super().__init__(default=default, desc=desc)
        self.allowed = allowed

    def validate(self, value: Any) -> bool:
        """Accept every value, because values are checked when the measure is created."""
        return True


# The persistence is `p` in ir_measures' RBP and in other packages, and `phi` in this one.
CALLED = {"p": "phi", "phi": "p"}


def unknown_parameter(measure: ir_measures.Measure, name: str) -> InputError:
    """The error for a parameter that a measure does not have."""
    params = measure.SUPPORTED_PARAMS
    known = ", ".join(f"`{known}`" for known in params) or "none"
    meant = CALLED.get(name)
    hint = f"; {name} is called `{meant}` here" if meant in params else ""
    return InputError(f"{measure.NAME} has no parameter `{name}`; it has {known}{hint}")


def _file(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)) and str(value):
        return str(value)
    raise ValueError(value)


FILE = Allowed("be the path of a file", _file)


DEEPEST = 1_000_000  # a measure string may come from a stranger: its work is bounded

CUTOFF = Param(integer(1, DEEPEST), None, "``@k``: only the first k documents of a ranking count.")

REL = Param(
    integer(1), 1, "The smallest relevant grade. nDCG and ERR are graded and do not use it."
)

# 0.8 is the default of ir_measures' own RBP.
RBP_PHI = Param(number_in(0, 1, closed=False), 0.8, "The persistence of RBP.")
