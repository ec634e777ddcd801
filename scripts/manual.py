"""Manual pages of ``irx`` and of its commands, made from the parsers by ``scripts.generate``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from argparse_manpage.manpage import Manpage

from irx_measures import __version__
from irx_measures.cli.main import INTERNAL_ERROR, _parser
from irx_measures.cli.options import USAGE_ERROR

EXIT_STATUS = {
    0: "success",
    USAGE_ERROR: "a usage error, or input that is refused",
    INTERNAL_ERROR: "a bug in this package",
}


class Command(NamedTuple):
    """A command: its words, what it does in one line, its parser, and the commands below it."""

    words: tuple[str, ...]
    summary: str
    parser: argparse.ArgumentParser
    below: list[Command]

    @property
    def page(self) -> str:
        """The name of the manual page."""
        return "-".join(self.words)


def manual_pages() -> dict[str, str]:
    """The text of each manual page, by the name of its file."""
    parser = _parser()
    root = _command(("irx",), str(parser.description).rstrip("."), parser)
    return {f"{command.page}.1": _page(command) for command in _all(root)}


def _command(words: tuple[str, ...], summary: str, parser: argparse.ArgumentParser) -> Command:
    below = [
        _command((*words, name), summaries[name], each)
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for summaries in [{choice.dest: str(choice.help) for choice in action._choices_actions}]
        for name, each in action.choices.items()
    ]
    return Command(words, summary, parser, below)


def _all(command: Command) -> Iterator[Command]:
    yield command
    for each in command.below:
        yield from _all(each)


def _page(command: Command) -> str:
    parser = command.parser
    # By default, lines are as long as those of the terminal that this runs in.
    parser.formatter_class = partial(parser.formatter_class, width=100)
    page = Manpage(parser)
    page.prog = command.page
    page.date = ""  # the same text on every day
    page.source = f"irx_measures {__version__}"
    page.manual = "Manual of irx"
    page.description = command.summary.replace("\n", " ")
    _, _, arguments = parser.format_usage().partition(parser.prog)
    page.synopsis = [" ".join(command.words), *map(_escaped, arguments.split())]
    for title, text in _sections(command):
        page.add_section(title, "=", text)
    # The library would describe every command below this one here; these have their own pages.
    for group in parser._action_groups:
        group._group_actions[:] = [
            action
            for action in group._group_actions
            if not isinstance(action, argparse._SubParsersAction)
        ]
    parser.epilog = None
    header, rest = str(page).split("\n", 1)
    # A list of choices has no spaces: lines are not justified, and may break after its commas.
    rest = re.sub(r"\{\S*?\}", lambda choices: choices[0].replace(",", r",\:"), rest)
    return f"{header}\n.ad l\n.nh\n{rest}"


def _sections(command: Command) -> Iterator[tuple[str, str]]:
    if command.below:
        rows = (f".TP\n.B {_escaped(each.words[-1])}\n{_line(each)}" for each in command.below)
        yield "commands", "\n".join(rows)
    notes, examples = [], []
    for paragraph in (command.parser.epilog or "").split("\n\n"):
        example = re.match(r"examples?:\s", paragraph)
        if example:
            examples.append(paragraph[example.end() :])
        elif paragraph:
            notes.append(paragraph)
    if notes:
        yield "notes", "\n.PP\n".join(_escaped(" ".join(note.split())) for note in notes)
    if examples:
        text = _escaped("\n\n".join(examples))
        yield "examples", f".EX\n{text}\n.EE"
    if len(command.words) == 1:
        rows = (f".TP\n.B {status}\n{meaning}" for status, meaning in EXIT_STATUS.items())
        yield "exit status", "\n".join(rows)
    related = [each.page for each in command.below]
    if len(command.words) > 1:
        related.insert(0, "-".join(command.words[:-1]))
    yield "see also", ",\n".join(f".BR {_escaped(page)} (1)" for page in related)


def _line(command: Command) -> str:
    return _escaped(" ".join(command.summary.split()))


def _escaped(text: str) -> str:
    """Text as roff: no escapes, no hyphens for minus signs, no requests at the start of a line."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)
