#!/usr/bin/env python3
"""Rewrite everything that is made from the catalogue of measures and the command line's parsers.

Run ``python -m scripts.generate`` in the root of the repository after a change to either. It
rewrites the public names of measures, the README's table, the end of every measure's page, the
shell completions, the manual pages, and the measures of the text for ir_measures.
`tests/test_generate.py` fails where one of them is out of date.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import shtab

from irx_measures import measure_info
from irx_measures.cli.main import _parser
from irx_measures.measures.catalogue import MeasureInfo
from irx_measures.measures.citations import Paper
from irx_measures.measures.docstrings import kind
from irx_measures.measures.params import Param
from irx_measures.reporting.tables import measures_table
from irx_measures.reproductions.papers import PAPERS, cited, entries
from scripts.manual import manual_pages

ROOT = Path(__file__).resolve().parent.parent

# Not .rst, because Sphinx would take each file for a page of its own.
PAGE_ENDS = "irx_measures/pt_docs/measures/generated"

COMPLETIONS = {
    "bash": "completions/irx.bash",
    "fish": "completions/irx.fish",
    "zsh": "completions/_irx",
}


def main() -> None:
    """Write each file whose content is out of date, and print its path."""
    for path, text in generated().items():
        target = ROOT / path
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            print(path)


def generated() -> dict[str, str]:
    """The content that each file should have, by its path in the repository."""
    package = replace_block(_read("irx_measures/__init__.py"), "measure imports", imports())
    return {
        "irx_measures/__init__.py": replace_block(package, "measure names", public_names()),
        "README.md": replace_block(_read("README.md"), "measures", measures_table("github")),
        "irx_measures/pt_docs/reproductions.rst": replace_block(
            _read("irx_measures/pt_docs/reproductions.rst"), "entries", inventory()
        ),
        "docs/upstream/provider.rst": replace_block(
            _read("docs/upstream/provider.rst"), "measures", summaries()
        ),
        **{f"{PAGE_ENDS}/{info.name}.txt": page_end(info) for info in measure_info()},
        **{path: completion(shell) for shell, path in COMPLETIONS.items()},
        **{f"man/{name}": text for name, text in manual_pages().items()},
    }


def replace_block(text: str, name: str, content: str) -> str:
    """A text with new content between the lines that mark a block's start and end."""
    start, end = rf"^[^\n]*\b{name}: made by [^\n]*\n", rf"^[^\n]*\bend of {name}\b"
    block = re.compile(f"({start}).*?({end})", re.DOTALL | re.MULTILINE)
    replaced, count = block.subn(lambda found: f"{found[1]}{content}\n{found[2]}", text)
    if count != 1:
        raise ValueError(f"there must be one block {name!r}; found {count}")
    return replaced


def imports() -> str:
    """Imports of all measures, in the order of import sorters."""
    names: dict[str, list[str]] = {}
    for info in measure_info():
        module = info.declared_as.rpartition(".")[0].removeprefix("irx_measures")
        names.setdefault(module, []).append(info.name)
    return "".join(
        f"from {module} import (\n{_lines(names[module], '{},')}\n)\n" for module in sorted(names)
    )


def public_names() -> str:
    """The names of all measures as strings."""
    return _lines([info.name for info in measure_info()], '"{}",')


def _lines(names: list[str], form: str) -> str:
    return "\n".join(f"    {form.format(name)}" for name in sorted(names, key=_import_order))


def _import_order(name: str) -> tuple[int, str]:
    """Capitals first, then capitalised words, then the rest, as import sorters do."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def summaries() -> str:
    """The measures as a list, each in one line."""
    return "\n".join(["", *(f"- ``{info.name}``: {info.summary}" for info in measure_info()), ""])


def inventory() -> str:
    """Every table and figure of the papers, as a list table per paper."""
    return "\n".join(_inventory(name) for name in PAPERS)


def _inventory(name: str) -> str:
    header = ("Table or figure", "What it shows", "Status", "Data, or why not")
    cells = "".join(
        f"{'      ' if place else '    * '}- {cell}\n"
        for row in (header, *entries(name))
        for place, cell in enumerate(row)
    )
    return (
        f"\n.. list-table:: ``irx reproduce {name}``: {cited(name).text}\n"
        f"    :header-rows: 1\n    :widths: 15 35 15 35\n\n{cells}"
    )


def page_end(info: MeasureInfo) -> str:
    """The end of a measure's page: its parameters, and its papers as text and as BibTeX."""
    params = "\n".join(_described(name, param, info) for name, param in info.params.items())
    papers = "\n".join(_citation(paper) for paper in info.papers)
    return (
        ".. made by scripts/generate.py from the catalogue of measures\n\n"
        f"{_title('Parameters')}{params}\n{_title('Citation')}{papers}"
    )


def _title(text: str) -> str:
    return f"{text}\n{'-' * len(text)}\n\n"


def _described(name: str, param: Param, info: MeasureInfo) -> str:
    """An entry of a definition list: name, allowed values and default, then the meaning."""
    allowed = kind(param, required=name == "cutoff" and info.needs_cutoff)
    allowed = re.sub(r"\{(.*?)\}", _choices, allowed)
    shown = "@k" if name == "cutoff" else name
    meaning = _with_literals(param.desc.removeprefix("``@k``: "))
    return f"``{shown}`` : {_with_literals(allowed)}\n    {meaning[0].upper()}{meaning[1:]}\n"


def _choices(found: re.Match[str]) -> str:
    return f"one of {found[1]}" if "," in found[1] else found[1]


def _with_literals(text: str) -> str:
    """A text in which names in backticks and quoted values are literals."""
    return re.sub(
        r"``.*?``|`(\w+)`|((?:\w+=)?'[\w+.-]+')",
        lambda found: f"``{found[1] or found[2]}``" if found[1] or found[2] else found[0],
        text,
    )


def _citation(paper: Paper) -> str:
    link = f" `{paper.doi or paper.url} <{paper.link}>`__" if paper.link else ""
    return f"{paper.text}{link}\n\n.. code-block:: bibtex\n\n{indent(paper.bibtex(), '    ')}\n"


def completion(shell: str) -> str:
    """A completion script for a shell: commands, options, files, and measures after ``-m``."""
    names = " ".join(info.name for info in measure_info())
    measures = {"bash": "_irx_measures", "fish": names, "zsh": f"({names})"}
    parser = _parser()
    for action in _actions(parser):
        if action.dest in ("measures", "name"):
            action.complete = measures  # type: ignore[attr-defined]
        elif action.nargs != 0 and action.choices is None and action.type in (None, Path):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    function = f'_irx_measures() {{\n  compgen -W "{names}" -- "$1"\n}}'
    preamble = function if shell == "bash" else ""
    return shtab.complete(parser, shell, preamble=preamble).rstrip() + "\n"


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments of a parser and of its commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action


def _read(path: str) -> str:
    return ROOT.joinpath(path).read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
