"""A leaderboard as a short table: what Python and notebooks show of a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.names import cut_names
from ..common.numbers import difference_interval_text, p_text, signed
from ..common.short_table import ShortTable, shown_rows, warning_notes
from ..measures.labels import LONGEST_HEAD
from ..measures.named_score import lower_is_better
from .findings import BEST, RANK
from .how_tested import method_text
from .leaderboard import Leaderboard, Reference, rank_texts

PLACES = 3  # the design's


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
    columns = _columns(board, reference)
    rows = shown_rows(len(board), [reference.place])
    texts = [place for place, head in enumerate(columns) if head == "system"]
    means = list(columns).index(board.head)
    bold = {(0, means)}
    if reference.is_baseline:
        bold.add((rows.index(reference.place), texts[0]))
    more = f'{len(board) - len(rows)} more systems: .leaderboard("{board.label}")'
    return ShortTable(
        "Comparison",
        f"{board.head}, {len(board)} systems, {board.topics} topics: {finding}.",
        list(columns),
        [[cells[row] for cells in columns.values()] for row in rows],
        texts=texts,
        bold=bold,
        more=more if len(rows) < len(board) else "",
        notes=[*_notes(board), *_more(board, len(others)), *warning_notes(warnings)],
    )


def _columns(board: Leaderboard, reference: Reference) -> dict[str, list[str]]:
    """The cells of all rows by the heads of their columns."""
    places = range(len(board))
    columns = {} if board.ranks is None else {"rank": rank_texts(board.ranks, "-")}
    columns["system"] = list(board.systems)
    columns[board.head] = [f"{mean:.{PLACES}f}" for mean in board.mean]
    name = cut_names([reference.name], LONGEST_HEAD, "..")[reference.name]
    itself = "baseline" if reference.is_baseline else "best"
    columns[f"- {name if reference.is_baseline else 'best'}"] = [
        signed(reference.difference[row], PLACES) if reference.compared[row] else itself
        for row in places
    ]
    if reference.is_baseline and board.tested.method.has_intervals:
        columns["interval"] = [
            difference_interval_text(reference.lower[row], reference.upper[row], PLACES)
            if reference.compared[row]
            else ""
            for row in places
        ]
    columns["adjusted p"] = [
        p_text(reference.p_adjusted[row]) if reference.compared[row] else "" for row in places
    ]
    if board.p_best is not None and not reference.is_baseline:
        columns["P(best)"] = [f"{chance:.{PLACES}f}" for chance in board.p_best]
    return columns


def _notes(board: Leaderboard) -> list[str]:
    label = [] if board.head == board.label else [f"{board.head} = {board.label}"]
    ranks = [] if board.ranks is None else [f"rank: {RANK}; from 1: {BEST}"]
    return [
        *lower_is_better([board.measure]),
        *ranks,
        f"tests: {method_text([board.tested])}",
        *label,
    ]


def _more(board: Leaderboard, measures: int) -> list[str]:
    """What else there is, and which methods return it."""
    lines = []
    if measures:
        counted = f"{measures} more measures" if measures > 1 else "1 more measure"
        lines.append(f"{counted}: .leaderboard(measure), .to_frame()")
    if len(board.baselines) > 1:
        lines.append(f"{len(board.baselines) - 1} more baselines: .to_frame()")
    return lines
