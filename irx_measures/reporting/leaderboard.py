"""A leaderboard for terminals: the ranks that the tests leave open, and what is tied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..comparison.caption import method_text
from ..comparison.hypotheses import Tested, tests_against
from ..comparison.leaderboard import Leaderboard
from ..comparison.result import Comparison
from ..stats.letters import letter_names
from .aliases import renamed
from .comparison import NOT_SIGNIFICANT, aliases
from .layout import TextColumn, dimmed, fitted, legend, total_width, wrapped, written
from .numbers import interval_text, marked, not_significant, p_text, signed
from .screen import Screen
from .strip import Axis, strips

MOST_SYSTEMS, MOST_LETTERS = 15, 6  # with more, letters are harder to read than rank intervals

NARROWEST_SCREEN, NARROWEST_STRIP, WIDEST_STRIP = 60, 16, 60


@dataclass(frozen=True)
class Reference:
    """A system that the others are compared with.

    Attributes
    ----------
    head
        The head of the column of differences.
    name
    tests
        Difference, adjusted p-value, and whether it is significant, by system.
    """

    head: str
    name: str
    tests: dict[str, tuple[float, float, bool]]


def leaderboards_text(result: Comparison, screen: Screen, places: int) -> str:
    """A leaderboard per measure."""
    labels = aliases(result)
    parts = []
    for part, (label, head) in zip(result.tested, labels.items(), strict=True):
        lines = _leaderboard(result, part, head, screen, places)
        parts.append("\n".join([*lines, *renamed({label: head}, screen)]) + "\n")
    return "\n".join(parts)


def _leaderboard(
    result: Comparison, part: Tested, label: str, screen: Screen, places: int
) -> list[str]:
    board = result.board(part.hypotheses.measure)
    references = _references(result, part, board)
    title = f"{label}, {len(board)} systems, {result.topics} topics"
    draws = screen.terminal and screen.width >= NARROWEST_SCREEN
    columns = _columns(board, references, label, screen, places, draws)
    kept, short = fitted(columns, screen.width, screen.signs.cut)
    if draws and total_width(kept) > screen.width:
        draws = False
        columns = _columns(board, references, label, screen, places, draws)
        kept, short = fitted(columns, screen.width, screen.signs.cut)
    heads = [column.head.strip() for column in kept]
    references = [reference for reference in references if reference.head in heads]
    if draws:
        kept = _with_strip(kept, board, references[0], screen)
    notes = _notes(result, part, board, references, screen, draws)
    return [
        *wrapped(title, screen.width),
        *written(kept, styled=screen.styled),
        *dimmed(legend(short, screen.width), screen.styled),
        *dimmed((line for note in notes for line in wrapped(note, screen.width)), screen.styled),
    ]


def _columns(
    board: Leaderboard,
    references: Sequence[Reference],
    label: str,
    screen: Screen,
    places: int,
    draws: bool,
) -> list[TextColumn]:
    """The columns without the strip."""
    ranks = zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    means = [f"{mean:.{places}f}" for mean in board.mean]
    if not draws:
        means = [
            mean + (screen.signs.best if best else " ")
            for mean, best in zip(means, board.best.tolist(), strict=True)
        ]
    columns = [
        TextColumn("rank", [f"{a}-{b}" if a < b else f"{a}" for a, b in ranks]),
        TextColumn("system", board.systems, right=False, names=True),
        TextColumn(label if draws else f"{label} ", means, bold={0}),
    ]
    if draws:
        blank = [" " * NARROWEST_STRIP] * len(board)
        columns.append(TextColumn("", blank))
    else:
        bounds = zip(board.lower.tolist(), board.upper.tolist(), strict=True)
        intervals = [interval_text(lower, upper, places) for lower, upper in bounds]
        columns.append(TextColumn("interval", intervals, optional=2))
    if letters := _letters(board):
        columns.append(TextColumn("letters", letters, right=False, optional=1))
    for number, reference in enumerate(references):
        with_p = len(references) == 1 and not draws
        columns += _difference_columns(board, reference, places, with_p, number)
    return columns


def _difference_columns(
    board: Leaderboard, reference: Reference, places: int, with_p: bool, optional: int
) -> list[TextColumn]:
    differences, p_values = [], []
    for name in board.systems:
        if name in reference.tests:
            difference, p, significant = reference.tests[name]
            differences.append(marked(signed(difference, places), significant))
            p_values.append(p_text(p))
        else:
            differences.append("")
            p_values.append("")
    head, dim = f"{reference.head} ", not_significant(differences)
    columns = [TextColumn(head, differences, optional=optional, dim=dim)]
    return [*columns, TextColumn("adj. p", p_values, optional=3)] if with_p else columns


def _with_strip(
    columns: Sequence[TextColumn], board: Leaderboard, reference: Reference, screen: Screen
) -> list[TextColumn]:
    """The columns, with the strip in the place that was kept free for it."""
    place = next(number for number, column in enumerate(columns) if column.head == "")
    space = screen.width - total_width(columns) + columns[place].width
    axis = Axis.of(board, max(NARROWEST_STRIP, min(space, WIDEST_STRIP)))
    marked_mean = float(board.mean[board.systems.index(reference.name)])
    drawn = strips(board, axis, marked_mean, screen.signs)
    return [*columns[:place], TextColumn(axis.heads, drawn), *columns[place + 1 :]]


def _letters(board: Leaderboard) -> list[str] | None:
    """A column of letters, each in its own place; None if there are too many to be read."""
    if board.letters is None or len(board) > MOST_SYSTEMS:
        return None
    used = len(set("".join(board.letters)))
    if used > MOST_LETTERS:
        return None
    return [
        "".join(letter if letter in of_system else " " for letter in letter_names(used))
        for of_system in board.letters
    ]


def _references(result: Comparison, part: Tested, board: Leaderboard) -> list[Reference]:
    """The baselines; if there are none, the system with the best mean."""
    if not result.baselines:
        return [Reference("- best", board.systems[0], tests_against(part, board.systems[0]))]
    known = [name for name in result.baselines if name in part.hypotheses.systems]
    heads = letter_names(len(result.baselines)) if len(result.baselines) > 1 else ["base"]
    by_name = dict(zip(result.baselines, heads, strict=True))
    return [Reference(f"- {by_name[name]}", name, tests_against(part, name)) for name in known]


def _notes(
    result: Comparison,
    part: Tested,
    board: Leaderboard,
    references: Sequence[Reference],
    screen: Screen,
    draws: bool,
) -> list[str]:
    signs, level = screen.signs, f"{100 * result.method.level:g}%"
    best = f"{signs.best}: no system is significantly better, by the tests of this system alone"
    notes = [f"{best}."]
    if draws:
        notes = [
            f"{best}; {signs.beaten}: at least one is.",
            f"{signs.line * 3}: {level} interval of the mean; {signs.baseline}: "
            f"{references[0].name}; {signs.off_left} {signs.off_right}: off the axis.",
        ]
    else:
        notes.append(f"interval: {level} interval of the mean.")
    tested = result.all_pairs(part.hypotheses.measure)
    notes.append(
        f"rank: the ranks that the tests of all pairs leave open ({method_text([tested])})."
    )
    if _letters(board):
        notes.append("letters: two systems share one if they do not differ significantly.")
    names = ", ".join(f"{reference.head[2:]}: {reference.name}" for reference in references)
    family = f" ({method_text([part])})" if result.baselines else ""
    notes.append(f"{names}. {NOT_SIGNIFICANT[:-1]}{family}.")
    if not result.baselines:
        tied = sum(not significant for _, _, significant in references[0].tests.values())
        notes.append(
            f"{tied} of the other {len(board) - 1} systems cannot be told apart from "
            f"{board.systems[0]}."
        )
    return notes
