"""Random sets of topics, and mean scores over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from ..common.numeric import FloatArray, Int64Array, slices
from ..common.progress import with_bar
from ..common.validators import generator, integer
from .pairs import join_ties, noise_of

# The samples depend on both numbers: another chunk size would draw other samples.
CHUNK_ELEMENTS = 1 << 21
MOST_SAMPLES = 1024  # in a chunk


Progress: TypeAlias = Callable[[int], None]


def topic_counts(queries: int, samples: int, rng: np.random.Generator) -> Int64Array:
    """How often each topic is in each bootstrap sample: (samples, queries)."""
    return rng.multinomial(queries, np.full(queries, 1.0 / queries), size=samples)


def sample_chunks(
    samples: int,
    queries: int,
    draw: Callable[[int], FloatArray],
    progress: Progress | None = None,
) -> Iterator[FloatArray]:
    """Yield random samples in chunks of shape (queries, samples); `draw(n)` draws n samples.

    `progress` is called with the number of samples of a chunk when it is done.
    """
    per_sample = max(queries, CHUNK_ELEMENTS // MOST_SAMPLES)
    for chunk in slices(samples, per_sample, CHUNK_ELEMENTS):
        yield draw(chunk.stop - chunk.start)
        if progress is not None:
            progress(chunk.stop - chunk.start)


def random_orders(queries: int, trials: int, rng: np.random.Generator) -> Int64Array:
    """The topics in random order, once per trial: (trials, queries)."""
    return np.argsort(rng.random((trials, queries)), axis=1)


def means_over(scores: FloatArray, topics: Int64Array) -> FloatArray:
    """Mean score of every system over sets of topics, (trials, topics): (trials, systems)."""
    chosen = np.zeros((len(topics), scores.shape[1]))
    np.put_along_axis(chosen, topics, 1.0, axis=1)
    return join_ties(chosen @ scores.T / topics.shape[1], noise_of(scores))


def means_over_sets(
    scores: FloatArray, sets: int, size: int, trials: int, seed: int, progress: bool | None
) -> Iterator[tuple[FloatArray, ...]]:
    """Yield, for each trial, the systems' means over disjoint sets of topics: (systems,) each.

    `scores` are (systems, queries). Each trial draws so many sets, of `size` topics each, without
    replacement.
    """
    orders = random_orders(scores.shape[1], integer(1).check("trials", trials), generator(seed))
    starts = range(0, sets * size, size)
    means = [means_over(scores, orders[:, start : start + size]) for start in starts]
    return with_bar(list(zip(*means, strict=True)), "trial", progress)
