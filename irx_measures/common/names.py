"""Cutting long names: always in the middle, and never so that two names become equal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from .escapes import printable

CUT = "…"

JOINERS = dict.fromkeys(map(ord, "\xad\u200c\u200d"))


def text_width(text: str) -> int:
    """Number of columns of characters; Chinese, Japanese and Korean characters take two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def cut_names(names: Iterable[str], width: int, sign: str = CUT) -> dict[str, str]:
    """What names become that are shown together, by name: they print, and fit the width.

    `names` are all names that a reader must tell apart, and `width` is in columns of characters.
    `sign` stands for the middle that is left out.

    - Names that fit stay whole.
    - Names that differ only in what is left out are numbered: ``monoT5…seed~2``.
    - Characters that do not print are spelled out; see `escapes.printable`.
    - The legend of a text, or a visible text or a title beside a picture, has the names whole.
    """
    whole = {name: printable(name) for name in names}
    taken: set[str] = set()
    shortened: dict[str, str] = {}
    for name in sorted(whole, key=lambda name: text_width(whole[name]) > width):
        short, number = cut_name(whole[name], width, sign), 1
        while short in taken:
            number += 1
            end = f"~{number}"
            short = cut_name(whole[name], max(width - len(end), len(sign) + 1), sign) + end
        taken.add(short)
        shortened[name] = short
    return {name: shortened[name] for name in whole}


def cut_name(name: str, width: int, sign: str = CUT) -> str:
    """A name that stands alone, or a text, cut in the middle if it is longer than the width."""
    if text_width(name) <= width:
        return name
    # Longer than the width in characters: what lies beyond it on both sides is not looked at.
    front, back = name[:width], name[max(len(name) - width, 1) :]
    while text_width(front + sign + back) > width and len(front) > 1:
        longer_front = len(front) > len(back)
        front, back = (front[:-1], back) if longer_front else (front, back[1:])
    return front + sign + back


def first_words(text: str, width: int) -> str:
    """The beginning of a text that is longer than the width, in one line.

    Soft hyphens, and the joiners of Persian and Indic scripts, do not print and are left out: in a
    passage, unlike in a name, they would be spelled out in every other word.
    """
    line = " ".join(text.translate(JOINERS).split())
    return line if len(line) <= width else f"{line[: width - 1]}{CUT}"
