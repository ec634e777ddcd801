"""Where a table is shown: its width, its sign for a cut, and whether it is a terminal."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass

UNICODE, ASCII = "…", ".."  # where a name is cut


@dataclass(frozen=True)
class Screen:
    """Where a table is shown.

    Attributes
    ----------
    width
        Number of columns of characters.
    cut
        What stands where a name is cut.
    styled
        Whether it shows bold and dim text.
    explains
        Whether a table says below what its columns mean.
    """

    width: int = 80
    cut: str = ASCII
    styled: bool = False
    explains: bool = False

    @classmethod
    def of_stdout(cls, explains: bool = False) -> Screen:
        """Where the standard output of this process goes."""
        terminal = sys.stdout.isatty()
        cut = UNICODE if terminal and _shows_unicode() else ASCII
        width = shutil.get_terminal_size((80, 24)).columns
        return cls(width, cut, terminal and _may_style(), explains)


def _shows_unicode() -> bool:
    """Whether stdout can encode the sign, and the locale is not C.

    In the locale C, Python itself encodes in UTF-8, but the user asked for ASCII.
    """
    locale = os.environ.get("LC_ALL") or os.environ.get("LANG")
    try:
        UNICODE.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return locale not in ("C", "POSIX")


def _may_style() -> bool:
    """Whether the user's environment allows escape sequences; see https://no-color.org."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
