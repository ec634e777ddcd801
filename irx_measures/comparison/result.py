"""Comparison: the result of comparing systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import ir_measures
import numpy as np

from ..common.escapes import printable
from ..common.short_paths import public
from ..common.validators import choice, integer
from ..common.writing import MOST_PLACES, nearest_of
from ..exceptions import InputError
from ..measures.naming.labels import measure_heads, short_labels
from ..measures.naming.named_score import find_measure, lower_is_better, nearest_measure
from ..results.base import StudyResult
from ..results.column import (
    PAPER_PLACES,
    Column,
    Declared,
    arrays_of,
    lists,
    notes_of,
    stacked,
)
from ..results.frames import DataFrame, frame
from ..results.tables import MARKUPS
from ..scoring.grouped_scores import GroupedScores, place_of
from ..scoring.renaming import new_names, separated
from ..scoring.score_columns import COLLECTION, GROUP
from ..scoring.score_matrix import ScoreMatrix
from ..stats.family import Method
from ..stats.pairs import Pairs, join_ties
from ..typing import MeasureLike
from .board import Leaderboard, Rows
from .difference import Difference, difference_of
from .hypotheses import HYPOTHESES
from .paper_table import paper_table
from .tables import BOARD, BOARD_OF_PAIRS, PLAN, difference_shown, plan
from .unjudged import WORLDS_TEXT, Worlds
from .words import finding, in_brackets, method_text

NAMES = (
    Declared(GROUP, "the group of queries, if there are groups"),
    Declared(COLLECTION, "in its place the collection, if there are collections"),
    Declared(
        "macro",
        "of macro means, what is drawn: ``queries`` of these groups, or ``groups`` like these",
    ),
    Declared("measure", "the measure"),
)
"""The columns that name the rows of several measures and groups."""

PLAN_OF_PAIR = PLAN[2:]  # without the names of the systems


def named_rows(
    parts: Iterable[tuple[Leaderboard, Sequence[Column]]], unit: str = GROUP
) -> list[Column]:
    """The rows of all parts, with the names of their groups and measures, for programs.

    `unit` is what a group is.
    """
    tables = []
    for part, columns in parts:
        rows = len(columns[0].listed)
        called = {unit: part.group, "macro": part.macro, "measure": str(part.measure)}
        names = [
            Column(each.name, [called[each.name]] * rows, meaning=each.meaning)
            for each in NAMES
            if called.get(each.name) is not None
        ]
        tables.append([*names, *columns])
    return stacked(tables)


@public
@dataclass(frozen=True, eq=False, repr=False)
class Comparison(StudyResult):
    """Which systems differ, by how much, and what is tied.

    With groups of queries, ``result[group]`` is the comparison of one group. Its p-values and
    intervals are corrected for the hypotheses of all groups.

    Attributes
    ----------
    matrix : ScoreMatrix
        The compared scores.
    method : Method
        Test, correction, level, resamples and seed.
    baselines : tuple of str
        The systems that the others are compared with; empty if all pairs are compared.
    boards : tuple of Leaderboard
        All that is shown of every measure and group, with the tested hypotheses.
    grouped : GroupedScores, optional
        The scores of all groups of queries. Those with fewer than 3 queries are not compared within
        the group.
    worlds : dict from a measure to (systems, samples) floats, optional
        The systems' means in worlds in which every document has a grade; None without
        ``unjudged='learned'``.
    macro : {'queries', 'groups'}, optional
        The question that is asked of macro means; None if means over queries are compared. With
        macro means, `matrix` has the means of the groups, systems x groups.

    See Also
    --------
    irx_measures.compare : Makes it.
    irx_measures.plots.leaderboard : Draws the means, or the differences to baselines.
    """

    matrix: ScoreMatrix
    method: Method
    baselines: tuple[str, ...]
    boards: tuple[Leaderboard, ...] = field(compare=False)
    grouped: GroupedScores | None = None
    worlds: Worlds | None = None
    macro: str | None = None

    @classmethod
    def of(
        cls,
        matrix: ScoreMatrix,
        method: Method,
        baselines: tuple[str, ...],
        boards: Sequence[Leaderboard],
        grouped: GroupedScores | None = None,
        macro: str | None = None,
    ) -> Comparison:
        """The comparison with a leaderboard for the tests of every measure and group."""
        labels = dict(zip(matrix.measures, short_labels(matrix.measures), strict=True))
        heads = measure_heads(list(labels.values()))
        named = []
        for board in boards:
            label = labels[board.measure]
            head = heads[label]
            named.append(replace(board, label=label, head=head, macro=macro))
        return cls(matrix, method, baselines, tuple(named), grouped, macro=macro)

    def with_worlds(self, worlds: Worlds) -> Comparison:
        """The comparison with what is probable if unjudged documents have grades."""
        place = self.matrix.systems.index
        boards = tuple(
            replace(board, worlds=worlds[board.measure][list(map(place, board.systems))])
            for board in self.boards
        )
        return replace(self, worlds=worlds, boards=boards)

    def renamed(self, names: Mapping[str, str]) -> Comparison:
        """The same comparison with other names of systems, as `ScoreMatrix.renamed`, and measures.

        The keys of `names` are systems and measures. Tables for people, LaTeX, pictures and the
        report have the new names of measures; `to_frame` and methods have the measures themselves.
        """
        systems, measures = separated(self.matrix.systems, self.matrix.measures, names)
        new = new_names(self.matrix.systems, systems)
        boards = (board.renamed(new, measures.get(str(board.measure))) for board in self.boards)
        return replace(
            self,
            matrix=self.matrix.renamed(systems),
            baselines=tuple(new[name] for name in self.baselines),
            boards=tuple(boards),
            grouped=None if self.grouped is None else self.grouped.renamed(systems),
        )

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups within which systems are compared; empty if there are none."""
        if self.grouped is None or self.macro is not None:
            return ()
        return tuple(dict.fromkeys(board.group or "" for board in self.boards))

    def __getitem__(self, group: str) -> Comparison:
        """The comparison of one group of queries; KeyError if there is no such group."""
        if self.macro is not None:
            raise KeyError(
                f"{group!r}: macro means are compared; within it: compare(macro='none')[{group!r}]"
            )
        if self.grouped is None:
            raise KeyError(f"{group!r}: the queries were compared without groups")
        name = self.groups[place_of(group, self.groups)]
        boards = tuple(board for board in self.boards if board.group == name)
        return replace(self, matrix=self.grouped[name], boards=boards, grouped=None)

    @property
    def tested(self) -> tuple[Leaderboard, ...]:
        """The leaderboard of every measure and group that has tests."""
        return tuple(board for board in self.boards if board.is_tested)

    def columns(self) -> list[Column]:
        """One row per measure and hypothesis; see `to_frame`."""
        boards: Sequence[Leaderboard] = self.tested
        if self.groups:  # group by group
            boards = sorted(boards, key=lambda board: self.groups.index(board.group or ""))
        rows = ((board, board.tested.columns()) for board in boards)
        return named_rows(rows, self.unit)

    @property
    def unit(self) -> str:
        """What a group is, which is the name of its column: group, or collection."""
        return GROUP if self.grouped is None else self.grouped.unit

    @lists([*NAMES, *HYPOTHESES])
    def to_frame(self) -> DataFrame:
        """One row per measure and hypothesis.

        Returns
        -------
        DataFrame
            A measure on which the baselines have no score has no hypothesis, and no row; its means
            are in the leaderboard.
        """
        return frame(self.to_columns())

    def paper_table(
        self,
        form: Literal["latex", "markdown", "html"] = "latex",
        *,
        systems: Sequence[str] | None = None,
        places: int = PAPER_PLACES,
    ) -> str:
        """The scores as a table of a paper, with a column per measure and group.

        The best mean of a measure is bold. With baselines, a superscript letter stands for a
        baseline that the system is significantly better than, and a letter after an arrow for one
        that is significantly better. Without, two systems share a letter if they do not differ
        significantly; tables of more than 15 systems or 6 letters have none. Long measures have
        short heads, and the caption says what they stand for.

        Parameters
        ----------
        form
            ``latex`` (with booktabs), ``markdown`` (as GitHub shows it) or ``html``.
        systems
            The systems to show; by default, all. The tests do not change.
        places
            Decimal places, -1 for all.
        """
        choice(*MARKUPS).check("form", form)
        integer(-1, MOST_PLACES).check("places", places)
        return paper_table(self, form, places, systems)

    @property
    def topics(self) -> int:
        """Number of topics."""
        return len(self.matrix.query_ids)

    @property
    def significant(self) -> int:
        """Number of rejected hypotheses, of all measures and groups."""
        return sum(part.rejections for part in self.tested)

    def measure(self, measure: MeasureLike | None = None) -> ir_measures.Measure:
        """One of the compared measures, by a name that `ScoreMatrix` reads.

        It may be omitted if there is only one.
        """
        measures = list(dict.fromkeys(board.measure for board in self.boards))
        if measure is None and len(measures) == 1:
            return measures[0]
        known = ", ".join(short_labels(measures))
        if measure is None:
            raise InputError(f"`measure` is missing: name one of {known}")
        found = find_measure(measure, measures)
        if found is None:
            hint = nearest_measure(measure, measures)
            raise InputError(f"`measure` must be one of {known}; got {measure}{hint}")
        return found

    def board(self, measure: MeasureLike | None = None) -> Leaderboard:
        """All that is shown of one measure, with the arrays of `leaderboard`."""
        if self.groups:
            known = ", ".join(map(repr, self.groups))
            raise InputError(f"name one of the groups {known} first: result[group]")
        (board,) = self.boards_of(measure).values()
        return board

    def boards_of(self, measure: MeasureLike | None = None) -> dict[str | None, Leaderboard]:
        """The leaderboard of every group on a measure, which may be omitted if there is one."""
        asked = self.measure(measure)
        return {board.group: board for board in self.boards if board.measure == asked}

    def ordered_systems(self, measure: MeasureLike | None = None) -> list[str]:
        """The systems by their means over the queries of all groups, best first."""
        total: dict[str, float] = {}
        for board in self.boards_of(measure).values():
            gains = board.direction * board.topics * board.mean
            for system, gain in zip(board.systems, gains.tolist(), strict=True):
                total[system] = total.get(system, 0.0) + gain
        names, gain = list(total), join_ties(np.array(list(total.values())))
        return [names[place] for place in np.argsort(-gain, kind="stable").tolist()]

    @lists([*BOARD, *BOARD_OF_PAIRS])
    def leaderboard(self, measure: MeasureLike | None = None) -> DataFrame:
        """The systems in the order of their means, with the ranks that the tests cannot rule out.

        Parameters
        ----------
        measure
            One of the compared measures; it may be omitted if there is only one.

        Returns
        -------
        DataFrame
            One row per system.
        """
        return frame(arrays_of(self.board(measure).columns()))

    def difference(
        self, system: str, baseline: str | None = None, measure: MeasureLike | None = None
    ) -> Difference:
        """The difference of two systems that were compared, topic by topic and on average.

        Its ``to_frame()`` lists the topics with both scores, by falling difference.

        Parameters
        ----------
        system
            The name of a system.
        baseline
            The system that is subtracted; it may be omitted if the comparison has one baseline.
        measure
            One of the compared measures; it may be omitted if there is only one.
        """
        if baseline is None:
            if len(self.baselines) != 1:
                raise InputError(
                    "`baseline` may be omitted only if the comparison has one baseline; it has "
                    f"{len(self.baselines)}"
                )
            (baseline,) = self.baselines
        for name, argument in ((system, "system"), (baseline, "baseline")):
            position_of(name, self.matrix.systems, argument)
        return difference_of(self.board(measure), system, baseline, self.matrix.query_ids)

    @lists([*NAMES, *PLAN_OF_PAIR])
    def topics_needed(self, system: str, other: str) -> DataFrame:
        """How many topics a test of these two systems needs for a power of .8.

        The plan is for one pair that was chosen beforehand: a paired t test at the level of the
        comparison, without correction. With ``test='moderated-t'``, the variance is moderated as in
        the comparison.

        Parameters
        ----------
        system, other
            Names of two systems.

        Returns
        -------
        DataFrame
            One row per compared measure (and group) that scores both systems.
        """
        self.refuse_planning()
        for name in (system, other):
            position_of(name, self.matrix.systems, "system")
        if system == other:
            raise InputError(f"`other` must be another system than `system`; got {other!r} twice")
        tested = [part for part in self.tested if {system, other} <= set(part.systems)]
        if not tested:
            raise InputError(f"no measure scores both {system!r} and {other!r}")
        plans = []
        for part in tested:
            pair = Pairs(*(np.array([part.place[name]]) for name in (system, other)))
            plans.append((part, plan(part, pair)[2:]))
        return frame(arrays_of(named_rows(plans)))

    def refuse_planning(self) -> None:
        """InputError if topics cannot be planned, because macro means are compared."""
        if self.macro is not None:
            raise InputError(f"topics cannot be planned for macro means: plan within a {self.unit}")

    @property
    def summary(self) -> str:
        """The result in one line."""
        found = printable("; ".join(self.findings))
        return found if self.worlds is None else f"{found}. {WORLDS_TEXT}"

    @property
    def findings(self) -> list[str]:
        """What was found in each measure and group."""
        said = []
        for board in self.boards:
            what = board.in_group(board.label)
            if self.macro is not None:
                what = f"{what}, {board.over}"
            said.append(f"{what}: {finding(board)}")
        return said

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the scores may not answer the question: what `evaluate` warned of."""
        return self.matrix.warnings

    @property
    def falling(self) -> list[str]:
        """A sentence that names the measures of which lower scores are better, if there are any."""
        return lower_is_better(dict.fromkeys(board.measure for board in self.boards))

    def _said(self) -> list[str]:
        more = len(self.boards) > 1 and not self.groups
        tables = self._tables_shown()
        marks = in_brackets(*(rows for _, rows, _ in tables))
        notes = dict.fromkeys(text for *_, columns in tables for text in notes_of(columns))
        below = " ".join([f"{'. '.join([method_text(self.tested), *marks])}.", *notes])
        return [
            *super()._said(),
            *self.falling,
            f"tests: {below}",
            *(["other measures: .leaderboard(measure), .to_frame()"] if more else []),
            *(f"warning: {text}" for text in self.warnings),
        ]

    def _tables_shown(self) -> list[tuple[Leaderboard, Rows, list[Column]]]:
        """What is shown: a table of each family within groups, else one of the first measure.

        Each has the hypotheses whose differences it shows.
        """
        if self.groups:
            families = ((board, rows) for board in self.boards for _, rows in board.families())
            return [(board, rows, difference_shown(rows)) for board, rows in families]
        board = self.boards[0]
        if board.baseline_names:
            _, rows = next(board.families())
            return [(board, rows, difference_shown(rows))]
        return [(board, board.reference, board.columns())]

    def _shown(self) -> DataFrame:
        """The differences within groups; else what a terminal shows of the first measure."""
        tables = self._tables_shown()
        if not self.groups:
            return frame(_cells_of(tables[0][2]))
        rows: dict[str, list[str]] = {self.unit: [], "measure": []}
        for board, tested, columns in tables:
            count = len(tested.system)
            rows[self.unit] += [board.group or ""] * count
            rows["measure"] += [board.label] * count
            for name, cells in _cells_of(columns).items():
                rows.setdefault(name, []).extend(cells)
        return frame(rows)


def _cells_of(columns: Iterable[Column]) -> dict[str, Sequence[str]]:
    """The cells of a terminal, by the heads of their columns."""
    return {
        column.head.strip() or column.name: column.cells(PAPER_PLACES)
        for column in columns
        if column.shown
    }


def position_of(name: str, systems: Sequence[str], argument: str) -> int:
    """Position of a system by its name; InputError if there is none."""
    if name not in systems:
        raise InputError(
            f"`{argument}` must name one of the {len(systems)} systems, such as "
            f"{', '.join(map(repr, systems[:5]))}; got {name!r}{nearest_of(name, systems)}"
        )
    return systems.index(name)


def left_out_of(matrix: ScoreMatrix) -> dict[str, tuple[str, ...]]:
    """Systems without a score, by measure; they are not compared on it."""
    return {
        str(measure): tuple(matrix.systems[place] for place in np.flatnonzero(row).tolist())
        for measure, row in zip(matrix.measures, matrix.undefined, strict=True)
        if row.any()
    }
