"""What the tests found, in sentences: the same ones wherever a comparison is shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..common.writing import PLAIN, Writing, counted, joined
from ..measures.named_score import is_rising
from .difference import interval_name
from .how_tested import NO_INTERVALS
from .hypotheses import Tested
from .leaderboard import Leaderboard

MOST_LISTED = 4  # names in a sentence, a choice: longer lists are not read

BEST = "no system is significantly better"

BEATEN = "at least one system is significantly better"

NOT_SIGNIFICANT = "In brackets: not significant."

IN_BRACKETS = "(...): not significant"  # in a list of marks

ONE_GROUP_ONLY = (
    "A difference that is significant in one group only does not show that the groups differ: the "
    "other group may have too few topics."
)

RANK = "the ranks that the tests of all pairs cannot rule out"

LETTERS = "two systems share a letter if they do not differ significantly"


def finding(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """What was found in one measure: of two systems, by how much one is better."""
    tested = board.tested
    if len(tested.hypotheses) == 1:
        return _of_two(tested, writing)
    if board.baselines:
        return "; ".join(_against(tested, writing, one.name) for one in board.baselines)
    found = pairs_differ(tested)
    return f"{found}; {NO_INTERVALS if board.ranks is None else may_be_best(board)}"


def may_be_best(board: Leaderboard) -> str:
    """How many systems may be the best, and why."""
    count = int(np.count_nonzero(board.best))
    return f"{count} of {counted(len(board), 'system')} may be the best: {BEST}"


def pairs_differ(tested: Tested) -> str:
    """How many pairs of systems differ."""
    verb = "differs" if tested.significant == 1 else "differ"
    pairs = counted(len(tested.hypotheses), "pair")
    return f"{tested.significant} of {pairs} of systems {verb} significantly"


def _of_two(tested: Tested, writing: Writing) -> str:
    """The only comparison."""
    pair = int(tested.hypotheses.stated[0])
    first, second = (int(side[pair]) for side in tested.hypotheses.pairs)
    sign = tested.hypotheses.direction
    if sign * tested.mean[pair] < 0:  # the better one stands first
        first, second, sign = second, first, -sign
    names = [writing.name(tested.hypotheses.systems[place]) for place in (first, second)]
    if tested.ties[pair] == tested.topics:
        return f"{' and '.join(names)} score the same on {counted(tested.topics, 'topic')}"
    by = writing.number(abs(float(tested.mean[pair])))
    tests = writing.p_is("adjusted p", float(tested.p_adjusted[pair]))
    if tested.method.has_intervals:
        ends = sorted(sign * np.array([tested.lower[pair], tested.upper[pair]]))
        tests = f"{interval_name(tested)} {' to '.join(map(writing.number, ends))}; {tests}"
    if tested.rejected[pair]:
        return f"{names[0]} is better than {names[1]} by {by} ({tests})"
    return f"{' and '.join(names)} do not differ significantly: difference {by} ({tests})"


def _against(tested: Tested, writing: Writing, baseline: str) -> str:
    """How many systems differ from a baseline, and in which direction."""
    systems, (_, second) = tested.hypotheses.systems, tested.hypotheses.pairs
    tests = np.flatnonzero(second == systems.index(baseline))
    gain = tested.hypotheses.direction * tested.mean[tests]
    direction = np.sign(gain) * tested.rejected[tests]
    better, worse = np.count_nonzero(direction > 0), np.count_nonzero(direction < 0)
    verb = "is" if better == 1 else "are"
    return (
        f"{better} of {counted(len(tests), 'system')} {verb} significantly better than "
        f"{writing.name(baseline)}, {worse} significantly worse"
    )


def leading(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """The system with the best mean, or those that share it."""
    extreme = "highest" if is_rising(board.measure) else "lowest"
    verb = "has" if len(board.leaders) == 1 else "share"
    names = listed([writing.name(name) for name in board.leaders])
    return f"{names} {verb} the {extreme} {board.label}, {writing.number(float(board.mean[0]))}"


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """Names with commas and "and"; of many, the first ones and how many more there are."""
    if len(names) <= most:
        return joined(names)
    return joined([*names[:most], f"{len(names) - most} more"])
