"""compare() with the moderated t test: intervals, ranks, plans and max-t have its variance."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import irx_measures
from irx_measures.meta import discriminative_power
from tests.oracles import moderated_t as oracle


@pytest.fixture(scope="module")
def campaign():
    return irx_measures.simulate_campaign(systems=6, queries=12, depth=30, seed=3)


@pytest.fixture(scope="module")
def matrix(campaign):
    return irx_measures.evaluate(campaign.runs, campaign.qrels, ["nDCG@10", "AP"])


def rows_of(matrix, measure, baseline=None):
    scores = dict(zip(matrix.systems, matrix[measure], strict=True))
    if baseline is not None:
        return [scores[name] - scores[baseline] for name in scores if name != baseline]
    names = list(scores)
    return [scores[a] - scores[b] for i, a in enumerate(names) for b in names[i + 1 :]]


@pytest.mark.parametrize("baseline", [None, "lexical-a"])
def test_p_values_and_intervals_are_those_of_the_loops(matrix, baseline):
    result = matrix.select(["nDCG@10"]).compare(
        test="moderated-t", correction="bonferroni", baseline=baseline, prior_topics=6
    )
    frame = result.to_frame()
    rows = np.array(rows_of(matrix, "nDCG@10", baseline))
    assert_allclose(frame["p"], oracle.p_values(rows.tolist(), 6))
    critical = stats.t.isf(0.05 / len(rows) / 2, 11)
    half = critical * np.sqrt(np.array(oracle.moderated_variances(rows.tolist(), 6)) / 12)
    assert_allclose(frame["upper"] - frame["difference"], half)


def test_no_prior_is_the_t_test_in_every_column(matrix):
    plain, without = (
        matrix.compare(test=test, prior_topics=0).to_frame() for test in ("t", "moderated-t")
    )
    pd.testing.assert_frame_equal(plain, without)


def test_fewer_topics_are_never_planned(matrix):
    names = matrix.systems[:2]
    plain = matrix.compare().topics_needed(*names)
    result = matrix.compare(test="moderated-t", prior_topics=30)
    moderated = result.topics_needed(*names)
    assert (moderated["topics"] >= plain["topics"]).all()
    assert (moderated["p"] >= plain["p"]).all()
    assert_allclose(moderated["effect"], plain["effect"])
    unadjusted = result.to_frame().set_index(["measure", "system", "baseline"])["p"]
    for row in moderated.itertuples():
        assert row.p == pytest.approx(unadjusted[(row.measure, *names)])


def test_meta_evaluation_has_it(matrix):
    power = discriminative_power(matrix["AP"], matrix.systems, test="moderated-t", prior_topics=6)
    frame = matrix.select(["AP"]).compare(test="moderated-t", prior_topics=6).to_frame()
    assert_allclose(power.p_value, frame["p_adjusted"])
