"""The paired tests by hand, over every sample there is, and the laws that tie them together."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm, studentized_range, t, ttest_ind, ttest_rel

from irx_measures.stats.pairs import Pairs
from irx_measures.stats.tests import PRIOR_TOPICS, TESTS, moderated_variance, paired_t
from irx_measures.stats.tukey import studentized_range_sf
from tests.oracles import meta as oracle
from tests.stats.scores import campaign, p_values

# Moderation depends on the other pairs: its laws are at the end.
ALL = [test for test in TESTS if test != "moderated-t"]
PAIRWISE = ["t", "wilcoxon", "randomisation", "bootstrap", "hsd-pairwise"]
TOPICS_COUNT_FOR_NOTHING = [*PAIRWISE[:4], "tukey-blocks", "tukey-randomised"]


def table(systems=4):
    """Multiples of 1/64, so that sums and differences are exact."""
    return np.round(campaign(systems, spread=0.15) * 64) / 64


# By hand: the second system has the differences 1, 2 and 3


THREE = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])


def test_wilcoxon_of_three_gains_is_two_of_eight_signs():
    assert_allclose(p_values(THREE, "wilcoxon"), [2 / 8], rtol=1e-12)
    # Ranks 1, 2 and 3, of which rank 1 is a loss: sums of 0 and 1, and of 5 and 6.
    assert_allclose(p_values(THREE * [-1.0, 1, 1], "wilcoxon"), [4 / 8], rtol=1e-12)
    # A difference of 0 is left out, and its signs are the same sample twice.
    assert_allclose(p_values(THREE - [[0.0, 0, 0], [1, 0, 0]], "wilcoxon"), [2 / 4], rtol=1e-12)
    assert_array_equal(p_values(THREE - THREE, "wilcoxon"), [1.0])
    # Losses of ranks 1 to 3, a gain of rank 4, and a 0: 7 of 16 samples gain at most as much.
    scores = np.array([[0.0, -1, -2, -3, 4], np.zeros(5)])
    assert_allclose(p_values(scores, "wilcoxon"), [2 * 7 / 16], rtol=1e-12)
    assert_allclose(p_values(scores[::-1], "wilcoxon"), [2 * 7 / 16], rtol=1e-12)


def test_wilcoxon_is_exact_for_the_pairs_without_ties_only():
    # Systems 0 and 1 differ by 1 to 20, systems 0 and 2 by 1 throughout, systems 2 and 3 never.
    scores = np.zeros((4, 20))
    scores[1], scores[2:] = np.arange(1.0, 21), 1.0
    got = p_values(scores, "wilcoxon")
    all_gains = 2 / 2**20
    # Twenty tied ranks of 10.5: (20 x 10.5 / 2) / sqrt(20 x 10.5^2 / 4).
    all_tied = 2 * norm.sf(np.sqrt(20))
    assert_allclose(got[[0, 1, 2]], [all_gains, all_tied, all_tied], rtol=1e-9)
    assert got[5] == 1.0
    alone = [p_values(scores[[i, j]], "wilcoxon")[0] for i, j in oracle.pairs(4)]
    assert_allclose(got, alone, rtol=1e-12)


class EverySample:
    """Stands in for a random generator: draws every sample once."""

    def __init__(self, scores):
        self.queries = scores.shape[1]
        self.tables = iter(
            np.array(columns).T
            for columns in product(*(list(permutations(topic)) for topic in scores.T))
        )

    def choice(self, values, size):
        assert size == (self.queries, len(values) ** self.queries)
        return np.array(list(product(values, repeat=self.queries))).T

    def multinomial(self, drawn, chances, size):
        assert (drawn, size) == (self.queries, self.queries**self.queries)
        assert_allclose(chances, 1 / self.queries)
        topics = product(range(self.queries), repeat=self.queries)
        return np.array([np.bincount(some, minlength=self.queries) for some in topics])

    def permuted(self, scores, axis):
        assert axis == 0
        return next(self.tables)


def over_every_sample(scores, test, samples):
    return p_values(scores, test, samples, rng=EverySample(scores))


def test_randomisation_over_every_sign():
    # Only the two samples of one sign reach the sum of 6.
    assert_allclose(over_every_sample(THREE, "randomisation", 8), [(2 + 1) / (8 + 1)])
    # Of -1, 2 and 3 the sums are 0, 2, 4 and 6, two samples each: three of four reach 2 or 4.
    mixed = THREE * [-1.0, 1, 1]
    assert_allclose(over_every_sample(mixed, "randomisation", 8), [(4 + 1) / (8 + 1)])


def test_randomised_tukey_over_every_assignment():
    # With two systems permuting a topic's scores is drawing the sign of their difference.
    for scores in (THREE, THREE * [-1.0, 1, 1]):
        got = over_every_sample(scores, "tukey-randomised", 8)
        assert_allclose(got, over_every_sample(scores, "randomisation", 8), rtol=1e-12)
    # Of three systems on one topic the range is always that of the scores.
    three = np.array([[0.0], [1.0], [3.0]])
    assert_allclose(over_every_sample(three, "tukey-randomised", 6), [1, 1, 1], rtol=1e-12)
    # On two topics: of 36 tables 12 have a range of 2 in their means, none a larger one.
    two = np.array([[0.0, 0.0], [0.0, 0.0], [2.0, 2.0]])
    got = over_every_sample(two, "tukey-randomised", 36)
    assert_allclose(got, [1.0, (12 + 1) / 37, (12 + 1) / 37], rtol=1e-12)


@pytest.mark.parametrize(
    "difference",
    [
        [1.0, 2.0, 3.0],
        [-1.0, 2.0, 3.0],
        [0.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [-2.0, 1.0, 1.0],
        [0.5, 1.25, -0.25, 2.0],
        [0.1, 0.2, 0.3, -0.5],
        [0.3, 0.7, 0.2, 0.9],
        [0.3, 0.4, 0.2, -0.1],
    ],
)
def test_bootstrap_over_every_sample_is_its_definition(difference):
    scores = np.array([np.zeros(len(difference)), difference])
    topics = list(product(range(len(difference)), repeat=len(difference)))
    expected = oracle.bootstrap(*scores, topics)
    got = over_every_sample(scores, "bootstrap", len(topics))
    assert_allclose(got, [expected], rtol=1e-12)


def test_no_bootstrap_sample_reaches_a_difference_that_varies_by_rounding_alone():
    scores = np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]])
    assert len(set(scores[1] - scores[0])) > 1
    assert_allclose(over_every_sample(scores, "bootstrap", 27), [1 / 28], rtol=1e-12)


# Laws


@pytest.mark.parametrize("test", ALL)
def test_the_larger_the_difference_the_smaller_the_p_value(test):
    scores = table(2)
    nearer = scores - np.array([[0.0], [0.125]])
    assert p_values(scores, test)[0] < 0.05 < p_values(nearer, test)[0]


@pytest.mark.parametrize("test", [test for test in ALL if test != "tukey-randomised"])
def test_tests_are_two_sided(test):
    scores = table(2)
    assert_allclose(p_values(scores[::-1], test), p_values(scores, test), rtol=1e-12)


@pytest.mark.parametrize("test", ALL)
def test_the_scale_makes_no_difference(test):
    assert_allclose(p_values(4 * table(), test), p_values(table(), test), rtol=1e-12)


@pytest.mark.parametrize("test", ALL)
def test_paired_tests_leave_out_what_topics_add_to_all_systems(test):
    scores = table()
    harder = scores + np.arange(20) / 16
    same = np.allclose(p_values(harder, test), p_values(scores, test), rtol=1e-9)
    assert same == (test in TOPICS_COUNT_FOR_NOTHING)


@pytest.mark.parametrize("test", PAIRWISE)
def test_a_pair_among_other_systems_has_the_p_value_it_has_alone(test):
    scores = table()
    alone = [p_values(scores[[i, j]], test)[0] for i, j in oracle.pairs(4)]
    assert_allclose(p_values(scores, test), alone, rtol=1e-12)


@pytest.mark.parametrize("test", ["tukey", "tukey-blocks"])
def test_without_any_error_every_difference_is_significant(test):
    scores = np.full((3, 4), 0.5) + np.array([[0.0], [0.0], [0.25]])
    assert_array_equal(p_values(scores, test), [1.0, 0.0, 0.0])


def test_tukey_of_two_systems_is_students_t_test():
    scores = table(2)
    unpaired, paired = ttest_ind(*scores).pvalue, ttest_rel(*scores).pvalue
    assert_allclose(p_values(scores, "hsd-pairwise"), [unpaired], rtol=1e-12)
    assert_allclose(p_values(scores, "tukey"), [unpaired], rtol=1e-9)
    assert_allclose(p_values(scores, "tukey-blocks"), [paired], rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("number", [5, 200])
def test_the_studentized_range_of_two_groups_is_students_t(number):
    statistic = np.linspace(0, 8, number)
    expected = 2 * t.sf(statistic / np.sqrt(2), 30)
    assert_allclose(studentized_range_sf(statistic, 2, 30), expected, atol=2e-11)


def test_the_studentized_range_is_scipys_for_few_statistics_in_any_order():
    statistic = np.array([3.5, 0.0, 4.2, 3.5, 1.0])
    got = studentized_range_sf(statistic, 5, 12)
    assert_allclose(got, studentized_range.sf(statistic, 5, 12), rtol=1e-12)


def test_the_studentized_range_is_0_only_where_bonferroni_leaves_less_than_1e_14():
    groups, freedom = 4, 20
    # Each of six pairs has a two-sided t test of probability 1e-14 / 6 there.
    last = np.sqrt(2) * t.isf(1e-14 / 12, freedom)
    got = studentized_range_sf(last * np.array([0.8, 1.001]), groups, freedom)
    assert 1e-14 < got[0] < 1e-9
    assert got[1] == 0.0


# The moderated t test


SHAPES = st.tuples(st.integers(2, 7), st.integers(3, 9), st.integers(0, 2**32 - 1))
PRIORS = st.sampled_from([0.0, 0.5, 4.0, 8.0, 100.0])


def drawn(shape):
    """Scores whose differences are skewed, and whose variances differ."""
    systems, topics, seed = shape
    rng = np.random.default_rng(seed)
    return rng.gamma(0.5, size=(systems, topics)) * rng.uniform(0.1, 3, (systems, 1))


def differences_of(scores):
    return Pairs.of(len(scores)).differences(scores)


@given(SHAPES, PRIORS)
def test_p_values_are_those_of_the_loops(shape, prior):
    scores = drawn(shape)
    pairs = Pairs.of(len(scores))
    expected = oracle.moderated_p_values(differences_of(scores).tolist(), prior)
    assert_allclose(paired_t(scores, pairs, prior), expected, rtol=1e-9)


@given(SHAPES, PRIORS)
def test_nothing_is_rejected_that_t_does_not_reject(shape, prior):
    scores = drawn(shape)
    pairs = Pairs.of(len(scores))
    moderated, plain = paired_t(scores, pairs, prior), paired_t(scores, pairs)
    assert (moderated >= plain * (1 - 1e-12)).all()
    if prior == 0 or len(scores) == 2:  # no prior, or one pair alone
        assert_allclose(moderated, plain, rtol=1e-12)


@given(SHAPES, PRIORS)
def test_variances_stay_in_their_order_and_the_median_stays(shape, prior):
    own = differences_of(drawn(shape)).var(axis=1, ddof=1)
    moderated = moderated_variance(own, shape[1], prior)
    assert (np.diff(moderated[np.argsort(own)]) >= -1e-12 * own.max()).all()
    assert_allclose(moderated[own >= np.median(own)], own[own >= np.median(own)], rtol=1e-12)


def test_rows_of_variances_are_moderated_by_the_median_of_their_own_family():
    variance, family = np.array([[0.1, 0.4], [0.1, 0.4]]), np.array([[0.3, 0.3, 0.3], [0.2] * 3])
    found = moderated_variance(variance, 10, 9.0, family)
    assert_allclose(found, [[0.2, 0.4], [0.15, 0.4]], rtol=1e-12)


def test_equal_systems_and_constant_differences():
    scores = np.array([[0.1, 0.5, 0.2, 0.4]] * 2 + [[0.2, 0.6, 0.3, 0.5]])
    p = paired_t(scores, Pairs.of(3), PRIOR_TOPICS)
    assert p[0] == 1.0  # equal
    assert p[1] < 1e-9  # always .1 lower, and no other pair varies
