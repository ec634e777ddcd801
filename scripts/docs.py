#!/usr/bin/env python3
"""Build the site of the documentation.

Run ``python -m scripts.docs OUT`` in the root of the repository. Warnings are errors. The pages of
``irx_measures/pt_docs``, those of ``docs/pages``, the notebooks and the generated pages become one
source tree in a temporary folder, and Sphinx builds the site from it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent

from sphinx.cmd.build import build_main

from docs.command_pages import write_command_pages
from docs.inventories import write_inventories
from docs.notebook_pages import write_notebook_pages
from irx_measures import measure_info

ROOT = Path(__file__).resolve().parent.parent

PAGES = ROOT / "docs" / "pages"

TASKS = ".. toctree::\n    :caption: Tasks\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the site; the exit status is that of Sphinx."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder for the site")
    parser.add_argument(
        "--no-notebooks", action="store_true", help="show the notebooks without their outputs"
    )
    parser.add_argument(
        "--download", action="store_true", help="ir_datasets may download what notebooks need"
    )
    options = parser.parse_args(arguments)
    if options.out.joinpath("objects.inv").exists():  # an older site, whose pages may be gone
        shutil.rmtree(options.out)
    elif options.out.exists() and any(options.out.iterdir()):
        parser.error(f"{options.out} must be empty or a site; got another folder")
    with TemporaryDirectory() as folder:
        tree, cache = Path(folder) / "source", Path(folder) / "doctrees"
        site = Path(folder) / "built" / "site"  # myst-nb writes a folder beside the site
        assemble(tree)
        write_notebook_pages(tree, not options.no_notebooks, options.download)
        status = build_main(
            ["-q", "-W", "--keep-going", "-c", f"{ROOT / 'docs'}", "-d", f"{cache}",
             f"{tree}", f"{site}"]
        )  # fmt: skip
        if site.exists():
            shutil.copytree(site, options.out, dirs_exist_ok=True)
        return status


def assemble(tree: Path) -> None:
    """Write the source tree, except for the notebooks."""
    shutil.copytree(
        ROOT / "irx_measures" / "pt_docs", tree, ignore=shutil.ignore_patterns("__pycache__")
    )
    # PyTerrier's site has the pages of pt_docs only, so only here do the contents list the others:
    # before the tasks, which are so many that a reader would have to scroll.
    index, more = tree / "index.rst", PAGES.joinpath("site.rst").read_text(encoding="utf-8")
    start, tasks, end = index.read_text(encoding="utf-8").partition(TASKS)
    index.write_text(f"{start}{more.lstrip()}\n{tasks}{end}", encoding="utf-8")
    reference = PAGES.joinpath("reference.rst").read_text(encoding="utf-8")
    names = "\n    ".join(measure.NAME for measure in measure_info())
    tree.joinpath("reference.rst").write_text(reference.replace("{measures}", names), "utf-8")
    shutil.copyfile(PAGES / "how_fast.md", tree / "how_fast.md")
    shutil.copyfile(ROOT / "CHANGELOG.md", tree / "changelog.md")
    _add_bibtex(tree)
    write_command_pages(tree)
    write_inventories(tree)


def _add_bibtex(tree: Path) -> None:
    """The papers of each measure as BibTeX, at the end of its page."""
    for measure in measure_info():
        page = tree / "measures" / f"{measure.NAME}.rst"
        if page.exists():
            entries = indent("\n\n".join(paper.bibtex() for paper in measure.PAPERS), "    ")
            with page.open("a", encoding="utf-8") as end:
                end.write(f"\n.. code-block:: bibtex\n\n{entries}\n")


if __name__ == "__main__":
    sys.exit(main())
