"""Shared by all tests: the hypothesis profile, an empty registry, the TREC data, a browser."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from irx_measures.runsets import registry

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

settings.register_profile(
    "irx",
    derandomize=True,
    deadline=None,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("irx"), max_examples=25)
settings.load_profile(os.environ.get("IRX_HYPOTHESIS", "irx"))


@pytest.fixture(autouse=True)
def known_names():
    """Reset the registry, so that no test sees names or cached sets of another test."""
    registry.clear()


@pytest.fixture(scope="session")
def data():
    """The folder of public evaluation data (qrels and runs of TREC tracks)."""
    root = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("IRX_DATA") or root.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no public evaluation data at {folder}; IRX_DATA names another folder")
    return folder


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium, closed afterwards."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        # Without a sandbox, because root may not have one; the pages are our own.
        chromium = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()
