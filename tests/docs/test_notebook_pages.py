"""A notebook that is not run still has its page, which says so."""

import nbformat
import pytest

from docs import notebook_pages
from docs.notebook_pages import FOLDER, NOTEBOOKS, write_notebook_pages

NAMES = {path.stem for path in NOTEBOOKS.glob("*.ipynb")}


def written(tree):
    return {name: nbformat.read(tree / FOLDER / f"{name}.ipynb", as_version=4) for name in NAMES}


def is_run(notebook):
    return notebook.metadata.get("mystnb", {}).get("execution_mode") != "off"


def says_why(notebook):
    return "shows the notebook without its outputs" in notebook.cells[1].source


def test_no_notebook_is_run_if_none_shall_be(tmp_path):
    write_notebook_pages(tmp_path, run=False, download=True)
    for notebook in written(tmp_path).values():
        assert not is_run(notebook)
        assert says_why(notebook)
    index = tmp_path.joinpath(FOLDER, "index.rst").read_text()
    assert all(f"    {name}\n" in index for name in NAMES)


@pytest.mark.parametrize(("pending", "download"), [(True, False), (True, True), (False, False)])
def test_the_notebook_of_a_collection_is_run_only_with_the_collection(
    tmp_path, monkeypatch, pending, download
):
    found = ("vaswani.tar.gz",) if pending else ()
    monkeypatch.setattr(notebook_pages, "pending_downloads", lambda _: found)
    write_notebook_pages(tmp_path, run=True, download=download)
    run = {name for name, notebook in written(tmp_path).items() if is_run(notebook)}
    assert run == (NAMES - {"open"} if pending and not download else NAMES)
    assert all(says_why(written(tmp_path)[name]) for name in NAMES - run)
