"""The lowest and the highest score that a measure can give."""

from __future__ import annotations

from math import inf

import ir_measures
from ir_measures.providers.base import NOT_PROVIDED

from .base import Measure

UNKNOWN = (-inf, inf)

# ir_measures does not say the ranges of its measures. Those whose definition gives none, such as
# SDCG, which depends on `max_rel`, are not here.
SHARES = (
    "Accuracy", "AP", "AP_IA", "Bpref", "ERR", "infAP", "IPrec", "Judged", "nDCG", "nERR_IA", "P",
    "P_IA", "R", "RBP", "Rprec", "RR", "SetAP", "SetF", "SetP", "SetR", "StRecall", "Success",
    "alpha_nDCG",
)  # fmt: skip

COUNTS = ("NumQ", "NumRel", "NumRet", "alpha_DCG")

RANGES = dict.fromkeys(SHARES, (0.0, 1.0)) | dict.fromkeys(COUNTS, (0.0, inf))


def range_of(measure: ir_measures.Measure) -> tuple[float, float]:
    """The lowest and the highest score; infinite where there is no bound, or it is not known."""
    if isinstance(measure, Measure):
        return measure.range
    registered = ir_measures.measures.registry.get(str(getattr(measure, "NAME", "")))
    if type(registered) is not type(measure):
        return UNKNOWN  # only a name, or a measure of someone else
    has_gains = "gains" in measure.SUPPORTED_PARAMS and measure["gains"] is not NOT_PROVIDED
    if has_gains:  # they may be negative
        return UNKNOWN
    return RANGES.get(measure.NAME, UNKNOWN)
