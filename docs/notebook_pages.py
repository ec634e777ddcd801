"""The notebooks as pages of the site: their list, and what each page's outputs come from."""

from __future__ import annotations

from pathlib import Path

import nbformat

from docs.notebook_runs import NOTEBOOKS, run_all
from irx_measures.reproductions.built import documents_here

FOLDER = "notebooks"

BUILDS_SYSTEMS = "open"  # the notebook that needs a collection's documents, not runs

COLLECTION = "vaswani"

NOT_RUN = "This page shows the notebook without its outputs: {}"

INDEX = """Notebooks
=========

Each notebook repeats the experiments of a paper. `TREC gives participants' runs to registered users
<https://trec.nist.gov/results.html>`__; without them, the notebooks run on a simulated campaign.
The outputs of each notebook say what it ran on.

.. toctree::
    :maxdepth: 1

"""


def write_notebook_pages(tree: Path, run: bool, download: bool) -> None:
    """Write the notebooks and their list into the source tree.

    Parameters
    ----------
    tree
    run
        Whether the notebooks are run when the site is built.
    download
        Whether ir_datasets may download the collection that a notebook needs.
    """
    folder = tree / FOLDER
    folder.mkdir()
    names = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
    pages = {name: nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4) for name in names}
    to_run = []
    for name, notebook in pages.items():
        notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
        if not run:
            _leave_out(notebook, "this site was built without running notebooks.")
        elif name == BUILDS_SYSTEMS and not (download or documents_here(COLLECTION)):
            _leave_out(notebook, f"ir_datasets had no copy of {COLLECTION}.")
        else:
            to_run.append(notebook)
    run_all(to_run)
    for name, notebook in pages.items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
    listed = "".join(f"    {name}\n" for name in names)
    folder.joinpath("index.rst").write_text(INDEX + listed, encoding="utf-8")


def _leave_out(notebook: nbformat.NotebookNode, reason: str) -> None:
    """Say below the title why this notebook has no outputs."""
    note = nbformat.v4.new_markdown_cell(f"> {NOT_RUN.format(reason)}")
    notebook.cells.insert(1, note)
