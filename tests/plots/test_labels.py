"""Names beside points: each belongs to the point that is nearest to it."""

from functools import cache

import numpy as np
import pytest
from matplotlib.text import Text

from irx_measures import ScoreMatrix, evaluate, meta, plots, simulate_campaign
from irx_measures.common.placing import place_names
from tests.doubts import MISSED_QUERIES
from tests.plots.scenes import groups_of

pytestmark = pytest.mark.slow

SIMULATED = "nDCG@10", "NRG(prior=others)@10"


@cache
def simulated():
    campaign = simulate_campaign(systems=24)
    return evaluate(campaign.qrels, campaign.runs, SIMULATED)


@cache
def passages(data):
    return scores_of(data / "trec-dl-2019-passage")


@cache
def news(data):
    return scores_of(data / "trec8-adhoc")


def scores_of(folder):
    return evaluate(folder / "qrels.txt.gz", f"{folder}/runs/*.gz", ["nDCG@10", "AP", "RR"])


def some_of(matrix, count):
    """This number of systems from everywhere in the matrix, or all if it has not more."""
    systems = len(matrix.systems)
    places = np.unique(np.linspace(0, systems - 1, min(count, systems)).astype(int))
    chosen = tuple(matrix.systems[place] for place in places)
    return ScoreMatrix(matrix.measures, chosen, matrix.query_ids, matrix.scores[:, places])


def scatter(matrix, *measures):
    return lambda width: plots.system_scatter(matrix, *measures, width=width)


def in_groups(matrix, *measures):
    grouped = ScoreMatrix(
        matrix.measures, matrix.systems, matrix.query_ids, matrix.scores, groups_of(matrix)
    )
    return scatter(grouped, *measures)


def front(matrix, of):
    """Costs that grow with the score, so that about half of the points are on the front."""
    score = matrix[of].mean(axis=1)
    cost = np.exp(6 * score + np.random.default_rng(1).normal(0, 0.3, len(score)))
    found = meta.pareto_front(cost, score, matrix.systems)
    return lambda width: plots.pareto_front(found, measure=of, cost="ms", width=width)


KINDS = {
    "passages": lambda data, count: scatter(some_of(passages(data), count), "nDCG@10", "AP"),
    "by RR": lambda data, count: scatter(some_of(passages(data), count), "nDCG@10", "RR"),
    "news": lambda data, count: scatter(some_of(news(data), count), "AP", "RR"),
    "simulated": lambda data, count: scatter(some_of(simulated(), count), *SIMULATED),
    "groups": lambda data, count: in_groups(some_of(passages(data), count), "nDCG@10", "AP"),
    "simulated groups": lambda data, count: in_groups(some_of(simulated(), count), *SIMULATED),
    "front": lambda data, count: front(some_of(passages(data), count), "nDCG@10"),
}


def markers(ax):
    """The middles of all markers, and their radius with the line around them, in pixels."""
    dots = ax.collections
    middles = [each.get_offset_transform().transform(each.get_offsets()) for each in dots]
    size = max(np.sqrt(each.get_sizes()).max() + each.get_linewidths().max() for each in dots)
    return np.concatenate(middles), size / 2 * ax.figure.dpi / 72


def distances(box, points):
    """From a box to points, 0 inside it."""
    low, high = (box.x0, box.y0), (box.x1, box.y1)
    return np.hypot(*np.maximum(0, np.maximum(low - points, points - high)).T)


@MISSED_QUERIES
@pytest.mark.parametrize("width", [3.3, 7.0])
@pytest.mark.parametrize("count", [12, 129])
@pytest.mark.parametrize("kind", KINDS)
def test_a_name_is_nearest_to_its_own_point_and_on_no_other(kind, count, width, data):
    ax = KINDS[kind](data, count)(width)
    ax.figure.draw_without_rendering()
    points, radius = markers(ax)
    names = [text for text in ax.texts if text.get_text()]
    for name in names:
        away = distances(Text.get_window_extent(name), points)
        own = np.hypot(*(points - ax.transData.transform(name.xy)).T) < 1e-6
        assert own.any()
        assert away[own].max() <= away.min()
        assert away[~own].min() > radius
    assert len(names) >= 5


def test_names_without_a_place_are_left_out_and_the_first_ones_stay():
    frame = 0.0, 0.0, 100.0, 100.0
    close = np.array([[50.0, 50.0], [51.0, 50.0], [20.0, 20.0], [20.0, 20.0]])
    names = dict.fromkeys((0, 2, 3), (20.0, 8.0))
    placed = place_names(close, names, 3, 4, frame)
    assert [*placed] == [0, 2, 3]  # a name of two points at one place belongs to both
    assert placed[0][2] <= 47  # left of both: right of them, the other is nearer
    ring = 50 + 9 * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, 1], [1, -1]])
    assert [*place_names(ring, {0: (20.0, 8.0), 1: (20.0, 8.0)}, 3, 4, frame)] == [1]
    assert not place_names(close, {0: (101.0, 8.0)}, 3, 4, frame)
    wall = np.array([[30.0, 0.0], [30.0, 100.0]])
    (at,) = place_names(close[2:3], {0: (20.0, 8.0)}, 3, 4, frame, wall).values()
    assert at[2] <= 30
