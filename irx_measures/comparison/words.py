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
    from .board import Leaderboard, Rows

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


def mean_name(board: Leaderboard) -> str:
    """What the mean of a system is."""
    return "mean" if board.macro is None else "macro mean"


def paired_by(board: Leaderboard) -> str:
    """How the tests compare two systems."""
    if board.macro == "queries":
        return f"query by query in each {board.unit}"
    return f"{board.unit} by {board.unit}"


def finding(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """What was found in one measure: of two systems, by how much one is better."""
    if board.hypotheses == 1:
        found = [of_two(board.tested, writing)]
    elif not board.all_pairs:
        found = [_against(board, writing, name) for name in board.baseline_names]
    else:
        best = NO_INTERVALS if board.rank_low is None else may_be_best(board, writing)
        found = [pairs_differ(board), best]
    return "; ".join([*found, *not_tested(board, writing)])


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


def in_brackets(*shown: Rows, legend: str = IN_BRACKETS) -> list[str]:
    """What brackets mean, if a difference of these hypotheses stands in them."""
    for rows in shown:
        if np.any(~np.isnan(rows["difference"]) & ~rows.significant):
            return [legend]
    return []


def around_0(rows: Rows) -> list[str]:
    """The sentence on differences that are significant though their interval contains 0."""
    contains_0 = (rows["lower"] <= 0) & (rows["upper"] >= 0)
    return [AROUND_0] if np.any(contains_0 & rows.significant) else []


def pairs_differ(board: Leaderboard) -> str:
    """How many pairs of systems differ."""
    verb = "differs" if board.rejections == 1 else "differ"
    pairs = counted(board.hypotheses, "pair")
    return f"{board.rejections:,} of {pairs} of systems {verb} significantly"


def of_two(only: Rows, writing: Writing) -> str:
    """The only row, of the better system with the other one."""
    board = only.board
    if only.gain[0] < 0:
        only = board.pair(only.baseline[0], only.system[0])
    first, second = writing.name(only.system[0]), writing.name(only.baseline[0])
    if only["ties"][0] == board.topics:
        return f"{first} and {second} score the same on {counted(board.topics, board.unit)}"

    def tests(which: str, name: str) -> str:
        """The interval if there is one, for higher scores, and the p-value of that name."""
        p = writing.p_is(name, float(only[f"{which}p_adjusted"][0]))
        if not board.method.has_intervals:
            return p
        ends = [board.direction * float(only[which + end][0]) for end in ("lower", "upper")]
        return f"{' to '.join(map(writing.number, sorted(ends)))}; {p}"

    by, found = f"{writing.number(float(only.gain[0]))}{_where(board)}", tests("", "adjusted p")
    if board.method.has_intervals:
        found = f"{interval_name(board)} {found}"
    if not only.significant[0]:
        return f"{first} and {second} do not differ significantly: difference {by} ({found})"
    said = f"{first} is better than {second} by {by} ({found})"
    if not board.has_other_groups:
        return said
    others, found = f"other {board.unit}s like these", tests("groups_", p_name(board))
    if rejects(only["groups_p_adjusted"][0], board.level):
        return f"{said}; so it is on {others} ({found})"
    return f"{said}; {others}: not shown ({found})"


def _where(board: Leaderboard) -> str:
    """The groups of a macro mean that a difference is about; nothing for a mean over topics."""
    groups = counted(board.topics, board.unit)
    if board.macro == "queries":
        return f" on these {groups}"
    return "" if board.macro is None else f" on {board.unit}s like these {board.topics}"


def _against(board: Leaderboard, writing: Writing, baseline: str) -> str:
    """How many systems differ from a baseline, and in which direction."""
    rows = board.minus(baseline)
    better, worse = np.count_nonzero(rows.verdict > 0), np.count_nonzero(rows.verdict < 0)
    verb, others = "is" if better == 1 else "are", counted(len(board) - 1, "system")
    return (
        f"{better:,} of {others} {verb} significantly better than "
        f"{writing.name(baseline)}, {worse:,} significantly worse"
    )


def leading(board: Leaderboard, writing: Writing = PLAIN) -> str:
    """The system with the best mean, or those that share it."""
    leaders = list(map(writing.name, board.leaders))
    extreme = "highest" if is_rising(board.measure) else "lowest"
    if board.macro is not None:
        extreme = f"{extreme} {mean_name(board)} of"
    return leading_text(leaders, f"{extreme} {board.label}", writing.number(float(board.mean[0])))


def is_corrected(board: Leaderboard) -> bool:
    """Whether the tests control the error of a whole family."""
    return board.method.correction != "none" and board.in_family > 1


def correction_text(board: Leaderboard) -> str:
    """The correction that a decision took, as the end of "significant"; empty without one."""
    if not is_corrected(board):
        return ""
    return f" after correction over {counted(board.in_family, 'comparison')}"


def p_name(board: Leaderboard) -> str:
    """What the p-values are."""
    return "adjusted p" if is_corrected(board) else "p"


def interval_name(board: Leaderboard) -> str:
    """What the intervals are: simultaneous where they hold for all comparisons at once."""
    level = level_text(board.method.level)
    return f"{'simultaneous ' if is_corrected(board) else ''}{level} interval"


def method_text(tested: Sequence[Leaderboard]) -> str:
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
