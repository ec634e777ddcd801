"""Macro means over groups of queries: against slow loops, and scipy on means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.stats.pairs import Pairs
from irx_measures.stats.strata import (
    between_groups,
    freedom_of_tests,
    moments_of,
    moments_of_differences,
    new_group,
    noise_of_groups,
    stratified_effect,
    stratified_half_width,
    stratified_p,
)
from irx_measures.stats.tests import paired_t
from tests.oracles.strata import groups_question, heterogeneity, mean_freedom, queries_question

LEVEL = 0.95


def collections(sizes, systems=4, seed=0, spread=0.05):
    """Scores of the systems on groups of queries, which differ by group too."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0.3, 0.5, systems)[:, np.newaxis]
    return [
        quality + rng.normal(0, spread, (systems, 1)) + rng.normal(0, 0.1, (systems, size))
        for size in sizes
    ]


def found_of(groups, pairs):
    found = moments_of_differences(groups, pairs)
    freedom = freedom_of_tests(found, np.arange(len(pairs.first)))
    half = stratified_half_width(found, 1 - LEVEL, freedom)
    lower, upper = new_group(found, LEVEL)
    return {
        "difference": found.mean,
        "error": found.error,
        "p": stratified_p(found, noise_of_groups(groups), freedom),
        "lower": found.mean - half,
        "upper": found.mean + half,
        "effect": stratified_effect(found),
        "between": between_groups(found),
        "new_lower": lower,
        "new_upper": upper,
    }


SCORES = st.integers(0, 20).map(lambda count: count / 20)


@st.composite
def groups_of_scores(draw):
    sizes = draw(st.lists(st.integers(2, 6), min_size=2, max_size=4))
    return [
        np.array(draw(st.lists(st.lists(SCORES, min_size=n, max_size=n), min_size=3, max_size=3)))
        for n in sizes
    ]


def check_against_loops(groups, tolerance=1e-9):
    pairs = Pairs.of(len(groups[0]))
    found = found_of(groups, pairs)
    systems = [
        [scores[row].round(12).tolist() for scores in groups] for row in range(len(groups[0]))
    ]
    scored = [(systems[one], systems[two]) for one, two in zip(*pairs, strict=True)]
    most = mean_freedom(scored)
    for place, pair in enumerate(scored):
        # Whole numbers of twentieths have no float noise; neither have their differences.
        slow = queries_question(*pair, LEVEL, most=most) | heterogeneity(*pair, LEVEL)
        for name, value in slow.items():
            assert_allclose(found[name][place], value, tolerance, tolerance, err_msg=name)


@given(groups_of_scores())
def test_kernels_are_the_slow_loops(groups):
    # In units of 1/20, so that a slow loop's constant differences have no spread.
    check_against_loops([scores * 20 for scores in groups])


@pytest.mark.parametrize("sizes", [(5, 5), (10, 50, 200), (300, 6, 6, 6, 6)])
def test_groups_of_uneven_sizes_are_the_slow_loops(sizes):
    check_against_loops(collections(sizes))


def test_other_groups_are_scipys_test_of_their_means():
    groups = collections((10, 50, 200, 20))
    pairs = Pairs.of(4)
    means = np.array([scores.mean(axis=1) for scores in groups]).T
    p_values = paired_t(means, pairs)
    for place, (one, two) in enumerate(zip(*pairs, strict=True)):
        own, other = ([scores[row] for scores in groups] for row in (one, two))
        assert p_values[place] == pytest.approx(groups_question(own, other, LEVEL)["groups_p"])


def test_equal_groups_of_equal_spread_have_all_degrees_of_freedom():
    own = np.array([[0.1, 0.3, 0.2, 0.6], [0.0, 0.0, 0.0, 0.0]])
    found = moments_of_differences([own, own + 1, own - 1], Pairs.of(2))
    assert found.freedom == pytest.approx(3 * 3)
    assert found.mean == pytest.approx(0.3)


def test_a_difference_without_any_variance_is_a_point():
    groups = [np.array([[0.3] * 5, [0.1] * 5, [0.1] * 5]) for _ in range(3)]
    found = found_of(groups, Pairs.of(3))
    assert_array_equal(found["p"], [0, 0, 1])
    assert_allclose(found["lower"], found["upper"], 0, 0)
    assert_array_equal(found["effect"], [np.inf, np.inf, 0])


def test_decisions_do_not_depend_on_the_unit_of_scores():
    groups = [scores.round(1) for scores in collections((8, 9, 30))]
    pairs = Pairs.of(4)
    one, hundred = found_of(groups, pairs), found_of([100 * scores for scores in groups], pairs)
    for name in ("p", "effect"):
        assert_allclose(one[name], hundred[name], 1e-9)


def test_an_effect_of_too_few_degrees_of_freedom_is_undefined():
    # One group has all the variance, and two queries: nu = 1.
    groups = [np.array([[0.2, 0.6], [0, 0]]), np.array([[0.2] * 9, [0] * 9])]
    assert np.isnan(stratified_effect(moments_of_differences(groups, Pairs.of(2)))).all()


def test_the_mean_of_a_system_is_the_mean_of_its_groups():
    groups = collections((5, 500))
    found = moments_of(groups)
    assert_allclose(found.mean, np.mean([scores.mean(axis=1) for scores in groups], axis=0))
    assert found.error[0] > groups[1][0].std() / np.sqrt(500)
