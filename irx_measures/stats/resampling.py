"""Random sets of topics, and the mean scores over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..common.arrays import FloatArray, Int64Array
from .pairs import rounded

CELLS = 1 << 21


def topic_counts(queries: int, samples: int, rng: np.random.Generator) -> np.ndarray:
    """How often each topic is in each bootstrap sample: (samples, queries)."""
    return rng.multinomial(queries, np.full(queries, 1.0 / queries), size=samples)


def chunks_of(
    resamples: int, width: int, sample: Callable[[int], FloatArray]
) -> Iterator[FloatArray]:
    """Random draws, (queries, samples), in parts that fit in a block."""
    size = min(1024, max(1, CELLS // width))
    for start in range(0, resamples, size):
        yield sample(min(size, resamples - start))


def random_orders(queries: int, trials: int, rng: np.random.Generator) -> Int64Array:
    """The topics in random order, once per trial: (trials, queries)."""
    return np.argsort(rng.random((trials, queries)), axis=1)


def means_over(scores: FloatArray, topics: Int64Array) -> FloatArray:
    """Mean score of every system over sets of topics, (trials, topics): (trials, systems)."""
    chosen = np.zeros((len(topics), scores.shape[1]))
    np.put_along_axis(chosen, topics, 1.0, axis=1)
    return rounded(chosen @ scores.T / topics.shape[1])
