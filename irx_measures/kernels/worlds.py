"""Worlds: complete sets of grades, drawn from the probability of each grade, and scores in them.

Arguments beside those of the package:

    probability   (entries, levels) floats      probability of each level, sorted by document
    start         (documents,) ints             first entry of each document
    level         (documents, worlds) ints      level of each document
    top           (systems, cutoff) ints        positions of documents, as of `top_documents`
    weight        (cutoff,) floats              weight of each rank
    gain          (documents, worlds) floats    gain of each document
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import Float32Array, FloatArray, Int64Array, IntArray


def levels_of_draws(below: FloatArray | Float32Array, draws: Float32Array) -> IntArray:
    """The level that each draw stands for: (documents, worlds), as small integers.

    Draws are (documents, worlds). `below` is the probability of a level below 1, below 2, and so
    on: (documents, levels - 1) or (documents, levels - 1, worlds) floats.
    """
    level = np.zeros(draws.shape, np.min_scalar_type(below.shape[1]))
    for position in range(below.shape[1]):
        edge = below[:, position]
        if edge.ndim == 1:  # the same in all worlds
            edge = edge[:, np.newaxis]
        level += draws >= edge
    return level


def mean_by_document(probability: FloatArray, start: Int64Array) -> FloatArray:
    """The mean probability of the entries of each document: (documents, levels)."""
    entries = np.diff(start, append=len(probability))
    return np.add.reduceat(probability, start, axis=0) / entries[:, np.newaxis]


def tilted_below(
    probability: Float32Array, tilt: Float32Array, run: Int64Array, start: Int64Array
) -> Float32Array:
    """The probability of lower levels in worlds in which each run's errors have a common direction.

    It is (documents, levels - 1, worlds), for `levels_of_draws`.
    In a world, the probability p of level j becomes proportional to p exp(tilt x j). The
    probabilities of a document are then the mean of those of its entries.

    `run` is that of each entry, (entries,) ints. `tilt` is (runs, worlds) floats.
    """
    levels = probability.shape[1]
    # The largest exponent is 0, so that no tilt overflows.
    highest = np.maximum(tilt, 0) * np.float32(levels - 1)
    factor = np.exp(
        tilt[:, np.newaxis] * np.arange(levels, dtype=np.float32)[:, np.newaxis]
        - highest[:, np.newaxis]
    )
    tilted = probability[:, :, np.newaxis] * factor[run]
    # Probabilities may underflow to 0 at all levels under a large tilt: 0 / 0 must not be NaN.
    below = np.cumsum(tilted, axis=1, dtype=np.float32)
    below = np.divide(below[:, :-1], np.maximum(below[:, -1:], np.finfo(np.float32).tiny))
    entries = np.diff(start, append=len(probability)).astype(np.float32)
    total: Float32Array = np.add.reduceat(below, start, axis=0)
    return total / entries[:, np.newaxis, np.newaxis]


def world_counts(level: IntArray, levels: int) -> Int64Array:
    """The number of documents of each level in each world: (worlds, levels)."""
    return np.stack([np.count_nonzero(level == one, axis=0) for one in range(levels)], axis=1)


def top_documents(rank: IntArray, cutoff: int) -> IntArray:
    """The position of the document at each rank: (systems, cutoff).

    At a rank without a document, it is the number of documents. Ranks are (systems, documents),
    also beyond the cutoff.
    """
    systems, documents = rank.shape
    top = np.full((systems, cutoff), documents)
    system, document = np.nonzero((rank > 0) & (rank <= cutoff))
    top[system, rank[system, document] - 1] = document
    return top


def weighted_gains(top: IntArray, weight: FloatArray, gain: FloatArray) -> FloatArray:
    """Sum of weight x gain, (systems, worlds), from rank 1 down.

    So equal rankings have equal scores to the last bit.
    """
    gain_of = np.vstack((gain, np.zeros((1, gain.shape[1]))))
    total = np.zeros((len(top), gain.shape[1]))
    for documents, one in zip(top.T, weight.tolist(), strict=True):
        total += one * gain_of[documents]
    return total
