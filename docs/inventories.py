"""Inventories of other projects' pages for intersphinx, for builds without a network."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LINKED_NAMES = Path(__file__).with_name("linked_names.txt")

FOLDER = "_inventories"

HEADER = (
    "# Sphinx inventory version 2\n# Project: {name}\n# Version: \n"
    "# The remainder of this file is compressed using zlib.\n"
)


class Project(NamedTuple):
    """Another project: its site, and the rows of an inventory of the names that we link."""

    name: str
    site: str
    rows: tuple[str, ...]


def projects() -> Iterator[Project]:
    """The projects of `linked_names.txt`."""
    text = re.sub(r"^#.*\n", "", LINKED_NAMES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for name, site, names in re.findall(r"^\[(\S+) (\S+)\]\n([^\[]*)", text, re.MULTILINE):
        entries = (line.split() for line in names.splitlines() if line)
        rows = (f"{entry} py:{role} 1 {page} -" for role, entry, page in entries)
        yield Project(name, site, tuple(rows))


def write_inventories(tree: Path) -> None:
    """Write an inventory per project into the source tree."""
    folder = tree / FOLDER
    folder.mkdir()
    for project in projects():
        rows = "".join(f"{row}\n" for row in project.rows)
        header = HEADER.format(name=project.name).encode()
        folder.joinpath(f"{project.name}.inv").write_bytes(header + zlib.compress(rows.encode()))


def mapping() -> dict[str, tuple[str, tuple[None, str]]]:
    """The value of ``intersphinx_mapping``: the project's own inventory, else ours."""
    return {
        project.name: (project.site, (None, f"{FOLDER}/{project.name}.inv"))
        for project in projects()
    }
