"""The documentation builds without warnings and documents every public name."""

import subprocess
import sys
from pathlib import Path

import pytest

import irx_measures
from irx_measures import measure_info, meta, plots
from irx_measures.measures import FAMILIES

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
    assert name.isupper() or f">{name}<" in reference  # constants are not documented


def test_every_measure_has_a_page():
    pages = {page.stem for page in PAGES.glob("measures/*.rst")} - {"index"}
    # A measure in a file of its own has its place in the reference until it has a page.
    of_families = {info.name for info in measure_info() if info.family in FAMILIES}
    assert len(of_families) >= 17
    assert of_families == pages
