"""Forecasts: the probability of each grade of a document that nobody judged yet.

A proportional-odds regression, fitted to the documents judged so far. `unjudged.model` is not used:
below about a third of the pool it falls back to its transferred prior, which was made for complete
pools, and predicts grades that are too high by .27 to .55.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from ...unjudged.features import FUSION_OFFSET
from ...unjudged.machine_labels import (
    MachineLike,
    distinct_labels,
    label_columns,
    read_labels,
)
from ...unjudged.thresholds import of_thresholds
from ...unjudged.transferred import logistic
from .pool import JudgingPool

# The numbers of this file are those of a study on DL19, TREC-8 and one more collection.
PSEUDO_DOCUMENTS = 20.0  # at the mean grade of all runs, in a run's mean grade
POWER = 3  # of a run's quality, as its weight in the fusion
RIDGE, SLOPE_RIDGE = 1.0, 4.0  # penalties of coefficients, and of a query's slope
SYSTEMS = 30.0  # scores of fusion are those of 30 runs, whatever their number
LEAST = 1e-9  # no grade is impossible
LEAST_CHANCE = 1e-12  # of a grade while the regression is fitted
MOST_STEPS = 150  # of the optimiser


def machine_features(pool: JudgingPool, machine: MachineLike) -> FloatArray:
    """A column for every label of a machine, and one for documents without a label."""
    labels = read_labels(machine)
    return label_columns(pool.pairs, labels, distinct_labels(labels))


def forecast(pool: JudgingPool, grade: Int64Array, machine: FloatArray) -> FloatArray:
    """The probability of each grade of every document: (documents, grades).

    `grade`, (documents,), is -1 where nobody judged. `machine`, (documents, features), are more
    features, such as `machine_features`.
    """
    judged = np.flatnonzero(grade >= 0)
    known, code = np.unique(grade[judged], return_inverse=True)
    grades = len(pool.grades)
    if len(known) < 2:
        return np.full((len(pool), grades), 1.0 / grades)
    design = _design(pool, features(pool, grade, machine))
    width = design.shape[1] - 2 * len(pool.query_ids)
    ridge = np.full(design.shape[1], RIDGE)
    ridge[width + len(pool.query_ids) :] = SLOPE_RIDGE
    cut, slope = proportional_odds(design[judged], code, ridge)
    probability = np.full((len(pool), grades), LEAST)
    probability[:, known] = np.maximum(grade_probabilities(design @ slope, cut), LEAST)
    total: FloatArray = probability.sum(axis=1, keepdims=True)
    return probability / total


def features(pool: JudgingPool, grade: Int64Array, machine: FloatArray) -> FloatArray:
    """Features of documents; the judgments weight the runs in the last one but `machine`."""
    returned, inverse = pool.rank > 0, _fusion_terms(pool)
    fusion = SYSTEMS * inverse.mean(axis=0)
    quality = _quality(pool, grade) ** POWER
    best = np.where(returned, pool.rank, np.iinfo(np.int16).max).min(axis=0)
    return np.column_stack(
        [
            np.log1p(fusion),
            np.log1p(SYSTEMS * returned.mean(axis=0)),
            np.log(best),
            np.log(_position_by_fusion(pool, fusion)),
            np.log1p(SYSTEMS * pool.in_top.mean(axis=0)),
            np.log1p(SYSTEMS * (quality[:, np.newaxis] * inverse).mean(axis=0)),
            machine,
        ]
    )


def fusion_order(pool: JudgingPool) -> Int64Array:
    """The position of each document in its query by fusion, from 1: (documents,)."""
    return _position_by_fusion(pool, _fusion_terms(pool).mean(axis=0))


def _fusion_terms(pool: JudgingPool) -> FloatArray:
    """What each run adds to the reciprocal-rank fusion of a document: (systems, documents)."""
    return np.where(pool.rank > 0, 1.0 / (FUSION_OFFSET + pool.rank), 0.0)


def _position_by_fusion(pool: JudgingPool, fusion: FloatArray) -> Int64Array:
    order = np.lexsort((-fusion, pool.doc_query))
    position = np.empty(len(pool), np.int64)
    position[order] = np.arange(len(pool)) - pool.start[pool.doc_query] + 1
    return position


def _quality(pool: JudgingPool, grade: Int64Array) -> FloatArray:
    """The mean grade of each run's judged documents, relative to the mean run: (systems,)."""
    judged = np.flatnonzero(grade >= 0)
    in_top = pool.in_top[:, judged]
    total, number = in_top @ pool.grades[grade[judged]].astype(np.float64), in_top.sum(axis=1)
    mean_of_all = total.sum() / max(int(number.sum()), 1)
    quality = (total + PSEUDO_DOCUMENTS * mean_of_all) / (number + PSEUDO_DOCUMENTS)
    mean: FloatArray = quality / max(quality.mean(), LEAST)
    return mean


def _design(pool: JudgingPool, columns: FloatArray) -> FloatArray:
    """Standardised features, an intercept for each query, and its slope of the first feature."""
    spread = columns.std(axis=0)
    standard = (columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    of_query = np.zeros((len(pool), len(pool.query_ids)))
    of_query[np.arange(len(pool)), pool.doc_query] = 1.0
    return np.hstack([standard, of_query, of_query * standard[:, :1]])


def grade_probabilities(score: FloatArray, cut: FloatArray) -> FloatArray:
    """The probability of each grade, if ``logit P(grade >= j) = cut[j - 1] + score``."""
    return of_thresholds(logistic(cut + score[:, np.newaxis]))


def proportional_odds(
    design: FloatArray, code: Int64Array, ridge: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Fit ``logit P(grade >= j) = cut[j - 1] + design @ slope`` with a penalty on the slope.

    `design` is (documents, columns), `code`, (documents,), are grades from 0 to the highest, each
    of which occurs. Half of `ridge`, (columns,), times the square of the slope is subtracted from
    the log-likelihood. The result is the descending cuts, (grades - 1,), and the slope, (columns,).
    """
    from scipy.optimize import minimize  # slow to import

    model = ProportionalOdds(design, code, ridge)
    found = minimize(
        model.loss, model.begin(), jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS}
    )
    return model.cut_and_slope(found.x)


@dataclass(frozen=True)
class ProportionalOdds:
    """The loss of a proportional-odds regression at a point, for `proportional_odds`.

    A point has the first cut, the logarithms of the distances from each cut to the next, and the
    slope: so all points have descending cuts. The probability of a grade c is ``e_c - e_(c+1)``,
    with the edges ``e_0 = 1``, ``e_j = logistic(cut_j + design @ slope)``, and 0 after the last.
    The loss is half of ``ridge @ slope**2`` minus the sum of the logarithms of the probabilities
    of the documents' grades.
    """

    design: FloatArray
    code: Int64Array
    ridge: FloatArray

    @property
    def cuts(self) -> int:
        return int(self.code.max())

    def begin(self) -> FloatArray:
        """The point of the grades' shares, with no slope."""
        shares = [(self.code >= grade).mean() for grade in range(1, self.cuts + 1)]
        share = np.clip(shares, 1e-4, 1 - 1e-4)
        logit = np.log(share / (1 - share))
        distances = np.log(np.maximum(-np.diff(logit), 1e-3))
        return np.concatenate([logit[:1], distances, np.zeros(self.design.shape[1])])

    def cut_and_slope(self, point: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The cuts, (grades - 1,), and the slope, (columns,), of a point."""
        distances = np.exp(point[1 : self.cuts])
        return point[0] - np.append(0.0, np.cumsum(distances)), point[self.cuts :]

    def loss(self, point: FloatArray) -> tuple[float, FloatArray]:
        """The loss at a point, and its gradient."""
        cut, slope = self.cut_and_slope(point)
        reached = logistic(cut + (self.design @ slope)[:, np.newaxis])
        ones, zeros = np.ones(len(self.code)), np.zeros(len(self.code))
        edges = np.column_stack([ones, reached, zeros])
        rows = np.arange(len(self.code))
        upper, lower = edges[rows, self.code], edges[rows, self.code + 1]
        chance = np.maximum(upper - lower, LEAST_CHANCE)
        value = np.log(chance).sum() - 0.5 * (self.ridge * slope**2).sum()
        return -float(value), self._gradient(point, upper, lower, chance)

    def _gradient(
        self, point: FloatArray, upper: FloatArray, lower: FloatArray, chance: FloatArray
    ) -> FloatArray:
        """The gradient of the loss, from both edges of each document's grade.

        An edge e is the logistic of its logit, so its derivative by the logit is ``e (1 - e)``. The
        derivative of ``log(upper - lower)`` by the logit of `upper` is ``upper (1 - upper) /
        chance``, and by that of `lower` it is ``-lower (1 - lower) / chance``. Each logit is a cut
        plus the document's ``design @ slope``. Cut k is the first one minus the distances before
        it, each of which is the exponential of its logarithm.
        """
        cuts = self.cuts
        _, slope = self.cut_and_slope(point)
        by_upper = upper * (1 - upper) / chance
        by_lower = -(lower * (1 - lower)) / chance
        by_cut = np.bincount(self.code, by_upper, cuts + 1)[1:]
        by_cut += np.bincount(self.code + 1, by_lower, cuts + 2)[1:-1]
        later = by_cut[::-1].cumsum()[::-1][1:]  # the sum over all cuts after a distance
        by_distance = -np.exp(point[1:cuts]) * later
        by_slope = self.design.T @ (by_upper + by_lower) - self.ridge * slope
        return -np.concatenate([[by_cut.sum()], by_distance, by_slope])
