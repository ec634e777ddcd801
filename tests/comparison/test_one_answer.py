"""One question has one answer, wherever it is shown: Python, terminal, notebook, report, plots."""

import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib import colors

import irx_measures
from irx_measures import EvaluationWarning
from irx_measures.comparison.words import AROUND_0, NOT_SIGNIFICANT, leading, pairs_differ
from irx_measures.plots import leaderboard
from irx_measures.plots.style import ABOVE
from irx_measures.reporting.comparison import comparison_output
from irx_measures.results.tables import MARKUPS
from tests.comparison.results import MEASURES, changed, matrix_of, score_matrix, without


def counted(text):
    """How many systems may be the best, as a text says by naming the first of them."""
    words = one_line(re.sub("<[^>]*>", "\n", text))
    found = set(re.findall(r"(?:system\d+, )*system\d+ and (?:system\d+|\d+ more) may be", words))
    (names,) = found
    more = re.search(r"(\d+) more", names)
    return len(re.findall(r"system\d", names)) + (int(more[1]) if more else 0)


def dots_of_report(page):
    table = re.search(r'<table class="board.*?</table>', page, re.DOTALL)[0]
    return table.count('<circle class="best"')


def page_of(result, path):
    irx_measures.report(result, path)
    return path.read_text(encoding="utf-8")


def texts_of_report(result, path):
    """The page without its data and script."""
    return re.sub("<script.*?</script>", "", page_of(result, path), flags=re.DOTALL)


def one_line(text):
    return " ".join(text.split())


def texts_drawn(ax):
    return [text.get_text() for text in ax.texts]


def dots_of_plot(ax):
    filled = ax.collections[1].get_facecolors()
    return sum(colors.same_color(colour, ABOVE) for colour in filled)


@pytest.mark.slow
def test_dots_ranks_and_the_sentence_count_the_same_systems(tmp_path):
    result = score_matrix(systems=6, measures=1, spread=0.5, seed=2).compare()
    frame = result.leaderboard()
    best = int((frame.rank_low == 1).sum())
    assert 1 < best < 6
    assert int(frame.best.sum()) == counted(result.summary) == best
    page = page_of(result, tmp_path / "it.html")
    assert counted(page) == dots_of_report(page) == best
    ax = leaderboard(result)
    assert counted(ax.irx_caption) == dots_of_plot(ax) == best


@pytest.mark.slow
def test_a_baseline_has_one_family_at_every_door(tmp_path):
    matrix = score_matrix(systems=6, measures=1, spread=0.5, seed=2)
    result = matrix.compare(baseline="system2")
    frame = result.to_frame().set_index("system")
    p, shown = frame.p_adjusted["system1"], f"{frame.p_adjusted['system1']:.3f}"
    assert p != pytest.approx(matrix.compare().difference("system1", "system2").p_adjusted)
    assert result.board().reference["p_adjusted"][result.board().place["system1"]] == p
    assert shown in comparison_output(result, "differences", "table", 3).text
    assert shown in repr(result)
    better = int(((frame.p_adjusted <= 0.05) & (frame.difference > 0)).sum())
    found = f"{better} of 5 systems are significantly better than system2"
    page = page_of(result, tmp_path / "it.html")
    assert f'class="r p">{shown[1:]}<' in page
    ax = leaderboard(result)
    said = ax.irx_caption
    (right,) = ax.child_axes
    assert shown in [text.get_text() for text in right.get_yticklabels()]
    assert dots_of_plot(ax) == result.significant
    for text in (result.summary, repr(result), page, said):
        words = one_line(text)
        assert found in words
        assert "Holm over 5 comparisons" in words or text == result.summary
        assert "15 comparisons" not in text
        assert "may be the best" not in text


@pytest.mark.slow
@pytest.mark.parametrize(("correction", "count"), [("holm", 1), ("bonferroni", 0)])
def test_an_interval_that_contains_0_is_told_at_every_door(tmp_path, correction, count):
    matrix = score_matrix(measures=1, spread=0.3, seed=2)
    result = matrix.compare(baseline="system3", correction=correction)
    tests = result.to_frame()
    contains_0 = (tests.lower <= 0) & (tests.upper >= 0)
    assert ((tests.p_adjusted <= 0.05) & contains_0).sum() == count
    for text in (
        comparison_output(result, "differences", "table", 3).text,
        texts_of_report(result, tmp_path / "it.html"),
        leaderboard(result).irx_caption,
    ):
        assert one_line(text).count(AROUND_0) == count


@pytest.mark.slow
def test_a_measure_on_which_the_baseline_has_no_score_keeps_its_means_at_every_door(tmp_path):
    matrix = without(score_matrix(systems=4), 0, 3)
    with pytest.warns(EvaluationWarning, match="^not tested: 'system3' has no score on nDCG@10$"):
        result = matrix.compare(baseline="system3")
    shown = [comparison_output(result, each, "table", 3).text for each in ("differences", "scores")]
    page = texts_of_report(result, tmp_path / "it.html")
    tables = [*shown, *map(result.paper_table, MARKUPS), page]
    caption = leaderboard(result, "nDCG@10").irx_caption
    for text in (*tables, result.summary, repr(result), caption):
        words = one_line(text)
        assert "not tested: system3 has no score on it" in words
        assert "left out" not in words.lower()
    for mean in matrix.scores[0, :3].mean(axis=1):
        assert all(f"{mean:.3f}"[1:] in text for text in tables)
    assert set(result.to_frame().measure) == {"AP"}
    assert result.leaderboard("nDCG@10").system.tolist() == ["system0", "system1", "system2"]
    assert [part.in_family for part in result.tested] == [3]


def test_of_groups_one_may_be_untested():
    scores = score_matrix(systems=4, topics=12, measures=1)
    groups = scores.by({query: "ab"[place < 6] for place, query in enumerate(scores.query_ids)})
    parts = dict(zip(groups.groups, groups.parts, strict=True))
    parts["a"] = changed(parts["a"], np.s_[0, 3], np.nan)
    groups = replace(groups, parts=tuple(parts.values()))
    result = groups.compare(baseline="system3")
    untested, tested = (result[group].findings[0] for group in ("a", "b"))
    assert untested == "nDCG@10, a: not tested: system3 has no score on it"
    assert "of 3 systems" in tested
    drawn = texts_drawn(leaderboard(result))
    assert "a (6 topics); not tested: system3 has no score on it" in drawn


def test_two_baselines_are_one_hypothesis_shown_from_both_sides():
    matrix = score_matrix(systems=2, measures=1, topics=8)
    one, both = (matrix.compare(baseline=name) for name in ("system0", ["system0", "system1"]))
    alone, rows = one.to_frame(), both.to_frame()
    assert len(rows) == 2
    assert rows.p_adjusted.tolist() == [alone.p_adjusted[0]] * 2 == [alone.p[0]] * 2
    assert rows.difference.tolist() == pytest.approx([alone.difference[0], -alone.difference[0]])
    assert rows.lower.tolist() == pytest.approx([alone.lower[0], -alone.upper[0]])
    assert both.tested[0].in_family == 1
    assert both.summary == one.summary
    every = score_matrix(systems=5, measures=1).compare()
    sides = every.matrix.compare(baseline=every.matrix.systems)
    assert sides.tested[0].in_family == 10
    assert sides.significant == every.significant


def equal_systems(systems, topics=8):
    return matrix_of(np.tile(np.linspace(0.2, 0.8, topics), (systems, 1)), ["nDCG@10"])


def apart(systems):
    """Systems all of which differ."""
    matrix = equal_systems(systems, 20)
    noise = 0.001 * np.random.default_rng(0).random((systems, 20))
    return changed(matrix, 0, matrix.scores[0] - (np.arange(systems)[:, np.newaxis] + noise))


@pytest.mark.parametrize("baseline", [None, "s0", ["s0", "s1"]])
@pytest.mark.parametrize("falling", [False, True])
def test_of_two_systems_the_sentence_says_which_is_better_and_by_how_much(baseline, falling):
    matrix = apart(2)
    if falling:
        matrix = irx_measures.ScoreMatrix.from_frame(
            matrix.to_frame().assign(measure="seconds"), higher_is_better=False
        )
    row = matrix.compare(baseline="s1").to_frame().iloc[0]
    names = ("s1", "s0") if falling else ("s0", "s1")
    (measure,) = matrix.measures
    assert matrix.compare(baseline=baseline).findings == [
        f"{measure}: {names[0]} is better than {names[1]} by {row.difference:.3f} (95% interval "
        f"{row.lower:.3f} to {row.upper:.3f}; adjusted p <.001)"
    ]
    assert "Holm over 1 comparison, confidence" in repr(matrix.compare(baseline=baseline))


@pytest.mark.slow
@pytest.mark.parametrize("baseline", [None, "s1"])
@pytest.mark.parametrize(("scores", "count"), [(apart, 0), (equal_systems, 1)])
def test_brackets_are_explained_at_every_door_where_there_are_some(
    tmp_path, baseline, scores, count
):
    result = scores(4).compare(baseline=baseline)
    page = one_line(texts_of_report(result, tmp_path / "it.html"))
    assert page.count(NOT_SIGNIFICANT) == count
    kinds = ["differences"] if baseline else ["differences", "leaderboard"]
    texts = [comparison_output(result, kind, "table", 3).text for kind in kinds]
    for text in (*texts, repr(result)):
        assert text.count("(...): not significant.") == count


@pytest.mark.parametrize("baseline", [None, "system2"])
@pytest.mark.parametrize("macro", [None, "queries"])
def test_python_explains_its_columns_as_a_terminal_does(baseline, macro):
    scores = score_matrix(systems=4, topics=60, measures=1)
    result = scores.compare(baseline=baseline)
    if macro:
        groups = {query: "abc"[place % 3] for place, query in enumerate(scores.query_ids)}
        result = scores.by(groups).compare(macro=macro, baseline=baseline)
    shown = comparison_output(result, "differences" if baseline else "leaderboard", "table", 3)
    legend = one_line(shown.text.split("\n\n")[-1]).partition("Tests: ")[2]
    said = repr(result).partition("tests: ")[2].partition("\n")[0]
    brackets = "(...): not significant. "
    assert legend.replace(brackets, "") == said.replace(brackets, "")
    assert ("p others: adjusted p" in said) == bool(macro and baseline)


def test_the_sentence_counts_what_differs_and_who_leads():
    assert equal_systems(2).compare().findings == ["nDCG@10: s0 and s1 score the same on 8 topics"]
    four = equal_systems(4).compare()
    assert four.summary == (
        "nDCG@10: 0 of 6 pairs of systems differ significantly; any of the 4 systems may be the "
        "best: no system is significantly better"
    )
    assert leading(four.board()) == "s0, s1, s2 and s3 share the highest nDCG@10, 0.500"
    five = apart(6)
    five = changed(five, np.s_[0, :5], five.scores[0, 0])
    assert leading(five.compare().board()).startswith("s0, s1, s2, s3 and s4 share the")
    one = equal_systems(9, 20)
    is_odd = np.arange(20) % 2
    one = changed(one, np.s_[0, 0], one.scores[0, 0] + np.where(is_odd, 0.1, 0.12))
    one = changed(one, np.s_[0, 1:8], one.scores[0, 1:8] + np.where(is_odd, 0.3, -0.2))
    (tested,) = one.compare().tested
    assert pairs_differ(tested) == "1 of 36 pairs of systems differs significantly"


RULED_OUT = "may be the best: no system is significantly better; the tests rule out the other"


@pytest.mark.parametrize(
    ("best", "of", "sentence"),
    [
        (1, 4, "s0 is significantly better than each of the other 3 systems"),
        (2, 3, f"s0 and s1 {RULED_OUT} one"),
        (3, 5, f"s0, s1 and s2 {RULED_OUT} 2"),
        (4, 6, f"s0, s1 and 2 more {RULED_OUT} 2"),
    ],
)
def test_the_sentence_names_up_to_three_systems_that_may_be_the_best(best, of, sentence):
    matrix = apart(of)
    matrix = changed(matrix, np.s_[0, :best], matrix.scores[0, 0])
    found = matrix.compare()
    assert found.findings[0].partition("; ")[2] == sentence
    assert int(found.leaderboard().best.sum()) == best


def test_the_only_candidate_is_not_called_better_than_a_system_from_which_it_does_not_differ():
    over_s1 = np.array([-0.04, -0.02, 0.05, 0.2, 0.28, 0.21, 0.24, 0.13])
    s1_over_s2 = np.array([-0.005, 0.06, -0.085, 0.26, 0.13, 0.13, 0.19, 0.19])
    matrix = equal_systems(3)
    below_s0 = np.array([0 * over_s1, over_s1, over_s1 + s1_over_s2])
    matrix = changed(matrix, 0, matrix.scores[0] - below_s0)
    found = matrix.compare(test="wilcoxon", correction="none")
    assert found.difference("s0", "s2").p_adjusted > 0.05
    assert found.findings[0].partition("; ")[2] == f"only s0 {RULED_OUT} 2"


def test_the_sentence_counts_better_and_worse_apart_from_those_that_do_not_differ():
    names = ("base", "high", "higher", "low", "same")
    noise = np.random.default_rng(4).normal(0, 0.01, (len(names), 20))
    scores = np.array([0.5, 0.7, 0.8, 0.3, 0.5])[:, np.newaxis] + noise
    topics = tuple(f"q{number}" for number in range(20))
    matrix = irx_measures.ScoreMatrix(MEASURES[:1], names, topics, scores[np.newaxis])
    assert matrix.compare(baseline="base").findings == [
        "nDCG@10: 2 of 4 systems are significantly better than base, 1 significantly worse"
    ]
