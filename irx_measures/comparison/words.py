"""What the tests found and how was tested, in sentences: the same ones wherever they are shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..common.writing import PLAIN, Writing, counted, joined, level_text
from ..measures.named_score import is_rising
from ..stats.decisions import CORRECTIONS
from ..stats.family import Method
from ..stats.tests import TESTS
from .hypotheses import TestedMeasure
from .leaderboard import Leaderboard

MOST_LISTED = 4  # names in a sentence, a choice: longer lists are not read

BEST = "no system is significantly better"

BEATEN = "at least one system is significantly better"

NOT_SIGNIFICANT = "In brackets: not significant."

IN_BRACKETS = "(...): not significant"  # in a list of marks

# Holm's correction rejects a few more hypotheses than the intervals that hold at once.
AROUND_0 = "The test may find a difference whose interval contains 0."

ONE_GROUP_ONLY = (
    "A difference that is significant in one group only does not show that the groups differ: the "
    "other group may have too few topics."
)

RANK = "the ranks that the tests of all pairs cannot rule out"

LETTERS = "two systems share a letter if they do not differ significantly"

NO_INTERVALS = (
    "Benjamini-Hochberg bounds the share of wrong ones: differences have no intervals, and systems "
    "no ranks"
)


def finding(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """What was found in one measure: of two systems, by how much one is better."""
    tested = board.tested
    if len(tested.stated) == 1:
        return _of_two(tested, writing)
    if board.baselines:
        return "; ".join(_against(tested, writing, one.name) for one in board.baselines)
    found = pairs_differ(tested)
    return f"{found}; {NO_INTERVALS if board.ranks is None else may_be_best(board)}"


def may_be_best(board: Leaderboard) -> str:
    """How many systems may be the best, and why."""
    count = int(np.count_nonzero(board.best))
    return f"{count:,} of {counted(len(board), 'system')} may be the best: {BEST}"


def pairs_differ(tested: TestedMeasure) -> str:
    """How many pairs of systems differ."""
    verb = "differs" if tested.significant == 1 else "differ"
    pairs = counted(len(tested.stated), "pair")
    return f"{tested.significant:,} of {pairs} of systems {verb} significantly"


def _of_two(tested: TestedMeasure, writing: Writing) -> str:
    """The only comparison."""
    pair = int(tested.stated[0])
    first, second = (int(side[pair]) for side in tested.pairs)
    sign = tested.direction
    if sign * tested.mean[pair] < 0:  # the better one stands first
        first, second, sign = second, first, -sign
    names = [writing.name(tested.systems[place]) for place in (first, second)]
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


def _against(tested: TestedMeasure, writing: Writing, baseline: str) -> str:
    """How many systems differ from a baseline, and in which direction."""
    tests = np.flatnonzero(tested.pairs.second == tested.systems.index(baseline))
    direction = np.sign(tested.direction * tested.mean[tests]) * tested.rejected[tests]
    better, worse = np.count_nonzero(direction > 0), np.count_nonzero(direction < 0)
    verb, others = "is" if better == 1 else "are", counted(len(tests), "system")
    return (
        f"{better:,} of {others} {verb} significantly better than "
        f"{writing.name(baseline)}, {worse:,} significantly worse"
    )


def leading(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """The system with the best mean, or those that share it."""
    leaders = [writing.name(name) for name in board.leaders]
    more = len(leaders) - MOST_LISTED
    names = joined([*leaders[:MOST_LISTED], *([f"{more} more"] if more > 0 else [])])
    extreme = "highest" if is_rising(board.measure) else "lowest"
    verb = "has" if len(leaders) == 1 else "share"
    return f"{names} {verb} the {extreme} {board.label}, {writing.number(float(board.mean[0]))}"


def is_corrected(tested: TestedMeasure) -> bool:
    """Whether the tests control the error of a whole family."""
    return tested.method.correction != "none" and tested.in_family > 1


def correction_text(tested: TestedMeasure) -> str:
    """The correction that a decision took, as the end of "significant"; empty without one."""
    if not is_corrected(tested):
        return ""
    return f" after correction over {counted(tested.in_family, 'comparison')}"


def p_name(tested: TestedMeasure) -> str:
    """What the p-values are."""
    return "adjusted p" if is_corrected(tested) else "p"


def interval_name(tested: TestedMeasure) -> str:
    """What the intervals are: simultaneous where they hold for all comparisons at once."""
    level = level_text(tested.method.level)
    return f"{'simultaneous ' if is_corrected(tested) else ''}{level} interval"


def method_text(tested: Sequence[TestedMeasure]) -> str:
    """How the hypotheses were tested, as a part of a sentence."""
    method = tested[0].method
    title = f"two-sided {TESTS[method.test].title}"
    if method.drawn is not None:
        title = f"{title} with {method.resamples} samples"
    counts = sorted({part.in_family for part in tested})
    fewest = "" if counts[0] == counts[-1] else f"{counts[0]:,} to "
    covered = f"{fewest}{counted(counts[-1], 'comparison')}"
    over = "for" if method.correction == "none" else "over"
    scope = "" if tested[0].group is None else " of all groups"
    if len({part.measure for part in tested}) > 1:
        scope = f"{scope} per measure"
    family = f"{CORRECTIONS[method.correction]} {over} {covered}{scope}"
    return f"{title}, {family}, confidence level {level_text(method.level)}"


def intervals_text(method: Method) -> str:
    """What the intervals of the differences are."""
    kind = f"{method.t_test.replace('-', ' ')} interval"
    if method.correction == "none":
        return f"{kind} of one difference at a time"
    return f"{kind} of all differences at once (Bonferroni)"
