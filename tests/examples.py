"""How many random examples a test draws, in proportion to the profile of hypothesis."""

from hypothesis import settings

IN_THE_GATE = 25
IN_PROFILE = {"gate": IN_THE_GATE, "quick": 10, "thorough": 1000}


def examples(in_the_gate: int) -> int:
    """The number of examples of a test that does not draw as many as others in `scripts/test`.

    The profiles ``quick`` and ``thorough`` draw fewer and more, as they do in other tests.
    """
    return max(1, round(in_the_gate * settings().max_examples / IN_THE_GATE))
