"""The picture of a judging campaign's progress."""

from dataclasses import replace

import numpy as np
import pytest

from irx_measures import InputError
from irx_measures.judging.planning.state import JudgingState

pytest.importorskip("matplotlib")

from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from irx_measures import plots
from irx_measures.plots.style import ABOVE


def states(probabilities, **more):
    """A look after every 10 judgments of 80."""
    state = JudgingState("ranking", "ranking settled", "a > b", 0.0, 0.9, 0, 80, 1, False)
    return [
        replace(state, judged=10 * number, probability=one, claimed=one >= 0.9, **more)
        for number, one in enumerate(probabilities)
    ]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_dots_and_line_are_the_looks_and_the_filled_ones_are_enough():
    ax = plots.judging_progress(states([0.1, 0.4, 0.92, 0.85, 0.97]))
    looks = [[0, 0.1], [10, 0.4], [20, 0.92], [30, 0.85], [40, 0.97]]
    level, line = ax.get_lines()
    assert_allclose(line.get_xydata(), looks)
    assert_allclose(level.get_ydata(), 0.9)
    dots, drop = ax.collections
    assert_allclose(dots.get_offsets(), looks)
    filled = [to_hex(colour) == ABOVE for colour in dots.get_facecolors()]
    assert filled == [False, False, True, False, True]
    assert_allclose(np.array(drop.get_segments()), [[[20, 0], [20, 0.92]]])
    assert texts(ax) == ["0.9", "20 judged (25%)"]
    assert ax.get_xlim() == (0, 80)


def test_a_campaign_that_goes_on_has_no_stop():
    ax = plots.judging_progress(states([0.1, 0.4]))
    assert len(ax.collections) == 1
    assert texts(ax) == ["0.9"]
    title = ax.get_title(loc="left").replace("\n", " ")
    assert title.startswith("10 of 80 judged (12%); P(ranking settled) 0.40. Filled")


def test_the_best_system_is_named_and_its_name_is_no_tex():
    history = states([0.1, 0.95], question="best", claim="no system is better", answer="$b$")
    assert plots.judging_progress(history).get_title(loc="left").startswith(r"\$b\$: 10 of 80")


def test_one_look_is_drawn_and_none_is_refused():
    assert len(plots.judging_progress(states([0.3])).collections[0].get_offsets()) == 1
    with pytest.raises(InputError, match="`history` must hold at least one result to draw"):
        plots.judging_progress([])


def test_systems_that_cannot_differ_have_an_axis():
    assert plots.judging_progress([replace(states([1.0])[0], pool=0)]).get_xlim() == (0, 1)


def test_given_axes_are_used():
    ax = Figure().add_subplot()
    assert plots.judging_progress(states([0.3, 0.99]), ax) is ax
