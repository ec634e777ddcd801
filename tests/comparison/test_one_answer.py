"""One question has one answer, wherever it is shown: Python, terminal, notebook, report, plots."""

import re

import numpy as np
import pytest
from matplotlib import colors

import irx_measures
from irx_measures.common.screen import ASCII, Screen
from irx_measures.comparison.findings import against_baselines, leading, may_be_best, pairs_differ
from irx_measures.plots import leaderboard, significance_pairs
from irx_measures.plots.style import ABOVE
from irx_measures.reporting.comparison import differences_text
from irx_measures.reporting.leaderboard import leaderboards_text
from tests.comparison.results import MEASURES, score_matrix

COLLECTIONS = {"trec-dl-2019-passage": 60, "trec8-adhoc": 60}  # random sets of runs


def subsets(data, folder, count):
    """Comparisons of 3 to 8 random runs."""
    matrix = irx_measures.evaluate(
        str(data / folder / "runs" / "*"), data / folder / "qrels.txt.gz", ["nDCG@10"]
    )
    rng = np.random.default_rng(7)
    for _ in range(count):
        some = sorted(rng.choice(len(matrix.systems), rng.integers(3, 9), replace=False).tolist())
        names = tuple(matrix.systems[place] for place in some)
        part = irx_measures.ScoreMatrix(
            matrix.measures, names, matrix.query_ids, matrix.scores[:, some]
        )
        yield part.compare(baseline=names[0] if rng.random() < 0.3 else None)


def counted(text):
    """How many systems may be the best, as a text says."""
    (count,) = set(re.findall(r"(\d+) of \d+ systems may be the best", " ".join(text.split())))
    return int(count)


def dots_of_terminal(text):
    return sum(bool(re.search(r"\d\.\d{3}\*", line)) for line in text.splitlines())


def dots_of_strips(text):
    rows = re.findall(r"^ *[\d-]+  \S+ +0\.\d{3}  (.*)$", text, re.MULTILINE)
    return sum("*" in row for row in rows)


def dots_of_notebook(html):
    return html.count("<circle") - html.count('class="o"')


def dots_of_report(page):
    table = re.search(r'<table class="board.*?</table>', page, re.DOTALL)[0]
    return table.count('<circle class="best"')


def dots_of_plot(ax):
    filled = ax.collections[1].get_facecolors()
    return sum(colors.same_color(colour, ABOVE) for colour in filled)


@pytest.mark.slow
def test_dots_ranks_and_the_sentence_count_the_same_systems(data, tmp_path):
    for folder, count in COLLECTIONS.items():
        for number, result in enumerate(subsets(data, folder, count)):
            frame = result.leaderboard()
            best = int((frame.rank_low == 1).sum())
            assert int(frame.best.sum()) == best
            text = leaderboards_text(result, Screen(100, explains=True), 3)
            drawn = leaderboards_text(result, Screen(100, ASCII, True), 3)
            said = result.summary if not result.baselines else text
            html = result._repr_html_()
            assert counted(said) == dots_of_terminal(text) == best
            assert dots_of_strips(drawn) == dots_of_notebook(html) == best
            if number % 20:  # pictures take longer
                continue
            irx_measures.report(result, tmp_path / "it.html")
            page = (tmp_path / "it.html").read_text(encoding="utf-8")
            assert counted(page) == dots_of_report(page) == best
            ax = leaderboard(result)
            assert counted(ax.get_title(loc="left")) == dots_of_plot(ax) == best


def adjusted_p(result, system):
    frame = result.to_frame()
    return float(frame[frame.system == system].p_adjusted.iloc[0])


def test_a_baseline_has_one_family_at_every_door(tmp_path):
    matrix = score_matrix(systems=6, measures=1, spread=0.5, seed=2)
    result = matrix.compare(baseline="system2")
    every = {row.system: row for row in matrix.compare().to_frame().itertuples()}
    place = result.board().place["system1"]
    p = adjusted_p(result, "system1")
    assert result.board().reference.p_adjusted[place] == p
    assert every["system1"].p_adjusted != pytest.approx(p)
    assert result.board().tested_of("system1", "system2") is result.tested[0]
    assert result.board().tested_of("system1", "system3").in_family == 15
    shown = f"{p:.3f}"
    (row,) = re.findall(r"^.*system1 .*$", leaderboards_text(result, Screen(100), 3), re.MULTILINE)
    assert row.endswith(shown)
    assert shown in differences_text(result, Screen(100), 3)
    assert shown in repr(result)
    for compared, options in [(result, {}), (matrix.compare(), {"baseline": "system2"})]:
        irx_measures.report(compared, tmp_path / "it.html", **options)
        page = (tmp_path / "it.html").read_text(encoding="utf-8")
        (row,) = re.findall(r"<tr[^>]*>\s*<td[^>]*>[^<]*</td>\s*<th[^>]*>.*?system1.*?</tr>", page,
                            re.DOTALL)  # fmt: skip
        assert f'class="r p">{shown[1:]}<' in row
        both = "differences to system2: Holm over 5 comparisons; ranks: Holm over 15 comparisons"
        assert both in page
    said = leaderboard(result).get_title(loc="left").replace("\n", " ")
    assert "ranks (two-sided paired t test, Holm over 15 comparisons" in said  # nothing else


def test_two_baselines_are_one_hypothesis_shown_from_both_sides():
    matrix = score_matrix(systems=2, measures=1, topics=8)
    one, both = (matrix.compare(baseline=name) for name in ("system0", ["system0", "system1"]))
    alone, rows = one.to_frame(), both.to_frame()
    assert len(rows) == 2
    assert rows.p_adjusted.tolist() == [alone.p_adjusted[0]] * 2 == [alone.p[0]] * 2
    assert rows.difference.tolist() == pytest.approx([alone.difference[0], -alone.difference[0]])
    assert rows.lower.tolist() == pytest.approx([alone.lower[0], -alone.upper[0]])
    assert both.tested[0].in_family == 1
    assert both.significant == one.significant
    for correction in ("bonferroni", "maxt"):
        every = score_matrix(systems=5, measures=1).compare(correction=correction)
        names = every.matrix.systems
        sides = every.matrix.compare(baseline=names, correction=correction)
        assert sides.tested[0].in_family == 10
        assert sides.significant == every.significant
        p = {
            frozenset((row.system, row.baseline)): row.p_adjusted
            for row in every.to_frame().itertuples()
        }
        for row in sides.to_frame().itertuples():
            assert p[frozenset((row.system, row.baseline))] == pytest.approx(row.p_adjusted)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_shades_follow_the_level(level, tmp_path):
    result = score_matrix(systems=8, measures=1, spread=0.4).compare(level=level)
    (cells,) = significance_pairs(result).collections
    coloured = int((np.ma.filled(cells.get_array(), 0) > 0).sum())
    assert coloured == result.significant
    keys = [text.get_text() for text in significance_pairs(result).get_legend().get_texts()]
    assert keys[:2] == [f"above {1 - level:g}", f"at most {1 - level:g}"]
    irx_measures.report(result, tmp_path / "it.html")
    page = (tmp_path / "it.html").read_text(encoding="utf-8")
    assert f"above {1 - level:g}".replace("0.", ".") in page
    assert f"{result.significant} of 28 pairs of systems" in page


def equal_systems(systems, topics=8):
    return irx_measures.ScoreMatrix(
        MEASURES[:1],
        tuple(f"s{number}" for number in range(systems)),
        tuple(f"q{number}" for number in range(topics)),
        np.tile(np.linspace(0.2, 0.8, topics), (1, systems, 1)),
    )


def apart(systems):
    """Systems all of which differ."""
    matrix = equal_systems(systems, 20)
    matrix.scores[0] -= np.arange(systems)[:, np.newaxis] + 0.001 * np.random.default_rng(0).random(
        (systems, 20)
    )
    return matrix


@pytest.mark.parametrize(
    ("matrix", "pairs", "best", "lead"),
    [
        (equal_systems(4), "0 of 6 pairs of systems differ significantly",
         "4 of 4 systems may be the best: no system is significantly better",
         "All 4 systems have the same nDCG@10, 0.500"),
        (equal_systems(2), "the two systems do not differ significantly",
         "2 of 2 systems may be the best: no system is significantly better",
         "Both systems have the same nDCG@10, 0.500"),
        (apart(2), "the two systems differ significantly",
         "1 of 2 systems may be the best: the other system is significantly worse",
         "s0 has the highest nDCG@10, 0.499"),
        (apart(3), "3 of 3 pairs of systems differ significantly",
         "1 of 3 systems may be the best: every other system is significantly worse",
         "s0 has the highest nDCG@10, 0.499"),
    ],
)  # fmt: skip
def test_sentences_are_true_with_ties_and_with_two_systems(matrix, pairs, best, lead):
    result = matrix.compare()
    board = result.board()
    assert pairs_differ(result.tested[0]) == pairs
    assert may_be_best(board) == best
    assert leading(board).startswith(lead)
    assert result.summary == f"nDCG@10: {pairs}; {best}"


def test_some_systems_share_the_highest_mean():
    matrix = apart(6)
    matrix.scores[0, 1:3] = matrix.scores[0, 0]
    assert leading(matrix.compare().board()).startswith("s0, s1 and s2 share the highest nDCG@10")
    matrix.scores[0, :5] = matrix.scores[0, 0]
    assert leading(matrix.compare().board()).startswith("s0, s1, s2, s3 and 1 more share the")


def test_one_pair_that_differs_is_singular():
    matrix = equal_systems(9, 20)
    matrix.scores[0, 0] += np.where(np.arange(20) % 2, 0.1, 0.12)
    matrix.scores[0, 1:8] += np.where(np.arange(20) % 2, 0.3, -0.2)
    tested = matrix.compare().tested[0]
    assert tested.significant == 1
    assert pairs_differ(tested) == "1 of 36 pairs of systems differs significantly"


def test_one_system_against_one_baseline_is_named():
    for matrix, found in [
        (apart(2), ["s1 is significantly worse than s0", "s0 is significantly better than s1"]),
        (equal_systems(2), ["s1 and s0 do not differ", "s0 and s1 do not differ"]),
    ]:
        for baseline, words in zip(("s0", "s1"), found, strict=True):
            result = matrix.compare(baseline=baseline)
            assert result.summary.startswith(f"nDCG@10: {words}")
        both = matrix.compare(baseline=["s0", "s1"])
        assert against_baselines(both.tested[0], both.baselines).startswith(found[0])
        assert ";" not in against_baselines(both.tested[0], both.baselines)


def test_a_p_value_at_alpha_is_significant_for_compare_and_power():
    rng = np.random.default_rng(1)
    scores = np.array([5 + rng.random(30), rng.random(30)])
    matrix = irx_measures.ScoreMatrix(
        MEASURES[:1], ("a", "b"), tuple(map(str, range(30))), scores[np.newaxis]
    )
    how = {"test": "randomisation", "resamples": 19, "correction": "none", "level": 0.95}
    result = matrix.compare(**how)
    power = irx_measures.meta.discriminative_power(scores, **how)
    assert result.to_frame().p.tolist() == power.p_value.tolist() == [0.05]
    assert result.significant == power.significant(0.95) == 1


@pytest.mark.parametrize("end", ["baseline", "best"])
def test_the_best_and_the_baseline_are_never_off_the_axis(end, tmp_path):
    matrix = score_matrix(systems=20, measures=1, spread=0.01)
    matrix.scores[0] = 0.5 + 0.1 * matrix.scores[0]
    place = 19 if end == "baseline" else 0
    matrix.scores[0, place] += -0.45 if end == "baseline" else 0.45
    name = matrix.systems[place]
    result = matrix.compare(baseline=name if end == "baseline" else None)
    board = result.board()
    assert board.on_axis.all()
    assert "off the axis" not in leaderboards_text(result, Screen(100, ASCII, True), 3)
    assert all("off the axis" not in text.get_text() for text in leaderboard(result).texts)
    irx_measures.report(result, tmp_path / "it.html")
    assert "off the axis" not in (tmp_path / "it.html").read_text(encoding="utf-8")


def test_the_same_system_is_off_the_axis_at_every_door(tmp_path):
    matrix = score_matrix(systems=8, measures=1, spread=0.01)
    matrix.scores[0] = 0.5 + 0.1 * matrix.scores[0]
    matrix.scores[0, 7] -= 0.45
    result = matrix.compare()
    assert np.flatnonzero(~result.board().on_axis).tolist() == [7]
    drawn = leaderboards_text(result, Screen(100, ASCII, True), 3)
    (row,) = (line for line in drawn.splitlines() if "system7" in line)
    assert "o" not in row
    assert "off the axis" in drawn
    (said,) = (t.get_text() for t in leaderboard(result).texts if "off the axis" in t.get_text())
    irx_measures.report(result, tmp_path / "it.html")
    page = (tmp_path / "it.html").read_text(encoding="utf-8")
    assert page.count("off the axis") == 1
    assert f"{result.board().mean[7]:.3f}" in said
    assert result._repr_html_().count("<circle") == 7
