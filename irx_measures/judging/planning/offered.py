"""The measures that judging campaigns can be about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...common.arrays import FloatArray
from ...common.validators import integer, number_in
from ...exceptions import InputError
from ...kernels.user_models import DCGS, binary_gain, browsing_weights
from ...measures.gain import gain_of
from ...measures.strings import parse_measure
from ...runsets.registry import OTHERS
from ...typing import MeasureLike
from ...unjudged.pooled_runs import DEPTH
from .questions import BEST
from .scorers import NDCG, AveragePrecision, GainSum, ReciprocalRank, ResidualGain, Scorer

OFFERED = (
    "nDCG@k (dcg=), P@k (rel=), RBP@k (p=, rel=), AP@k (rel=), RR@k (rel=) or "
    "NRG(prior=others)@k (dcg=)"
)

# The parameters that may differ from their defaults.
VARIED = {
    "nDCG": ("cutoff", "dcg"),
    "P": ("cutoff", "rel"),
    "RBP": ("cutoff", "p", "rel"),
    "AP": ("cutoff", "rel"),
    "RR": ("cutoff", "rel"),
    "NRG": ("cutoff", "dcg", "prior"),
}

# How often the claim that no system is better by more than .01 was wrong on DL19, of 40 campaigns.
# With a tolerance of 0, 1 of 40 and 1 of 30.
WRONG_WITH_TOLERANCE = {"RBP": 10, "AP": 6}


def tolerance_of(measure: MeasureLike, question: Any, tolerance: float | None) -> float | None:
    """The tolerance of the best system, which some measures must not have.

    Raises
    ------
    InputError
        When claims with a tolerance were wrong too often on this measure.
    """
    if question != BEST:
        return tolerance
    wrong = WRONG_WITH_TOLERANCE.get(str(parse_measure(measure).NAME))
    if wrong is None:
        return tolerance
    if tolerance:
        raise InputError(
            f"`tolerance` must be 0 for the best system on {measure}; got {tolerance}: with a "
            f"tolerance of .01, {wrong} of 40 simulated claims were wrong on TREC DL 2019"
        )
    return 0.0


def scorer_of(measure: MeasureLike, grades: Sequence[int]) -> Scorer:
    """The scorer of a measure.

    Parameters
    ----------
    measure
        A measure or its string, with a cutoff.
    grades
        The grades of the levels, ascending from 0.

    Raises
    ------
    InputError
        When the measure is not offered.
    """
    parsed: Any = parse_measure(measure)
    grade = np.asarray(grades, np.int64)
    kind = parsed.NAME
    if not _is_offered(parsed):
        raise InputError(f"`measure` must be {OFFERED}; got {parsed}")
    cutoff = integer(1, DEPTH).check("cutoff", parsed["cutoff"])
    if kind in ("nDCG", "NRG"):
        seen_at = browsing_weights("nDCG", cutoff, 0.0)
        return (NDCG if kind == "nDCG" else ResidualGain)(cutoff, gain_of(parsed, grade), seen_at)
    rel = parsed.params.get("rel", 1)
    gain = binary_gain(grade, integer(1, int(grade[-1])).check("rel", rel))
    if kind == "AP":
        return AveragePrecision(cutoff, gain, _harmonic_tails(cutoff))
    if kind == "RR":
        return ReciprocalRank(cutoff, gain, browsing_weights("RR", cutoff, 0.0))
    if kind == "P":
        return GainSum(cutoff, gain, browsing_weights("P", cutoff, 0.0) / cutoff)
    phi = number_in(0, 1, closed=False).check("p", parsed["p"])
    return GainSum(cutoff, gain, (1.0 - phi) * browsing_weights("RBP", cutoff, phi))


def _is_offered(measure: Any) -> bool:
    """Whether no parameter but those in `VARIED` differs from its default."""
    varied = VARIED.get(measure.NAME)
    if varied is None or not isinstance(measure.params.get("cutoff"), int):
        return False
    if measure.NAME == "NRG" and measure["prior"] != OTHERS:
        return False
    if "dcg" in varied and measure["dcg"] not in DCGS:
        return False
    return all(
        name in varied or value == measure.SUPPORTED_PARAMS[name].default
        for name, value in measure.params.items()
    )


def _harmonic_tails(cutoff: int) -> FloatArray:
    """The sums of 1 / i over ranks i from each rank to the cutoff; 0 for rank 0."""
    tails = np.zeros(cutoff + 1)
    tails[1:] = np.cumsum(1.0 / np.arange(cutoff, 0, -1))[::-1]
    return tails
