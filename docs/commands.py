"""The pages of the commands: one each, one of the options that they share, and a list.

Sphinx calls a function of this module for the parser of a page: ``docs.commands.evaluate`` returns
that of ``irx evaluate``, and ``docs.commands.options`` that of the shared options.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils.nodes import document, literal_block, section

from docs.tables import list_table
from irx_measures.cli.help import OPTIONS, options_parser
from irx_measures.cli.main import COMMANDS, _parser
from irx_measures.cli.parser import Parser

PAGE = """\
.. sphinx_argparse_cli::
    :module: docs.commands
    :func: {name}
    :title: {title}
    :group_title_prefix: {prefix}
    :no_default_values:
"""

DETAILS = "\nWhat shared options do, in full: :doc:`options`.\n"


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-read", _examples_first)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _examples_first(app: Any, page: document) -> None:
    """Put the examples of a command after what it answers, as its help does."""
    for each in page.findall(section):
        last = each.children[-1]
        if isinstance(last, literal_block) and last.astext().startswith("examples:"):
            each.remove(last)
            each.insert(2, last)  # after the title and what the command answers


def __getattr__(name: str) -> Callable[[], Parser]:
    """The function that makes the parser of a command."""
    if name == OPTIONS:
        return options_parser
    if name not in COMMANDS:
        raise AttributeError(name)
    return lambda: parser_of(name)


def parser_of(name: str) -> Parser:
    """The parser of a command, whole."""
    return next(each for each in _parser([name]).commands() if each.prog == f"irx {name}")


def write_pages(template: str, tree: Path) -> None:
    """Write the page that lists the commands, and the pages below it, into the source tree."""
    folder = tree / "commands"
    folder.mkdir()
    pages = {name: _page(name) for name in COMMANDS}
    pages[OPTIONS] = PAGE.format(name=OPTIONS, title="Options that commands share", prefix="")
    for name, text in pages.items():
        folder.joinpath(f"{name}.rst").write_text(text, encoding="utf-8")
    rows = [[f":doc:`irx {name} <commands/{name}>`", does] for name, does in COMMANDS.items()]
    text = template.replace("{table}", list_table(("Command", "What it does"), (25, 75), rows))
    names = "\n    ".join(f"commands/{name}" for name in pages)
    tree.joinpath("command_line.rst").write_text(text.replace("{names}", names), encoding="utf-8")


def _page(name: str) -> str:
    """The page of a command; a link to the options if it has only a line of some."""
    text = PAGE.format(name=name, title=f"irx {name}", prefix="{prog}")
    parser = parser_of(name)
    is_shortened = any(each.is_shortened for each in (parser, *parser.commands()))
    return text + DETAILS if is_shortened else text
