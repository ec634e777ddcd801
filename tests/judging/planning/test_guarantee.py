"""The guaranteed stop: slow loops, its error rate in long simulations, replays, and its limits."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures import InputError
from irx_measures.judging.planning.guarantee import GuaranteedStop
from tests.oracles.guarantee import capitals

ALPHA = 0.1


class Plan:
    """A campaign: weights, relevance, and what happens in which order."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        documents = int(rng.integers(1, 30))
        self.difference = rng.normal(size=documents) * (rng.random(documents) < 0.8)
        self.relevance = np.round(rng.random(documents), int(rng.integers(0, 3)))
        self.seed, self.rng = seed, rng

    def start(self, alpha=1e-300):
        return GuaranteedStop(self.difference, alpha=alpha, seed=self.seed)

    def judge(self, stop, documents):
        documents = np.asarray(documents, np.int64)
        stop.update(documents, self.relevance[documents])


@given(seed=st.integers(0, 10**6))
def test_capitals_equal_slow_loops(seed):
    """Batches, judgments in any order, documents judged unasked, and batches asked for early."""
    plan = Plan(seed)
    stop, rng = plan.start(), plan.rng
    batches, asked_before, judged = [], set(), set()
    for _ in range(int(rng.integers(1, 12))):
        predicted = rng.random(len(plan.difference)).round(int(rng.integers(0, 3)))
        asked = stop.ask(predicted, int(rng.integers(1, 8)))[0].tolist()
        known = [None if d in judged else float(m) for d, m in enumerate(predicted)]
        batches.append(([d for d in asked if d not in asked_before], known))
        asked_before.update(asked)
        more = rng.integers(len(plan.difference), size=int(rng.integers(0, 2))).tolist()
        several = rng.permutation(asked + more)[: int(rng.integers(0, 12))]
        judged |= set(several.tolist())
        for document in several:
            plan.judge(stop, [document])
    expected = capitals(plan.difference, up_to_the_first_unjudged(batches, judged), plan.relevance)
    assert_allclose(stop.e_values, expected, rtol=1e-9)


def up_to_the_first_unjudged(batches, judged):
    for draws, predicted in batches:
        done = next((place for place, draw in enumerate(draws) if draw not in judged), len(draws))
        yield draws[:done], predicted
        if done < len(draws):
            return


@given(seed=st.integers(0, 10**6))
def test_the_expected_factor_is_one_if_the_systems_are_equal(seed):
    """All first draws, weighted by their probabilities, with any predictions."""
    plan = Plan(seed)
    a, g = plan.difference, plan.relevance
    # One more document makes the systems equal.
    a, g = np.append(a, -(a @ g)), np.append(g, 1.0)
    size = np.abs(a)
    predicted = plan.rng.random(len(a))
    total = np.zeros(2)
    for document in np.flatnonzero(size):
        stop = first_drawn(a, document)
        assert stop.ask(predicted, 1)[0].tolist() == [document]
        stop.update(np.array([document]), g[[document]])
        assert min(stop.e_values) > 0
        total += size[document] / size.sum() * np.array(stop.e_values)
    assert_allclose(total, 1 if size.any() else 0, rtol=1e-9)


def first_drawn(difference, document):
    """A stop whose first draw is this document."""
    stop = GuaranteedStop(difference, alpha=1e-9)
    rest = stop._order[stop._order != document]
    stop._order = np.append(document, rest)
    return stop


@pytest.mark.slow
def test_documents_are_drawn_in_proportion_to_their_weight():
    difference = np.array([0.1, -0.2, 0.0, 0.3, -0.4])
    orders = [GuaranteedStop(difference, seed=seed).ask(np.zeros(5), 9)[0] for seed in range(4000)]
    first, second = np.array(orders)[:, :2].T
    chance = np.abs(difference)
    least = 1e-4
    for drawn, left in ((first, slice(None)), (second[first == 4], slice(4))):
        counts = np.bincount(drawn, minlength=5)
        expected = chance[left] / chance[left].sum() * len(drawn)
        positive = expected > 0
        assert stats.chisquare(counts[left][positive], expected[positive]).pvalue > least
    assert all(sorted(order.tolist()) == [0, 1, 3, 4] for order in orders)


def wrong(relevance, judged, difference):
    return np.where(judged, relevance, 1 - relevance)


def flattering(relevance, judged, difference):
    """The first system looks as good as possible."""
    return np.where(judged, relevance, difference > 0)


def true(relevance, judged, difference):
    return 0.1 + 0.8 * relevance


def in_batches(stop, predicted, relevance, difference, rng):
    documents, _ = stop.ask(predicted, 9)
    stop.update(documents, relevance[documents])


def with_favour(stop, predicted, relevance, difference, rng):
    """Documents that speak for the first system are judged first; others are left for later.

    Some are judged without being asked for.
    """
    documents, _ = stop.ask(predicted, 9)
    gain = difference[documents] * relevance[documents]
    chosen = documents[gain >= np.median(gain)]
    more = rng.choice(np.flatnonzero(difference), 1)
    chosen = np.append(chosen, more[difference[more] * relevance[more] >= 0])
    stop.update(chosen, relevance[chosen])


def decision(difference, relevance, predict, judge, seed):
    """What is decided before all is judged; 0 if nothing ever is."""
    stop = GuaranteedStop(difference, alpha=ALPHA, seed=seed)
    rng = np.random.default_rng(seed)
    judged = np.zeros(len(difference), bool)
    while stop.decided is None:
        judge(stop, predict(relevance, judged, difference), relevance, difference, rng)
        judged = ~np.isnan(stop._relevance)
    return stop.decided


@pytest.mark.slow
@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize(
    ("judge", "predict"),
    [(in_batches, wrong), (in_batches, flattering), (with_favour, flattering), (with_favour, true)],
)
def test_wrong_decisions_are_rare(judge, predict, equal):
    """Of equal systems every decision is wrong; of others, only one of the two capitals can be.

    To stop as soon as something is decided is the stopping rule that errs most. The limit is the
    99.9% bound of a binomial at alpha, or at alpha / 2.
    """
    rng = np.random.default_rng(5)
    campaigns, errors = 200, 0
    for seed in range(campaigns):
        difference = np.repeat(rng.gamma(2.0, size=25), 2) * np.tile([1, -1], 25)
        relevance = np.repeat((rng.random(25) < 0.4).astype(float), 2)
        if not equal:
            difference = rng.normal(size=40)
            relevance = (rng.random(40) < 0.5).astype(float)
        sign = decision(difference, relevance, predict, judge, seed)
        errors += sign != 0 if equal else sign == -np.sign(difference @ relevance)
    assert errors <= stats.binom.isf(0.001, campaigns, ALPHA if equal else ALPHA / 2)


@given(seed=st.integers(0, 10**6))
def test_batches_and_judgments_resume_a_campaign(seed):
    plan = Plan(seed)
    batches, stop = [], plan.start(alpha=0.2)
    resumed = plan.start(alpha=0.2)
    for number in range(8):
        batch = stop.ask(plan.rng.random(len(plan.difference)), 3)
        batches.append(batch)
        plan.judge(stop, batch[0][number % 2 :])
        resumed = plan.start(alpha=0.2)
        for earlier in batches:
            resumed.resume(*earlier)
        plan.judge(resumed, np.flatnonzero(~np.isnan(stop._relevance))[::-1])
        assert resumed.e_values == stop.e_values
        assert resumed.decided == stop.decided
    predicted = plan.rng.random(len(plan.difference))
    (documents, draws), (expected, same) = resumed.ask(predicted, 4), stop.ask(predicted, 4)
    assert_array_equal(documents, expected)
    assert draws == same


@given(seed=st.integers(0, 10**6))
def test_it_decides_when_a_capital_has_reached_2_over_alpha(seed):
    rng = np.random.default_rng(seed)
    difference = rng.normal(size=60)
    relevance = (rng.random(60) < np.where(difference > 0, 0.7, 0.3)).astype(float)

    def judged(alpha, most):
        """The stop after the first documents of a batch of 20: the others can change the sign."""
        stop = GuaranteedStop(difference, alpha=alpha, seed=seed)
        documents = stop.ask(np.full(60, 0.5), 20)[0][:most]
        stop.update(documents, relevance[documents])
        assume(stop.limits[0] < 0 < stop.limits[1])
        return stop

    highest = [max(judged(1e-300, most).e_values) for most in range(21)]
    enough = int(np.argmax(highest))
    assume(enough > 0)
    assert judged(2 / (0.999 * highest[enough]), enough).decided is not None
    assert judged(2 / (1.001 * highest[enough]), enough).decided is None


def test_other_rankings_are_refused():
    batch = GuaranteedStop(np.array([0.5, -0.3])).ask(np.zeros(2), 1)
    with pytest.raises(InputError, match=r"`runs` must rank as .* sum to 0\.7, in the log to 0\.8"):
        GuaranteedStop(np.array([0.5, -0.2])).resume(*batch)


def test_what_is_left_may_not_matter():
    stop = GuaranteedStop(np.array([0.5, 0.1, -0.3, 0.0]))
    assert_allclose(stop.limits, (-0.3, 0.6))
    stop.update(np.array([0]), np.ones(1))
    assert stop.decided == 1, "the other documents cannot change the sign"
    assert stop.e_values == (1.0, 1.0), "nobody asked for it"
    assert_allclose(stop.limits, (0.2, 0.6))


def test_equal_systems_are_found_equal_when_all_is_judged():
    stop = GuaranteedStop(np.array([0.1, 0.2, -0.3]))
    stop.update(np.array([0, 1]), np.ones(2))
    assert stop.decided is None
    stop.update(np.array([2]), np.ones(1))
    assert stop.decided == 0
    assert GuaranteedStop(np.zeros(3)).decided == 0


def test_documents_that_were_asked_for_come_again_until_they_are_judged():
    stop = GuaranteedStop(np.array([0.1, 0.2, -0.3, 0.2]))
    first = stop.ask(np.zeros(4), 2)[0].tolist()
    assert stop.ask(np.ones(4), 1)[0].tolist() == first[:1]
    third = stop.ask(np.ones(4), 3)[0].tolist()
    assert third[:2] == first
    assert len(set(third)) == 3
