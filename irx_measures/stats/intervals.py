"""Confidence intervals of mean scores."""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray

RESAMPLES = 2000
SEED = 42


def topic_interval(scores: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Percentile bootstrap interval of the mean over topics: lower and upper, (systems,) each.

    Parameters
    ----------
    scores : (systems, queries)
    level
        Confidence level in percent.
    """
    from scipy.stats import bootstrap

    interval = bootstrap(
        (scores,),
        np.mean,
        axis=-1,
        confidence_level=level / 100,
        n_resamples=RESAMPLES,
        batch=100,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return np.asarray(interval.low), np.asarray(interval.high)
