"""A notebook that is not run still has its page, which says so."""

import nbformat
import pytest

from docs import notebook_pages
from docs.notebook_pages import FOLDER, NOTEBOOKS, write_notebook_pages

NAMES = {path.stem for path in NOTEBOOKS.glob("*.ipynb")}


def written(tree):
    return {name: nbformat.read(tree / FOLDER / f"{name}.ipynb", as_version=4) for name in NAMES}


@pytest.fixture
def run(monkeypatch):
    """The titles of the notebooks that would be run."""
    titles = []
    monkeypatch.setattr(
        notebook_pages, "run_all", lambda some: titles.extend(one.cells[0].source for one in some)
    )
    return titles


def says_why(notebook):
    return "shows the notebook without its outputs" in notebook.cells[1].source


def test_no_notebook_is_run_if_none_shall_be(tmp_path, run):
    write_notebook_pages(tmp_path, run=False, download=True)
    assert run == []
    assert all(map(says_why, written(tmp_path).values()))
    index = tmp_path.joinpath(FOLDER, "index.rst").read_text()
    assert all(f"    {name}\n" in index for name in NAMES)


@pytest.mark.parametrize(("pending", "download"), [(True, False), (True, True), (False, False)])
def test_the_notebook_of_a_collection_is_run_only_with_the_collection(
    tmp_path, monkeypatch, run, pending, download
):
    monkeypatch.setattr(notebook_pages, "documents_here", lambda _: not pending)
    write_notebook_pages(tmp_path, run=True, download=download)
    left_out = {"open"} if pending and not download else set()
    pages = written(tmp_path)
    assert sorted(run) == sorted(pages[name].cells[0].source for name in NAMES - left_out)
    assert {name for name, page in pages.items() if says_why(page)} == left_out
