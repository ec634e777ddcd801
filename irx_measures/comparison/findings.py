"""What the tests found, in sentences: the same ones wherever a comparison is shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..common.numbers import level_text
from ..common.writing import PLAIN, Writing, joined
from ..measures.named_score import is_rising
from .how_tested import family_text, method_text, test_text
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


def may_be_best(board: Leaderboard) -> str:
    """How many systems may be the best, and why."""
    count, systems = int(np.count_nonzero(board.best)), len(board)
    reason = BEST
    if systems > 1 and board.rank_high[0] == 1:
        others = "every other system" if systems > 2 else "the other system"
        reason = f"{others} is significantly worse"
    return f"{count} of {systems} systems may be the best: {reason}"


def pairs_differ(tested: Tested) -> str:
    """How many pairs of systems differ."""
    return so_many_differ(tested.significant, len(tested.hypotheses))


def so_many_differ(differing: int, pairs: int) -> str:
    """How many of all pairs of systems differ."""
    if pairs == 1:
        return f"the two systems {'differ' if differing else 'do not differ'} significantly"
    verb = "differs" if differing == 1 else "differ"
    return f"{differing} of {pairs} pairs of systems {verb} significantly"


def against_baselines(tested: Tested, baselines: Sequence[str]) -> str:
    """How many systems differ from each baseline, and in which direction."""
    known = [name for name in baselines if name in tested.hypotheses.systems]
    if len(tested.hypotheses) == 1:
        known = known[:1]  # two systems: the other side says the same
    return "; ".join(_against(tested, baseline) for baseline in known)


def _against(tested: Tested, baseline: str) -> str:
    systems, (first, second) = tested.hypotheses.systems, tested.hypotheses.pairs
    tests = np.flatnonzero(second == systems.index(baseline))
    gain = tested.hypotheses.direction * tested.mean[tests]
    direction = np.sign(gain) * tested.rejected[tests]
    if len(tests) == 1:
        other = systems[first[tests[0]]]
        if not direction[0]:
            return f"{other} and {baseline} do not differ significantly"
        return (
            f"{other} is significantly {'better' if direction[0] > 0 else 'worse'} than {baseline}"
        )
    better, worse = np.count_nonzero(direction > 0), np.count_nonzero(direction < 0)
    return (
        f"significantly better than {baseline}: {better} of {len(tests)} systems, significantly "
        f"worse: {worse}"
    )


def leading(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """The system with the best mean, or those that share it."""
    extreme = "highest" if is_rising(board.measure) else "lowest"
    mean = writing.number(float(board.mean[0]))
    names = [writing.name(name) for name in board.leaders]
    if len(names) == 1:
        return f"{names[0]} has the {extreme} {board.label}, {mean}"
    if len(names) == len(board):
        all_systems = "Both" if len(names) == 2 else f"All {len(names)}"
        return f"{all_systems} systems have the same {board.label}, {mean}"
    return f"{listed(names)} share the {extreme} {board.label}, {mean}"


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """Names with commas and "and"; of many, the first ones and how many more there are."""
    if len(names) <= most:
        return joined(names)
    return joined([*names[:most], f"{len(names) - most} more"])


def families_text(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """How ranks and differences were tested: two families if there are baselines."""
    asked, all_pairs = [board.asked], [board.all_pairs]
    if not board.baselines:
        return method_text(asked)
    names = listed([writing.name(one.name) for one in board.baselines])
    return (
        f"{test_text([*asked, *all_pairs])}, confidence level {level_text(board.level)}; "
        f"differences to {names}: {family_text(asked)}; ranks: {family_text(all_pairs)} (all pairs)"
    )


def families_in_short(board: Leaderboard) -> str:
    """How ranks and differences were tested, for a line below a table."""
    asked, ranks = family_text([board.asked]), family_text([board.all_pairs])
    if asked == ranks:
        return method_text([board.asked])
    tests, level = test_text([board.asked, board.all_pairs]), level_text(board.level)
    return f"{tests}, {asked} (ranks: {board.all_pairs.in_family}), level {level}"
