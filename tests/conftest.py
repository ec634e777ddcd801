"""Shared by all tests: the hypothesis profile, an empty registry, the TREC data, a browser."""

import gc
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from irx_measures.io import files
from irx_measures.runsets import registry
from tests.examples import IN_PROFILE

# Milliseconds: what takes a tenth of a second alone takes long on a busy machine.
PATIENCE = 600_000
LONGEST = ("test_docs.py", "test_notebooks.py", "test_distributed.py")
SLOW_EXAMPLES = {"plots", "pt_docs", "distributed.py", "simulation.py"}  # folders and files
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

for name, number in IN_PROFILE.items():
    settings.register_profile(
        name,
        max_examples=number,
        # Only `thorough` draws other examples every time: from the seed that scripts/test prints.
        derandomize=name != "thorough",
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("IRX_HYPOTHESIS", "gate"))


def pytest_collection_modifyitems(items):
    """Begin with the longest modules, so that few are left to steal; some examples are slow."""
    for item in items:
        if isinstance(item, pytest.DoctestItem) and SLOW_EXAMPLES & {*item.path.parts}:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish():
    """Leave what is loaded so far out of every later search for garbage: it is a lot."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def known_names():
    """Reset the registry, so that no test sees names or cached sets of another test."""
    registry.clear()


def data_folder():
    """The folder of public evaluation data; None if there is none."""
    root = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("IRX_DATA") or root.parent / "shared" / "data")
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def data():
    """The folder of public evaluation data (qrels and runs of TREC tracks)."""
    folder = data_folder()
    if folder is None:
        pytest.skip("no public evaluation data in ../shared/data; IRX_DATA names another folder")
    return folder


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium, closed afterwards."""
    if os.environ.get("IRX_NO_BROWSER"):
        pytest.skip("no browser is wanted: IRX_NO_BROWSER is set")
    playwright = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        # Without a sandbox, because root may not have one; the pages are our own.
        chromium = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox"], timeout=PATIENCE
        )
        yield chromium
        chromium.close()


@pytest.fixture
def opened(monkeypatch):
    """The files of runs and qrels that were opened, in order."""
    found, unpacked = [], files.unpacked
    monkeypatch.setattr(files, "unpacked", lambda path: found.append(path) or unpacked(path))
    return found
