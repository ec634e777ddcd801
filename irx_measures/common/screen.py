"""Where a table is shown: its width, its signs, and whether it is a terminal."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import NamedTuple


class Signs(NamedTuple):
    """The signs of tables and strips."""

    cut: str
    best: str
    beaten: str
    line: str
    baseline: str
    off_left: str


UNICODE = Signs("…", "●", "○", "─", "│", "◂")

ASCII = Signs("..", "*", "o", "-", "|", "<")


@dataclass(frozen=True)
class Screen:
    """Where a table is shown.

    Attributes
    ----------
    width
        Number of columns of characters.
    signs
    terminal
        Whether it is a terminal, and not a file or a pipe.
    styled
        Whether it shows bold and dim text.
    explains
        Whether a table says below what its columns mean.
    """

    width: int = 80
    signs: Signs = ASCII
    terminal: bool = False
    styled: bool = False
    explains: bool = False

    @classmethod
    def of_stdout(cls, explains: bool = False) -> Screen:
        """Where the standard output of this process goes."""
        terminal = sys.stdout.isatty()
        signs = UNICODE if terminal and _shows_unicode() else ASCII
        width = shutil.get_terminal_size((80, 24)).columns
        return cls(width, signs, terminal, terminal and _may_style(), explains)


def _shows_unicode() -> bool:
    """Whether stdout can encode the signs, and the locale is not C.

    In the locale C, Python itself encodes in UTF-8, but the user asked for ASCII.
    """
    locale = os.environ.get("LC_ALL") or os.environ.get("LANG")
    try:
        "".join(UNICODE).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return locale not in ("C", "POSIX")


def _may_style() -> bool:
    """Whether the user's environment allows escape sequences; see https://no-color.org."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
