"""Columns of text that fit a width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .escapes import printable
from .names import cut_names
from .screen import Screen
from .text_columns import (
    GAP,
    TextColumn,
    broken_head,
    broken_text,
    dimmed,
    legend,
    total_width,
    wrapped,
    written,
)

# Characters, a choice: most names of runs can be recognised when cut to 10. Below 4, little is
# left beside the sign of the cut.
SHORTEST_NAME, LEAST_NAME = 10, 4

HEADS = ((20, False), (14, False), (10, False), (10, True), (6, True))

UNFITTING = (14, False)

NOTE_LINES = 2  # a choice: longer notes push the table off the screen

HOW_TO_ASK = "See --explain-columns."


def fitted(
    columns: Sequence[TextColumn], width: int, sign: str
) -> tuple[list[TextColumn], dict[str, str]]:
    """The columns that fit the width, and what the names became, by name."""
    kept = [_printable(column) for column in columns]
    least = min([SHORTEST_NAME, *(column.width for column in kept if column.names)])
    while (limit := _name_limit(kept, width)) < least:
        dispensable = max(kept, key=lambda column: column.optional)
        if not dispensable.optional:
            break
        kept.remove(dispensable)
    names = [name for column in kept if column.names for name in column.cells]
    limit = max(limit, len(sign) + 2)
    short = cut_names(names, limit, sign)
    kept = [
        replace(column, cells=[short[name] for name in column.cells]) if column.names else column
        for column in kept
    ]
    return kept, short


def renamed(short: dict[str, str], screen: Screen) -> list[str]:
    """The legend of names that were cut, or of heads that are not the measures' own labels."""
    return dimmed(legend(short, screen.width), screen.styled)


def notes_below(note: str, meanings: Sequence[str], screen: Screen) -> list[str]:
    """What is said below a table, in dim lines that fit the screen.

    Parameters
    ----------
    note
        What the marks mean and how was tested: in two lines, if the screen is wide enough.
    meanings
        What the columns mean, for a screen that explains them; other screens say how to ask
        for them, if there is space.
    screen
    """
    if screen.explains:
        lines = [line for text in [note, *meanings] for line in wrapped(text, screen.width)]
    else:
        lines = wrapped(f"{note} {HOW_TO_ASK}" if meanings else note, screen.width)
        if len(lines) > NOTE_LINES:
            lines = wrapped(note, screen.width)
    return dimmed(lines, screen.styled)


def _printable(column: TextColumn) -> TextColumn:
    return replace(
        column, head=printable(column.head), cells=[printable(cell) for cell in column.cells]
    )


def _name_limit(columns: Sequence[TextColumn], width: int) -> int:
    """The longest name that fits, or the longest name that there is."""
    named = [column.width for column in columns if column.names]
    space = width - total_width(columns) + sum(named)
    return _common_limit(named or [SHORTEST_NAME], space, 0)


def panels(
    first: Sequence[TextColumn], columns: Sequence[TextColumn], width: int
) -> list[list[TextColumn]]:
    """Tables that fit the width: each has the first columns and some of the others."""
    tables: list[list[TextColumn]] = [[*first]]
    start = used = total_width(first)
    for column in columns:
        needed = len(GAP) + column.width
        if used + needed > width and len(tables[-1]) > len(first):
            tables.append([*first])
            used = start
        tables[-1].append(column)
        used += needed
    return tables


def fitting_table(columns: Sequence[TextColumn], keys: int, screen: Screen) -> str:
    """A table with all columns, in as many parts as the width needs.

    Heads are broken at words. If that does not suffice, sentences are wrapped and names are cut in
    the middle; a legend has them whole.

    Parameters
    ----------
    columns
    keys
        Number of columns that every part begins with.
    screen
    """
    shown = _with_broken_heads([_printable(column) for column in columns], screen.width)
    shown, short = _with_narrow_texts(shown, keys, screen)
    tables = panels(shown[:keys], shown[keys:], screen.width)
    parts = ["\n".join(written(table, rule=True, styled=screen.styled)) for table in tables]
    notes = renamed(short, screen)
    return "\n\n".join([*parts, "\n".join(notes)] if notes else parts) + "\n"


def _with_broken_heads(columns: Sequence[TextColumn], width: int) -> list[TextColumn]:
    """The columns with heads as wide as the screen allows, or of medium width if none fit."""
    for head_width, in_names in (*HEADS, UNFITTING):
        shown = [
            replace(column, head=broken_head(column.head, head_width, in_names))
            for column in columns
        ]
        if total_width(shown) <= width:
            break
    return shown


def _with_narrow_texts(
    columns: Sequence[TextColumn], keys: int, screen: Screen
) -> tuple[list[TextColumn], dict[str, str]]:
    """The columns, with texts so narrow that the table fits, and what
    the names became, by name.

    If little space is left beside the numbers, they are split over parts, and the first columns
    take at most half of each.
    """
    if total_width(columns) <= screen.width:
        return list(columns), {}
    beside = sum(column.width for column in columns if not column.names)
    space = screen.width - beside - len(GAP) * (len(columns) - 1)
    named = [column for column in columns if column.names]
    if space < sum(min(column.width, SHORTEST_NAME) for column in named):
        named = [column for column in columns[:keys] if column.names]
        space = screen.width // 2 - len(GAP) * (keys - 1)
    limit = _common_limit([column.width for column in named], space, LEAST_NAME)
    names = [cell for column in columns if column.names for cell in column.cells if " " not in cell]
    short = cut_names(names, limit, screen.cut)
    shown = [
        replace(
            column, cells=[short.get(cell) or broken_text(cell, limit) for cell in column.cells]
        )
        if column.names
        else column
        for column in columns
    ]
    return shown, short


def _common_limit(widths: Sequence[int], space: int, least: int) -> int:
    """The largest limit of widths with which columns take no more than the space."""
    limit = max(widths)
    while limit > least and sum(min(limit, width) for width in widths) > space:
        limit -= 1
    return limit
