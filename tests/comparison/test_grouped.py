"""Comparisons within groups of queries: one family over all groups."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, nDCG

from irx_measures import EvaluationWarning, InputError, ScoreMatrix
from irx_measures.plots import leaderboard
from irx_measures.reporting.comparison import comparison_text
from tests.comparison.results import score_matrix, without
from tests.examples import examples
from tests.optional import needs

SIZES = {"en": 12, "de": 5, "fr": 8}
GROUPS = dict(
    zip((f"q{n}" for n in range(25)), (g for g, n in SIZES.items() for _ in range(n)), strict=True)
)


def grouped(measures=2, **more):
    return score_matrix(topics=25, measures=measures, **more).by(GROUPS)


def holm(p):
    """Holm's adjusted p-values, as a slow loop."""
    order, adjusted, largest = sorted(range(len(p)), key=p.__getitem__), [0.0] * len(p), 0.0
    for place, number in enumerate(order):
        largest = max(largest, min(1.0, p[number] * (len(p) - place)))
        adjusted[number] = largest
    return adjusted


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
    result = scores.compare(baseline=baseline, correction=correction)
    rows, expected = [], {}
    for group, frame in separate(scores, baseline=baseline).items():
        for row in frame.itertuples():
            rows.append((group, row.measure, row.system, row.baseline, row.p))
    for one in ("nDCG@10", "AP"):
        # The pair of two baselines stands in the frame twice, and is one hypothesis.
        pairs = {
            (group, measure, frozenset((system, other))): p
            for group, measure, system, other, p in rows
            if measure == one
        }
        p = list(pairs.values())
        adjusted = {
            "holm": holm(p), "bonferroni": [min(1.0, each * len(p)) for each in p], "none": p
        }[correction]  # fmt: skip
        expected |= dict(zip(pairs, adjusted, strict=True))
    frame = result.to_frame()
    assert len(frame) == len(rows)
    for row in frame.itertuples():
        key = row.group, row.measure, frozenset((row.system, row.baseline))
        assert row.p_adjusted == pytest.approx(expected[key], rel=1e-9)


def test_what_one_family_does_not_change_is_that_of_each_group():
    scores = grouped()
    frame = scores.compare().to_frame()
    assert frame.columns[:4].tolist() == ["group", "measure", "system", "baseline"]
    assert frame.group.unique().tolist() == list(SIZES)
    for group, alone in separate(scores).items():
        part = frame[frame.group == group].reset_index(drop=True)
        for column in ("measure", "system", "baseline", "difference", "effect", "p", "wins"):
            assert part[column].tolist() == alone[column].tolist()
    assert scores["en"].compare().to_frame().columns[0] == "measure"


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
    for group in result.groups:
        pairs = every[(every.group == group) & (every.measure == "AP")]
        worse = dict.fromkeys(scores.matrix.systems, 0)
        better = dict(worse)
        for row in pairs[pairs.p_adjusted <= 0.05].itertuples():
            names = (row.system, row.baseline)
            high, low = names if row.difference > 0 else names[::-1]
            better[low] += 1
            worse[high] += 1
        board = result[group].leaderboard("AP")
        assert board.rank_low.tolist() == [1 + better[name] for name in board.system]
        assert board.rank_high.tolist() == [4 - worse[name] for name in board.system]
        assert result[group].topics == SIZES[group]
    boards = result.boards_of("AP").values()
    assert [board.topics for board in boards] == list(SIZES.values())


def test_a_test_with_random_samples_needs_enough_of_them_for_all_groups():
    scores = grouped(measures=1, systems=5)
    with pytest.raises(InputError, match="`resamples` must be at least 599"):
        scores.compare(test="bootstrap", resamples=598)  # 30 hypotheses at .05
    result = scores.compare(test="bootstrap", resamples=599)
    assert result == scores.compare(test="bootstrap", resamples=599)


def test_small_groups_have_means_and_no_tests():
    small = GROUPS | {"q0": "one", "q1": "two", "q2": "two"}
    scores = score_matrix(topics=25).by(small)
    with pytest.warns(EvaluationWarning) as warned:
        result = scores.compare()
    (warning,) = warned
    assert str(warning.message) == (
        "groups of fewer than 3 queries have means but are not compared: 'one', 'two'"
    )
    assert result.groups == ("en", "de", "fr")
    assert result.scores.means().shape == (5, 2 * 5)
    assert set(result.to_frame().group) == {"en", "de", "fr"}
    with pytest.raises(KeyError, match="'one' is not among the groups 'en', 'de', 'fr'"):
        result["one"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "wilcoxon"}, "group 'de': `test` and `correction` must .* 5 topics"),
        ({"baseline": "system9"}, "`baseline` must name one of the 5 systems"),
        ({"level": 2}, "`level` must be a confidence level"),
    ],
)
def test_what_cannot_be_compared_is_an_error(options, message):
    with pytest.raises(InputError, match=message):
        grouped().compare(**options)


def test_too_small_groups_and_too_few_systems_are_errors():
    matrix = score_matrix(topics=6)
    with pytest.raises(InputError, match="at least 3 queries in a group; 3 groups have at most 2"):
        matrix.by({f"q{n}": "abc"[n % 3] for n in range(6)}).compare()
    with pytest.raises(InputError, match="a comparison needs at least 2 systems; got 1"):
        score_matrix(systems=1, topics=25).by(GROUPS).compare()


def test_systems_without_a_score_are_left_out_and_named_once():
    scores = without(score_matrix(topics=25), 1, 0).by(GROUPS)
    with pytest.warns(EvaluationWarning) as warned:
        result = scores.compare()
    assert [str(one.message) for one in warned] == ["left out 'system0': no score on AP"]
    assert "system0" in result["en"].leaderboard("nDCG@10").system.tolist()
    assert "system0" not in result["en"].leaderboard("AP").system.tolist()


def test_summary_names_measure_and_group():
    result = grouped(systems=2).compare(baseline="system1")
    names = [f"{measure}, {group}" for measure in ("nDCG@10", "AP") for group in SIZES]
    for name, found in zip(names, result.findings, strict=True):
        assert found.startswith(f"{name}: system0 is better than system1 by 0.")
        assert "(simultaneous 95% interval" in found
    assert "Holm over 3 comparisons of all groups per measure" in in_one_line(repr(result))


def test_paper_tables_have_a_column_per_measure_and_group():
    result = grouped(systems=3).compare(baseline="system2")
    markdown = result.to_markdown().splitlines()
    columns = [f"{measure}, {group}" for measure in ("nDCG@10", "AP") for group in SIZES]
    assert markdown[0] == f"| System | {' | '.join(columns)} |"
    frame, means = result.to_frame(), result.scores.means()
    chosen = (frame.system == "system0") & (frame.measure == "AP") & (frame.group == "de")
    mark = "<sup>a</sup>" if frame[chosen].p_adjusted.item() <= 0.05 else ""
    row = markdown[2].split(" | ")
    assert row[5] == f"**{means.loc['system0', ('AP', 'de')]:.3f}**{mark}"
    assert "Mean over the topics of each group (en: 12, de: 5, fr: 8)." in markdown[-1]
    assert "Holm over 6 comparisons of all groups per measure" in markdown[-1]
    assert result.to_latex().count(" & ") == 4 * 6
    assert result.to_html().count('<th scope="col">') == 7
    assert "of 3 pairs of systems" in grouped(systems=3, measures=1).compare().to_markdown()


def in_one_line(text):
    return " ".join(text.split())


def test_terminal_has_a_table_per_group():
    result = grouped(measures=1).compare(baseline="system4")
    text = comparison_text(result, "differences", "table", 3)
    for group, size in SIZES.items():
        assert f"nDCG@10, {group} ({size} topics), system minus system4" in text
    assert "of all groups, confidence level 95%." in in_one_line(text)
    assert "does not show that the groups differ" in in_one_line(text)
    boards = comparison_text(result, "leaderboard", "table", 3)
    for group, size in SIZES.items():
        assert f"nDCG@10, {group}, 5 systems, {size} topics" in boards


@needs("matplotlib")
def test_a_group_is_drawn_as_any_comparison():
    result = grouped().compare()
    assert leaderboard(result["en"], AP).get_xlabel() == "AP, mean and 95% interval"


def test_systems_are_ordered_by_their_means_over_all_groups():
    scores = grouped(spread=0.5, seed=5)
    order = scores.compare().ordered_systems(nDCG @ 10)
    means = dict(zip(scores.matrix.systems, scores.matrix["nDCG@10"].mean(axis=1), strict=True))
    assert order == sorted(means, key=lambda name: -means[name])


def test_lower_scores_are_better_where_the_measure_says_so():
    frame = score_matrix(topics=25, measures=1, systems=3).to_frame()
    scores = ScoreMatrix.from_frame(frame, higher_is_better=False).by(GROUPS)
    result = scores.compare(baseline="system0")
    assert result.ordered_systems() == ["system2", "system1", "system0"]
    assert "2 of 2 systems are significantly better than system0" in result.findings[0]
    assert result["en"].leaderboard().system[0] == "system2"
    assert "Lower is better: nDCG@10." in result.to_markdown()
