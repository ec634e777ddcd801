"""A measure's page for terminals: its docstring as plain text, and its papers as BibTeX."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from inspect import getdoc

from ..common.screen import UNICODE, Screen
from ..common.text_columns import BOLD, PLAIN
from ..measures.base import Measure

WIDEST_PAGE = 100  # longer lines are hard to read: a choice, as the code's own limit

NARROWEST_CODE = 80  # narrower screens wrap it: the examples are written for 80

EQUATION = re.compile(r"``([^`]* = [^`]*)``([.,;:]?) *")

SHORTEST_EQUATION = 25  # characters; shorter ones stay in their sentence: a choice

JOINED = "\N{NO-BREAK SPACE}"

SUMS = re.compile(r"\b(sum|prod)_\{([^}]*)\}")

SYMBOLS = {"sum": "∑", "prod": "∏", "<=": "≤", ">=": "≥"}


def measure_page(measure: Measure, screen: Screen) -> str:
    """The page of a measure, as wide as the screen."""
    width = min(screen.width, WIDEST_PAGE)
    lines = [*_signature(measure, width), ""]
    for title, body in _sections(getdoc(type(measure)) or ""):
        lines += ["", *_title(title, screen)] if title else []
        for number, block in enumerate(re.split(r"\n\s*\n", body)):
            lines += [""] if number else []
            lines += _block(block, width, screen, equations=not title)
    lines += ["", *_title("BibTeX", screen), *_bibtex(measure, width)]
    return "\n".join(lines) + "\n"


def _signature(measure: Measure, width: int) -> list[str]:
    """The measure with the default of every parameter; lines break after commas."""
    defaults = ", ".join(f"{name}={param.default!r}" for name, param in measure.PARAMS.items())
    return _filled(f"{measure.NAME}({defaults})@k", width, "    ")


def _title(title: str, screen: Screen) -> list[str]:
    shown = f"{BOLD}{title}{PLAIN}" if screen.styled else title
    return [shown, "-" * len(title)]


def _sections(doc: str) -> Iterator[tuple[str, str]]:
    """The title and the text of each section of a numpydoc docstring; the first has no title."""
    first, *others = re.split(r"^(\S.*)\n-{3,}\n", doc, flags=re.MULTILINE)
    yield "", first.strip("\n")
    for title, body in zip(others[::2], others[1::2], strict=True):
        yield title, body.strip("\n")


def _block(block: str, width: int, screen: Screen, equations: bool) -> Iterator[str]:
    """The lines of a block of text between blank lines."""
    if block.startswith(">>>"):
        for line in block.splitlines():
            yield from _code(line, max(width, NARROWEST_CODE))
        return
    text = re.sub(r"``.*?``", lambda found: found[0].replace("\n    ", " "), block, flags=re.DOTALL)
    for item in re.split(r"\n(?=- |\S.*\n    )", text):
        head, _, rest = item.partition("\n")
        if item.startswith("- "):
            yield from _filled(_plain(item), width, "  ")
        elif rest.startswith("    "):
            yield from _filled(_plain(head), width, "        ")
            yield from _filled(_plain(rest), width, "    ", "    ")
        elif equations:
            yield from _with_equations(item, width, screen)
        else:
            yield from _filled(_plain(item), width)


def _code(line: str, width: int) -> list[str]:
    """A line of an example; a long statement continues after a comma, inside its brackets."""
    if len(line) <= width or not line.startswith((">>>", "...")):
        return [line]
    words = re.sub(r"(?<!,) ", JOINED, line)
    return _filled(words, width, "...     ")


def _with_equations(text: str, width: int, screen: Screen) -> Iterator[str]:
    """A paragraph whose long equations have lines of their own."""
    start = 0
    for found in EQUATION.finditer(text := " ".join(text.split())):
        equation = found[1]
        if len(equation) < SHORTEST_EQUATION:
            continue
        yield from _filled(_plain(text[start : found.start()]), width)
        yield from _filled(_readable(equation, screen) + found[2], width, "        ", "    ")
        start = found.end()
    yield from _filled(_plain(text[start:]), width)


def _readable(equation: str, screen: Screen) -> str:
    """An equation without braces, and with the signs of mathematics where the screen has them."""
    plain = SUMS.sub(r"\1[\2]", equation)
    if screen.cut != UNICODE:
        return plain
    pattern = r"\b(?:sum|prod)\b|<=|>="
    return re.sub(pattern, lambda found: SYMBOLS[found[0]], plain)


def _plain(text: str) -> str:
    """A text without the marks of literals; a short literal is not broken over lines."""
    summed = SUMS.sub(r"\1[\2]", text)
    kept = re.sub(
        r"``(.*?)``", lambda found: found[1].replace(" ", JOINED), summed, flags=re.DOTALL
    )
    return kept.replace("`", "")


def _filled(text: str, width: int, indent: str = "", initial: str = "") -> list[str]:
    """A text in lines; those after the first are indented."""
    words = " ".join(re.split(r"[ \n]+", text.strip()))
    lines = textwrap.wrap(
        words,
        width,
        initial_indent=initial,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [line.replace(JOINED, " ") for line in lines]


def _bibtex(measure: Measure, width: int) -> Iterator[str]:
    """The papers as BibTeX; long fields continue on the next line."""
    for number, paper in enumerate(measure.PAPERS):
        if number:
            yield ""
        for line in paper.bibtex().splitlines():
            yield from _filled(line, width, "    ", initial=line[: len(line) - len(line.lstrip())])
