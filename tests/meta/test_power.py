"""Discriminative power: corrections, levels and results; the tests are in tests/stats."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.meta import CORRECTIONS, TESTS, discriminative_power
from tests.stats.scores import campaign


def test_defaults_correct_the_tests_that_can_afford_it():
    scores = campaign(4)
    used = {t: discriminative_power(scores, test=t, resamples=19).method.correction for t in TESTS}
    with_holm = {t for t, correction in used.items() if correction == "holm"}
    assert with_holm == {"t", "moderated-t", "wilcoxon"}
    assert set(used.values()) == {"holm", "none"} < set(CORRECTIONS)


def test_resamples_are_drawn_as_asked():
    scores = campaign(5, spread=3)
    how = {"test": "randomisation", "resamples": 999}
    power = discriminative_power(scores, correction="holm", **how)
    assert power.p_value.min() == power.least_p_value == pytest.approx(10 / 1000)
    assert discriminative_power(scores, test="t").least_p_value == 0
    assert "paired randomisation test (holm, 999 resamples): of 10 pairs" in power.summary


def test_a_result_names_counts_and_orders_its_pairs():
    scores = [[0.1, 0.2, 0.1, 0.3], [0.6, 0.8, 0.5, 0.9], [0.1, 0.25, 0.1, 0.2]]
    power = discriminative_power(scores, ["a", "b", "c"], test="t", correction="none")
    table = power.to_frame()
    assert table[["first", "second"]].to_numpy().tolist() == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert_allclose(table["difference"], [-0.525, 0.0125, 0.5375])
    assert_array_equal(table["p_value"], power.p_value)
    assert power.pairs == 3
    assert power.significant(0.95) == power.significant(0.99) == 2
    assert power.summary == "paired t test: of 3 pairs of 3 systems, 2 at 95%, 2 at 99% differ"


def test_a_p_value_of_exactly_5_percent_is_significant_at_95():
    scores = campaign(2, 30, spread=5)
    power = discriminative_power(scores, test="randomisation", resamples=19)
    assert power.p_value.tolist() == [0.05]
    assert power.significant(0.95) == power.significant(0.94) == 1


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "tukey-randomised"])
def test_a_bar_is_shown_on_request(test, capsys):
    scores = np.random.default_rng(1).random((3, 12))
    quiet = discriminative_power(scores, test=test, resamples=2000)
    assert capsys.readouterr().err == ""
    shown = discriminative_power(scores, test=test, resamples=2000, progress=True)
    assert "2000/2000" in capsys.readouterr().err
    assert (shown.p_value == quiet.p_value).all()
