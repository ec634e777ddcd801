"""A leaderboard as a short table: what Python and notebooks show of a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.names import cut_names
from ..common.numbers import level_text, p_text, signed
from ..common.short_table import ShortTable, shown_rows, warning_notes
from ..measures.labels import LONGEST_HEAD
from ..measures.named_score import lower_is_better
from .findings import BEST, RANK, families_text
from .leaderboard import Leaderboard, Reference, rank_texts

PLACES = 3  # the design's

STRIP_WIDTH, STRIP_HEIGHT, MARGIN = 150, 14, 6  # pixels: beside five columns in a notebook

BEST_RADIUS, BEATEN_RADIUS = 4, 3.4  # pixels; an open circle has a line around it


def board_table(
    boards: Sequence[Leaderboard], finding: str, warnings: Sequence[str] = ()
) -> ShortTable:
    """The leaderboard of the first measure, with the differences to a baseline or to the best.

    Parameters
    ----------
    boards
        The leaderboards of all measures.
    finding
        What was found in the first measure.
    warnings
        Why the scores may not answer the question.
    """
    board, *others = boards
    reference = board.reference
    rows = shown_rows(len(board), [reference.place])
    ranks = rank_texts(board, "-")
    cells = [
        [
            ranks[row],
            board.systems[row],
            f"{board.mean[row]:.{PLACES}f}",
            *_difference(reference, row),
        ]
        for row in rows
    ]
    short = cut_names([reference.name], LONGEST_HEAD, "..")[reference.name]
    bold = {(0, 2)}
    if reference.is_baseline:
        bold.add((rows.index(reference.place), 1))
    more = f'{len(board) - len(rows)} more systems: .leaderboard("{board.label}")'
    return ShortTable(
        "Comparison",
        f"{board.head}, {len(board)} systems, {board.topics} topics: {finding}.",
        ["rank", "system", board.head, _head(reference, short), "adjusted p"],
        cells,
        texts=(1,),
        bold=bold,
        more=more if len(rows) < len(board) else "",
        notes=[*_notes(board), *_more_measures(len(others)), *warning_notes(warnings)],
        strips=_strips(board, rows),
        strip_head=f"mean and {level_text(board.level)} interval",
    )


def _head(reference: Reference, short: str) -> str:
    return f"- {short if reference.is_baseline else 'best'}"


def _difference(reference: Reference, row: int) -> tuple[str, str]:
    if not reference.compared[row]:
        return "baseline" if reference.is_baseline else "best", ""
    return signed(reference.difference[row], PLACES), p_text(reference.p_adjusted[row])


def _notes(board: Leaderboard) -> list[str]:
    label = [] if board.head == board.label else [f"{board.head} = {board.label}"]
    return [
        *lower_is_better([board.measure]),
        f"rank: {RANK}; from 1: {BEST}",
        f"tests: {families_text(board)}",
        *label,
    ]


def _more_measures(others: int) -> list[str]:
    if not others:
        return []
    measures = f"{others} more measures" if others > 1 else "1 more measure"
    return [f"{measures}: .leaderboard(measure), .to_frame()"]


def _strips(board: Leaderboard, rows: Sequence[int]) -> list[str]:
    """Intervals and means on one axis; a system that is off the axis has none."""
    low, high = board.axis
    span = (high - low) or 1.0

    def place(score: float) -> float:
        shown = min(max(score, low), high)
        return round(MARGIN + (shown - low) / span * (STRIP_WIDTH - 2 * MARGIN), 1)

    return [
        _strip(
            place(board.lower[row]),
            place(board.mean[row]),
            place(board.upper[row]),
            bool(board.best[row]),
        )
        if board.on_axis[row]
        else ""
        for row in rows
    ]


def _strip(start: float, mean: float, stop: float, best: bool) -> str:
    middle = STRIP_HEIGHT // 2
    dot = f'r="{BEST_RADIUS}"' if best else f'class="o" r="{BEATEN_RADIUS}"'
    return (
        f'<svg width="{STRIP_WIDTH}" height="{STRIP_HEIGHT}" aria-hidden="true">'
        f'<line x1="{start:g}" x2="{stop:g}" y1="{middle}" y2="{middle}"/>'
        f'<circle cx="{mean:g}" cy="{middle}" {dot}/></svg>'
    )
