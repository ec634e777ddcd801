"""A leaderboard for terminals: means, what is tied, and the differences to the best system."""

from __future__ import annotations

from ..common.fitting import fitted, notes_below, renamed
from ..common.numbers import interval_text, level_text, marked, not_significant, p_text, signed
from ..common.screen import Screen
from ..common.text_columns import TextColumn, wrapped, written
from ..comparison.leaderboard import Leaderboard, Reference, rank_texts
from ..comparison.result import Comparison, grouped_name
from ..comparison.words import BEST, IN_BRACKETS, RANK, method_text
from ..measures.named_score import lower_is_better


def leaderboards_text(result: Comparison, screen: Screen, places: int) -> str:
    """A leaderboard per measure."""
    return "\n".join(
        "\n".join(
            [*_leaderboard(board, screen, places), *renamed({board.label: board.head}, screen)]
        )
        + "\n"
        for board in result.boards
    )


def _leaderboard(board: Leaderboard, screen: Screen, places: int) -> list[str]:
    name = grouped_name(board.head, board.group)
    kept, short = fitted(_columns(board, places), screen.width, screen.cut)
    return [
        *wrapped(f"{name}, {len(board)} systems, {board.topics} topics", screen.width),
        *written(kept, styled=screen.styled),
        *renamed(short, screen),
        *notes_below(_note(board), _meanings(board), screen),
    ]


def _columns(board: Leaderboard, places: int) -> list[TextColumn]:
    bounds = zip(board.lower.tolist(), board.upper.tolist(), strict=True)
    columns = [
        TextColumn("system", board.systems, right=False, names=True),
        TextColumn(board.head, [f"{mean:.{places}f}" for mean in board.mean], bold={0}),
        TextColumn("interval", [interval_text(*ends, places) for ends in bounds], optional=2),
    ]
    if board.ranks is not None:
        columns.insert(0, TextColumn("rank", rank_texts(board.ranks, "-")))
    if not board.baselines:
        columns += _difference_columns(board.reference, places)
    if board.p_best is not None and not board.baselines:
        columns.append(TextColumn("P(best)", [f"{chance:.3f}" for chance in board.p_best]))
    return columns


def _difference_columns(best: Reference, places: int) -> list[TextColumn]:
    differences = [
        marked(signed(difference, places), significant) if compared else ""
        for difference, significant, compared in zip(
            best.difference, best.significant, best.compared, strict=True
        )
    ]
    p_values = [
        p_text(p) if compared else ""
        for p, compared in zip(best.p_adjusted, best.compared, strict=True)
    ]
    return [
        TextColumn("- best ", differences, dim=not_significant(differences)),
        TextColumn("adj. p", p_values, optional=3),
    ]


def _note(board: Leaderboard) -> str:
    """What the marks mean, and how was tested."""
    marks = [] if board.baselines else [f"{IN_BRACKETS}."]
    tests = f"Tests: {method_text([board.tested])}."
    return " ".join([*lower_is_better([board.measure]), *marks, tests])


def _meanings(board: Leaderboard) -> list[str]:
    """What the columns mean."""
    meanings = [f"interval: {level_text(board.level)} t interval of the mean."]
    if board.ranks is not None:
        meanings.append(f"rank: {RANK}; from 1: {BEST}.")
    if not board.baselines:
        meanings.append(f"- best: difference to {board.reference.name}.")
    return meanings
