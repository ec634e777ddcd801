"""compare(): every number against scipy and statsmodels, and through every way in."""

from dataclasses import replace
from inspect import signature
from math import gamma
from typing import get_type_hints

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures import (
    NRG,
    EvaluationWarning,
    GroupedScores,
    RunSet,
    compare,
    evaluate,
    simulate_campaign,
)
from irx_measures.meta import discriminative_power
from irx_measures.reporting.comparison import comparison_output
from irx_measures.stats.planning import hedges_g, topics_needed
from irx_measures.typing import How
from tests.comparison.results import matrix_of
from tests.doubts import OWN_PRIOR
from tests.oracles import meta as oracle

CAMPAIGN = simulate_campaign(systems=7, queries=12, seed=3)

MATRIX = evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, ["nDCG@10", "AP", "NRG(prior=others)@10"])


def random_matrix(seed, systems=5, topics=9, measures=("AP",)):
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 0.3, (len(measures), systems, 1))
    return matrix_of(quality + rng.random((len(measures), systems, topics)), measures)


def scores_of(matrix, measure, system):
    return matrix[measure][matrix.systems.index(system)]


@pytest.mark.slow
def test_the_frame_has_a_row_per_pair_with_the_numbers_of_scipy_and_statsmodels():
    from statsmodels.stats.multitest import multipletests

    table = MATRIX.compare().to_frame()
    assert list(table) == [
        "measure", "system", "baseline", "difference", "lower", "upper", "effect", "p",
        "p_adjusted", "wins", "ties", "losses", "mean", "baseline_mean", "significant",
    ]  # fmt: skip
    assert len(table) == 3 * 21
    for _, rows in table.groupby("measure", sort=False):
        for row in rows.itertuples():
            one, other = (
                scores_of(MATRIX, row.measure, name) for name in (row.system, row.baseline)
            )
            test = stats.ttest_rel(one, other)
            assert_allclose(row.difference, (one - other).mean(), atol=1e-15)
            assert_allclose(row.p, test.pvalue, rtol=1e-10)
            assert_allclose([row.effect], hedges_g((one - other)[np.newaxis]), rtol=1e-12)
            interval = test.confidence_interval(1 - 0.05 / 21)
            assert_allclose([row.lower, row.upper], list(interval), rtol=1e-9, atol=1e-12)
            assert (row.mean, row.baseline_mean) == (one.mean(), other.mean())
            assert row.significant == (row.p_adjusted <= 0.05)
            assert row.wins == (one > other).sum()
            assert row.losses == (one < other).sum()
            assert row.wins + row.ties + row.losses == 12
        assert_allclose(rows.p_adjusted, multipletests(rows.p, method="holm")[1], rtol=1e-12)


@pytest.mark.parametrize("test", ["t", "moderated-t"])
@pytest.mark.parametrize("correction", ["none", "bonferroni"])
@pytest.mark.parametrize("seed", range(3))
def test_intervals_exclude_0_exactly_where_the_hypothesis_is_rejected(seed, correction, test):
    table = random_matrix(seed).compare(correction=correction, test=test, level=0.9).to_frame()
    excludes_0 = (table.lower > 0) | (table.upper < 0)
    assert_array_equal(excludes_0, table.p_adjusted <= 0.1)


def test_the_leaderboard_says_what_is_tied():
    result = MATRIX.select("nDCG@10").compare()
    board = result.leaderboard()
    assert list(board) == [
        "system", "mean", "lower", "upper", "rank_low", "rank_high", "best", "letters",
    ]  # fmt: skip
    assert_allclose(board["mean"], sorted(MATRIX["nDCG@10"].mean(axis=1), reverse=True))
    table = result.to_frame()
    table["rejected"] = table.p_adjusted <= 0.05
    letters = dict(zip(board.system, board.letters, strict=True))
    for row in board.itertuples():
        better = worse = 0
        for pair in table[table.rejected].itertuples():
            if row.system in (pair.system, pair.baseline):
                wins = (pair.difference > 0) == (pair.system == row.system)
                worse += wins
                better += not wins
        assert (row.rank_low, row.rank_high) == (1 + better, 7 - worse)
    for pair in table.itertuples():
        share = bool(set(letters[pair.system]) & set(letters[pair.baseline]))
        assert share != pair.rejected


def test_the_interval_of_a_mean_is_that_of_t():
    for row in MATRIX.select("AP").compare().leaderboard().itertuples():
        interval = stats.ttest_1samp(scores_of(MATRIX, "AP", row.system), 0).confidence_interval()
        assert_allclose([row.lower, row.upper], list(interval), rtol=1e-10)


@pytest.mark.parametrize("how", [{"baseline": "lexical-a"}, {"correction": "bh"}])
def test_ranks_belong_to_all_pairs_and_to_corrections_of_each_decision(how):
    plain, other = MATRIX.select("AP").compare(), MATRIX.select("AP").compare(**how)
    means = ["system", "mean", "lower", "upper"]
    pd.testing.assert_frame_equal(other.leaderboard()[means], plain.leaderboard()[means])
    assert not {"rank_low", "rank_high", "best"} & {*other.leaderboard()}
    assert ("letters" in other.leaderboard()) == ("correction" in how)
    assert "may be the best" not in other.summary + repr(other)


def test_bh_is_scipys_and_has_no_intervals():
    table = MATRIX.select("AP").compare(correction="bh").to_frame()
    assert_allclose(table.p_adjusted, stats.false_discovery_control(table.p), rtol=1e-12)
    assert table[["lower", "upper"]].isna().all(axis=None)
    holm = MATRIX.select("AP").compare()
    assert MATRIX.select("AP").compare(correction="bh").significant >= holm.significant > 0


def test_a_level_may_be_in_percent():
    assert MATRIX.compare(level=90) == MATRIX.compare(level=0.9)
    assert MATRIX.compare(level=99.9).method.level == 0.999


@pytest.mark.parametrize(
    ("level", "steps"), [(0.95, [0.05, 0.01, 0.001]), (0.99, [0.01, 0.001]), (0.9995, [0.0005])]
)
def test_the_thresholds_of_p_begin_with_that_of_the_tests(level, steps):
    assert MATRIX.select("AP").compare(level=level).tested[0].thresholds == steps


@OWN_PRIOR
def test_a_system_without_a_score_is_left_out_of_that_measure_alone():
    measures = ["NRG(prior='lexical-a')@10", "AP"]
    with pytest.warns(EvaluationWarning, match="not compared: 'lexical-a' has no score") as told:
        result = compare(CAMPAIGN.qrels, CAMPAIGN.runs, measures)
    (line,) = (str(one.message) for one in told if "no score" in str(one.message))
    assert line.endswith(f"on {result.matrix.measures[0]}: it is its own only prior")
    assert "lexical-a" not in set(result.leaderboard(measures[0]).system)
    assert "lexical-a" in set(result.leaderboard("AP").system)
    assert [part.in_family for part in result.tested] == [15, 21]
    how = "own only prior; omit `baseline` to test the other systems against each other on it$"
    with pytest.warns(EvaluationWarning, match=f"not tested: 'lexical-a' has no score .*{how}"):
        against = compare(CAMPAIGN.qrels, CAMPAIGN.runs, measures, baseline="lexical-a")
    assert set(against.to_frame().measure) == {"AP"}
    means = ["system", "mean", "lower", "upper"]
    pd.testing.assert_frame_equal(
        against.leaderboard(measures[0]), result.leaderboard(measures[0])[means]
    )


def test_topics_needed_is_one_plan_per_measure():
    plan = MATRIX.compare().topics_needed("lexical-a", "dense-a")
    assert list(plan) == ["measure", "difference", "effect", "p", "topics", "topics_safe"]
    assert list(plan.measure) == [str(measure) for measure in MATRIX.measures]
    one, other = (scores_of(MATRIX, "AP", name) for name in ("lexical-a", "dense-a"))
    row = plan.set_index("measure").loc["AP"]
    assert_allclose([row.difference, row.p], [(one - other).mean(), stats.ttest_rel(one, other)[1]])
    assert (plan.topics_safe >= plan.topics).all()


def test_comparisons_of_the_same_scores_are_equal():
    one, other = MATRIX.compare(), MATRIX.compare()
    assert one == other
    assert hash(one) == hash(other)
    assert one != MATRIX.compare(correction="none")


@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
def test_equal_systems_never_differ(correction):
    scores = np.tile(np.random.default_rng(0).random(10), (3, 1))
    result = matrix_of(scores).compare(correction=correction)
    assert (result.to_frame().p_adjusted == 1).all()
    assert list(result.leaderboard().letters) == ["a", "a", "a"]


# The moderated t test


@pytest.mark.parametrize("baseline", [None, "lexical-a"])
def test_p_values_and_intervals_of_moderated_t_are_those_of_the_loops(baseline):
    matrix = MATRIX.select("AP")
    result = matrix.compare(
        test="moderated-t", correction="bonferroni", baseline=baseline, prior_topics=6
    )
    frame = result.to_frame()
    rows = np.array(
        [
            scores_of(matrix, "AP", row.system) - scores_of(matrix, "AP", row.baseline)
            for row in frame.itertuples()
        ]
    )
    assert_allclose(frame["p"], oracle.moderated_p_values(rows.tolist(), 6))
    critical = stats.t.isf(0.05 / len(rows) / 2, 11)
    half = critical * np.sqrt(np.array(oracle.moderated_variances(rows.tolist(), 6)) / 12)
    assert_allclose(frame["upper"] - frame["difference"], half)
    if baseline is None:
        power = discriminative_power(matrix.scores[0], test="moderated-t", prior_topics=6)
        frame = matrix.compare(test="moderated-t", prior_topics=6).to_frame()
        assert_allclose(power.p_value, frame["p_adjusted"])


def test_no_prior_is_the_t_test_in_every_column():
    plain, without = (
        MATRIX.compare(test=test, prior_topics=0).to_frame() for test in ("t", "moderated-t")
    )
    pd.testing.assert_frame_equal(plain, without)


def test_the_moderated_t_test_never_plans_fewer_topics():
    names = MATRIX.systems[:2]
    plain = MATRIX.compare().topics_needed(*names)
    result = MATRIX.compare(test="moderated-t", prior_topics=30)
    moderated = result.topics_needed(*names)
    assert (moderated["topics"] >= plain["topics"]).all()
    assert (moderated["p"] >= plain["p"]).all()
    assert_allclose(moderated["effect"], plain["effect"])
    unadjusted = result.to_frame().set_index(["measure", "system", "baseline"])["p"]
    for row in moderated.itertuples():
        assert row.p == pytest.approx(unadjusted[(row.measure, *names)])


def test_the_plan_of_the_moderated_t_test_is_that_of_the_effect_with_its_variance():
    matrix = random_matrix(2, systems=4, topics=12)
    result = matrix.compare(test="moderated-t", prior_topics=30)
    frame = result.to_frame()
    first, second = (
        np.array([scores_of(matrix, "AP", name) for name in frame[side]])
        for side in ("system", "baseline")
    )
    difference = first - second
    moderated = np.array(oracle.moderated_variances(difference.tolist(), 30))
    ratio = np.sqrt(difference.var(axis=1, ddof=1) / moderated)
    assert (ratio < 0.99).any()
    expected = np.array(topics_needed(hedges_g(difference) * ratio, 12, 0.95))
    for place, row in enumerate(frame.itertuples()):
        (plan,) = result.topics_needed(row.system, row.baseline).itertuples()
        assert [plan.topics, plan.topics_safe] == expected[:, place].tolist()
        assert plan.p == pytest.approx(row.p)


@pytest.mark.parametrize("step", [0.25, 0.1])  # of which one is not exact
def test_the_plan_of_equal_differences(step):
    """Student's t needs as few topics as a test can have, and a moderated variance more."""
    topic = np.arange(8) / 8
    scores = [topic + step, topic, topic, topic[::-1]]
    plain, moderated = (matrix_of(scores).compare(test=test) for test in ("t", "moderated-t"))
    assert plain.topics_needed("s0", "s1")["topics"].tolist() == [2]
    variances = oracle.moderated_variances(
        [np.subtract(scores[i], scores[j]).tolist() for i, j in oracle.pairs(4)],
        moderated.method.prior_topics,
    )
    correction = gamma(7 / 2) / gamma(6 / 2) / np.sqrt(7 / 2)
    effect = np.array([correction * step / np.sqrt(variances[0])])
    (plan,) = moderated.topics_needed("s0", "s1").itertuples()
    assert [plan.topics, plan.topics_safe] == np.ravel(topics_needed(effect, 8, 0.95)).tolist()
    assert 2 < plan.topics < np.inf
    for result in (plain, moderated):
        assert result.topics_needed("s1", "s2")["topics"].tolist() == [np.inf]


# Tables of all pairs


def test_pairs_that_differ_come_first_and_then_the_larger_differences():
    matrix = random_matrix(1, systems=6, topics=10)
    scores = np.concatenate([matrix.scores[0], matrix.scores[0][::2, ::-1]])  # and equal means
    result = matrix_of(scores).compare()
    frame = result.to_frame()
    decided, size = frame.p_adjusted <= 0.05, frame.difference.abs().round(12)
    assert 0 < decided.sum() < len(frame)
    assert len(size.unique()) < len(frame) - 3
    assert not (frame.difference[~decided] >= 0).all()
    expected = frame.loc[np.lexsort((-size, ~decided)), ["system", "baseline"]]
    lines = comparison_output(result, "differences", "table", 3).text.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("---")) + 1
    shown = [line.split()[:2] for line in lines[start : start + len(frame)]]
    assert shown == expected.to_numpy().tolist()


def test_a_measure_has_the_label_that_tables_show():
    """At every method and picture that takes a measure, and in what is printed of groups."""
    prior = RunSet({"bm25": {"q": {"A": 1.0}}})
    two = MATRIX.select(["nDCG@10", "AP"])
    scores = replace(two, measures=(NRG(prior=prior) @ 10, two.measures[1]))
    result, name = scores.compare(), "NRG@10"
    for named in (name, "NRG(prior=bm25)@10", scores.measures[0]):
        assert result.measure(named) == scores.measures[0]
        assert result.board(named) is result.boards[0]
        assert result.leaderboard(named).system.tolist() == list(result.boards[0].systems)
    systems = result.ordered_systems(name)
    assert result.difference(*systems[:2], name).board.measure == scores.measures[0]
    half = len(scores.query_ids) // 2
    grouped = scores.by(dict(zip(scores.query_ids, ["low", "high"] * half, strict=True)))
    assert (grouped["low"][name] == grouped["low"].scores[0]).all()
    assert grouped.compare()["low"].leaderboard(name).system.nunique() == len(systems)
    for shown in (scores, grouped, result, grouped.compare()):
        assert "NRG(prior=bm25)@10" in repr(shown)
        assert "#" not in repr(shown)


def test_the_methods_hand_on_parameters_of_the_function():
    assert {*get_type_hints(How), "macro"} <= {*signature(compare).parameters}


@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
def test_one_door_compares_runs_scores_groups_and_collections(tmp_path):
    given = (CAMPAIGN.qrels, CAMPAIGN.runs, ["nDCG@10", "AP"])
    how = {"rename": {"lexical-a": "BM25"}, "baseline": "lexical-a"}
    scores = evaluate(*given)
    plain = compare(*given, **how)
    assert plain == scores.compare(baseline="lexical-a").renamed(how["rename"])
    assert plain == compare(scores=scores, **how)
    table = scores.to_frame()
    assert (
        compare(scores=table, measures="AP")
        .to_frame()
        .equals(scores.select("AP").compare().to_frame())
    )
    groups = {query: "ab"[place % 2] for place, query in enumerate(scores.query_ids)}
    for macro in (None, "none", "queries"):
        grouped = compare(*given, by=groups, macro=macro)
        assert grouped == scores.by(groups).compare(macro=macro)
        assert grouped.macro == (macro if macro == "queries" else None)
    other = simulate_campaign(systems=7, queries=8, seed=4)
    pairs = {"one": (CAMPAIGN.qrels, CAMPAIGN.runs), "two": (other.qrels, other.runs)}
    made = compare(collections=pairs, measures=given[2])
    parts = {name: evaluate(*pair, given[2]) for name, pair in pairs.items()}
    assert made == GroupedScores.of(parts).compare()
    assert made.macro == "queries"
    CAMPAIGN.write(tmp_path / "one")
    other.write(tmp_path / "two")
    folders = [tmp_path / "one", tmp_path / "two"]
    again = compare(collections=folders, measures=given[2], macro="none")
    assert {*again["two"].matrix.systems} == {*made.matrix.systems}
