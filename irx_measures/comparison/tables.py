"""The tables of comparisons: what their columns mean for programs, and what a terminal shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import inf, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..common.numeric import FloatArray
from ..common.writing import fixed, marked, p_text, signed
from ..results.column import Column, Declared
from ..stats.pairs import Pairs, highest
from ..stats.planning import hedges_g, topics_needed
from ..stats.tests import moderated_variance, t_p_values
from .unjudged import P_BETTER, WITH_WORLDS
from .words import RANK, around_0, intervals_text, mean_name

if TYPE_CHECKING:
    from .board import Leaderboard, Rows

WITHOUT_BASELINES = "Without baselines also"

BOARD = (
    Declared(
        "system", "the system, the best first; without systems that have no score on the measure"
    ),
    Declared("mean", "mean over topics, or macro mean"),
    Declared("lower", "lower end of the t interval of the mean, cut at the measure's range"),
    Declared("upper", "upper end of this interval"),
)

BOARD_OF_PAIRS = (
    Declared(
        "rank_low",
        "``1 + number of significantly better systems``. All systems' true ranks lie in the "
        "intervals from rank_low to rank_high at once, at the level of the comparison. Not with "
        "the correction ``bh``, which has no ranks",
        WITHOUT_BASELINES,
    ),
    Declared(
        "rank_high",
        "``number of systems - number of significantly worse systems``",
        WITHOUT_BASELINES,
    ),
    Declared(
        "best",
        "whether the system may be the best, because no system is significantly better: rank_low "
        "is 1",
        WITHOUT_BASELINES,
    ),
    Declared(
        "letters",
        "two systems share a letter exactly if they do not differ significantly; missing if more "
        "than 6 letters are needed, or there are more than 15 systems",
        WITHOUT_BASELINES,
    ),
    Declared(
        "p_best",
        "the probability that the system's mean is the highest, over the choice of topics and the "
        "grades of unjudged documents",
        WITH_WORLDS,
    ),
)

PLAN = (
    Declared("system", "the system"),
    Declared("baseline", "the system that is subtracted"),
    Declared("difference", "mean score of the system minus that of the other one"),
    Declared("effect", "Hedges' g of the paired differences"),
    Declared("p", "p-value of this test on the topics at hand"),
    Declared("topics", "number of topics in total if the effect is exactly the observed one"),
    Declared(
        "topics_safe",
        "number of topics in total if the effect is smaller than the observed one by .84 standard "
        "errors; infinite if the topics at hand do not show a direction well enough to plan",
    ),
)


def programs(known: Mapping[str, Any], declared: Iterable[Declared]) -> list[Column]:
    """The declared columns of which the values are known; a terminal does not show them as such."""
    return [
        Column(each.name, known[each.name], meaning=each.meaning, shown=False)
        for each in declared
        if known.get(each.name) is not None
    ]


def of_board(board: Leaderboard) -> list[Column]:
    """The columns of a leaderboard for programs."""
    columns = (*BOARD, *BOARD_OF_PAIRS) if board.all_pairs else BOARD
    known = {each.name: getattr(board, each.name) for each in columns[1:]}
    known["system"] = board.systems
    if board.rank_low is None:
        known["best"] = None
    if board.letters is None:
        known["letters"] = [None] * len(board)
    return programs(known, columns)


def difference_shown(rows: Rows) -> list[Column]:
    """What a terminal shows of hypotheses."""
    board, numbers = rows.board, rows.numbers
    columns = [Column("system", None, rows.system, key=True, left=True)]
    if board.baseline_names:
        columns.append(_numbers("mean", rows.mean, fixed))
    else:
        columns.append(Column("other", None, rows.baseline, key=True, left=True))
    columns.append(_differences("difference", rows, "difference "))
    if board.method.has_intervals:
        note = " ".join([f"interval: {intervals_text(board.method)}.", *around_0(rows)])
        columns.append(_interval(numbers["lower"], numbers["upper"], signed, note))
    columns.append(_numbers("adj. p", numbers["p_adjusted"], _p))
    counts = (numbers[name].tolist() for name in ("wins", "ties", "losses"))
    texts = ["/".join(map(str, count)) for count in zip(*counts, strict=True)]
    note = f"w/t/l: {board.unit}s with a better, the same, a worse score."
    columns.append(Column("w/t/l", None, texts, note=note, left=False))
    if board.has_other_groups:
        note = f"p others: adjusted p of the difference on other {board.unit}s like these."
        columns.append(_numbers("p others", numbers["groups_p_adjusted"], _p, note))
    if "p_better" in numbers:
        columns.append(_numbers("P(A>B)", numbers["p_better"], _share, P_BETTER))
    return columns


def board_shown(board: Leaderboard) -> list[Column]:
    """What a terminal shows of a leaderboard."""
    from .board import rank_texts

    ranks, reference = rank_texts(board, "-"), board.reference
    columns = []
    if ranks is not None:
        note = f"rank: {RANK}."
        columns.append(Column("rank", None, ranks, note=note, key=True, left=False))
    columns.append(Column("system", None, board.systems, key=True, left=True))
    mean = partial(_cells, board.mean, fixed)
    columns.append(Column(board.head or "mean", None, mean, left=False, bold={0}))
    note = f"interval: t interval of the {mean_name(board)}."
    columns.append(_interval(board.lower, board.upper, fixed, note))
    if board.all_pairs:
        columns.append(_differences("- best ", reference))
        columns.append(_numbers("adj. p", reference["p_adjusted"], _p))
    if board.p_best is not None and board.all_pairs:
        columns.append(_numbers("P(best)", board.p_best, _share))
    return columns


def plan(board: Leaderboard, pairs: Pairs) -> list[Column]:
    """How many topics would settle each of some pairs; the board's variances moderate theirs."""
    differences, topics = pairs.differences(board.scores), board.topics
    own, prior = differences.var(axis=1, ddof=1), board.method.prior_topics
    variance = moderated_variance(own, topics, prior, board.family_variance)
    mean, effect = differences.mean(axis=1), hedges_g(differences)
    needed, safe = topics_needed(hedges_g(differences, variance), topics, board.level)
    meaning = {each.name: each.meaning for each in PLAN}

    def number(name: str, values: FloatArray, write: Callable[[float, int], str]) -> Column:
        head = "g" if name == "effect" else ""
        cells = partial(_cells, values, write)
        return Column(name, values, cells, meaning=meaning[name], head=head, left=False)

    first, second = ([board.systems[place] for place in side.tolist()] for side in pairs)
    return [
        Column("system", first, meaning=meaning["system"], key=True),
        Column("baseline", second, meaning=meaning["baseline"], shown=False),
        number("difference", mean, signed),
        number("effect", effect, lambda value, places: signed(value, 2)),
        number("p", t_p_values(mean, variance, topics), _p),
        number("topics", needed, _topics),
        number("topics_safe", safe, _topics),
    ]


def means(name: str, values: FloatArray, direction: float) -> Column:
    """Means of systems, the best in bold; `direction` is 1 if higher scores are better, else -1."""
    best: list[int] = []
    if len(values) > 1 and not np.isnan(values).all():
        best = np.flatnonzero(highest(direction * values)).tolist()
    return Column(name, values.tolist(), left=False, bold=best)


def _numbers(
    head: str, values: FloatArray, write: Callable[[float, int], str], note: str = ""
) -> Column:
    return Column(head, None, partial(_cells, values, write), note=note, left=False)


def _interval(
    lower: FloatArray, upper: FloatArray, write: Callable[[float, int], str], note: str
) -> Column:
    def cells(places: int) -> list[str]:
        ends = zip(_cells(lower, write, places), _cells(upper, write, places), strict=True)
        return [f"{low} to {high}" for low, high in ends]

    return Column("interval", None, cells, note=note, left=False)


def _differences(name: str, rows: Rows, head: str = "") -> Column:
    """Differences, those in brackets that are not significant."""

    def cells(places: int) -> list[str]:
        texts = zip(_cells(rows["difference"], signed, places), rows.significant, strict=True)
        return [marked(text, bool(is_so)) if text else "" for text, is_so in texts]

    dim = np.flatnonzero(~rows.significant).tolist()
    return Column(name, None, cells, head=head, left=False, dim=dim)


def _cells(values: FloatArray, write: Callable[[float, int], str], places: int) -> list[str]:
    """The cells of numbers; an empty one is of a pair that was not compared."""
    return ["" if isnan(value) else write(value, places) for value in values.tolist()]


def _p(value: float, places: int) -> str:
    return p_text(value)


def _share(value: float, places: int) -> str:
    return f"{value:.3f}"


def _topics(value: float, places: int) -> str:
    return "-" if value == inf else f"{value:.0f}"
