"""Comparisons of systems as tables: leaderboards, differences, planned topics, scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np

from ..common.escapes import TERMINAL
from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.screen import on_screen, sentence
from ..common.tables import Column, TextTable, listed, write
from ..common.writing import interval_text, level_text, marked, p_text, signed
from ..comparison.hypotheses import TestedMeasure
from ..comparison.leaderboard import Leaderboard, Reference, board_columns, rank_texts
from ..comparison.paper_table import Cell, ScoreTable, over_topics
from ..comparison.result import Comparison, grouped_name
from ..comparison.topics import plan_of, planned_topics
from ..comparison.unjudged import world_differences
from ..comparison.words import BEST, IN_BRACKETS, ONE_GROUP_ONLY, RANK, intervals_text, method_text
from ..measures.named_score import lower_is_better
from ..stats.planning import POWER
from ..stats.results import Columns
from ..stats.tests import TESTS
from .tables import rows_of_groups, score_columns, score_table

W_T_L = "w/t/l: topics on which the system scores better, the same, worse."

P_BETTER = (
    "P(A>B): probability that the system has the higher mean, over the choice of topics and the "
    "grades of unjudged documents (learned prior); it is not corrected."
)


OF_PLANS = (
    "p: of this test on the topics at hand. Choose one pair before you look at the results: the "
    "plan is for one comparison.",
    "topics: topics in total that the test needs if the effect g is the true one.",
    "topics_safe: the same if the effect is smaller by .84 standard errors.",
)


def comparison_text(result: Comparison, shown: str, form: str, places: int) -> str:
    """A comparison in an output format.

    Parameters
    ----------
    shown
        A key of `SHOWN`.
    form
        A key of `common.tables.FORMATS`.
    places
        Decimal places, -1 for all.

    Notes
    -----
    - ``table`` begins with what was found.
    - In the other formats, a row is a system or a hypothesis: ``differences`` has the columns of
      `Comparison.to_frame`, ``leaderboard`` those of `Comparison.leaderboard` after the measure,
      and ``topics`` those of `Comparison.topics_needed` after the systems. ``scores`` is what ``irx
      evaluate`` prints.
    - Infinite numbers, such as topics that are not foreseeable, are written as undefined values.
    """
    tables_of, columns_of = SHOWN[shown]
    if form == "table":
        said = [result.summary]
        if result.groups:
            found = zip(result.labels, result.findings, strict=True)
            said = [f"{name}: {text}" for name, text in found]
        return "\n".join([*map(sentence, said), "", on_screen(*tables_of(result, places))])
    if columns_of is None:
        return _scores_of_systems(result, form, places)
    finite = {name: list(map(_finite, listed(v))) for name, v in columns_of(result).items()}
    return write(TextTable.of(finite, places), form)


def _finite(value: Any) -> Any:
    return nan if isinstance(value, float) and abs(value) == inf else value


def leaderboards(result: Comparison, places: int) -> list[TextTable]:
    """A leaderboard per measure: means, what is tied, the differences to the best system."""
    return [
        TextTable(
            _board_columns(board, places),
            title=f"{grouped_name(board.head, board.group)}, "
            f"{len(board)} systems, {board.topics} topics",
            notes=_notes(result, [] if board.baselines else [f"{IN_BRACKETS}."]),
        )
        for board in result.boards
    ]


def _board_columns(board: Leaderboard, places: int) -> list[Column]:
    columns = [
        Column("system", board.systems, key=True),
        _texts(board.label, [f"{mean:.{places}f}" for mean in board.mean], board.head, bold={0}),
        _texts(
            "interval",
            [interval_text(*ends, places) for ends in zip(board.lower, board.upper, strict=True)],
            meaning=f"interval: {level_text(board.level)} t interval of the mean.",
        ),
    ]
    if board.ranks is not None:
        ranks, meaning = rank_texts(board.ranks, "-"), f"rank: {RANK}; from 1: {BEST}."
        columns.insert(0, _texts("rank", ranks, meaning=meaning, key=True))
    if not board.baselines:
        columns += [_differences("- best ", board.reference, places), _p_values(board.reference)]
        if board.p_best is not None:
            columns.append(_texts("P(best)", [f"{chance:.3f}" for chance in board.p_best]))
    return columns


def _texts(name: str, text: Sequence[str], head: str = "", **how: Any) -> Column:
    """A column of numbers as ``table`` writes them."""
    return Column(name, None, text, head=head, left=False, **how)


def _compared(name: str, tests: Reference, text: Callable[[int], str], **how: Any) -> Column:
    """A column with cells of the rows that were tested."""
    cells = [text(row) if compared else "" for row, compared in enumerate(tests.compared)]
    return _texts(name, cells, **how)


def _differences(name: str, tests: Reference, places: int, itself: str = "") -> Column:
    """The differences, those in brackets that are not significant."""
    cells = [
        marked(signed(difference, places), bool(significant)) if compared else itself
        for difference, significant, compared in zip(
            tests.difference, tests.significant, tests.compared, strict=True
        )
    ]
    return _texts(name, cells, dim=np.flatnonzero(tests.compared & ~tests.significant).tolist())


def _p_values(tests: Reference) -> Column:
    return _compared("adj. p", tests, lambda row: p_text(tests.p_adjusted[row]))


def _notes(result: Comparison, marks: Sequence[str]) -> list[str]:
    """What the marks mean, and how was tested."""
    falling = lower_is_better(dict.fromkeys(part.measure for part in result.tested))
    return [*falling, *marks, f"Tests: {method_text(result.tested)}."]


def differences(result: Comparison, places: int) -> list[TextTable]:
    """The differences: to each baseline a table with the means, or a table of all pairs."""
    notes = _notes(result, [f"{IN_BRACKETS}."])
    if result.groups:
        notes.append(ONE_GROUP_ONLY)
    tables = []
    for board, label in zip(result.boards, result.labels.values(), strict=True):
        title = f"{label} ({board.topics} topics), system minus"
        chances = _chances(result, board)
        for one in board.baselines:
            columns = [
                Column("system", board.systems, key=True),
                _texts("mean", [f"{mean:.{places}f}" for mean in board.mean]),
                *_tests(board.tested, one, places),
            ]
            if chances is not None:
                columns.append(_p_better(chances[:, one.place], one.compared))
            tables.append(TextTable(columns, title=f"{title} {one.name}", notes=notes))
        if not board.baselines:
            columns = _pairs(board, chances, places)
            tables.append(TextTable(columns, title=f"{title} other system", notes=notes))
    return tables


def _tests(part: TestedMeasure, tests: Reference, places: int) -> list[Column]:
    """What the tests say of each row: a system minus another one."""
    columns = [_differences("difference ", tests, places, "baseline ")]
    if part.method.has_intervals:
        columns.append(
            _compared(
                "interval",
                tests,
                lambda row: interval_text(tests.lower[row], tests.upper[row], places, sign=True),
                meaning=f"interval: {level_text(part.method.level)}. {intervals_text([part])}",
            )
        )
    counts = list(zip(tests.wins, tests.ties, tests.losses, strict=True))
    wins = _compared("w/t/l", tests, lambda row: "/".join(map(str, counts[row])), meaning=W_T_L)
    return [*columns, _p_values(tests), wins]


def _chances(result: Comparison, board: Leaderboard) -> FloatArray | None:
    """P(A > B) of every system (row) and other one (column); None if it is not known."""
    if result.worlds is None:
        return None
    part = board.tested
    square = np.full((len(part.systems),) * 2, np.nan)
    square[part.pairs] = world_differences(result.means_in_worlds(part), part)["p_better"]
    return square[np.ix_(board.order, board.order)]


def _p_better(chances: FloatArray, compared: BoolArray) -> Column:
    cells = [f"{p:.3f}" if known else "" for p, known in zip(chances, compared, strict=True)]
    return _texts("P(A>B)", cells, meaning=P_BETTER)


def _pairs(board: Leaderboard, chances: FloatArray | None, places: int) -> list[Column]:
    """All pairs of systems: the significant ones first, then by the size of the difference."""
    part = board.tested
    rows = np.lexsort((-np.abs(part.mean).round(12), ~part.rejected))
    systems, pairs = part.systems, part.pairs
    first, second = ([systems[place] for place in side[rows].tolist()] for side in pairs)
    tests = Reference(
        "",
        0,
        compared=np.ones(len(rows), bool),
        difference=part.mean[rows],
        lower=part.lower[rows],
        upper=part.upper[rows],
        effect=part.effect[rows],
        p=part.p[rows],
        p_adjusted=part.p_adjusted[rows],
        significant=part.rejected[rows],
        wins=part.wins[rows],
        ties=part.ties[rows],
        losses=part.losses[rows],
    )
    columns = [
        Column("system", first, key=True),
        Column("other", second, key=True),
        *_tests(part, tests, places),
    ]
    if chances is None:
        return columns
    places_of = ([board.place[name] for name in names] for names in (first, second))
    return [*columns, _p_better(chances[tuple(places_of)], tests.compared)]


def planned(result: Comparison, places: int) -> list[TextTable]:
    """How many topics would settle each comparison with a baseline."""
    title = TESTS[result.method.t_test].title
    notes = [
        f"{title[0].upper()}{title[1:]} without correction, confidence level "
        f"{level_text(result.method.level)}, power {POWER:g}. -: not foreseeable.",
        *OF_PLANS,
    ]
    tables = []
    for part, label in zip(result.tested, result.labels.values(), strict=True):
        order = np.argsort(-part.mean.round(12), kind="stable")
        for baseline in dict.fromkeys(part.pairs.second.tolist()):
            columns = _plans(part, order[part.pairs.second[order] == baseline], places)
            head = f"{label}, system minus {part.systems[baseline]}"
            tables.append(TextTable(columns, title=head, notes=notes))
    return tables


def _plans(part: TestedMeasure, rows: Int64Array, places: int) -> list[Column]:
    plan = plan_of(part)
    systems = [part.systems[place] for place in part.pairs.first[rows].tolist()]
    return [
        Column("system", systems, key=True),
        _texts("difference", [signed(part.mean[row], places) for row in rows]),
        _texts("g", [signed(part.effect[row], 2) for row in rows]),
        _texts("p", [p_text(plan.p[row]) for row in rows]),
        _texts("topics", list(map(_count, plan.topics[rows]))),
        _texts("topics_safe", list(map(_count, plan.topics_safe[rows]))),
    ]


def _count(topics: float) -> str:
    return "-" if topics == inf else f"{topics:.0f}"


def scores(result: Comparison, places: int) -> list[TextTable]:
    """Systems x measures, with the letters of the baselines that a system beats."""
    table = ScoreTable.of(result)
    columns = [
        _texts(
            label,
            _means(column, places, bool(result.baselines)),
            head,
            bold=[row for row, cell in enumerate(column) if cell.best],
        )
        for column, (label, head) in zip(table.columns.values(), result.labels.items(), strict=True)
    ]
    marks = [f"{TERMINAL.best}."]
    if table.baselines:
        marks.append(f"{table.beaten(TERMINAL)}.")
    if result.groups:
        marks.append(f"Means over {over_topics(result.tested, TERMINAL)}.")
    return [
        TextTable(
            [Column("system", table.systems, key=True), *columns], notes=_notes(result, marks)
        )
    ]


def _means(column: Sequence[Cell], places: int, marked: bool) -> list[str]:
    """The cells of a measure, aligned: marks take as much space as the longest ones."""
    widest = max(len(cell.marks) for cell in column) if marked else 0
    plain = [cell._replace(marks="").text(places, TERMINAL) for cell in column]
    if not widest:
        return plain
    return [f"{number} {cell.marks:<{widest}}" for number, cell in zip(plain, column, strict=True)]


def _leaderboard_columns(result: Comparison) -> Columns:
    boards = [(board, board_columns(board)) for board in result.boards]
    groups = [board.group or "" for board, _ in boards for _ in board.systems]
    names = dict.fromkeys(name for _, columns in boards for name in columns)
    return {
        **({"group": groups} if result.groups else {}),
        "measure": [str(board.measure) for board, _ in boards for _ in board.systems],
        **{name: np.concatenate([columns[name] for _, columns in boards]) for name in names},
    }


def _scores_of_systems(result: Comparison, form: str, places: int) -> str:
    groups = [] if result.grouped is None else rows_of_groups(result.grouped)
    columns = score_columns(result.matrix)
    return score_table(columns, result.matrix.systems, (), form, places, False, True, groups)


class _Form(NamedTuple):
    """One thing to show of a comparison: as ``table``, and in the other formats.

    Attributes
    ----------
    tables
    columns
        None: those of the scores.
    """

    tables: Callable[[Comparison, int], list[TextTable]]
    columns: Callable[[Comparison], Columns] | None = None


SHOWN = {
    "leaderboard": _Form(leaderboards, _leaderboard_columns),
    "differences": _Form(differences, lambda result: result.to_columns()),
    "scores": _Form(scores),
    "topics": _Form(planned, lambda result: planned_topics(result.tested)),
}
