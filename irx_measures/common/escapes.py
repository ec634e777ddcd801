"""One escape per text format, for every text from outside: names, ids, labels, document texts.

Formats that people read (``table``, ``csv-safe``, ``markdown``, ``latex``, ``html``) spell out
every character that does not print or that would move or turn the text around it: ESC is shown as
``\\x1b``, U+202E as ``\\u202e``, a line break as ``\\n``. Such a text stays in one line, and a
reader sees that the character is there.

Formats that programs read keep identifiers exact, so that they can be joined with other files.
``json`` and ``jsonl`` escape by themselves. ``csv`` and ``tsv`` spell out only what would break a
row: tab, line feed and carriage return.
"""

from __future__ import annotations

import re

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # with these, spreadsheets begin a formula

ROW_BREAKS = str.maketrans({"\t": r"\t", "\n": r"\n", "\r": r"\r"})

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
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape", "replace").decode()
        for sign in text
    )


def in_row(text: str) -> str:
    """A text in a row of ``csv`` or ``tsv``: exact, except for what would break the row."""
    return text.translate(ROW_BREAKS)


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


FOR_PEOPLE = {
    "table": printable,
    "csv-safe": spreadsheet_text,
    "markdown": markdown_text,
    "latex": latex_text,
    "html": html_text,
}
"""The escapes of the formats that people read."""
