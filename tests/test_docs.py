"""The documentation builds without a warning and has a place for every public name."""

import subprocess
import sys
from pathlib import Path

import pytest

import irx_measures
from irx_measures import meta, plots
from irx_measures.measures.catalogue import catalogue

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "irx_measures" / "pt_docs"


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The page of references, built with warnings as errors."""
    site = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-c", ROOT / "docs", PAGES, site],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return site.joinpath("api.html").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*irx_measures.__all__, *meta.__all__, *plots.__all__])
def test_every_public_name_is_in_the_reference(reference, name):
    # `others`, `pool` and `run` are words of measure strings; constants have no page.
    words = {"others", "pool", "run"}
    assert name in words or name.isupper() or f">{name}<" in reference


def test_every_measure_has_a_page_of_its_family():
    pages = [page.read_text() for page in PAGES.glob("*.rst") if page.stem != "api"]
    assert len(pages) > 7
    for name in catalogue:
        assert any(f"``{name}" in page for page in pages), name
