"""The measures that judging campaigns can be about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...common.validators import integer, number_in
from ...exceptions import InputError
from ...kernels.user_models import DCGS, binary_gain, browsing_weights
from ...measures.gain import gain_of
from ...measures.strings import parse_measure
from ...typing import MeasureLike
from ...unjudged.pooled_runs import DEPTH
from .scorers import Scorer

OFFERED = "nDCG@k (dcg=), P@k (rel=), RBP@k (p=, rel=) or, for two systems, DCG@k (dcg=)"

DCG = "DCG"  # no measure elsewhere: nDCG without its ideal, which makes it linear in the gains

# The parameters that may differ from their defaults.
VARIED = {"nDCG": ("cutoff", "dcg"), "P": ("cutoff", "rel"), "RBP": ("cutoff", "p", "rel")}


def scorer_of(measure: MeasureLike, grades: Sequence[int], systems: int) -> Scorer:
    """The scorer of a measure.

    Parameters
    ----------
    measure
        A measure or its string, with a cutoff.
    grades
        The grades of the levels, ascending from 0.
    systems
        The number of systems; DCG is for two.

    Raises
    ------
    InputError
        When the measure is not offered.
    """
    is_dcg = str(measure).startswith(DCG)
    parsed: Any = parse_measure(f"n{measure}" if is_dcg else measure)
    if not _is_offered(parsed) or (is_dcg and systems != 2):
        raise InputError(f"`measure` must be {OFFERED}; got {measure}")
    name = str(parsed).removeprefix("n" if is_dcg else "")
    cutoff = integer(1, DEPTH).check("cutoff", parsed["cutoff"])
    grade = np.asarray(grades, np.int64)
    if parsed.NAME == "nDCG":
        weights = browsing_weights("nDCG", cutoff, 0.0)
        return Scorer(name, cutoff, gain_of(parsed, grade), weights, normalised=not is_dcg)
    rel = integer(1, int(grade[-1])).check("rel", parsed.params.get("rel", 1))
    gain = binary_gain(grade, rel)
    if parsed.NAME == "P":
        return Scorer(name, cutoff, gain, browsing_weights("P", cutoff, 0.0) / cutoff)
    phi = number_in(0, 1, closed=False).check("p", parsed["p"])
    return Scorer(name, cutoff, gain, (1.0 - phi) * browsing_weights("RBP", cutoff, phi))


def _is_offered(measure: Any) -> bool:
    """Whether no parameter but those in `VARIED` differs from its default."""
    varied = VARIED.get(measure.NAME)
    if varied is None or not isinstance(measure.params.get("cutoff"), int):
        return False
    if "dcg" in varied and measure["dcg"] not in DCGS:
        return False
    return all(
        name in varied or value == measure.SUPPORTED_PARAMS[name].default
        for name, value in measure.params.items()
    )
