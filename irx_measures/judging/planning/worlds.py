"""Worlds of a judging campaign: a level for every document of the pool, judged or not."""

from __future__ import annotations

import numpy as np

from ...common.numeric import Float32Array, FloatArray, Int64Array, IntArray, random_stream
from ...kernels.worlds import levels_of_draws
from .pool import JudgingPool
from .tilts import TiltScales

WORLDS = 300  # a probability of .95 then has a standard error of .013


def draw_worlds(
    pool: JudgingPool,
    level: Int64Array,
    probability: FloatArray,
    scales: TiltScales,
    seed: int,
    worlds: int = WORLDS,
) -> IntArray:
    """The level of each document in each world: (documents, worlds).

    Parameters
    ----------
    pool
    level : (documents,) ints
        The levels of judged documents, which they keep; -1 for others.
    probability : (documents, levels) floats
    scales
        How far the worlds differ from the probabilities.
    seed
        Draws depend on the seed, the query and the document, not on what is judged.
    worlds
    """
    drawn = np.empty((len(pool), worlds), np.min_scalar_type(probability.shape[1]))
    drawn[:] = level[:, np.newaxis].clip(0)
    unjudged = np.flatnonzero(level < 0)
    tilt = scales.draw(pool, worlds, seed)
    steps = np.arange(probability.shape[1])
    for query in np.unique(pool.doc_query[unjudged]).tolist():
        of_query = pool.of_query(query)
        rows = of_query.start + np.flatnonzero(level[of_query] < 0)
        exponent = tilt[rows, np.newaxis] * steps[:, np.newaxis]
        exponent -= exponent.max(axis=1, keepdims=True)  # cannot overflow
        tilted = np.cumsum(probability[rows, :, np.newaxis] * np.exp(exponent), axis=1)
        below: FloatArray = tilted[:, :-1] / tilted[:, -1:]
        drawn[rows] = levels_of_draws(below, _draws(pool, rows, seed, worlds))
    return drawn


def _draws(pool: JudgingPool, rows: Int64Array, seed: int, worlds: int) -> Float32Array:
    draws = np.empty((len(rows), worlds), np.float32)
    query_id = pool.query_ids[pool.doc_query[rows[0]]]
    for place, row in enumerate(rows.tolist()):
        random_stream(seed, query_id, pool.doc_ids[row]).random(dtype=np.float32, out=draws[place])
    return draws
