"""The tilt of runs: its scale from errors within runs, and its draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from irx_measures.io.trec import read_qrels
from irx_measures.judgments.judgments import Judgments
from irx_measures.runsets.runset import RunSet
from irx_measures.unjudged.cross_validation import CrossValidation
from irx_measures.unjudged.pooled_runs import PooledRuns
from irx_measures.unjudged.tilt import LARGEST, Tilt, tilt_scale
from tests.campaigns import random_campaign


@pytest.mark.parametrize("true", [0.5, 1.0, 2.0])
def test_the_scale_of_known_tilts_is_found(true):
    # The standard error of the estimate is below 4% of the scale.
    rng = np.random.default_rng(3)
    variance = rng.uniform(0.01, 0.3, 1000)
    tilt = rng.normal(0, true, 1000) + rng.normal(0, np.sqrt(variance))
    assert tilt_scale(tilt, variance) == pytest.approx(true, rel=0.12)


def test_the_scale_is_at_least_three_tenths():
    rng = np.random.default_rng(4)
    variance = np.full(50, 0.2)
    assert tilt_scale(rng.normal(0, np.sqrt(variance)) / 2, variance) == 0.3
    assert tilt_scale(np.array([]), np.array([])) == 0.3


def test_the_scale_solves_the_equation_of_paule_and_mandel():
    tilt, variance = np.array([2.0, -0.1, 0.2]), np.array([0.5, 0.05, 0.05])
    moments = np.sum((tilt**2 - variance) / variance) / np.sum(1 / variance)
    scale = tilt_scale(tilt, variance)
    assert scale > moments**0.5
    assert np.mean(tilt**2 / (scale**2 + variance)) == pytest.approx(1, rel=1e-9)


@given(seed=st.integers(0, 100), count=st.integers(1, 20))
def test_draws_belong_to_the_name(seed, count):
    tilt = Tilt(1.0, 5)
    both = tilt.draw(["a", "b"], count, seed)
    assert_array_equal(both[::-1], tilt.draw(["b", "a"], count, seed))
    assert_array_equal(both, tilt.draw(["a", "b"], count + 5, seed)[:, :count])
    assert (both[0] != both[1]).any()


def test_draws_are_those_of_a_t_distribution_and_bounded():
    from scipy.stats import kstest, t

    drawn = Tilt(2.0, 7).draw(["a"], 5000, 1)[0]
    assert kstest(drawn / 2, t(7).cdf).pvalue > 0.001
    assert np.abs(Tilt(1.0, 1).draw(["a"], 100_000, 1)).max() == LARGEST


def test_runs_whose_documents_are_all_better_than_predicted_have_a_large_tilt():
    """Fails if documents that one run alone found are predicted with their own judgments."""
    campaign = random_campaign(3, ties=False, systems=6)
    qrels = {
        query: {doc: int(grade > 0) for doc, grade in grades.items()}
        for query, grades in campaign.qrels.items()
    }
    found = {}
    for name, run in campaign.runs.items():
        for query, docs in run.items():
            for doc in docs:
                found.setdefault((query, doc), set()).add(name)
    good, bad = list(campaign.runs)[:2]
    for (query, doc), names in found.items():
        if len(names) == 1 and query in qrels:
            if good in names:
                qrels[query][doc] = 1
            if bad in names:
                qrels[query][doc] = 0

    def tilt(of):
        pooled = PooledRuns.of(RunSet(campaign.runs), Judgments(read_qrels(of)))
        return CrossValidation.of(pooled, 12).tilt

    assert tilt(qrels).freedom == 5
    assert tilt(qrels).scale > 0.6
