"""A leaderboard for terminals: rank intervals, means, what is tied."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.fitting import fitted, notes_below, renamed
from ..common.numbers import interval_text, level_text, marked, not_significant, p_text, signed
from ..common.screen import Screen
from ..common.text_columns import TextColumn, total_width, wrapped, written
from ..comparison.findings import (
    BEATEN,
    BEST,
    IN_BRACKETS,
    LETTERS,
    RANK,
    families_in_short,
    may_be_best,
)
from ..comparison.grouped import AnyComparison
from ..comparison.leaderboard import Leaderboard, Reference, rank_texts
from ..comparison.score_table import grouped_name
from ..measures.named_score import lower_is_better
from ..stats.letters import letter_names
from .strip import Axis, strips

# Characters: the design drops the strip on screens below 60. The ends of the strip are a choice:
# ticks need the least width, and more than the greatest shows nothing new.
NARROWEST_SCREEN, NARROWEST_STRIP, WIDEST_STRIP = 60, 16, 60


def leaderboards_text(result: AnyComparison, screen: Screen, places: int) -> str:
    """A leaderboard per measure."""
    return "\n".join(
        "\n".join(
            [*_leaderboard(board, screen, places), *renamed({board.label: board.head}, screen)]
        )
        + "\n"
        for board in result.boards
    )


def _leaderboard(board: Leaderboard, screen: Screen, places: int) -> list[str]:
    name = grouped_name(board.head, board.asked.hypotheses.group)
    title = f"{name}, {len(board)} systems, {board.topics} topics"
    draws = screen.terminal and screen.width >= NARROWEST_SCREEN
    columns = _columns(board, screen, places, draws)
    kept, short = fitted(columns, screen.width, screen.signs.cut)
    if draws and total_width(kept) > screen.width:
        draws = False
        columns = _columns(board, screen, places, draws)
        kept, short = fitted(columns, screen.width, screen.signs.cut)
    heads = [column.head.strip() for column in kept]
    if draws:
        kept = _with_strip(kept, board, screen)
    return [
        *wrapped(title, screen.width),
        *written(kept, styled=screen.styled),
        *renamed(short, screen),
        *notes_below(_note(board, heads, screen, draws), _meanings(board, screen, draws), screen),
    ]


def _heads(board: Leaderboard) -> list[str]:
    """The heads of the differences to each reference."""
    if not board.baselines:
        return ["- best"]
    if len(board.baselines) == 1:
        return ["- base"]
    return [f"- {letter}" for letter in letter_names(len(board.baselines))]


def _columns(board: Leaderboard, screen: Screen, places: int, draws: bool) -> list[TextColumn]:
    """The columns without the strip."""
    means = [f"{mean:.{places}f}" for mean in board.mean]
    if not draws:
        means = [
            mean + (screen.signs.best if best else " ")
            for mean, best in zip(means, board.best.tolist(), strict=True)
        ]
    columns = [
        TextColumn("rank", rank_texts(board, "-")),
        TextColumn("system", board.systems, right=False, names=True),
        TextColumn(board.head if draws else f"{board.head} ", means, bold={0}),
    ]
    if draws:
        blank = [" " * NARROWEST_STRIP] * len(board)
        columns.append(TextColumn("", blank))
    else:
        bounds = zip(board.lower.tolist(), board.upper.tolist(), strict=True)
        intervals = [interval_text(lower, upper, places) for lower, upper in bounds]
        columns.append(TextColumn("interval", intervals, optional=2))
    if letters := board.readable_letters:
        columns.append(TextColumn("letters", aligned_letters(letters), right=False, optional=1))
    for number, (head, reference) in enumerate(zip(_heads(board), board.references, strict=True)):
        with_p = len(board.references) == 1 and not draws
        columns += _difference_columns(reference, head, places, with_p, number)
    return columns


def _difference_columns(
    reference: Reference, head: str, places: int, with_p: bool, optional: int
) -> list[TextColumn]:
    differences = [
        marked(signed(difference, places), significant) if compared else ""
        for difference, significant, compared in zip(
            reference.difference, reference.significant, reference.compared, strict=True
        )
    ]
    p_values = [
        p_text(p) if compared else ""
        for p, compared in zip(reference.p_adjusted, reference.compared, strict=True)
    ]
    dim = not_significant(differences)
    columns = [TextColumn(f"{head} ", differences, optional=optional, dim=dim)]
    return [*columns, TextColumn("adj. p", p_values, optional=3)] if with_p else columns


def _with_strip(
    columns: Sequence[TextColumn], board: Leaderboard, screen: Screen
) -> list[TextColumn]:
    """The columns, with the strip in the place that was kept free for it."""
    place = next(number for number, column in enumerate(columns) if column.head == "")
    space = screen.width - total_width(columns) + columns[place].width
    axis = Axis(*board.axis, max(NARROWEST_STRIP, min(space, WIDEST_STRIP)))
    drawn = strips(board, axis, screen.signs)
    return [*columns[:place], TextColumn(axis.heads, drawn), *columns[place + 1 :]]


def aligned_letters(letters: Sequence[str]) -> list[str]:
    """Letters, each in its own place."""
    used = letter_names(len(set("".join(letters))))
    return [
        "".join(letter if letter in of_system else " " for letter in used) for of_system in letters
    ]


def _note(board: Leaderboard, heads: Sequence[str], screen: Screen, draws: bool) -> str:
    """What the marks mean, and how was tested; `heads` are the columns that are shown."""
    signs = screen.signs
    marks = [f"{signs.best}: may be the best"]
    if draws:
        off = [] if board.on_axis.all() else [f"{signs.off_left}: off the axis"]
        drawn = f"{signs.line * 3}: interval"
        marks += [f"{signs.beaten}: not", drawn, f"{signs.baseline}: {board.reference.name}", *off]
    marks += [
        f"{head[2:]}: {reference.name}"
        for head, reference in zip(_heads(board), board.baselines, strict=False)
        if head in heads and not (draws and reference is board.reference)
    ]
    marks.append(IN_BRACKETS)
    tests = f"Tests: {families_in_short(board)}."
    return " ".join([*lower_is_better([board.measure]), f"{'; '.join(marks)}.", tests])


def _meanings(board: Leaderboard, screen: Screen, draws: bool) -> list[str]:
    """What the columns and the strip mean."""
    signs, interval = screen.signs, f"{level_text(board.level)} t interval of the mean"
    best = f"{signs.best}: {may_be_best(board) if board.baselines else BEST}"
    if draws:
        drawn = f"{best}; {signs.beaten}: {BEATEN}; {signs.line * 3}: {interval}."
    else:
        drawn = f"{best}; interval: {interval}."
    letters = [f"letters: {LETTERS}."] if board.readable_letters else []
    leader = [] if board.baselines else [f"- best: difference to {board.reference.name}."]
    return [drawn, f"rank: {RANK}.", *letters, *leader]
