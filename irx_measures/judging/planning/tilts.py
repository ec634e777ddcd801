"""Prequential tilts: how wrong the forecasts were, of grades that were judged after them.

The errors of forecasts of one run, of one query and of all documents have a common direction, so
they do not average out. After each batch, its grades are compared with the forecasts that were made
before they were known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...common.arrays import FloatArray, Int64Array
from ...common.random_streams import random_stream
from ...unjudged.tilt import tilt_scale
from .pool import JudgingPool

# The numbers are those of a study on DL19, TREC-8 and one more collection.
FIRST_LOOKS = 2  # before two batches were compared, nothing is known: scales are 1
LEAST_INFORMATION = 0.2  # sum of variances; with less, an error says nothing
FREEDOM = 10  # degrees of freedom of tilts
LARGEST = 8.0  # beyond it a document has the lowest or the highest grade


class TiltScales(NamedTuple):
    """The scales of the tilts of runs, of queries, and of all documents together."""

    run: float = 1.0
    query: float = 1.0
    common: float = 1.0

    @classmethod
    def of(
        cls, pool: JudgingPool, document: Int64Array, level: Int64Array, forecast: FloatArray
    ) -> TiltScales:
        """From the errors of forecasts.

        Parameters
        ----------
        pool
        document : (judged,) ints
            Documents that were judged after they were forecast.
        level : (judged,) ints
        forecast : (judged, levels) floats
        """
        steps = np.arange(forecast.shape[1])
        expected = forecast @ steps
        error, information = level - expected, forecast @ steps**2 - expected**2
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
        shared = self._drawn("all", "", self.common, worlds, seed)
        of_query = np.array(
            [self._drawn("query", name, self.query, worlds, seed) for name in pool.query_ids]
        )
        of_run = np.array([self._drawn("run", name, self.run, worlds, seed) for name in pool.names])
        in_top = pool.in_top.astype(np.float64)
        mean = (in_top / in_top.sum(axis=0)).T @ of_run
        tilt: FloatArray = mean + of_query[pool.doc_query] + shared
        return tilt

    @staticmethod
    def _drawn(kind: str, name: str, scale: float, worlds: int, seed: int) -> FloatArray:
        drawn = random_stream(seed, "tilt", kind, name).standard_t(FREEDOM, worlds)
        return np.clip(scale * drawn, -LARGEST, LARGEST)


def _scale(error: FloatArray, information: FloatArray) -> float:
    known = information > LEAST_INFORMATION
    return tilt_scale(error[known] / information[known], 1 / information[known])
