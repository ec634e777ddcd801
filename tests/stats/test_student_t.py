"""Student's t distribution: scipy's numbers without scipy.stats."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from irx_measures.stats.intervals import t_isf, t_sf

COMPARE = """
import sys, irx_measures
campaign = irx_measures.simulate_campaign(systems=3, queries=9, depth=10)
irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
print("scipy.stats" in sys.modules)
"""


@pytest.mark.parametrize("freedom", [1, 2, 42, 49.5, 1000])
def test_it_is_scipys(freedom):
    rng = np.random.default_rng(1)
    statistic = np.r_[0.0, -1.0, 1e-9, np.inf, rng.uniform(0, 60, 100)]
    assert_array_equal(t_sf(statistic, freedom), stats.t.sf(statistic, freedom))
    probability = np.r_[1e-300, 1e-12, rng.uniform(0, 1, 100)]
    for one in probability.tolist():
        assert t_isf(one, freedom) == stats.t.isf(one, freedom)


def test_each_critical_value_has_its_freedom():
    freedom = np.array([1.0, 2.5, 40.0])
    assert_array_equal(t_isf(0.025, freedom), stats.t.isf(0.025, freedom))


@pytest.mark.slow
def test_a_comparison_does_not_wait_for_scipy_stats():
    done = subprocess.run(
        [sys.executable, "-c", COMPARE], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
