"""What the tests found and how was tested, in sentences: the same ones wherever they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from ..common.writing import PLAIN, Writing, counted, leading_text, level_text, named_first
from ..measures.naming.named_score import is_rising
from ..stats.decisions import CORRECTIONS, rejects
from ..stats.family import Method
from ..stats.tests import TESTS

if TYPE_CHECKING:
    from .board import Leaderboard
    from .hypotheses import Hypotheses

MOST_BEST = 3  # names of systems that may be the best, which each caption has

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

MACRO_TESTS = {
    "queries": "t test of macro means over the queries of these {groups} (Welch, Satterthwaite)",
    "groups": "{test} of the means of {groups}",
}
"""What is tested of macro means, by the question that is asked."""

RANK = "the ranks that the tests of all pairs cannot rule out"

LETTERS = "two systems share a letter if they do not differ significantly"

NO_INTERVALS = (
    "Benjamini-Hochberg bounds the share of wrong ones: differences have no intervals, and systems "
    "no ranks"
)


def w_t_l(unit: str) -> str:
    """What the counts of wins, ties and losses are."""
    return f"w/t/l: {unit}s with a better, the same, a worse score."


def interval_of_mean(tested: Hypotheses) -> str:
    """What the interval of a system's mean is."""
    return f"interval: t interval of the {mean_name(tested)}."


def mean_name(tested: Hypotheses) -> str:
    """What the mean of a system is."""
    return "mean" if tested.macro is None else "macro mean"


def paired_by(tested: Hypotheses) -> str:
    """How the tests compare two systems."""
    if tested.macro == "queries":
        return f"query by query in each {tested.unit}"
    return f"{tested.unit} by {tested.unit}"


def finding(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """What was found in one measure: of two systems, by how much one is better."""
    return "; ".join([*_found(board, writing), *not_tested(board, writing)])


def _found(board: Leaderboard, writing: Writing) -> list[str]:
    """What the tests found; nothing without tests."""
    tested = board.tested
    if len(tested.stated) == 1:
        return [of_two(tested, writing)]
    if not board.all_pairs:
        return [_against(tested, writing, one.name) for one in board.baselines]
    best = NO_INTERVALS if board.ranks is None else may_be_best(board, writing)
    return [pairs_differ(tested), best]


def not_tested(board: Leaderboard, writing: Writing = PLAIN) -> list[str]:
    """The sentence on baselines that have no score on the measure, if there are any."""
    if not board.unscored:
        return []
    names = writing.names(board.unscored)
    verb = "has" if len(board.unscored) == 1 else "have"
    if board.baseline_names:
        return [f"not tested against {names}, which {verb} no score on it"]
    return [f"not tested: {names} {verb} no score on it"]


def without_score(
    measure: object, systems: Sequence[str], baselines: Sequence[str], because: str = ""
) -> str:
    """The warning on systems that have no score on a measure, with its end, the reason."""
    missing = [name for name in baselines if name in systems]
    what, names = "not compared", systems
    if missing and len(missing) == len(baselines):
        what, names = "not tested", missing
    verb = "has" if len(names) == 1 else "have"
    return f"{what}: {', '.join(map(repr, names))} {verb} no score on {measure}{because}"


def may_be_best(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """Which systems may be the best, and how many others the tests rule out."""
    best = [writing.name(name) for name in compress(board.systems, board.best.tolist())]
    others = len(board) - len(best)
    if not others:
        return f"any of the {counted(len(board), 'system')} may be the best: {BEST}"
    if len(best) == 1 and np.count_nonzero(board.reference.significant) == others:
        return f"{best[0]} is significantly better than each of the other {others:,} systems"
    who = named_first(best, MOST_BEST)
    if len(best) == 1:
        who = f"only {who}"
    left = "the other one" if others == 1 else f"the other {others:,}"
    return f"{who} may be the best: {BEST}; the tests rule out {left}"


def in_brackets(*shown: Hypotheses, legend: str = IN_BRACKETS) -> list[str]:
    """What brackets mean, if a difference of these hypotheses stands in them."""
    for rows in shown:
        if np.any(~np.isnan(rows.difference) & ~rows.significant):
            return [legend]
    return []


def around_0(tested: Hypotheses) -> list[str]:
    """The sentence on differences that are significant though their interval contains 0."""
    contains_0 = (tested.lower <= 0) & (tested.upper >= 0)
    return [AROUND_0] if np.any(contains_0 & tested.significant) else []


def pairs_differ(tested: Hypotheses) -> str:
    """How many pairs of systems differ."""
    verb = "differs" if tested.rejections == 1 else "differ"
    pairs = counted(len(tested.stated), "pair")
    return f"{tested.rejections:,} of {pairs} of systems {verb} significantly"


def of_two(tested: Hypotheses, writing: Writing) -> str:
    """The only comparison, of the better system with the other one."""
    only = tested.stated[:1]
    better = tested.rows(only, turned=tested.direction * tested.difference[only] < 0)
    first, second = writing.name(better.system[0]), writing.name(better.baseline[0])
    if better.ties[0] == better.topics:
        return f"{first} and {second} score the same on {counted(better.topics, better.unit)}"
    by = f"{writing.number(abs(float(better.difference[0])))}{_where(better)}"
    tests = writing.p_is("adjusted p", float(better.p_adjusted[0]))
    if better.method.has_intervals:
        ends = sorted(tested.direction * np.array([better.lower[0], better.upper[0]]))
        tests = f"{interval_name(better)} {' to '.join(map(writing.number, ends))}; {tests}"
    if better.significant[0]:
        others = _on_other_groups(better, writing)
        return f"{first} is better than {second} by {by} ({tests}){others}"
    return f"{first} and {second} do not differ significantly: difference {by} ({tests})"


def _where(tested: Hypotheses) -> str:
    """The groups of a macro mean that a difference is about; nothing for a mean over topics."""
    groups = counted(tested.topics, tested.unit)
    if tested.macro == "queries":
        return f" on these {groups}"
    return "" if tested.macro is None else f" on {tested.unit}s like these {tested.topics}"


def _on_other_groups(tested: Hypotheses, writing: Writing) -> str:
    """Whether the first difference, which is significant, is so on other groups too."""
    if tested.groups_lower is None or tested.groups_upper is None or not tested.has_other_groups:
        return ""
    p = float(tested.groups_p_adjusted[0])  # type: ignore[index]
    found = writing.p_is(p_name(tested), p)
    if tested.method.has_intervals:
        ends = np.array([tested.groups_lower[0], tested.groups_upper[0]])
        low, high = map(writing.number, sorted(tested.direction * ends))
        found = f"{low} to {high}; {found}"
    others = f"other {tested.unit}s like these"
    if rejects(p, tested.method.level):
        return f"; so it is on {others} ({found})"
    return f"; {others}: not shown ({found})"


def _against(tested: Hypotheses, writing: Writing, baseline: str) -> str:
    """How many systems differ from a baseline, and in which direction."""
    tests = np.flatnonzero(tested.pairs.second == tested.systems.index(baseline))
    direction = np.sign(tested.direction * tested.difference[tests]) * tested.significant[tests]
    better, worse = np.count_nonzero(direction > 0), np.count_nonzero(direction < 0)
    verb, others = "is" if better == 1 else "are", counted(len(tests), "system")
    return (
        f"{better:,} of {others} {verb} significantly better than "
        f"{writing.name(baseline)}, {worse:,} significantly worse"
    )


def leading(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """The system with the best mean, or those that share it."""
    leaders = [writing.name(name) for name in board.leaders]
    extreme = "highest" if is_rising(board.measure) else "lowest"
    if board.tested.macro is not None:
        extreme = f"{extreme} {mean_name(board.tested)} of"
    return leading_text(leaders, f"{extreme} {board.label}", writing.number(float(board.mean[0])))


def is_corrected(tested: Hypotheses) -> bool:
    """Whether the tests control the error of a whole family."""
    return tested.method.correction != "none" and tested.in_family > 1


def correction_text(tested: Hypotheses) -> str:
    """The correction that a decision took, as the end of "significant"; empty without one."""
    if not is_corrected(tested):
        return ""
    return f" after correction over {counted(tested.in_family, 'comparison')}"


def p_name(tested: Hypotheses) -> str:
    """What the p-values are."""
    return "adjusted p" if is_corrected(tested) else "p"


def interval_name(tested: Hypotheses) -> str:
    """What the intervals are: simultaneous where they hold for all comparisons at once."""
    level = level_text(tested.method.level)
    return f"{'simultaneous ' if is_corrected(tested) else ''}{level} interval"


def method_text(tested: Sequence[Hypotheses]) -> str:
    """How the hypotheses were tested, as a part of a sentence."""
    method = tested[0].method
    title = TESTS[method.test].title
    if tested[0].macro is not None:
        groups = counted(tested[0].topics, tested[0].unit)
        title = MACRO_TESTS[tested[0].macro].format(groups=groups, test=title)
    title = f"two-sided {title}"
    if method.drawn is not None:
        title = f"{title} with {method.resamples} samples"
    counts = sorted({part.in_family for part in tested if part.is_tested})
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
