"""The Pareto front against its definition on all pairs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.meta import pareto_front

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
