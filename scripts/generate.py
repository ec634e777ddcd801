#!/usr/bin/env python3
"""Rewrite everything that is made from the catalogue of measures.

Run ``python -m scripts.generate`` in the root of the repository after a change to it. It rewrites
the public names of measures, and `tests/test_generate.py` fails where they are out of date.
"""

from __future__ import annotations

import re
from pathlib import Path

from irx_measures import measure_info

ROOT = Path(__file__).resolve().parent.parent


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
    return {
        "irx_measures/__init__.pyi": replace_block(
            _read("irx_measures/__init__.pyi"), "measure names", public_names()
        ),
    }


def replace_block(text: str, name: str, content: str) -> str:
    """A text with new content between the lines that mark a block's start and end."""
    start, end = rf"^[^\n]*\b{name}: made by [^\n]*\n", rf"^[^\n]*\bend of {name}\b"
    block = re.compile(f"({start}).*?({end})", re.DOTALL | re.MULTILINE)
    replaced, count = block.subn(lambda found: f"{found[1]}{content}\n{found[2]}", text)
    if count != 1:
        raise ValueError(f"there must be one block {name!r}; found {count}")
    return replaced


def public_names() -> str:
    """Imports of all measures, in the order of import sorters."""
    home = {
        measure.NAME: type(measure).__module__.removeprefix("irx_measures")
        for measure in measure_info()
    }
    names = sorted(home, key=lambda name: (home[name], _import_order(name)))
    return "".join(f"from {home[name]} import {name} as {name}\n" for name in names)


def _import_order(name: str) -> tuple[int, str]:
    """Capitals first, then capitalised words, then the rest, as import sorters do."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _read(path: str) -> str:
    return ROOT.joinpath(path).read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
