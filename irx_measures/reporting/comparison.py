"""Comparisons of systems as tables for terminals: differences, planned topics, scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isinf

import numpy as np

from ..common.arrays import FloatArray, Int64Array
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
from ..common.screen import Screen
from ..common.text_columns import TextColumn, wrapped, written
from ..comparison.caption import beaten_baselines, over_topics
from ..comparison.findings import IN_BRACKETS, ONE_GROUP_ONLY
from ..comparison.grouped import AnyComparison, GroupedComparison
from ..comparison.how_tested import intervals_text, method_text
from ..comparison.hypotheses import Tested
from ..comparison.planning import plan_of
from ..measures.labels import LONGEST_HEAD
from ..measures.named_score import lower_is_better
from ..stats.planning import POWER
from ..stats.tests import TESTS

TERMINAL = PLAIN._replace(bold="*{}".format, best="*: best mean")


def differences_text(result: AnyComparison, screen: Screen, places: int) -> str:
    """A row per hypothesis: a table per measure and baseline, the largest difference first.

    Without baselines, a table has all pairs of a measure, the significant ones first.
    """
    labels = result.labels
    lines = [
        line
        for title, part, rows in _tables(result, labels)
        for line in [
            *wrapped(title, screen.width),
            *_differences(part, rows, screen, places, _chances(result, part)),
            "",
        ]
    ]
    falling = lower_is_better(part.hypotheses.measure for part in result.tested)
    note = " ".join([*falling, f"{IN_BRACKETS}.", _tests(result)])
    meanings = [
        f"Interval: {level_text(result.method.level)}. {intervals_text(result.tested)}",
        "g: Hedges' g of the paired differences. w/t/l: topics on which the system scores better, "
        "the same, worse.",
    ]
    if result.filled is not None:
        meanings.append(
            "P(A>B): probability that the system has the higher mean, over the choice of topics "
            "and the grades of unjudged documents (learned prior). It is not corrected for the "
            "number of comparisons."
        )
    if isinstance(result, GroupedComparison):
        meanings.append(ONE_GROUP_ONLY)
    return _text(lines + renamed(labels, screen), note, meanings, screen)


def _tests(result: AnyComparison) -> str:
    topics = "" if isinstance(result, GroupedComparison) else f"; {result.topics} topics"
    return f"Tests: {method_text(result.tested)}{topics}."


def _tables(
    result: AnyComparison, labels: dict[str, str]
) -> Iterator[tuple[str, Tested, Int64Array]]:
    """The title, the tests and the rows of each table, in order."""
    for part, label in zip(result.tested, labels.values(), strict=True):
        if part.hypotheses.group is not None:
            label = f"{label} ({part.topics} topics)"
        second = part.hypotheses.pairs.second
        if not result.baselines:
            order = np.lexsort((-np.abs(part.mean).round(12), ~part.rejected))
            yield f"{label}, system minus other system", part, order
            continue
        order = np.argsort(-part.mean.round(12), kind="stable")
        for position in dict.fromkeys(second.tolist()):
            name = part.hypotheses.systems[position]
            yield f"{label}, system minus {name}", part, order[second[order] == position]


def _names(part: Tested, rows: Int64Array, every_pair: bool) -> list[TextColumn]:
    systems, (first, second) = part.hypotheses.systems, part.hypotheses.pairs
    columns = [TextColumn("system", [systems[first[row]] for row in rows], False, True)]
    if every_pair:
        columns.append(TextColumn("other", [systems[second[row]] for row in rows], False, True))
    return columns


def _chances(result: AnyComparison, part: Tested) -> FloatArray | None:
    """P(A > B) of every pair, if it is known."""
    return None if result.filled is None else result.filled_of(part).p_better


def _differences(
    part: Tested, rows: Int64Array, screen: Screen, places: int, chances: FloatArray | None
) -> list[str]:
    second = part.hypotheses.pairs.second
    differences = [marked(signed(part.mean[row], places), part.rejected[row]) for row in rows]
    columns = [
        *_names(part, rows, every_pair=len(set(second[rows].tolist())) > 1),
        TextColumn("difference ", differences, dim=not_significant(differences)),
        TextColumn(
            "interval",
            [difference_interval_text(part.lower[row], part.upper[row], places) for row in rows],
            optional=1,
        ),
        TextColumn("g", [signed(part.effect[row], 2) for row in rows], optional=2),
        TextColumn("adj. p", [p_text(part.p_adjusted[row]) for row in rows]),
        TextColumn(
            "w/t/l",
            [f"{part.wins[row]}/{part.ties[row]}/{part.losses[row]}" for row in rows],
            optional=3,
        ),
    ]
    if chances is not None:
        columns.append(TextColumn("P(A>B)", [f"{chances[row]:.3f}" for row in rows]))
    return _table(columns, screen)


def topics_text(result: AnyComparison, screen: Screen, places: int) -> str:
    """How many topics would settle each comparison with a baseline."""
    labels = result.labels
    lines = [
        line
        for title, part, rows in _tables(result, labels)
        for line in [*wrapped(title, screen.width), *_plans(part, rows, screen, places), ""]
    ]
    level = level_text(result.method.level)
    topics = "topics" if isinstance(result, GroupedComparison) else f"{result.topics} topics"
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


def _plans(part: Tested, rows: Int64Array, screen: Screen, places: int) -> list[str]:
    plan = plan_of(part)
    columns = [
        *_names(part, rows, every_pair=False),
        TextColumn("difference", [signed(part.mean[row], places) for row in rows], optional=1),
        TextColumn("g", [signed(part.effect[row], 2) for row in rows], optional=3),
        TextColumn("p", [p_text(plan.p[row]) for row in rows], optional=2),
        TextColumn("topics", [_count(plan.topics[row]) for row in rows]),
        TextColumn("topics_safe", [_count(plan.topics_safe[row]) for row in rows]),
    ]
    return _table(columns, screen)


def _count(topics: float) -> str:
    return "-" if isinf(topics) else f"{topics:.0f}"


def scores_text(result: AnyComparison, screen: Screen, places: int) -> str:
    """Systems x measures; transposed if there are fewer systems than measures."""
    table = result.paper_table()
    labels = result.labels
    marks = [len(table.widest_marks(column)) for column in range(len(labels))]
    cells = [
        [
            _aligned(table.cell(row, column, places, TERMINAL), table.marks[row][column], widest)
            for column, widest in enumerate(marks)
        ]
        for row in range(len(table.systems))
    ]
    by_measure = len(table.systems) < len(labels)
    longest = LONGEST_HEAD if by_measure else screen.width // 3
    systems = cut_names(table.systems, longest, screen.signs.cut)
    if by_measure:
        first = TextColumn("measure", list(labels.values()), False)
        heads = systems.values()
    else:
        first = TextColumn("system", list(systems.values()), False)
        heads, cells = labels.values(), [list(column) for column in zip(*cells, strict=True)]
    columns = [
        TextColumn(head, column, bold=_best(column))
        for head, column in zip(heads, cells, strict=True)
    ]
    lines = [
        line
        for panel in panels([first], columns, screen.width)
        for line in [*written(panel, styled=screen.styled), ""]
    ]
    lines += renamed(systems, screen) + renamed(labels, screen)
    note = [
        f"{TERMINAL.best}.",
        *lower_is_better(dict.fromkeys(part.hypotheses.measure for part in result.tested)),
        *([f"{beaten_baselines(table, TERMINAL)}."] if table.baselines else []),
        _tests(result),
    ]
    grouped = isinstance(result, GroupedComparison)
    meanings = [f"Means over {over_topics(result.tested, TERMINAL)}."] if grouped else []
    return _text(lines, " ".join(note), meanings, screen)


def _best(cells: Sequence[str]) -> set[int]:
    """The positions of means that are marked as the best of their measure."""
    mark = TERMINAL.bold("")
    return {place for place, cell in enumerate(cells) if cell.startswith(mark)}


def _aligned(cell: str, marks: Sequence[str], widest: int) -> str:
    """A cell whose marks take as much space as the longest ones of the column."""
    if not widest:
        return cell
    number = cell.removesuffix("".join(marks)) if marks else cell
    return f"{number} {cell[len(number) :]:<{widest}}"


def _table(columns: Sequence[TextColumn], screen: Screen) -> list[str]:
    kept, short = fitted(columns, screen.width, screen.signs.cut)
    return [*written(kept, styled=screen.styled), *renamed(short, screen)]


def _text(lines: Sequence[str], note: str, meanings: Sequence[str], screen: Screen) -> str:
    return "\n".join([*lines, *notes_below(note, meanings, screen)]) + "\n"
