"""The Pareto front against its definition on all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.meta import pareto_front
from irx_measures.plots import pareto_front as draw

points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)


def beaten(point, others):
    cost, score = point
    return any(c <= cost and s >= score and (c < cost or s > score) for c, s in others)


@given(points)
def test_a_point_is_on_the_front_unless_another_beats_it(drawn):
    cost, score = [c for c, _ in drawn], [s for _, s in drawn]
    front = pareto_front(cost, score)
    assert front.on_front.tolist() == [not beaten(point, drawn) for point in drawn]
    assert (np.diff(front.cost[front.order]) >= 0).all()
    assert (np.diff(front.score[front.order]) >= 0).all()


def test_the_picture_has_every_point_and_the_front_as_a_line():
    pytest.importorskip("matplotlib")
    front = pareto_front([1, 2, 3, 4], [0.5, 0.7, 0.6, 0.9])
    ax = draw(front, ["a", "a", "b", "b"])
    offsets = np.concatenate([np.asarray(marker.get_offsets()) for marker in ax.collections])
    assert offsets.tolist() == [[1, 0.5], [2, 0.7], [3, 0.6], [4, 0.9]]
    line, *_ = ax.get_lines()
    steps = list(zip(line.get_xdata().tolist(), line.get_ydata().tolist(), strict=True))
    assert line.get_drawstyle() == "steps-post"
    assert steps[1:-1] == [(1, 0.5), (2, 0.7), (4, 0.9)]  # the first and the last end at the axes
    assert sorted(text.get_text() for text in ax.texts) == ["a", "a", "b"]  # the front is named
