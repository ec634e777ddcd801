"""Worlds of a judging campaign: a grade for every document of the pool, judged or not.

Worlds differ from the forecasts by tilts, which show how wrong forecasts were (prequential). The
errors of the forecasts of one run, of one query and of all documents have a common direction, so
they do not average out. After each batch, its grades are compared with the forecasts that were made
before they were known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...common.numeric import FloatArray, Int64Array, IntArray, random_stream
from ...kernels.worlds import levels_of_draws
from ...unjudged.tilt import tilt_scale
from ...unjudged.worlds import draws_of
from .pool import JudgingPool

WORLDS = 300  # a probability of .95 then has a standard error of .013

# The numbers are those of studies on DL19, TREC-8 and collections that were kept apart.
FIRST_LOOKS = 2  # before two batches were compared, nothing is known: scales are 1
LEAST_INFORMATION = 0.2  # sum of variances; with less, an error says nothing
FREEDOM = 10  # degrees of freedom of tilts; of runs, at most the number of systems - 1
TOO_SMALL = 0.25  # how often the widened scale of the tilts of runs is still too small
LARGEST = 8.0  # beyond it a document has the lowest or the highest grade


class TiltScales(NamedTuple):
    """The scales of the tilts of runs, of queries, and of all documents together."""

    run: float = 1.0
    query: float = 1.0
    common: float = 1.0

    @classmethod
    def of(
        cls, pool: JudgingPool, document: Int64Array, grade: Int64Array, forecast: FloatArray
    ) -> TiltScales:
        """From the grades, (judged,), of documents that were forecast before: (judged, grades)."""
        steps = np.arange(forecast.shape[1])
        expected = forecast @ steps
        error, information = grade - expected, forecast @ steps**2 - expected**2
        in_top = pool.in_top[:, document].astype(np.float64)
        of_query = pool.doc_query[document] == np.arange(len(pool.query_ids))[:, np.newaxis]
        return cls(
            _scale(in_top @ error, in_top @ information),
            _scale(of_query @ error, of_query @ information),
            float(abs(error.sum()) / max(information.sum(), 1e-9)),
        )

    def draw(self, pool: JudgingPool, worlds: int, seed: int) -> FloatArray:
        """The tilt of each document: (documents, worlds).

        It is the mean of those of the runs that have it in their top k, plus that of the query,
        plus that of all documents. A tilt depends on the seed and on its name.
        """
        shared = _drawn("all", "", self.common, FREEDOM, worlds, seed)
        of_query = np.array(
            [_drawn("query", name, self.query, FREEDOM, worlds, seed) for name in pool.query_ids]
        )
        others = len(pool.names) - 1
        scale, freedom = self.run * widening(others), min(FREEDOM, others)
        of_run = np.array(
            [_drawn("run", name, scale, freedom, worlds, seed) for name in pool.names]
        )
        in_top = pool.in_top.astype(np.float64)
        mean = (in_top / in_top.sum(axis=0)).T @ of_run
        tilt: FloatArray = mean + of_query[pool.doc_query] + shared
        return tilt


def widening(freedom: int) -> float:
    """What the scale of the tilts of few runs is multiplied by; `freedom` is their number - 1.

    A scale that is estimated from few runs is too small in about half of the cases. If tilts are
    normal, the widened one is too small in a quarter of them.
    """
    from scipy.special import gammaincinv  # slow to import

    quantile = 2 * gammaincinv(freedom / 2, TOO_SMALL)  # of chi-squared
    return float(np.sqrt(freedom / quantile))


def _drawn(kind: str, name: str, scale: float, freedom: int, worlds: int, seed: int) -> FloatArray:
    drawn = random_stream(seed, "tilt", kind, name).standard_t(freedom, worlds)
    return np.clip(scale * drawn, -LARGEST, LARGEST)


def _scale(error: FloatArray, information: FloatArray) -> float:
    known = information > LEAST_INFORMATION
    return tilt_scale(error[known] / information[known], 1 / information[known])


def draw_worlds(
    pool: JudgingPool,
    grade: Int64Array,
    probability: FloatArray,
    scales: TiltScales,
    seed: int,
    worlds: int = WORLDS,
) -> IntArray:
    """The grade of each document in each world: (documents, worlds).

    Judged documents keep their grade; that of others is -1, and is drawn by the probability,
    (documents, grades), from which worlds differ by the scales. Draws depend on the seed, the query
    and the document, not on what is judged.
    """
    drawn = np.empty((len(pool), worlds), np.min_scalar_type(probability.shape[1]))
    drawn[:] = grade[:, np.newaxis].clip(0)
    unjudged = np.flatnonzero(grade < 0)
    tilt = scales.draw(pool, worlds, seed)
    steps = np.arange(probability.shape[1])
    for query in np.unique(pool.doc_query[unjudged]).tolist():
        of_query = pool.of_query(query)
        rows = of_query.start + np.flatnonzero(grade[of_query] < 0)
        exponent = tilt[rows, np.newaxis] * steps[:, np.newaxis]
        exponent -= exponent.max(axis=1, keepdims=True)  # cannot overflow
        tilted = np.cumsum(probability[rows, :, np.newaxis] * np.exp(exponent), axis=1)
        below: FloatArray = tilted[:, :-1] / tilted[:, -1:]
        draws = draws_of([pool.pairs[row] for row in rows.tolist()], seed, worlds)
        drawn[rows] = levels_of_draws(below, draws)
    return drawn
