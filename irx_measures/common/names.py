"""Cutting long names: always in the middle, and never so that two names become equal."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable

from .escapes import printable

CUT = "…"

JOINERS = dict.fromkeys(map(ord, "\xad\u200c\u200d"))


def text_width(text: str) -> int:
    """Number of columns of characters; Chinese, Japanese and Korean characters take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # slow to import; on a terminal, rich lays tables out by it

    return cell_len(text)


def cut_names(
    names: Iterable[str],
    width: float,
    sign: str = CUT,
    measure: Callable[[str], float] = text_width,
) -> dict[str, str]:
    """What names become that are shown together, by name: they print, and fit the width.

    `names` are all names that a reader must tell apart. `width` is in the unit of `measure`, which
    by default counts columns of characters. `sign` stands for the middle that is left out.

    - Names that fit stay whole.
    - Names that differ only in what is left out are numbered: ``monoT5…seed~2``.
    - Characters that do not print are spelled out; see `escapes.printable`.
    - The legend of a text, or a visible text or a title beside a picture, has the names whole.
    """
    whole = {name: printable(name) for name in names}
    taken: set[str] = set()
    shortened: dict[str, str] = {}
    for name in sorted(whole, key=lambda name: measure(whole[name]) > width):
        short, number = cut_name(whole[name], width, sign, measure), 1
        while short in taken:
            number += 1
            end = f"~{number}"
            short = cut_name(whole[name], width - measure(end), sign, measure) + end
        taken.add(short)
        shortened[name] = short
    return {name: shortened[name] for name in whole}


def cut_name(
    name: str, width: float, sign: str = CUT, measure: Callable[[str], float] = text_width
) -> str:
    """A name that stands alone, or a text, cut in the middle if it is longer than the width.

    However small the width is, the first and the last character stay.
    """
    if measure(name) <= width:
        return name
    # A character is at least half a unit wide in the mean: more of them are not looked at.
    most = min(len(name) - 1, int(2 * width))
    kept = range(3, most + 1)
    fitting = bisect(kept, width, key=lambda count: measure(_ends(name, count, sign)))
    return _ends(name, 2 + fitting, sign)


def _ends(name: str, count: int, sign: str) -> str:
    """This number of characters of both ends of a name, with the sign between them."""
    front = (count + 1) // 2
    back = max(front, len(name) - count // 2)
    return name[:front] + sign + name[back:]


def first_words(text: str, width: int) -> str:
    """The beginning of a text that is longer than the width, in one line.

    Soft hyphens, and the joiners of Persian and Indic scripts, do not print and are left out: in a
    passage, unlike in a name, they would be spelled out in every other word.
    """
    line = " ".join(text.translate(JOINERS).split())
    return line if len(line) <= width else f"{line[: width - 1]}{CUT}"
