#!/usr/bin/env python3
"""Run notebooks on simulated runs, and store what they show in them.

Run ``python -m scripts.notebooks`` in the root of the repository after a change to a notebook or to
what it shows; names choose notebooks: ``python -m scripts.notebooks rareness``. TREC's runs may not
be redistributed: the folder ``IRX_DATA`` is empty while the notebooks run.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"

# This one downloads a collection, so its outputs are not those of a simulation.
OF_A_COLLECTION = "open"

STORED = sorted(path.stem for path in FOLDER.glob("*.ipynb") if path.stem != OF_A_COLLECTION)


def main(arguments: Sequence[str] | None = None) -> None:
    """Store the outputs of the notebooks with these names, or of all, and print their paths."""
    parser = argparse.ArgumentParser(prog="python -m scripts.notebooks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(STORED)}")
    names = parser.parse_args(arguments).names
    for name in names:
        if name not in STORED:
            parser.error(f"NAME must be of {', '.join(STORED)}; got {name}")
    with TemporaryDirectory() as empty, patch.dict(os.environ, {"IRX_DATA": empty}):
        for name in names or STORED:
            notebook = read(name)
            store(notebook)
            path_of(name).write_text(written(notebook), encoding="utf-8")
            print(path_of(name).relative_to(FOLDER.parent))


def path_of(name: str) -> Path:
    """The file of a notebook."""
    return FOLDER / f"{name}.ipynb"


def read(name: str) -> NotebookNode:
    """A notebook by its name."""
    return nbformat.read(path_of(name), as_version=4)


def written(notebook: NotebookNode) -> str:
    """A notebook as its file has it."""
    return f"{nbformat.writes(notebook)}\n"


def store(notebook: NotebookNode) -> None:
    """Run a notebook, and keep what it shows but for stderr: progress, and paths in warnings."""
    metadata = notebook.metadata.copy()
    run(notebook)
    notebook.metadata = metadata  # without the version of Python, which changes nothing
    for cell in code_cells(notebook):
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]


def run(notebook: NotebookNode) -> None:
    """Write the outputs of a notebook into its cells; its first error is raised."""
    with TemporaryDirectory() as sockets:
        NotebookClient(
            notebook,
            startup_timeout=3600,  # a busy machine starts slowly
            record_timing=False,
            resources={"metadata": {"path": str(FOLDER)}},
            # Files, because notebooks that start at the same time might choose the same ports.
            config=Config(KernelManager={"transport": "ipc", "ip": f"{sockets}/kernel"}),
        ).execute()


def code_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    """The cells with code."""
    return (cell for cell in notebook.cells if cell.cell_type == "code")


if __name__ == "__main__":
    main()
