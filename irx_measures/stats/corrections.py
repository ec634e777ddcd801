"""Corrections of p-values for the number of comparisons."""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray
from ..exceptions import MissingExtraError

CORRECTIONS = ("holm", "bonferroni", "none")


def corrected(p_value: FloatArray, correction: str) -> FloatArray:
    """p-values adjusted by one of `CORRECTIONS`.

    Raises
    ------
    ImportError
        If a correction is requested and statsmodels is not installed.
    """
    if correction == "none":
        return p_value
    try:
        from statsmodels.stats.multitest import multipletests
    except ImportError:
        raise MissingExtraError(
            f"correction={correction!r} needs statsmodels: pip install 'irx-measures[meta]'"
        ) from None
    return np.asarray(multipletests(p_value, method=correction)[1], dtype=np.float64)
