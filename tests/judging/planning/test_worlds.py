"""Prequential tilts, and worlds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures import RunSet
from irx_measures.io.trec import read_qrels
from irx_measures.judging.planning.pool import JudgingPool, read_pooled
from irx_measures.judging.planning.worlds import LARGEST, TiltScales, draw_worlds, widening
from irx_measures.unjudged.tilt import tilt_scale

NONE = TiltScales(0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def pool(pooled):
    return pooled[1]


def test_scales_are_those_of_errors_by_run_and_query(pool):
    rng = np.random.default_rng(1)
    document = np.sort(rng.permutation(len(pool))[:120])
    forecast = rng.dirichlet(np.ones(4), 120)
    grade = rng.integers(0, 4, 120)
    expected = forecast @ np.arange(4)
    variance = forecast @ np.arange(4) ** 2 - expected**2

    def scale(members):
        errors = np.array([(grade - expected)[of].sum() for of in members])
        known = np.array([variance[of].sum() for of in members])
        return tilt_scale(errors[known > 0.2] / known[known > 0.2], 1 / known[known > 0.2])

    got = TiltScales.of(pool, document, grade, forecast)
    runs = [pool.in_top[system, document] for system in range(len(pool.names))]
    queries = [pool.doc_query[document] == query for query in range(len(pool.query_ids))]
    assert_allclose(got.run, scale(runs))
    assert_allclose(got.query, scale(queries))
    assert_allclose(got.common, abs((grade - expected).sum()) / variance.sum())


def test_the_tilt_of_a_document_is_the_mean_of_its_runs(pool):
    only_runs = TiltScales(1.0, 0.0, 0.0).draw(pool, 50, 7)
    again = TiltScales(1.0, 0.0, 0.0).draw(pool, 50, 7)
    assert_array_equal(only_runs, again)
    same = [tuple(column) for column in pool.in_top.T.tolist()]
    first, second = 0, same.index(same[0], 1)
    assert_array_equal(only_runs[first], only_runs[second])
    assert np.abs(TiltScales(100.0, 0, 0).draw(pool, 500, 7)).max() == LARGEST
    of_query = TiltScales(0.0, 1.0, 0.0).draw(pool, 50, 7)
    assert (np.ptp(of_query[pool.of_query(2)], axis=0) == 0).all()
    assert np.ptp(TiltScales(0.0, 0.0, 1.0).draw(pool, 50, 7), axis=0).max() == 0


@pytest.mark.parametrize("systems", [2, 5, 11, 40])
def test_few_systems_have_wider_tilts(systems):
    """The definition: a scale by chi-squared, and a t distribution."""
    expected = np.sqrt((systems - 1) / stats.chi2.ppf(0.25, systems - 1))
    assert widening(systems - 1) == pytest.approx(expected, rel=1e-12)
    runs = {f"r{number}": {"q": {f"d{number}": 1.0}} for number in range(systems)}
    pooled = read_pooled(read_qrels({"q": {"d0": 1}}), RunSet(runs), (0, 1))
    pool, _ = JudgingPool.of(pooled, 10, (0, 1))
    tilts = TiltScales(0.5, 0.0, 0.0).draw(pool, 4000 // systems, 7).ravel() / (0.5 * expected)
    quantile = stats.t(min(10, systems - 1)).ppf
    shares = [np.mean(np.abs(tilts) < quantile(0.5 + share / 2)) for share in (0.3, 0.6, 0.8)]
    assert_allclose(shares, (0.3, 0.6, 0.8), atol=0.03)


def test_judged_documents_keep_their_grade_and_others_have_their_probability(pool):
    grade = np.where(np.arange(len(pool)) % 3, -1, 2)
    probability = np.tile([0.4, 0.3, 0.2, 0.1], (len(pool), 1))
    worlds = draw_worlds(pool, grade, probability, NONE, 1, 2000)
    assert (worlds[grade == 2] == 2).all()
    drawn = worlds[grade < 0]
    share = [(drawn == one).mean(axis=1) for one in range(4)]
    assert_allclose(np.mean(share, axis=1), probability[0], atol=0.005)
    assert np.abs(np.array(share) - probability[0][:, np.newaxis]).max() < 0.06


def test_draws_do_not_depend_on_what_is_judged(pool):
    probability = np.tile([0.4, 0.3, 0.2, 0.1], (len(pool), 1))
    none = np.full(len(pool), -1)
    some = np.where(np.arange(len(pool)) % 2, -1, 0)
    scales = TiltScales(0.5, 0.5, 0.5)
    before, after = (draw_worlds(pool, of, probability, scales, 3, 40) for of in (none, some))
    assert_array_equal(before[some < 0], after[some < 0])
