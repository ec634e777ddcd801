"""Tables of the pages that are made from the package's own tables.

Run ``python -m docs.tables`` in the root of the repository to write them again. PyTerrier's site
has the pages too, and cannot run our code, so each page holds its tables as text, between two
comments with the name of the table.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from textwrap import fill

from irx_measures.io.columns import COLUMNS, INSTEAD
from irx_measures.measures.naming.other_names import rows_of_names, rows_of_refused_names

ROOT = Path(__file__).resolve().parent.parent

PAGES = ROOT / "irx_measures" / "pt_docs"

WIDTH = 100  # of lines, as in the other pages

PLACE = re.compile(
    r"(?P<begin>^\.\. begin (?P<name>\w+): [^\n]*\n\n)(?P<table>.*?)(?P<end>^\.\. end (?P=name)$)",
    re.MULTILINE | re.DOTALL,
)


def main() -> None:
    """Write the tables into their pages, and print the paths of these pages."""
    argparse.ArgumentParser(prog="python -m docs.tables", description=__doc__).parse_args()
    for path in sorted(PAGES.rglob("*.rst")):
        text = path.read_text(encoding="utf-8")
        if PLACE.search(text):
            path.write_text(filled(text), encoding="utf-8")
            print(path.relative_to(ROOT))


def filled(page: str) -> str:
    """A page with its tables as they are now; KeyError if it names a table that is not made."""

    def with_table(place: re.Match[str]) -> str:
        return f"{place['begin']}{TABLES[place['name']]()}\n{place['end']}"

    return PLACE.sub(with_table, page)


def list_table(heads: Sequence[str], widths: Sequence[int], rows: Iterable[Sequence[str]]) -> str:
    """A table in reStructuredText, which is also read as it is."""
    shares = " ".join(map(str, widths))
    lines = [".. list-table::", "    :header-rows: 1", f"    :widths: {shares}", ""]
    for row in [heads, *rows]:
        lead = "    * - "
        for cell in row:
            options = {"initial_indent": lead, "subsequent_indent": " " * 8}
            lines.append(
                fill(cell, WIDTH, break_long_words=False, break_on_hyphens=False, **options)
            )
            lead = "      - "
    return "\n".join([*lines, ""])


def column_names() -> str:
    """The accepted names of the columns of runs and qrels."""
    rows = []
    for holds, names in COLUMNS.items():
        accepted = ", ".join(map(literal, names))
        for name, others in INSTEAD.get(names, {}).items():
            accepted += f"; without these, {literal(name)}"
            if others:
                accepted += f" beside {' and '.join(map(literal, others))}"
        rows.append((holds, accepted))
    return list_table(("Column", "Names"), (25, 75), rows)


def measure_names() -> str:
    """The names of measures of other tools that are read."""
    rows = [[literals(cell) for cell in row] for row in rows_of_names()]
    return list_table(("Name", "Measure here", "With ``-l2``"), (28, 36, 36), rows)


def refused_names() -> str:
    """The names of measures of other tools that are refused."""
    rows = [(literals(names), why) for names, why in rows_of_refused_names()]
    return list_table(("Name", "What it means, or why it is refused"), (25, 75), rows)


def literals(names: str) -> str:
    """Names that are separated by commas, each as code; without any, that they are refused."""
    if not names:
        return "refused"
    return ", ".join(map(literal, names.split(", ")))


def literal(text: str) -> str:
    """A text as code."""
    return f"``{text}``"


TABLES: dict[str, Callable[[], str]] = {
    "column_names": column_names,
    "measure_names": measure_names,
    "refused_names": refused_names,
}
"""What makes each table, by the name in the comments around it."""


if __name__ == "__main__":
    main()
