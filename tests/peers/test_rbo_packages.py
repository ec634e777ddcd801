"""The tables of the page on rank similarity: our values, and those of other packages.

The values of a package are tested where it is installed in the version that the page names. OCTIS
requires an older numpy than this package, so it is installed without its requirements. Only its
module of RBO is loaded, which needs none of them::

    pip install --no-deps rbo ranked-overlap octis
"""

import doctest
import importlib.metadata
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import irx_measures

PAGE = Path(irx_measures.__file__).parent / "pt_docs" / "measures" / "rank_biased.rst"
TEXT = PAGE.read_text(encoding="utf-8")
HALF = 0.0005 + 1e-9
REFUSED = "refused"
OCTIS_MODULE = "octis/evaluation_metrics/rbo.py"


def cases_of_the_page():
    """The pairs of lists, from the example that defines them."""
    examples = doctest.DocTestParser().get_examples(TEXT)
    (source,) = [example.source for example in examples if example.source.startswith("cases =")]
    names = {}
    exec(source, names)
    return names["cases"]


def cells_of_the_page():
    """(case, column) to the printed value, from the simple tables whose first column is Case."""
    cells, columns = {}, []
    for line in TEXT.splitlines():
        if line.startswith("Case "):
            _, *columns = re.split(r"\s{2,}", line)
        elif columns and not line:
            columns = []
        elif columns and not line.startswith("="):
            case, *values = re.split(r"\s{2,}", line)
            cells |= {(case, name): cell for name, cell in zip(columns, values, strict=True)}
    return cells


CASES = cases_of_the_page()
CELLS = cells_of_the_page()

OURS = ("share", "w", "least", "greatest")  # values of `ties`


# The packages


def rbo_ext(x, y, phi):
    from rbo import RankingSimilarity

    return RankingSimilarity(x, y).rbo_ext(p=phi)


def ranked_overlap(x, y, phi):
    from ranked_overlap import rbo

    return rbo(x, y, phi)


def octis_ext(x, y, phi):
    path = importlib.metadata.distribution("octis").locate_file(OCTIS_MODULE)
    spec = spec_from_file_location("octis_rbo", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.rbo(x, y, phi).ext


# Column of the page to the package and its function
PEERS = {
    "rbo_ext": ("rbo", rbo_ext),
    "ranked-overlap": ("ranked-overlap", ranked_overlap),
    "OCTIS ext": ("octis", octis_ext),
}


def installed(name):
    """Skip the test unless the package is there in the version that the page names."""
    (named,) = set(re.findall(rf"``{re.escape(name)}`` (\d[\d.]*\d)", TEXT))
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{name} {named} is not installed")
    if found != named:
        pytest.skip(f"{name} {found} is installed; the page has the values of {named}")


def test_every_cell_is_tested():
    expected = {(case, column) for case in CASES for column in [*OURS, *PEERS]}
    assert CELLS.keys() == expected


@pytest.mark.parametrize("column", OURS)
@pytest.mark.parametrize("case", CASES)
def test_our_values(case, column):
    assert irx_measures.rbo(*CASES[case], ties=column) == pytest.approx(
        float(CELLS[case, column]), abs=HALF
    )


# Warnings of other packages are theirs.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
@pytest.mark.parametrize("column", PEERS)
def test_values_of_other_packages(column):
    package, score = PEERS[column]
    installed(package)
    for case, (x, y, phi) in CASES.items():
        if CELLS[case, column] == REFUSED:
            with pytest.raises(TypeError):
                score(x, y, phi)
        else:
            assert score(x, y, phi) == pytest.approx(float(CELLS[case, column]), abs=HALF), case
