"""What a command prints: its tables in one format, with sentences around them on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .screen import ends_with, on_screen, sentence
from .tables import MARKUPS, TextTable, write


@dataclass(frozen=True)
class Output:
    """Tables in a format; only formats for people may have several, and only ``table`` none."""

    form: str  # a key of `FORMATS`
    tables: Sequence[TextTable]
    above: Sequence[str] = ()  # sentences above ``table``
    found: Sequence[str] = ()  # sentences that also stand below a ``table`` that is too long
    # Whether the notes of each table stand below it. By default, they stand below all tables.
    apart: bool = False

    @property
    def text(self) -> str:
        """The output as text."""
        if self.form in MARKUPS:
            return "\n".join(write(table, self.form) for table in self.tables)
        if self.form != "table":
            (table,) = self.tables
            return write(table, self.form)
        if self.apart:
            parts = [on_screen(table) for table in self.tables]
        elif self.tables:
            parts = [on_screen(*self.tables)]
        else:
            parts = []
        if self.above:
            parts = [*map(sentence, self.above), "", *parts]
        return ends_with("\n".join(parts), self.found)
