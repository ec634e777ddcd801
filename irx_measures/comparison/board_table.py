"""A comparison as a short table: what Python and notebooks show of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..common.arrays import FloatArray
from ..common.numbers import p_text, signed
from ..common.short_table import ShortTable, shown_rows
from ..common.text_columns import cut_names
from ..measures.labels import LONGEST_HEAD, measure_heads, short_labels
from ..stats.intervals import mean_interval
from .axis import ends
from .caption import method_text
from .findings import findings
from .hypotheses import Tested, tests_against

if TYPE_CHECKING:
    from .result import Comparison

PLACES = 3

STRIP_WIDTH, STRIP_HEIGHT, MARGIN = 150, 14, 6


class Board(NamedTuple):
    """The systems of a measure, best first; `ranks` is None if its tests would take long."""

    systems: Sequence[str]
    mean: FloatArray
    lower: FloatArray
    upper: FloatArray
    ranks: Sequence[str] | None


def board_table(result: Comparison) -> ShortTable:
    """The leaderboard of the first measure, with the differences to a baseline or to the best."""
    part = result.tested[0]
    board = _board(result, part)
    baselines = [name for name in result.baselines if name in board.systems]
    reference = baselines[0] if baselines else board.systems[0]
    tests = tests_against(part, reference)
    label, head, notes = _names(result)
    rows = shown_rows(len(board.systems), [board.systems.index(reference)])
    if len(rows) < len(board.systems):
        more = f'{len(board.systems) - len(rows)} more systems: .leaderboard("{label}")'
    else:
        more = ""
    word = "baseline" if baselines else "best"
    cells = [
        [
            board.systems[row],
            f"{board.mean[row]:.{PLACES}f}",
            *_difference(tests.get(board.systems[row]), word),
        ]
        for row in rows
    ]
    short = cut_names([reference], LONGEST_HEAD, "..")[reference]
    heads = ["system", head, f"- {short if baselines else word}", "adjusted p"]
    if board.ranks is not None:
        heads = ["rank", *heads]
        cells = [[board.ranks[row], *row_cells] for row, row_cells in zip(rows, cells, strict=True)]
        notes = ["rank: the ranks that the tests of all pairs leave open", *notes]
    named = heads.index("system")
    bold = {(0, named + 1)}
    if baselines:
        bold.add((rows.index(board.systems.index(reference)), named))
    return ShortTable(
        "Comparison",
        _about(result, part, head),
        heads,
        cells,
        texts=(named,),
        bold=bold,
        more=more,
        notes=notes,
        strips=_strips(board, rows),
        strip_head=f"mean and {100 * result.method.level:g}% interval",
    )


def _board(result: Comparison, part: Tested) -> Board:
    if not result.baselines or not result.method.draws:
        board = result.board(part.hypotheses.measure)
        bounds = zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
        ranks = [f"{low}-{high}" if low < high else f"{low}" for low, high in bounds]
        return Board(board.systems, board.mean, board.lower, board.upper, ranks)
    scores = part.hypotheses.scores
    mean = scores.mean(axis=1)
    lower, upper = mean_interval(scores, result.method.level)
    order = np.argsort(-mean.round(12), kind="stable")
    systems = [part.hypotheses.systems[place] for place in order.tolist()]
    return Board(systems, mean[order], lower[order], upper[order], None)


def _names(result: Comparison) -> tuple[str, str, list[str]]:
    """The label and the head of the first measure, and the notes on both."""
    label = short_labels(part.hypotheses.measure for part in result.tested)[0]
    head = measure_heads([label])[label]
    notes = [] if head == label else [f"{head} = {label}"]
    if len(result.tested) > 1:
        others = len(result.tested) - 1
        measures = f"{others} more measures" if others > 1 else "1 more measure"
        notes.append(f"{measures}: .leaderboard(measure), .to_frame()")
    return label, head, notes


def _about(result: Comparison, part: Tested, head: str) -> str:
    """What was compared, how, and what was found in the first measure."""
    systems = len(part.hypotheses.systems)
    found = findings([part], result.baselines).partition(": ")[2]
    return (
        f"{head}, {systems} systems, {result.topics} topics, {method_text([part])}. "
        f"{found[0].upper()}{found[1:]}."
    )


def _difference(test: tuple[float, float, bool] | None, missing: str) -> tuple[str, str]:
    if test is None:
        return missing, ""
    difference, p, _ = test
    return signed(difference, PLACES), p_text(p)


def _strips(board: Board, rows: Sequence[int]) -> list[str]:
    """Intervals and means on one axis; a system that is off the axis has none."""
    low, high = ends(board.lower, board.upper)
    span = (high - low) or 1.0

    def place(score: float) -> float:
        shown = min(max(score, low), high)
        return round(MARGIN + (shown - low) / span * (STRIP_WIDTH - 2 * MARGIN), 1)

    return [
        _strip(place(board.lower[row]), place(board.mean[row]), place(board.upper[row]))
        if low <= board.mean[row] <= high
        else ""
        for row in rows
    ]


def _strip(start: float, mean: float, stop: float) -> str:
    middle = STRIP_HEIGHT // 2
    return (
        f'<svg width="{STRIP_WIDTH}" height="{STRIP_HEIGHT}" aria-hidden="true">'
        f'<line x1="{start:g}" x2="{stop:g}" y1="{middle}" y2="{middle}"/>'
        f'<circle cx="{mean:g}" cy="{middle}" r="4"/></svg>'
    )
