"""Newton's method finds the optimum: rare outcomes, collinear features, separable examples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from irx_measures.unjudged import regression
from irx_measures.unjudged.regression import PenalisedLoss, fit_coefficients
from irx_measures.unjudged.thresholds import LOCAL_PENALTY


def drawn(examples=3000, columns=8, share=0.2, steepness=1.0, likeness=None, seed=0):
    """Standardised features, and outcomes that follow them."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(examples, columns))
    if likeness is not None:
        features[:, 1] = features[:, 0] + likeness * features[:, 1]
    logit = features @ rng.normal(size=columns) * steepness
    reached = rng.random(examples) < expit(logit - np.quantile(logit, 1 - share))
    spread = np.where(features.std(axis=0) > 0, features.std(axis=0), 1)
    return (features - features.mean(axis=0)) / spread, reached


def one_positive():
    features, _ = drawn(400)
    return features, np.arange(400) == 7


def equal_features():
    features, reached = drawn()
    return np.hstack([features, features[:, :2], np.zeros((len(features), 1))]), reached


def known_by_one_feature():
    """A feature that only one example has, which is the only positive one."""
    features, _ = drawn(2000)
    alone = (np.arange(2000) == 7).astype(float)
    features[:, 0] = (alone - alone.mean()) / alone.std()
    return features, alone == 1


CASES = {
    "usual": drawn(),
    "rare": drawn(20_000, share=2e-5, seed=4),
    "nearly all": drawn(3000, share=0.999),
    "nearly collinear": drawn(likeness=1e-6),
    "equal features": equal_features(),
    "separable": drawn(1200, steepness=1e6),
    "one positive": one_positive(),
    "known by one feature": known_by_one_feature(),
    "two examples": (np.array([[-1.0], [1.0]]), np.array([False, True])),
}


def local_loss(features, reached):
    """The loss of the local model: the intercept has no penalty."""
    design = np.column_stack([np.ones(len(features)), features])
    penalty = np.append(0.0, np.full(features.shape[1], LOCAL_PENALTY))
    return PenalisedLoss(design, reached, np.zeros(len(reached)), penalty)


def assert_is_optimum(loss, coefficients):
    """The loss is convex: it is smallest where its slope is 0."""
    probability = expit(loss.offset + loss.design @ coefficients)
    slope = loss.design.T @ (probability - loss.reached) + loss.penalty * coefficients
    assert_allclose(slope, 0, atol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_the_optimum_is_found_in_few_steps(case, monkeypatch):
    monkeypatch.setattr(regression, "STEPS", 20)
    features, reached = CASES[case]
    assert 0 < np.count_nonzero(reached) < len(reached)
    loss = local_loss(features, reached)
    assert_is_optimum(loss, fit_coefficients(loss))


@pytest.mark.parametrize("case", CASES)
def test_the_optimum_is_scikit_learns(case):
    linear_model = pytest.importorskip("sklearn.linear_model")
    features, reached = CASES[case]
    peer = linear_model.LogisticRegression(
        C=1 / LOCAL_PENALTY, solver="newton-cholesky", tol=1e-12, max_iter=1000
    ).fit(features, reached)
    expected = np.append(peer.intercept_, peer.coef_)
    assert_allclose(fit_coefficients(local_loss(features, reached)), expected, rtol=0, atol=1e-8)


def test_a_step_beyond_the_optimum_is_halved():
    # From probabilities near 1, whole steps go to probabilities near 0 and back, for ever.
    features, _ = drawn()
    design = np.column_stack([np.ones(len(features)), features])
    reached, offset = np.arange(len(features)) == 7, np.full(len(features), 9.2)
    loss = PenalisedLoss(design, reached, offset, np.full(design.shape[1], 30.0))
    assert_is_optimum(loss, fit_coefficients(loss))


def test_a_fit_that_does_not_converge_is_an_error(monkeypatch):
    monkeypatch.setattr(regression, "STEPS", 3)
    with pytest.raises(RuntimeError, match="not converge in 3 steps: 3000 examples"):
        fit_coefficients(local_loss(*CASES["usual"]))
