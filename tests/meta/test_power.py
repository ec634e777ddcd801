"""Discriminative power, the concordance of two, and the Pareto front; tests are in tests/stats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.meta import concordance, discriminative_power, pareto_front
from irx_measures.stats.decisions import CORRECTIONS
from irx_measures.stats.tests import TESTS
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


# Concordance


NOISE = np.array([0.01, -0.01, 0.02, -0.02, 0.0, 0.015])


def power_of(*means, level=0.95):
    """Tests of systems with these means; their differences vary slightly between topics."""
    scores = [mean + np.roll(NOISE, number) for number, mean in enumerate(means)]
    return discriminative_power(scores, list("abcd"), test="t", correction="none", level=level)


def test_every_outcome_of_a_pair():
    # Pairs in order: (a, b), (a, c), (a, d), (b, c), (b, d), (c, d).
    result = concordance(power_of(0.9, 0.5, 0.5, 0.1), power_of(0.5, 0.9, 0.5, 0.1))
    frame = result.to_frame()
    assert frame["outcome"].tolist() == [
        "conflict", "disagree", "agree", "disagree", "agree", "agree",
    ]  # fmt: skip
    assert frame["first_verdict"].tolist() == [1, 1, 1, 0, 1, 1]
    assert frame["second_verdict"].tolist() == [-1, 0, 1, 1, 1, 1]
    assert (result.agree, result.disagree, result.conflict) == (3, 2, 1)
    assert (result.only_first, result.only_second) == (1, 1)
    assert result.summary == "paired t test at 95%: of 6 pairs 3 agree, 2 disagree, 1 conflict"


@pytest.mark.parametrize("level", [0.8, 0.999])
def test_the_level_of_the_tests_decides(level):
    rng = np.random.default_rng(0)
    scores = np.linspace(0, 0.3, 6)[:, np.newaxis] + rng.normal(0, 0.2, (2, 6, 15))
    first, second = (discriminative_power(each, test="t", level=level) for each in scores)
    result = concordance(first, second)
    assert np.abs(result.first_verdict).tolist() == first.significant_pairs().tolist()
    assert np.abs(result.second_verdict).tolist() == second.significant_pairs(level).tolist()
    assert f" at {100 * level:g}%: " in result.summary


# The Pareto front


points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)


def beaten(point, others):
    cost, score = point
    return any(c <= cost and s >= score and (c < cost or s > score) for c, s in others)


@given(points)
def test_a_point_is_on_the_front_unless_another_beats_it(drawn):
    cost, score = [c for c, _ in drawn], [s for _, s in drawn]
    front = pareto_front(cost, score)
    assert front.on_front.tolist() == [not beaten(point, drawn) for point in drawn]
    assert (np.diff(front.cost[front.order]) >= 0).all()
    assert (np.diff(front.score[front.order]) >= 0).all()
