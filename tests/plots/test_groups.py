"""The plot of groups of queries draws the values of the result."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib import colors
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from irx_measures.plots import group_means, save
from irx_measures.plots.style import ABOVE
from tests.comparison.results import score_matrix, without

GROUPS = {f"q{n}": "short" if n < 12 else "long" for n in range(30)}


@pytest.fixture(scope="module", params=[None, "system2"], ids=["all pairs", "baseline"])
def result(request):
    return score_matrix(systems=5, spread=0.3).by(GROUPS).compare(baseline=request.param)


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_every_group_has_the_values_and_intervals_of_all_systems(result, tmp_path):
    ax, systems = group_means(result, "AP"), result.ordered_systems("AP")
    shown = [name for name in systems if name not in result.baselines]
    assert labels(ax) == ["short (12 topics)", *shown, "long (18 topics)", *shown]
    bold = [label.get_text() for label in ax.get_yticklabels() if label.get_weight() == "bold"]
    assert bold == ["short (12 topics)", "long (18 topics)"]
    drawn = [c for c in ax.collections if len(c.get_offsets()) == len(shown)]
    ends = [c for c in ax.collections if len(c.get_paths()) == len(shown)]
    for number, group in enumerate(["short", "long"]):
        if result.baselines:
            frame = result[group].to_frame()
            rows = frame[frame.measure == "AP"].set_index("system").loc[shown]
            values, filled = rows.difference, rows.p_adjusted <= 0.05
        else:
            rows = result[group].leaderboard("AP").set_index("system").loc[shown]
            values, filled = rows["mean"], rows.best
        place = (len(shown) + 1) * number + 1 + np.arange(len(shown))
        assert_allclose(drawn[number].get_offsets(), np.column_stack([values, place]))
        segments = np.array(ends[number].get_segments())
        assert_allclose(segments[:, :, 0], rows[["lower", "upper"]])
        colour = [colors.same_color(one, ABOVE) for one in drawn[number].get_facecolors()]
        assert colour == filled.tolist()
    about = " minus that of system2, simultaneous" if result.baselines else ", mean and"
    assert ax.get_xlabel() == f"AP{about} 95% interval"
    save(ax, tmp_path / "groups.png")
    assert (tmp_path / "groups.png").stat().st_size > 5000


def test_the_text_says_how_the_groups_were_tested(result):
    said = group_means(result, "AP").get_title(loc="left").replace("\n", " ")
    best = "Filled dots: no system is significantly better in the group (two-sided paired t test"
    assert said.startswith("Filled dots: significant (two-s" if result.baselines else best)
    hypotheses = 8 if result.baselines else 20
    assert f"over {hypotheses} comparisons of all groups, confidence level 95%)." in said


def test_a_system_without_a_score_has_no_row():
    scores = without(score_matrix(systems=3), 0, 1).by(GROUPS)
    with pytest.warns(match="left out 'system1'"):
        result = scores.compare()
    assert "system1" not in labels(group_means(result, "nDCG@10"))


def test_many_groups_fit():
    scores = score_matrix(systems=30, topics=60).by({f"q{n}": f"group{n % 20}" for n in range(60)})
    ax = group_means(scores.compare(), "AP")
    assert ax.figure.get_size_inches()[1] <= 62
    named = [text for text in labels(ax) if text.startswith("system")]
    assert len(labels(ax)) == 20 + len(named)
    each = len(named) // 20
    assert f"There is room for the names of {each} of 30 systems." in ax.irx_caption


def test_the_best_of_very_many_systems_are_drawn_and_the_text_says_so():
    scores = score_matrix(systems=203, measures=1).by(GROUPS)
    ax = group_means(scores.compare())
    assert len(labels(ax)) == 2 * (1 + 200)
    assert "Shown: the best 200 of 203 systems by nDCG@10" in ax.get_title(loc="left").replace(
        "\n", " "
    )


def test_names_in_low_axes_stand_apart():
    scores = score_matrix(systems=37, topics=8).by({f"q{n}": f"group{n % 2}" for n in range(8)})
    axes = Figure(figsize=(3.3, 2.5), layout="constrained").add_subplot()
    ax = group_means(scores.compare(), "AP", axes)
    ax.figure.draw_without_rendering()
    assert [text for text in labels(ax) if "topics" in text] == [
        "group0 (4 topics)",
        "group1 (4 topics)",
    ]
    boxes = [text.get_window_extent() for text in ax.get_yticklabels()]
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))
