#!/usr/bin/env python3
"""Build the site of the documentation.

Run ``python -m scripts.docs OUT`` in the root of the repository. Warnings are errors. The pages of
``irx_measures/pt_docs``, those of ``docs/pages`` and the notebooks become one source tree in a
temporary folder, and Sphinx builds the site from it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import build_main

from docs.commands import write_pages
from docs.inventories import write_inventories
from docs.public_names import in_reference

ROOT = Path(__file__).resolve().parent.parent

PAGES = ROOT / "docs" / "pages"

AFTER_TASKS = ".. toctree::\n    :caption: Measures\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the site; the exit status is that of Sphinx."""
    parser = command_line()
    options = parser.parse_args(arguments)
    older = is_site(options.out)
    if not older and options.out.exists() and any(options.out.iterdir()):
        parser.error(f"{options.out} must be empty or a site; got another folder")
    with TemporaryDirectory() as folder:
        tree, cache = Path(folder) / "source", Path(folder) / "doctrees"
        site = Path(folder) / "built" / "site"  # myst-nb writes a folder beside the site
        assemble(tree)
        run = ["-D", "nb_execution_mode=off"] if options.no_notebooks else []
        status = build_main(
            ["-q", "-W", "--keep-going", "-c", f"{ROOT / 'docs'}", "-d", f"{cache}", *run,
             f"{tree}", f"{site}"]
        )  # fmt: skip
        if is_site(site):
            if older:  # some of its pages may be gone
                shutil.rmtree(options.out)
            shutil.copytree(site, options.out, dirs_exist_ok=True)
        return status


def command_line() -> argparse.ArgumentParser:
    """The arguments of the program."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder for the site")
    parser.add_argument(
        "--no-notebooks", action="store_true", help="run no notebook: only stored outputs are shown"
    )
    return parser


def is_site(folder: Path) -> bool:
    """Whether the folder has a whole site; Sphinx writes this file last."""
    return folder.joinpath("objects.inv").exists()


def assemble(tree: Path) -> None:
    """Write the source tree."""
    shutil.copytree(
        ROOT / "irx_measures" / "pt_docs", tree, ignore=shutil.ignore_patterns("__pycache__")
    )
    # PyTerrier's site has the pages of pt_docs only, so only here do the contents list the others.
    index = tree / "index.rst"
    more = PAGES.joinpath("look_up.rst").read_text(encoding="utf-8")
    tasks, measures, end = index.read_text(encoding="utf-8").partition(AFTER_TASKS)
    index.write_text(f"{tasks}{more.lstrip()}\n{measures}{end}", encoding="utf-8")
    tree.joinpath("reference.rst").write_text(_reference(), encoding="utf-8")
    write_pages(PAGES.joinpath("command_line.rst").read_text(encoding="utf-8"), tree)
    shutil.copyfile(PAGES / "how_fast.md", tree / "how_fast.md")
    shutil.copyfile(ROOT / "CHANGELOG.md", tree / "changelog.md")
    shutil.copytree(ROOT / "notebooks", tree / "notebooks", ignore=shutil.ignore_patterns("*.toml"))
    shutil.copyfile(PAGES / "notebooks.rst", tree / "notebooks" / "index.rst")
    write_inventories(tree)


def _reference() -> str:
    """The page that lists every public object of each module."""
    text = PAGES.joinpath("reference.rst").read_text(encoding="utf-8")
    for module, names in in_reference().items():
        text = text.replace(f"{{{module}}}", "\n    ".join(names))
    return text


if __name__ == "__main__":
    sys.exit(main())
