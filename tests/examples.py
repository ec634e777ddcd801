"""How many examples a test has: random ones by the profile of hypothesis, cases in the gate."""

import pytest
from hypothesis import settings

IN_THE_GATE = 25
IN_PROFILE = {"gate": IN_THE_GATE, "quick": 10, "thorough": 1000}


def examples(in_the_gate: int) -> int:
    """The number of examples of a test that does not draw as many as others in `scripts/test`.

    The profiles ``quick`` and ``thorough`` draw fewer and more, as they do in other tests.
    """
    return max(1, round(in_the_gate * settings().max_examples / IN_THE_GATE))


def in_turn(first, second):
    """All pairs, as parameters of a test; in the gate, each of `first` with one of `second`."""
    second = list(second)
    return [
        pytest.param(one, other, marks=() if place % len(second) == turn else pytest.mark.whole)
        for place, one in enumerate(first)
        for turn, other in enumerate(second)
    ]
