"""The tilt of a run: errors within a run are not independent, so they do not average out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, Int64Array, random_stream

# Few runs may show no tilt by chance: intervals without one would be too short. Chosen on seven
# TREC collections (see features.py).
SMALLEST = 0.3

TOLERANCE = 1e-15  # the digits of a float

LARGEST = 30.0  # beyond it every unjudged document has the lowest or the highest grade


class Tilt(NamedTuple):
    """The distribution of the tilts of runs: a scale times a t variate."""

    scale: float = SMALLEST  # the standard deviation of the tilts of the runs
    freedom: int = 1  # the number of groups minus 1, at least 1

    @classmethod
    def of(cls, level: Int64Array, probability: FloatArray, run: Int64Array, groups: int) -> Tilt:
        """Estimate the scale from documents whose judgments were left out.

        `level` and `run` are those of the examples, (examples,). A model that was fitted without
        the example's group gave the probabilities, (examples, levels).
        """
        numbers = np.arange(probability.shape[1])
        expected = probability @ numbers
        variance = probability @ numbers**2 - expected**2
        runs = int(run.max(initial=-1)) + 1
        error = np.bincount(run, level - expected, runs)
        information = np.bincount(run, variance, runs)
        known = information > 0
        scale = tilt_scale(error[known] / information[known], 1 / information[known])
        return cls(scale, max(groups - 1, 1))

    def draw(self, names: Sequence[str], samples: int, seed: int) -> FloatArray:
        """Tilts of runs in worlds, which depend on the seed and the run's name: (runs, worlds)."""
        tilts = [
            random_stream(seed, "tilt", name).standard_t(self.freedom, samples) for name in names
        ]
        return np.clip(self.scale * np.array(tilts), -LARGEST, LARGEST)


def tilt_scale(tilt: FloatArray, variance: FloatArray) -> float:
    """The standard deviation of the true tilts of runs, from estimates with sampling variances.

    The largest of the moments estimate, the Paule-Mandel estimate and .3. The mean of the true
    tilts is taken as 0, so that a common bias of the runs widens the intervals too. An estimate is
    the error in level / the variance of the level, summed over a run's documents; estimates and
    their sampling variances are (runs,).
    """
    if not len(tilt):
        return SMALLEST
    weight = 1 / variance
    moments = max(0.0, float((weight * (tilt**2 - variance)).sum() / weight.sum()))
    return max(SMALLEST, moments**0.5, _paule_mandel(tilt, variance) ** 0.5)


def _paule_mandel(tilt: FloatArray, variance: FloatArray) -> float:
    """The variance t for which the mean of ``tilt^2 / (t + variance)`` is 1; 0 if there is none."""

    def excess(added: float) -> float:
        return float((tilt**2 / (added + variance)).mean()) - 1

    if excess(0.0) <= 0:
        return 0.0
    from scipy.optimize import brentq  # for intervals of learned scores only

    return float(brentq(excess, 0.0, (tilt**2).max(), xtol=TOLERANCE, rtol=TOLERANCE))
