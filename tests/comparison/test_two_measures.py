"""Two measures: the sentence follows from the numbers, and no Pareto point is off an axis."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.common.writing import Writing
from irx_measures.comparison.two_measures import two_measures

LABELS = ("nDCG@10", "AP")

SAME = "Both measures rank the systems in the same order."


def of(first, second, baselines=()):
    names = [f"s{place}" for place in range(len(first))]
    return two_measures(names, LABELS, np.array([first, second], float), baselines)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([], [], "is undefined: no system has scores on both measures."),
        ([0.5], [0.4], "is undefined: only one system has scores on both measures."),
        ([0.5, 0.4], [0.4, np.nan], "is undefined: only one system has scores on both measures."),
        ([0.5, 0.5], [0.4, 0.3], "is undefined: both systems have the same nDCG@10."),
        ([0.5, 0.4, 0.1], [0.3] * 3, "is undefined: all 3 systems have the same AP."),
        ([0.5] * 3, [0.3] * 3, "all 3 systems have the same nDCG@10 and the same AP."),
        ([0.5, 0.4, 0.1], [0.3, 0.2, 0.1], f"of the two rankings is 1.000. {SAME}"),
        ([0.5, 0.4, 0.4], [0.3, 0.2, 0.2], f"of the two rankings is 1.000. {SAME}"),
        ([0.5, 0.4, 0.4 + 1e-14], [0.3, 0.2, 0.2], f"of the two rankings is 1.000. {SAME}"),
        ([0.5, 0.4, 0.4], [0.3, 0.2, 0.1], "of the two rankings is 0.816."),
        ([0.5, 0.4, 0.3], [0.1, 0.2, 0.3], "of the two rankings is -1.000."),
    ],
)
def test_the_sentence(first, second, said):
    sentence = of(first, second).sentence()
    assert sentence.startswith("Kendall's tau_b ")
    assert sentence.endswith(said)
    assert (SAME in sentence) == (SAME in said)


def test_tied_systems_share_the_best_of_their_ranks():
    found = of([0.5, 0.4, 0.4, 0.1], [0.1, 0.4, 0.3, 0.4])
    assert found.ranks.tolist() == [[1, 2, 2, 4], [4, 1, 3, 1]]
    assert found.changes.tolist() == [3, -1, 1, -3]
    assert found.most_changed(3) == [0, 3, 1]
    assert of([0.5, 0.4], [0.3, 0.2]).most_changed(3) == []
    assert found.best.tolist() == [True, True, False, True]


means = st.lists(st.tuples(*[st.integers(0, 9)] * 2), min_size=1, max_size=12)


@given(means, st.integers(0, 11))
def test_the_front_the_best_and_baselines_are_on_the_axes(drawn, baseline):
    first, second = np.array(drawn, float).T ** 3
    found = of(first, second, [f"s{baseline}"])
    names = np.array(found.systems)
    beaten = [any(x >= a and y >= b and (x > a or y > b) for x, y in drawn) for a, b in drawn]
    assert found.front.tolist() == [not one for one in beaten]
    assert found.shown[found.front].all()
    assert found.shown[(first == first.max()) | (second == second.max())].all()
    assert found.shown[names == f"s{baseline}"].all()
    for (low, high), values in zip(found.ends, (first, second), strict=True):
        assert (low, high) == (values[found.shown].min(), values[found.shown].max())
    assert len(found.off_axis()) == np.count_nonzero(~found.shown)
    assert (found.sentence().endswith(SAME)) == (
        found.ranks[0].tolist() == found.ranks[1].tolist() and len(set(found.ranks[0])) > 1
    )


def test_a_low_system_is_off_both_axes_and_named():
    high = [0.5, 0.52, 0.54, 0.56, 0.58]
    found = of([*high, 0.01], [*high, 0.02])
    assert found.shown.tolist() == [True] * 5 + [False]
    assert found.off_axis() == ["s5 (0.010, 0.020)"]
    assert found.off_axis(Writing(str.upper)) == ["S5 (0.010, 0.020)"]
    assert of([*high, 0.01], [*high, 0.02], ["s5"]).shown.all()
    assert of([*high, 0.01], [*high, 0.9]).shown.all()  # the best of the second measure
