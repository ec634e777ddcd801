"""Docstrings as a terminal shows them: in its width, without the markup of reStructuredText."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

LINK = re.compile(r"`([^`<]+?)\s*<([^`>]+)>`__?")

# An inline role such as :func:`evaluate`, a literal between two backticks, a name between one.
INLINE = re.compile(r"(?::[\w:]+:)?(``?)~?(.+?)\1")

DIRECTIVE = re.compile(r"( *)\.\. \w+:: *(.*)")

BULLET = re.compile(r" *- ")

EXAMPLE = ">>> "


def unmarked(text: str) -> str:
    """A text without inline markup."""
    return INLINE.sub(r"\2", LINK.sub(r"\1 (\2)", text))


def as_plain_text(docstring: str, width: int) -> str:
    """A docstring, as `inspect.cleandoc` gives it, in lines of a width.

    Examples keep their lines.
    """
    lines: list[str] = []
    for block in _blocks(docstring.split("\n")):
        if block[0].lstrip().startswith(EXAMPLE) or _is_title(block):
            lines.extend(block)
        else:
            lines.extend(_filled(block, width))
    return "\n".join(lines)


def filled(text: str, width: int, indent: str = "    ") -> str:
    """A text in lines of a width, of which all but the first are indented."""
    return "\n".join(
        textwrap.wrap(
            text, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
        )
    )


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Paragraphs, items of lists, examples, titles with their underlines, and empty lines."""
    block: list[str] = []
    for line in lines:
        if block and not _continues(block, line):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _continues(block: Sequence[str], line: str) -> bool:
    """Whether a line belongs to the block before it."""
    first = block[0]
    if not line.strip() or not first.strip():
        return False
    if first.lstrip().startswith(EXAMPLE):
        return True
    if _is_title([first, line]):
        return len(block) == 1
    if _is_title(block) or BULLET.match(line) or DIRECTIVE.match(line) or DIRECTIVE.match(first):
        return False
    return _indent(line) == _hanging(first)


def _is_title(block: Sequence[str]) -> bool:
    return len(block) == 2 and set(block[1]) == {"-"} and len(block[0]) == len(block[1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _hanging(first: str) -> int:
    """The indentation of the further lines of a block."""
    bullet = BULLET.match(first)
    return _indent(first) if bullet is None else bullet.end()


def _filled(block: Sequence[str], width: int) -> list[str]:
    """The lines of a block; a directive leaves its argument."""
    directive = DIRECTIVE.fullmatch(block[0])
    first = block[0] if directive is None else directive[1] + directive[2]
    text = unmarked(" ".join([first.strip(), *(line.strip() for line in block[1:])]))
    if text.endswith("::"):
        text = text[:-1]
    start = " " * _indent(first)
    hanging = " " * _hanging(first)
    return textwrap.wrap(
        text, width, initial_indent=start, subsequent_indent=hanging,
        break_on_hyphens=False, break_long_words=False,
    ) or [""]  # fmt: skip
