"""The columns of comparisons: what programs read, what a terminal shows, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from math import inf, isnan
from typing import Any, TypeAlias

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.writing import fixed, marked, p_text, signed
from ..results.base import Columns
from ..results.column import Column
from ..stats.pairs import Pairs, join_ties
from ..stats.planning import hedges_g, topics_needed
from ..stats.tests import moderated_variance, t_p_values
from .hypotheses import TestedMeasure
from .leaderboard import Leaderboard, rank_texts
from .unjudged import world_differences
from .words import RANK, around_0, intervals_text

Values: TypeAlias = Mapping[str, Any]
"""Arrays by the names of columns that programs read."""

Text: TypeAlias = Callable[[float, int], str]
"""How a number is written, with so many decimal places."""

COUNTS = ("wins", "ties", "losses")

W_T_L = "w/t/l: topics with a better, the same, a worse score."

P_BETTER = (
    "P(A>B): probability that the system has the higher mean, over the choice of topics and the "
    "grades of unjudged documents (learned prior); not corrected."
)

OF_PLANS = (
    "p: of this test on the topics at hand. topics: topics in total that the test needs if the "
    "effect g is the true one. topics_safe: if the effect is smaller by .84 standard errors. "
    "-: not foreseeable."
)


def board_columns(board: Leaderboard) -> list[Column]:
    """The columns of `Comparison.leaderboard`; a terminal also has the tests of the best system."""
    reference, ranks = board.reference, board.ranks
    means = {"mean": board.mean, "lower": board.lower, "upper": board.upper}
    columns = [
        Column("system", board.systems, key=True),
        _numbers(board.label, means, board.mean, fixed, head=board.head, bold={0}),
        _intervals(board.lower, board.upper, fixed, "interval: t interval of the mean."),
    ]
    decided = {}
    if ranks is not None:
        decided = {"rank_low": ranks.low, "rank_high": ranks.high, "best": board.best}
        texts, meaning = rank_texts(ranks, "-"), f"rank: {RANK}."
        columns.insert(0, Column("rank", {}, texts, meaning, key=True, left=False))
    if not board.all_pairs:
        return columns
    letters = np.array(board.letters or [None] * len(board), object)
    columns += [
        _differences("- best ", decided, reference.difference, reference.significant),
        _numbers("adj. p", {"letters": letters}, reference.p_adjusted, _p),
    ]
    if board.p_best is not None:
        columns.append(_numbers("P(best)", {"p_best": board.p_best}, board.p_best, _probability))
    return columns


def hypothesis_columns(board: Leaderboard, rows: Int64Array | slice = slice(None)) -> list[Column]:
    """The columns of `Comparison.to_frame` after the names, for these hypotheses."""
    part = board.tested

    def of(*names: str) -> dict[str, Any]:
        return {name: getattr(part, name)[rows] for name in names}

    difference, p_values, counts = part.mean[rows], of("p", "p_adjusted"), of(*COUNTS)
    tests = {"difference": difference, **of("lower", "upper", "effect")}
    columns = [
        _differences("difference ", tests, difference, part.rejected[rows]),
        _numbers("adj. p", p_values, p_values["p_adjusted"], _p),
        Column("w/t/l", counts, lambda places: _counts(counts), W_T_L, left=False),
    ]
    if part.method.has_intervals:
        meaning = " ".join([f"interval: {intervals_text(part.method)}.", *around_0(part, rows)])
        columns.insert(1, _intervals(tests["lower"], tests["upper"], signed, meaning))
    if board.worlds is not None:
        worlds = world_differences(board.worlds, part)
        chances = {name: values[rows] for name, values in worlds.items()}
        better = chances["p_better"]
        columns.append(_numbers("P(A>B)", chances, better, _probability, meaning=P_BETTER))
    return columns


def plan_columns(part: TestedMeasure, pairs: Pairs) -> list[Column]:
    """The columns of `Comparison.topics_needed` after the names.

    Variances are moderated as in the comparison, by those of its hypotheses.
    """
    differences = pairs.differences(part.scores)
    own = differences.var(axis=1, ddof=1)
    topics, prior = differences.shape[1], part.method.prior_topics
    variance = moderated_variance(own, topics, prior, part.family_variance)
    mean, effect = differences.mean(axis=1), hedges_g(differences)
    needed, safe = topics_needed(hedges_g(differences, variance), topics, part.method.level)
    columns: list[tuple[str, str, FloatArray, Text]] = [
        ("difference", "difference", mean, signed),
        ("effect", "g", effect, lambda value, places: signed(value, 2)),
        ("p", "p", t_p_values(mean, variance, topics), _p),
        ("topics", "topics", needed, _topics),
        ("topics_safe", "topics_safe", safe, _topics),
    ]
    return [_numbers(head, {name: values}, values, text) for name, head, values, text in columns]


def families(board: Leaderboard) -> Iterator[tuple[str, Int64Array]]:
    """The hypotheses that a terminal shows as one table, after the baseline, empty without one.

    With a baseline, systems are in the order of their means. Of all pairs, those that differ
    significantly come first, then those with the larger difference.
    """
    part, place = board.tested, np.argsort(board.order)
    for baseline in board.baselines:
        rows = np.flatnonzero(part.pairs.second == board.order[baseline.place])
        yield baseline.name, rows[np.argsort(place[part.pairs.first[rows]])]
    if board.all_pairs:
        yield "", np.lexsort((-join_ties(np.abs(part.mean)), ~part.rejected))


def shown_tests(board: Leaderboard) -> Iterator[tuple[str, list[Column]]]:
    """The columns of each of the `families`; the means if no baseline has a score."""
    if not board.tested.is_tested:
        yield (
            "",
            [
                Column("system", board.systems, key=True),
                _numbers("mean", {}, board.mean, fixed),
            ],
        )
    part, means = board.tested, board.tested.scores.mean(axis=1)
    for baseline, rows in families(board):
        system, other = named_pairs(part, rows).values()
        names = [Column("system", system, key=True)]
        if baseline:
            names.append(_numbers("mean", {}, means[part.pairs.first[rows]], fixed))
        else:
            names.append(Column("other", other, key=True))
        yield baseline, [*names, *hypothesis_columns(board, rows)]


def named_pairs(
    part: TestedMeasure, rows: Int64Array | slice = slice(None)
) -> dict[str, list[str]]:
    """The names of both systems of hypotheses."""
    names = np.array(part.systems, object)
    first, second = (names[side[rows]].tolist() for side in part.pairs)
    return {"system": first, "baseline": second}


def data_of(columns: Iterable[Column]) -> Columns:
    """What programs read, by its names."""
    data: dict[str, Any] = {}
    for column in columns:
        own = column.values
        data |= own if isinstance(own, Mapping) else {column.name: own}
    return data


def joined(parts: Iterable[tuple[TestedMeasure, Columns]]) -> Columns:
    """The rows of all parts, with the names of their groups and measures."""
    named = []
    for part, columns in parts:
        rows = len(next(iter(columns.values())))
        group = {} if part.group is None else {"group": [part.group] * rows}
        named.append({**group, "measure": [str(part.measure)] * rows, **columns})
    return {
        name: np.concatenate(values)
        if isinstance(values[0], np.ndarray)
        else [*chain.from_iterable(values)]
        for name in named[0]
        for values in [[columns[name] for columns in named]]
    }


def _numbers(name: str, values: Values, shown: FloatArray, text: Text, **how: Any) -> Column:
    return Column(name, values, partial(_cells, shown, text), left=False, **how)


def _intervals(lower: FloatArray, upper: FloatArray, text: Text, meaning: str) -> Column:
    def cells(places: int) -> list[str]:
        ends = zip(_cells(lower, text, places), _cells(upper, text, places), strict=True)
        return list(map(" to ".join, ends))

    return Column("interval", {}, cells, meaning, left=False)


def _differences(name: str, values: Values, shown: FloatArray, significant: BoolArray) -> Column:
    """Differences, those in brackets that are not significant."""

    def cells(places: int) -> list[str]:
        rows = zip(_cells(shown, signed, places), significant.tolist(), strict=True)
        return [marked(cell, is_so) if cell else "" for cell, is_so in rows]

    return Column(name, values, cells, left=False, dim=np.flatnonzero(~significant).tolist())


def _cells(values: FloatArray, text: Text, places: int) -> list[str]:
    """The texts of numbers; NaN, where nothing was tested, is an empty cell."""
    return ["" if isnan(value) else text(value, places) for value in values.tolist()]


def _counts(counts: dict[str, Int64Array]) -> list[str]:
    rows = zip(*(each.tolist() for each in counts.values()), strict=True)
    return ["/".join(map(str, row)) for row in rows]


def _p(value: float, places: int) -> str:
    return p_text(value)


def _probability(value: float, places: int) -> str:
    return f"{value:.3f}"


def _topics(value: float, places: int) -> str:
    return "-" if value == inf else f"{value:.0f}"
