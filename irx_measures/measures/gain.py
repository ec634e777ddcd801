"""What grades and ranks are worth, by the measure's parameters."""

from __future__ import annotations

from ..common.numeric import FloatArray, IntArray
from ..common.validators import choice
from ..exceptions import InputError
from ..kernels.user_models import DCGS, binary_gain, browsing_weights, graded_gain
from .base import Measure
from .params import Param

HIGHEST_EXPONENT = 1000  # a float holds up to 2^1024; sums of gains need room too

DCG = Param(
    choice(*DCGS), "log2", "The gain of a grade g in nDCG: g ('log2') or ``2^g - 1`` ('exp-log2')."
)


def gain_of(measure: Measure, grade: IntArray, base: str = "nDCG") -> FloatArray:
    """The gain of each grade: by `dcg` for nDCG, by `rel` for other base measures.

    Raises
    ------
    ValueError
        When a grade g is so high that 2^g overflows a float.
    """
    if base != "nDCG":
        return binary_gain(grade, measure["rel"])
    highest = int(grade.max(initial=0))
    if measure["dcg"] == "exp-log2" and highest > HIGHEST_EXPONENT:
        raise InputError(
            f"{measure.NAME}: dcg='exp-log2' takes grades to {HIGHEST_EXPONENT}; got {highest}"
        )
    return graded_gain(grade, measure["dcg"])


def rank_weights(measure: Measure, base: str, depth: int) -> FloatArray:
    """The weights of ranks 0 (not returned) to `depth` in DCG, P or RBP: (depth + 1,)."""
    if base == "RBP":
        return (1.0 - measure["phi"]) * browsing_weights(base, depth, measure["phi"])
    scale = measure["cutoff"] if base == "P" else 1.0
    return browsing_weights(base, depth, 0.0) / scale
