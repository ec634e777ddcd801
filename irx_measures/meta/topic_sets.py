"""Random sets of topics, and the mean scores over them."""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray, IntArray, rounded


def random_orders(queries: int, trials: int, rng: np.random.Generator) -> IntArray:
    """The topics in random order, once per trial: (trials, queries)."""
    return np.argsort(rng.random((trials, queries)), axis=1)


def means_over(scores: FloatArray, topics: IntArray) -> FloatArray:
    """Mean score of every system over sets of topics, (trials, topics): (trials, systems)."""
    chosen = np.zeros((len(topics), scores.shape[1]))
    np.put_along_axis(chosen, topics, 1.0, axis=1)
    return rounded(chosen @ scores.T / topics.shape[1])
