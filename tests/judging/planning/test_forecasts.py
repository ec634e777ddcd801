"""Forecasts: a penalised proportional-odds regression of grades."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from irx_measures.judging.planning.forecasts import (
    features,
    forecast,
    proportional_odds,
)


def log_likelihood(point, design, code, ridge):
    """The definition, one document at a time; the first coordinates are the cuts."""
    cuts = code.max()
    cut, slope = point[:cuts], point[cuts:]
    total = 0.0
    for row, grade in zip(design, code, strict=True):
        reached = [1.0, *(1 / (1 + np.exp(-(c + row @ slope))) for c in cut), 0.0]
        total += np.log(reached[grade] - reached[grade + 1])
    return total - 0.5 * (ridge * slope**2).sum()


@pytest.mark.parametrize("grades", [2, 3, 4])
def test_the_regression_is_at_the_maximum_of_the_likelihood(grades):
    rng = np.random.default_rng(grades)
    design = rng.normal(size=(80, 3))
    noisy = design @ [1.0, -0.5, 0.0] + rng.logistic(size=80)
    code = np.searchsorted(np.quantile(noisy, np.arange(1, grades) / grades), noisy)
    ridge = np.array([1.0, 1.0, 4.0])
    cut, slope = proportional_odds(design, code, ridge)
    assert (np.diff(cut) < 0).all()
    found = np.concatenate([cut, slope])
    gradient = approx_fprime(found, log_likelihood, 1e-6, design, code, ridge)
    assert_allclose(gradient, 0, atol=0.02)
    for moved in np.eye(len(found)) * 0.05:
        best = log_likelihood(found, design, code, ridge)
        assert log_likelihood(found + moved, design, code, ridge) < best
        assert log_likelihood(found - moved, design, code, ridge) < best


def test_the_pool_is_what_runs_return_in_their_top(pooled):
    campaign, pool, grade = pooled
    expected = {
        (query, doc)
        for run in campaign.runs.values()
        for query, docs in run.items()
        for doc in sorted(docs, key=lambda doc: (-docs[doc], doc))[:10]
    }
    assert set(pool.position) == expected
    for (query, doc), place in pool.position.items():
        assert grade[place] == campaign.qrels[query].get(doc, -1)
    outside = sum(len(set(docs) - {d for q, d in expected if q == query})
                  for query, docs in campaign.qrels.items())  # fmt: skip
    assert sum(map(len, pool.others)) == outside


def test_grades_are_learned_from_the_judged_documents(pooled):
    _, pool, grade = pooled
    half = np.where(np.arange(len(grade)) % 2, grade, -1)
    known = (grade >= 0) & (half < 0)
    probability = forecast(pool, half, np.zeros((len(pool), 0)))
    assert_allclose(probability.sum(axis=1), 1)
    expected = probability @ np.arange(4)
    assert np.corrcoef(expected[known], grade[known])[0, 1] > 0.4
    assert abs(expected[known].mean() - grade[known].mean()) < 0.2


def test_a_grade_that_nobody_gave_is_almost_impossible(pooled):
    _, pool, grade = pooled
    lower = np.minimum(grade, 2)
    probability = forecast(pool, lower, np.zeros((len(pool), 0)))
    assert probability[:, 3].max() < 1e-8


@pytest.mark.parametrize("given", [-1, 0, 3])
def test_without_two_grades_all_grades_are_equally_probable(pooled, given):
    _, pool, grade = pooled
    probability = forecast(pool, np.full(len(grade), given), np.zeros((len(pool), 0)))
    assert_allclose(probability, 0.25)


def test_machine_labels_are_features(pooled):
    _, pool, grade = pooled
    label = np.eye(2)[(grade > 1).astype(int)]
    assert features(pool, grade, label).shape[1] == 8
    few = np.where(np.arange(len(grade)) % 4 == 0, grade, -1)
    known = (grade >= 0) & (few < 0)
    errors = [
        np.square(forecast(pool, few, machine)[known] @ np.arange(4) - grade[known]).mean()
        for machine in (np.zeros((len(pool), 0)), label)
    ]
    assert errors[1] < errors[0]
