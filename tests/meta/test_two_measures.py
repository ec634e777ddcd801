"""Two measures: do they rank the systems alike?"""

import numpy as np

from irx_measures.meta.two_measures import two_measures

LABELS = ("nDCG@10", "AP")


def of_two(first, second):
    names = [f"s{place}" for place in range(len(first))]
    return two_measures(names, LABELS, np.array([first, second], float))


def test_tied_systems_share_the_best_of_their_ranks():
    found = of_two([0.5, 0.4, 0.4 + 1e-14, 0.1], [0.1, 0.4, 0.3, 0.4])
    assert found.ranks.tolist() == [[1, 2, 2, 4], [4, 1, 3, 1]]
    assert found.changes.tolist() == [3, -1, 1, -3]
    assert found.most_changed(3) == [0, 3]
    assert of_two([0.5, 0.4], [0.3, 0.2]).most_changed(3) == []
    assert found.best.tolist() == [True, True, False, True]


def test_systems_without_a_score_on_both_are_left_out_and_a_tie_of_all_has_no_tau():
    found = of_two([0.5, 0.4, 0.3], [0.4, np.nan, 0.2])
    assert found.systems == ("s0", "s2")
    assert found.sentence() == "Kendall's τ_b of the two rankings is 1.000."
    assert of_two([0.5, 0.5], [0.4, 0.3]).sentence().endswith(" is -.")


def test_two_measures_agree_if_one_falls_where_the_other_rises():
    means = np.array([[0.1, 0.2, 0.3], [9.0, 5.0, 1.0]])
    found = two_measures(("a", "b", "c"), ("accuracy", "seconds"), means, rising=(True, False))
    assert found.tau == 1.0
    assert found.front.tolist() == [False, False, True]
