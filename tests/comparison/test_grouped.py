"""Comparisons within groups of queries: one family over all groups."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import nDCG

import irx_measures
from irx_measures import EvaluationWarning
from irx_measures.exceptions import InputError
from irx_measures.plots import leaderboard
from irx_measures.reporting.comparison import comparison_output
from irx_measures.results.tables import MARKUPS
from irx_measures.stats.decisions import corrected
from tests.comparison.results import matrix_of, score_matrix, without
from tests.examples import examples

SIZES = {"en": 12, "de": 5, "fr": 8}
GROUPS = dict(
    zip((f"q{n}" for n in range(25)), (g for g, n in SIZES.items() for _ in range(n)), strict=True)
)


def grouped(measures=2, **more):
    return score_matrix(topics=25, measures=measures, **more).by(GROUPS)


@pytest.mark.parametrize("baseline", [None, ["system2", "system0"]])
@pytest.mark.parametrize("groups", [True, False])
def test_a_renamed_comparison_is_that_of_renamed_scores(groups, baseline):
    names = {"system0": "BM25", "system2": "ours"}
    scores = grouped(systems=4) if groups else score_matrix(topics=25, systems=4)
    renamed = scores.compare(baseline=baseline).renamed(names)
    named = baseline and [names[name] for name in baseline]
    expected = scores.renamed(names).compare(baseline=named)
    assert renamed == expected
    assert renamed.findings == expected.findings
    assert renamed.to_frame().equals(expected.to_frame())
    if not groups:
        assert renamed.paper_table() == expected.paper_table()


NRG_AND_NDCG = ["NRG(prior=bm25base_p)@10", "nDCG@10"]


@pytest.mark.slow
def test_measures_of_a_comparison_have_other_names_for_people(tmp_path):
    scores = matrix_of(score_matrix(systems=3, topics=25).scores, NRG_AND_NDCG)
    result = scores.compare(baseline="s2").renamed({"NRG@10": "Residual (ours)", "s2": "BM25"})
    irx_measures.report(result, tmp_path / "it.html")
    page = re.sub("<script.*?</script>", "", (tmp_path / "it.html").read_text(encoding="utf-8"))
    tables = [
        comparison_output(result, each, "table", 3).text for each in ("differences", "scores")
    ]
    drawn = leaderboard(result, "NRG@10")
    texts = [*tables, *map(result.paper_table, MARKUPS), drawn.get_xlabel(), result.summary]
    for text in texts:
        assert "Residual (ours)" in text
        assert "NRG" not in text
    assert page.count("NRG") == page.count(f"Residual (ours) = {NRG_AND_NDCG[0]}") == 1
    assert set(result.to_frame().measure) == {*NRG_AND_NDCG}
    assert result.board("NRG@10").label == "Residual (ours)"


def test_runs_inside_measures_have_their_new_names():
    scores = matrix_of(score_matrix(systems=3, topics=25).scores, NRG_AND_NDCG)
    named = scores.renamed({"s0": "bm25base_p"})
    result = named.compare(baseline="bm25base_p").renamed({"bm25base_p": "BM25"})
    assert "NRG(prior=BM25)@10" in result.summary
    assert "bm25base_p" not in result.paper_table("markdown") + result.summary


def test_an_untested_baseline_has_its_new_name():
    with pytest.warns(EvaluationWarning, match="not tested: 'system3'"):
        result = without(score_matrix(systems=4), 0, 3).compare(baseline="system3")
    assert "not tested: BM25 has no score" in result.renamed({"system3": "BM25"}).summary


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"NRG": "x"}, "`names` must be of systems or measures with scores; got 'NRG'"),
        ({"nDCG@11": "x"}, "got 'nDCG@11'; did you mean 'nDCG@10'?"),
        ({"AP": "nDCG@10"}, "`names` must keep measures apart; got 'nDCG@10' for 2 of them"),
        ({"system0": ""}, "non-empty strings as values; got '' for 'system0'"),
        ({"AP": 3}, "`names` must have non-empty strings as values; got 3 for 'AP'"),
    ],
)
def test_renaming_measures_names_what_is_wrong(names, message):
    with pytest.raises((InputError, TypeError), match=re.escape(message)):
        score_matrix().compare().renamed(names)


def separate(scores, **options):
    """The comparison of each group alone, without a correction."""
    return {
        group: scores[group].compare(correction="none", **options).to_frame()
        for group in scores.groups
    }


@settings(max_examples=examples(20))
@given(
    st.integers(0, 10_000),
    st.sampled_from([None, "system1", ["system0", "system2"]]),
    st.sampled_from(["holm", "bonferroni", "none"]),
)
def test_one_family_covers_the_hypotheses_of_all_groups(seed, baseline, correction):
    scores = grouped(systems=4, seed=seed)
    frame = scores.compare(baseline=baseline, correction=correction).to_frame()
    alone = separate(scores, baseline=baseline)
    assert len(frame) == sum(map(len, alone.values()))
    for measure, rows in frame.groupby("measure"):
        # The pair of two baselines stands in the frame twice, and is one hypothesis.
        p = {
            (group, frozenset((row.system, row.baseline))): row.p
            for group, tests in alone.items()
            for row in tests[tests.measure == measure].itertuples()
        }
        adjusted = corrected(np.array(list(p.values())), correction)
        expected = dict(zip(p, adjusted, strict=True))
        for row in rows.itertuples():
            key = row.group, frozenset((row.system, row.baseline))
            assert row.p_adjusted == pytest.approx(expected[key], rel=1e-9)


def test_what_one_family_does_not_change_is_that_of_each_group():
    scores = grouped()
    result = scores.compare()
    frame = result.to_frame()
    assert frame.columns[:4].tolist() == ["group", "measure", "system", "baseline"]
    assert frame.group.unique().tolist() == list(SIZES) == list(result.groups)
    for group, alone in separate(scores).items():
        part = frame[frame.group == group].reset_index(drop=True)
        for column in ("measure", "system", "baseline", "difference", "effect", "p", "wins"):
            assert part[column].tolist() == alone[column].tolist()
    assert scores.compare() == result


def test_intervals_are_those_of_bonferroni_over_all_groups():
    from scipy.stats import t

    scores = grouped(measures=1, systems=3)
    for row in scores.compare().to_frame().itertuples():
        values = dict(zip(scores.matrix.systems, scores[row.group]["nDCG@10"], strict=True))
        difference = values[row.system] - values[row.baseline]
        n, hypotheses = len(difference), 3 * 3
        half = t.isf(0.025 / hypotheses, n - 1) * difference.std(ddof=1) / np.sqrt(n)
        expected = difference.mean() - half, difference.mean() + half
        assert (row.lower, row.upper) == pytest.approx(expected)


def test_the_leaderboard_of_a_group_comes_from_the_tests_of_all_groups():
    scores = grouped(systems=4, spread=0.3)
    result = scores.compare()
    every = result.to_frame()
    for group, board in result.boards_of("AP").items():
        tests = every[(every.group == group) & (every.measure == "AP")]
        frame = result[group].leaderboard("AP")
        assert frame.system.tolist() == list(board.systems)
        rejected = int((tests.p_adjusted <= 0.05).sum())
        assert (4 - frame.rank_high).sum() == (frame.rank_low - 1).sum() == rejected
        assert result[group].topics == board.topics == SIZES[group]
    assert 0 < result.significant < len(every)


def test_small_groups_have_means_and_no_tests():
    scores = score_matrix(topics=25).by(GROUPS | {"q0": "one", "q1": "two", "q2": "two"})
    with pytest.warns(EvaluationWarning, match="of fewer than 3 queries .*: 'one', 'two'"):
        result = scores.compare()
    assert result.groups == ("en", "de", "fr")
    assert result.grouped.means().shape == (5, 2 * 5)
    assert set(result.to_frame().group) == {"en", "de", "fr"}


def test_systems_without_a_score_are_left_out_and_named_once():
    scores = without(score_matrix(topics=25), 1, 0).by(GROUPS)
    with pytest.warns(EvaluationWarning) as warned:
        result = scores.compare()
    assert [str(one.message) for one in warned] == ["not compared: 'system0' has no score on AP"]
    assert "system0" in result["en"].leaderboard("nDCG@10").system.tolist()
    assert "system0" not in result["en"].leaderboard("AP").system.tolist()


def test_a_column_of_a_table_is_a_measure_in_a_group():
    result = grouped(systems=2).compare(baseline="system1")
    head, _, first, *_, caption = result.paper_table("markdown").splitlines()
    names = [f"{measure}, {group}" for measure in ("nDCG@10", "AP") for group in SIZES]
    heads = ["System", *names]
    assert [cell.strip() for cell in head.strip("|").split("|")] == heads
    mean = result.grouped.means().loc["system0", ("AP", "de")]
    assert f"**{mean:.3f}**" in first.split(" | ")[5]
    assert "(en: 12, de: 5, fr: 8)" in caption


def test_systems_are_ordered_by_their_means_over_all_groups():
    scores = grouped(spread=0.5, seed=5)
    order = scores.compare().ordered_systems(nDCG @ 10)
    means = dict(zip(scores.matrix.systems, scores.matrix["nDCG@10"].mean(axis=1), strict=True))
    assert order == sorted(means, key=lambda name: -means[name])


def test_a_group_counts_by_its_queries_in_the_order_of_the_systems():
    """The first system is better by .1 on 20 queries, and worse by .3 on the 5 of one group."""
    noise = np.random.default_rng(0).normal(0, 1e-3, 25)
    gain = np.array([-0.3 if group == "de" else 0.1 for group in GROUPS.values()])
    result = matrix_of([gain + noise, 0 * gain]).by(GROUPS).compare()
    assert result.ordered_systems() == ["s0", "s1"]
    of_groups = [float(board.mean[board.place["s0"]]) for board in result.boards]
    assert sum(of_groups) < 0


def test_three_queries_are_enough_for_a_group():
    scores = score_matrix(topics=25).by(GROUPS | {"q0": "three", "q1": "three", "q2": "three"})
    result = scores.compare()  # without a warning
    assert result.groups == ("three", "en", "de", "fr")
    assert result["three"].topics == 3


def test_the_plan_of_a_pair_has_a_row_per_group():
    result = grouped().compare()
    plan = result.topics_needed("system0", "system1")
    assert plan.group.tolist() == [*SIZES, *SIZES]
    for group in SIZES:
        alone = result[group].topics_needed("system0", "system1")
        assert plan[plan.group == group].topics.tolist() == alone.topics.tolist()


def test_the_differences_within_groups_are_shown_as_a_terminal_shows_them():
    result = grouped(systems=3, measures=1).compare(baseline="system0")
    _, _, head, *rows = repr(result).splitlines()
    assert head.split() == [
        "group",
        "measure",
        "system",
        "mean",
        "difference",
        "interval",
        "adj.",
        "p",
        "w/t/l",
    ]
    assert [row.split()[1] for row in rows] == ["en", "en", "de", "de", "fr", "fr"]
    pairs = repr(grouped(systems=3, measures=1).compare())
    assert "other" in pairs
