"""A page per command of ``irx``, made from the parsers."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from irx_measures.cli.main import _parser

FOLDER = "command_line"

INDEX = "index"

WIDTH = "80"  # columns of the usage

OPTION = re.compile(r"(?<![\w-])(--?[a-zA-Z][\w-]*)")

SPECIAL = re.compile(r"([\\*|]|_(?=\W|$))")


def write_command_pages(tree: Path) -> None:
    """Write the page of each command into the source tree."""
    folder = tree / FOLDER
    folder.mkdir()
    for command, page in command_pages().items():
        folder.joinpath(f"{page_name(command)}.rst").write_text(page, encoding="utf-8")


def page_name(command: str) -> str:
    """The file name of a command's page: ``irx-meta-power``."""
    return command.replace(" ", "-")


def command_pages() -> dict[str, str]:
    """The rst of each command's page, by command: ``irx``, ``irx meta``, ``irx meta power``."""
    environment = os.environ.copy()
    os.environ.update(COLUMNS=WIDTH, NO_COLOR="1")
    try:
        return {parser.prog: _page(parser) for parser in _parsers(_parser())}
    finally:
        os.environ.clear()
        os.environ.update(environment)


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser and those of its commands, at every level."""
    yield parser
    for command in _commands(parser).values():
        yield from _parsers(command)


def _commands(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}


def _page(parser: argparse.ArgumentParser) -> str:
    for action in parser._actions:
        if action.choices and action.metavar is None:  # the page lists the choices once
            action.metavar = action.dest.upper()
    usage = parser.format_usage().replace("\n" + " " * len("usage: "), "\n")
    parts = [
        f"{parser.prog}\n{'=' * len(parser.prog)}",
        _prose(parser.description or ""),
        _code(usage.removeprefix("usage: "), "text"),
        *_of_commands(parser),
        *_after_options(parser.epilog or ""),
        *_of_arguments(parser),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _of_commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    commands = _commands(parser)
    if not commands:
        return
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help for choice in action._choices_actions}
            yield "\n".join(
                f":doc:`{command.prog} <{page_name(command.prog)}>`\n"
                f"    {_sentence(summaries[name] or '')}"
                for name, command in commands.items()
            )
    pages = "\n".join(f"    {page_name(command.prog)}" for command in commands.values())
    yield f".. toctree::\n    :hidden:\n\n{pages}"


def _of_arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f".. program:: {parser.prog}"
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    positional = [action for action in shown if not action.option_strings]
    given = [action for action in positional if not isinstance(action, argparse._SubParsersAction)]
    if given:
        yield ".. rubric:: Arguments"
        yield from (_argument(parser, action) for action in given)
    yield ".. rubric:: Options"
    yield from (_argument(parser, action) for action in shown if action.option_strings)


def _argument(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = parser._get_formatter()  # it knows how argparse prints values and defaults
    value = formatter._format_args(action, formatter._get_default_metavar_for_optional(action))
    names = ", ".join(action.option_strings)
    if not names:  # the value is the name
        names, value = formatter._metavar_formatter(action, action.dest)(1)[0], ""
    text = formatter._expand_help(action) if action.help else ""
    if "default" not in text and _has_default(action):
        text += f" (default: {action.default})"
    if action.required and action.option_strings:
        text += " (required)"
    if action.choices and not all(str(choice) in text for choice in action.choices):
        listed = ", ".join(f"`{choice}`" for choice in action.choices)
        text = f"one of {listed}. {text[:1].upper()}{text[1:]}"
    return f".. option:: {names} {value}".rstrip() + f"\n\n    {_sentence(text)}"


def _has_default(action: argparse.Action) -> bool:
    return action.default not in (None, argparse.SUPPRESS, False, True, [], ())


def _after_options(epilog: str) -> Iterator[str]:
    """The paragraphs of a parser's last text; examples become code that can be copied."""
    for paragraph in re.split(r"\n\s*\n", epilog.strip()):
        found = re.match(r"(examples?|try):\s*", paragraph, re.IGNORECASE)
        if found is None:
            yield _prose(paragraph)
        else:
            yield f".. rubric:: {found[1].capitalize()}"
            yield from _examples(paragraph[found.end() :])


def _examples(text: str) -> Iterator[str]:
    """Commands as code, and the lines between them as prose."""
    commands: list[str] = []
    continued = False
    for line in text.splitlines():
        if continued:
            commands[-1] += f"\n    {line.strip()}"
        elif line.strip().startswith("irx "):
            commands.append(f"$ {line.strip()}")
        else:
            if commands:
                yield _code("\n".join(commands), "console")
            commands = []
            yield _sentence(line)
        continued = line.endswith("\\")
    yield _code("\n".join(commands), "console")


def _code(text: str, language: str) -> str:
    lines = "\n".join(f"    {line}" for line in text.splitlines())
    return f".. code-block:: {language}\n\n{lines}"


def _sentence(text: str) -> str:
    text = text.strip()
    return _prose(text[:1].upper() + text[1:])


def _prose(text: str) -> str:
    """Text in one paragraph, in which rst sees only code: `names` in backticks, and options."""
    pieces = re.split(r"(`[^`]*`)", " ".join(text.split()))
    pieces[::2] = [OPTION.sub(r"`\1`", SPECIAL.sub(r"\\\1", piece)) for piece in pieces[::2]]
    return "".join(pieces)
