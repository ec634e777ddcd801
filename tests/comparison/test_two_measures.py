"""Two measures: ranks, Kendall's tau and the Pareto front."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.comparison.two_measures import two_measures

LABELS = ("nDCG@10", "AP")


def of(first, second):
    names = [f"s{place}" for place in range(len(first))]
    return two_measures(names, LABELS, np.array([first, second], float))


def test_tied_systems_share_the_best_of_their_ranks():
    found = of([0.5, 0.4, 0.4 + 1e-14, 0.1], [0.1, 0.4, 0.3, 0.4])
    assert found.ranks.tolist() == [[1, 2, 2, 4], [4, 1, 3, 1]]
    assert found.changes.tolist() == [3, -1, 1, -3]
    assert found.most_changed(3) == [0, 3, 1]
    assert of([0.5, 0.4], [0.3, 0.2]).most_changed(3) == []
    assert found.best.tolist() == [True, True, False, True]


def test_systems_without_a_score_on_both_are_left_out_and_a_tie_of_all_has_no_tau():
    found = of([0.5, 0.4, 0.3], [0.4, np.nan, 0.2])
    assert found.systems == ("s0", "s2")
    assert found.sentence() == "Kendall's tau_b of the two rankings is 1.000."
    assert of([0.5, 0.5], [0.4, 0.3]).sentence().endswith(" is -.")


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 2), min_size=1, max_size=12))
def test_the_front_is_what_no_other_system_beats(drawn):
    beaten = [any(x >= a and y >= b and (x > a or y > b) for x, y in drawn) for a, b in drawn]
    assert of(*np.array(drawn, float).T).front.tolist() == [not one for one in beaten]
