"""Comparisons of systems as tables for terminals: differences, planned topics, scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isinf

import numpy as np

from ..common.fitting import fitted, notes_below, panels, renamed
from ..common.markup import PLAIN
from ..common.names import cut_names
from ..common.numbers import (
    difference_interval_text,
    level_text,
    marked,
    not_significant,
    p_text,
    signed,
)
from ..common.numeric import FloatArray, Int64Array
from ..common.screen import Screen
from ..common.text_columns import TextColumn, wrapped, written
from ..comparison.hypotheses import TestedMeasure
from ..comparison.leaderboard import Leaderboard, Reference
from ..comparison.paper_table import Cell, over_topics
from ..comparison.result import Comparison
from ..comparison.topics import plan_of
from ..comparison.words import IN_BRACKETS, ONE_GROUP_ONLY, intervals_text, method_text
from ..measures.named_score import lower_is_better
from ..stats.planning import POWER
from ..stats.tests import TESTS

TERMINAL = PLAIN._replace(bold="*{}".format, best="*: best mean")


def differences_text(result: Comparison, screen: Screen, places: int) -> str:
    """The differences: to each baseline a table with the means, or a table of all pairs."""
    labels = result.labels
    lines = []
    for board, label in zip(result.boards, labels.values(), strict=True):
        title = label if board.group is None else f"{label} ({board.topics} topics)"
        chances = _chances(result, board.tested)
        tables = [
            (f"{title}, system minus {one.name}", _against(board, one, places, chances))
            for one in board.baselines
        ] or [(f"{title}, system minus other system", _pairs(board.tested, places, chances))]
        for head, columns in tables:
            lines += [*wrapped(head, screen.width), *_table(columns, screen), ""]
    falling = lower_is_better(part.hypotheses.measure for part in result.tested)
    note = " ".join([*falling, f"{IN_BRACKETS}.", _tests(result)])
    meanings = [
        f"Interval: {level_text(result.method.level)}. {intervals_text(result.tested)}",
        "w/t/l: topics on which the system scores better, the same, worse.",
    ]
    if result.worlds is not None:
        meanings.append(
            "P(A>B): probability that the system has the higher mean, over the choice of topics "
            "and the grades of unjudged documents (learned prior). It is not corrected for the "
            "number of comparisons."
        )
    if result.groups:
        meanings.append(ONE_GROUP_ONLY)
    return _text(lines + renamed(labels, screen), note, meanings, screen)


def _tests(result: Comparison) -> str:
    topics = "" if result.groups else f"; {result.topics} topics"
    return f"Tests: {method_text(result.tested)}{topics}."


def _chances(result: Comparison, part: TestedMeasure) -> FloatArray | None:
    """P(A > B) of every pair, if it is known."""
    if result.worlds is None:
        return None
    return result.worlds.differences(part.hypotheses, result.method.level)["p_better"]


def _against(
    board: Leaderboard, baseline: Reference, places: int, chances: FloatArray | None
) -> list[TextColumn]:
    """Every system, best first, with its difference to a baseline."""
    rows = range(len(board))
    columns = [
        TextColumn("system", board.systems, False, True),
        TextColumn("mean", [f"{mean:.{places}f}" for mean in board.mean]),
        *_difference_columns(baseline, board, rows, places),
    ]
    if chances is None:
        return columns
    systems, (first, second) = board.tested.hypotheses.systems, board.tested.hypotheses.pairs
    against = second == systems.index(baseline.name)
    by_system = {
        systems[place]: f"{chance:.3f}"
        for place, chance in zip(first[against].tolist(), chances[against].tolist(), strict=True)
    }
    return [*columns, TextColumn("P(A>B)", [by_system.get(name, "") for name in board.systems])]


def _difference_columns(
    baseline: Reference, board: Leaderboard, rows: Sequence[int], places: int
) -> list[TextColumn]:
    def cells(text: Callable[[int], str]) -> list[str]:
        return [text(row) if baseline.compared[row] else "" for row in rows]

    differences = [
        marked(signed(baseline.difference[row], places), bool(baseline.significant[row]))
        if baseline.compared[row]
        else "baseline "
        for row in rows
    ]
    columns = [TextColumn("difference ", differences, dim=not_significant(differences))]
    if board.tested.method.has_intervals:
        intervals = cells(
            lambda row: difference_interval_text(baseline.lower[row], baseline.upper[row], places)
        )
        columns.append(TextColumn("interval", intervals, optional=1))
    return [
        *columns,
        TextColumn("adj. p", cells(lambda row: p_text(baseline.p_adjusted[row]))),
        TextColumn(
            "w/t/l",
            cells(lambda row: f"{baseline.wins[row]}/{baseline.ties[row]}/{baseline.losses[row]}"),
            optional=2,
        ),
    ]


def _pairs(part: TestedMeasure, places: int, chances: FloatArray | None) -> list[TextColumn]:
    """All pairs of systems: the significant ones first, then by the size of the difference."""
    rows = np.lexsort((-np.abs(part.mean).round(12), ~part.rejected)).tolist()
    systems, (first, second) = part.hypotheses.systems, part.hypotheses.pairs
    differences = [marked(signed(part.mean[row], places), part.rejected[row]) for row in rows]
    columns = [
        TextColumn("system", [systems[first[row]] for row in rows], False, True),
        TextColumn("other", [systems[second[row]] for row in rows], False, True),
        TextColumn("difference ", differences, dim=not_significant(differences)),
    ]
    if part.method.has_intervals:
        ends = [(part.lower[row], part.upper[row]) for row in rows]
        intervals = [difference_interval_text(*each, places) for each in ends]
        columns.append(TextColumn("interval", intervals, optional=1))
    columns += [
        TextColumn("adj. p", [p_text(part.p_adjusted[row]) for row in rows]),
        TextColumn(
            "w/t/l",
            [f"{part.wins[row]}/{part.ties[row]}/{part.losses[row]}" for row in rows],
            optional=2,
        ),
    ]
    if chances is None:
        return columns
    return [*columns, TextColumn("P(A>B)", [f"{chances[row]:.3f}" for row in rows])]


def topics_text(result: Comparison, screen: Screen, places: int) -> str:
    """How many topics would settle each comparison with a baseline."""
    labels = result.labels
    lines = []
    for part, label in zip(result.tested, labels.values(), strict=True):
        systems, second = part.hypotheses.systems, part.hypotheses.pairs.second
        order = np.argsort(-part.mean.round(12), kind="stable")
        for position in dict.fromkeys(second.tolist()):
            title = f"{label}, system minus {systems[position]}"
            rows = order[second[order] == position]
            lines += [*wrapped(title, screen.width), *_plans(part, rows, screen, places), ""]
    level = level_text(result.method.level)
    topics = "topics" if result.groups else f"{result.topics} topics"
    title = TESTS[result.method.t_test].title
    note = (
        f"{title[0].upper()}{title[1:]} without correction, confidence level {level}, power "
        f"{POWER:g}. -: not foreseeable."
    )
    meanings = [
        "topics: topics in total that the test needs if the effect g is the true one. topics_safe: "
        "the same if the effect is smaller by .84 standard errors.",
        f"p: of this test on the {topics} at hand. Choose one pair before you look "
        "at the results: the plan is for one comparison.",
    ]
    return _text(lines + renamed(labels, screen), note, meanings, screen)


def _plans(part: TestedMeasure, rows: Int64Array, screen: Screen, places: int) -> list[str]:
    plan = plan_of(part)
    systems = [part.hypotheses.systems[part.hypotheses.pairs.first[row]] for row in rows]
    columns = [
        TextColumn("system", systems, False, True),
        TextColumn("difference", [signed(part.mean[row], places) for row in rows], optional=1),
        TextColumn("g", [signed(part.effect[row], 2) for row in rows], optional=3),
        TextColumn("p", [p_text(plan.p[row]) for row in rows], optional=2),
        TextColumn("topics", [_count(plan.topics[row]) for row in rows]),
        TextColumn("topics_safe", [_count(plan.topics_safe[row]) for row in rows]),
    ]
    return _table(columns, screen)


def _count(topics: float) -> str:
    return "-" if isinf(topics) else f"{topics:.0f}"


def scores_text(result: Comparison, screen: Screen, places: int) -> str:
    """Systems x measures, with the letters of the baselines that a system beats."""
    table, labels = result.score_table(), result.labels
    systems = cut_names(table.systems, screen.width // 3, screen.cut)
    columns = [
        TextColumn(head, cells, bold=_best(cells))
        for column, head in zip(table.columns.values(), labels.values(), strict=True)
        for cells in [_means(column, places, bool(result.baselines))]
    ]
    lines = [
        line
        for panel in panels(
            [TextColumn("system", list(systems.values()), False)], columns, screen.width
        )
        for line in [*written(panel, styled=screen.styled), ""]
    ]
    lines += renamed(systems, screen) + renamed(labels, screen)
    note = [
        f"{TERMINAL.best}.",
        *lower_is_better(dict.fromkeys(part.hypotheses.measure for part in result.tested)),
        *([f"{table.beaten(TERMINAL)}."] if table.baselines else []),
        _tests(result),
    ]
    meanings = [f"Means over {over_topics(result.tested, TERMINAL)}."] if result.groups else []
    return _text(lines, " ".join(note), meanings, screen)


def _means(column: Sequence[Cell], places: int, marked: bool) -> list[str]:
    """The cells of a measure, aligned: marks take as much space as the longest ones."""
    widest = max(len(cell.marks) for cell in column) if marked else 0
    plain = [cell._replace(marks="").text(places, TERMINAL) for cell in column]
    if not widest:
        return plain
    return [f"{number} {cell.marks:<{widest}}" for number, cell in zip(plain, column, strict=True)]


def _best(cells: Sequence[str]) -> set[int]:
    """The positions of means that are marked as the best of their measure."""
    mark = TERMINAL.bold("")
    return {place for place, cell in enumerate(cells) if cell.startswith(mark)}


def _table(columns: Sequence[TextColumn], screen: Screen) -> list[str]:
    kept, short = fitted(columns, screen.width, screen.cut)
    return [*written(kept, styled=screen.styled), *renamed(short, screen)]


def _text(lines: Sequence[str], note: str, meanings: Sequence[str], screen: Screen) -> str:
    return "\n".join([*lines, *notes_below(note, meanings, screen)]) + "\n"
