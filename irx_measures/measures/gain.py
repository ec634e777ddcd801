"""The gain of grades, by the measure's parameter `dcg`."""

from __future__ import annotations

from ..common.numeric import FloatArray, IntArray
from ..exceptions import InputError
from ..kernels.user_models import DCGS, graded_gain
from .base import Measure
from .params import Param, choice

HIGHEST_EXPONENT = 1000  # a float holds up to 2^1024; sums of gains need room too

DCG = Param(
    choice(*DCGS), "log2", "The gain of a grade g in nDCG: g ('log2') or ``2^g - 1`` ('exp-log2')."
)


def gain_of(measure: Measure, grade: IntArray) -> FloatArray:
    """The gain of each grade, by the measure's parameter `dcg`.

    Raises
    ------
    ValueError
        When a grade g is so high that 2^g overflows a float.
    """
    highest = int(grade.max(initial=0))
    if measure["dcg"] == "exp-log2" and highest > HIGHEST_EXPONENT:
        raise InputError(
            f"{measure.NAME}: dcg='exp-log2' takes grades to {HIGHEST_EXPONENT}; got {highest}"
        )
    return graded_gain(grade, measure["dcg"])
