"""The rareness paper's tables, and claims of the NRG paper, on the runs of TREC-8 and DL 2019."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import RunSet, SubsetScorer, evaluate
from irx_measures.meta import (
    TESTS,
    concordance,
    discriminative_power,
    rank_correlation,
    stability,
    system_impact,
)
from irx_measures.stats.pairs import Pairs
from tests.doubts import MISSED_QUERIES, NO_PRIOR

pytestmark = [pytest.mark.slow, MISSED_QUERIES, NO_PRIOR]

ALPHAS = [0, 0.25, 0.5, 0.75, 1]


def precision(alpha):
    return f"P_Rareness(systems=others,alpha={alpha})@100"


def average_precision(alpha):
    return f"AP_Rareness(systems=others,alpha={alpha})"


@pytest.fixture(scope="module")
def trec8(data):
    return RunSet(str(data / "trec8-adhoc" / "runs" / "*.gz"), name="trec8")


@pytest.fixture(scope="module")
def scores(data, trec8):
    measures = [form(alpha) for form in (precision, average_precision) for alpha in ALPHAS]
    matrix = evaluate(trec8, data / "trec8-adhoc" / "qrels.txt.gz", measures)
    assert matrix.scores.shape == (10, 129, 50)
    return matrix


# Measure, pairs at 95% and 99% (Table 1), stability (Table 2).
PUBLISHED = [
    (precision(0), 3666, 2973, 0.545),
    (precision(0.5), 3778, 3050, 0.628),
    (precision(1), 3825, 3079, 0.684),
    (average_precision(0), 3731, 2976, 0.580),
    (average_precision(0.5), 3915, 3209, 0.623),
    (average_precision(1), 4048, 3363, 0.656),
]


@pytest.mark.parametrize(("measure", "at_95", "at_99", "_"), PUBLISHED)
def test_rareness_table_1_is_pairwise_hsd(scores, measure, at_95, at_99, _):
    power = discriminative_power(scores[measure], scores.systems, test="hsd-pairwise")
    assert power.pairs == 8256
    assert abs(power.significant(0.95) - at_95) <= 2
    assert abs(power.significant(0.99) - at_99) <= 2


@pytest.mark.parametrize(
    ("form", "pairs"),
    [(precision, [3035, 2962, 2873]), (average_precision, [3090, 3121, 3110])],
)
def test_what_table_1_does_not_say_with_topics_as_blocks(scores, form, pairs):
    """P_Rareness discriminates fewer pairs as alpha grows, and AP_Rareness hardly changes."""
    got = [
        discriminative_power(scores[form(alpha)], test="tukey-blocks").significant(0.95)
        for alpha in (0, 0.5, 1)
    ]
    assert got == pairs


@pytest.mark.parametrize(("measure", "_", "__", "published"), PUBLISHED)
def test_rareness_table_2_is_stability_with_an_absolute_fuzziness(
    scores, measure, _, __, published
):
    result = stability(scores[measure], topics=25, trials=1000, fuzziness=0.05)
    assert abs(result.value - published) < 0.01


TABLE_3 = [
    (precision(1), 0.970, {4: 0.976, 8: 0.983, 16: 0.987, 32: 0.992, 64: 0.995}),
    (average_precision(1), 0.970, {4: 0.984, 8: 0.985, 16: 0.989, 32: 0.993, 64: 0.996}),
]


@pytest.mark.parametrize(("measure", "of_two", "of_more"), TABLE_3)
def test_rareness_table_3_is_algorithm_1(data, trec8, measure, of_two, of_more):
    scorer = SubsetScorer(trec8, data / "trec8-adhoc" / "qrels.txt.gz", measure)
    # 1000 trials of two systems would have a standard error of .008, so all pairs are evaluated.
    mean = scorer(range(129)).mean(axis=1)
    agreed = []
    for pair in map(list, combinations(range(129), 2)):
        (first, second), (one, other) = mean[pair], scorer(pair).mean(axis=1)
        agreed.append(np.sign(first - second) * np.sign(one - other))
    assert abs(np.mean(agreed) - of_two) < 0.001
    # With many systems the correlations hardly vary, so few trials are enough.
    trials = {4: 500, 8: 200, 16: 50, 32: 20, 64: 10}
    assert set(trials) == set(of_more)
    for size, expected in of_more.items():
        result = system_impact(scorer, scorer.systems, sizes=[size], trials=trials[size])
        assert abs(result.mean[0] - expected) < 0.01, size


@pytest.mark.parametrize("form", [precision, average_precision])
def test_rareness_figure_2_falls_from_1_and_stays_above_9_tenths(scores, form):
    tau = [
        rank_correlation(scores[form(0)], scores[form(alpha)], samples=50).value for alpha in ALPHAS
    ]
    assert tau[0] == pytest.approx(1)
    assert (np.diff(tau) < 0).all()
    assert tau[-1] > 0.9


def test_all_tests_run_on_all_pairs_and_agree_on_the_surest(scores):
    measure = scores[average_precision(1)]
    power = {test: discriminative_power(measure, test=test, resamples=300) for test in TESTS}
    assert {result.pairs for result in power.values()} == {8256}
    means = measure.mean(axis=1)
    surest = Pairs.of(129).differences(means)
    for test, result in power.items():
        assert ((result.p_value > 0) | (not TESTS[test].resamples)).all()
        assert result.p_value[np.abs(surest).argmax()] < 0.01, test


BEST = "prior=others,select=best-per-group"


@pytest.fixture(scope="module")
def dl19(data):
    folder = data / "trec-dl-2019-passage"
    measures = {
        "nDCG": "nDCG@10",
        "NRG": f"NRG({BEST})@10",
        "P_Rareness": "P_Rareness(systems=others)@10",
        "TaSC": f"TaSC({BEST})@10",
    }
    runs = RunSet(str(folder / "runs" / "*.gz"), name="dl19", groups=folder / "groups.csv")
    matrix = evaluate(runs, folder / "qrels.txt.gz", measures.values())
    baseline = np.array([group == "BASELINE" for group in matrix.groups])
    assert baseline.sum() == 8
    return {name: matrix[measure] for name, measure in measures.items()}, baseline


def test_nrg_figures_4_and_5_rareness_and_tasc_follow_ndcg(dl19):
    scores, _ = dl19
    for name, value in (("P_Rareness", 0.853), ("TaSC", 0.907)):
        result = rank_correlation(scores["nDCG"], scores[name])
        assert_allclose(result.value, value, atol=5e-4)
        assert result.interval[0] > 0.7
        assert concordance(scores["nDCG"], scores[name]).conflict == 0


def test_nrg_figure_2_nrg_does_not_follow_ndcg(dl19):
    scores, _ = dl19
    result = rank_correlation(scores["nDCG"], scores["NRG"])
    assert_allclose(result.value, -0.207, atol=5e-4)
    assert result.interval[0] < 0 < result.interval[1]
    assert concordance(scores["nDCG"], scores["NRG"]).conflict == 24


def test_nrg_figure_2_within_groups_nrg_follows_ndcg_for_the_baseline_only(dl19):
    """The paper: "Within each group, NRG generally increases with increasing NDCG"."""
    scores, baseline = dl19
    within, beyond = (
        rank_correlation(scores["nDCG"][runs], scores["NRG"][runs]).value
        for runs in (baseline, ~baseline)
    )
    assert_allclose([within, beyond], [0.714, -0.227], atol=5e-4)
