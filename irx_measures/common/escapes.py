"""One escape per text format, for every text from outside: names, ids, labels, document texts.

Formats that people read (``table``, ``csv-safe``, ``markdown``, ``latex``, ``html``) spell out
every character that does not print or that would move or turn the text around it: ESC is shown as
``\\x1b``, U+202E as ``\\u202e``, a line break as ``\\n``. Such a text stays in one line, and a
reader sees that the character is there.

Formats that programs read keep all other texts exact, so that they can be joined with other
files: ``csv`` and ``tsv`` spell out control characters, and those that turn the text around them.
``json`` and ``jsonl`` escape by themselves. Only in tables that `irx` reads back, identifiers stay
as they are, except for what would break a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # with these, spreadsheets begin a formula

ROW_BREAKS = str.maketrans({"\t": r"\t", "\n": r"\n", "\r": r"\r"})

# Control characters, line and paragraph separators, lone surrogates, and the bidirectional controls
# of Unicode (its property Bidi_Control).
CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)

# An underscore between letters or digits, as in ``nDCG_UE``, is no markup.
MARKDOWN_SIGNS = re.compile(r"([\\`*\[\]<>|~$&]|(?<![^\W_])_|_(?![^\W_]))")

# `[` and `*` are arguments of the line break before them.
LATEX_SIGNS = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "_&%#${}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
    }
)


def printable(text: str) -> str:
    """A text in one line, as terminals show it: characters that do not print are spelled out."""
    if text.isprintable():
        return text
    return "".join(map(_printable_sign, text))


def _printable_sign(sign: str) -> str:
    return sign if sign.isprintable() else _spelled(sign)


def in_row(text: str) -> str:
    """A text in a row of ``csv`` or ``tsv``: control characters are spelled out."""
    if text.isprintable():
        return text
    return CONTROLS.sub(lambda found: _spelled(found[0]), text)


def exact_in_row(text: str) -> str:
    """A text in a row that `irx` reads back: as it is, except for what would break the row."""
    return text.translate(ROW_BREAKS)


def _spelled(sign: str) -> str:
    return sign.encode("unicode_escape", "replace").decode()


def spreadsheet_text(text: str) -> str:
    """A text in a row of ``csv-safe``: an apostrophe is put before what would be a formula."""
    shown = printable(text)
    return f"'{shown}" if shown.startswith(FORMULA) else shown


def markdown_text(text: str) -> str:
    """A text in which Markdown finds no markup."""
    return MARKDOWN_SIGNS.sub(r"\\\1", printable(text))


def latex_text(text: str) -> str:
    """A text in which LaTeX finds no commands; ``--`` is no dash."""
    return re.sub("-(?=-)", "-{}", printable(text).translate(LATEX_SIGNS))


def html_text(text: str) -> str:
    """A text in which HTML finds no markup, also between quotation marks."""
    from html import escape  # slow to import

    return escape(printable(text))


WORSE = "↓"  # in the marks of a cell: the letters after it are of baselines that are better


def _terminal_marks(marks: str) -> str:
    """The letters of a cell on a terminal: ``a -b``."""
    return marks.replace(WORSE, " -").strip()


def _latex_marks(marks: str) -> str:
    arrows = marks.replace(WORSE, r"\downarrow ")  # LaTeX's own, without a package
    return f"$^{{{arrows}}}$"


class Markup(NamedTuple):
    """How a format that people read writes the parts of a table."""

    text: Callable[[str], str]  # escapes a text from outside, such as the name of a system
    raised: Callable[[str], str]  # writes the letters of a cell, as a superscript if it has one
    bold: Callable[[str], str]  # writes the best number of a column
    best: str  # what `bold` means, for the caption
    undefined: str  # the cell of a score that is undefined


TERMINAL = Markup(printable, _terminal_marks, "*{}".format, "*: best mean", "-")

HTML = Markup(
    html_text,
    "<sup>{}</sup>".format,
    "<strong>{}</strong>".format,
    "<strong>Bold</strong>: best",
    "&ndash;",
)

# GitHub shows the HTML tag `sup`; Markdown itself has no superscripts.
MARKDOWN = Markup(markdown_text, "<sup>{}</sup>".format, "**{}**".format, "**Bold**: best", "-")

LATEX = Markup(latex_text, _latex_marks, r"\textbf{{{}}}".format, r"\textbf{Bold}: best", "--")
