"""Every measure stands on its paper's page, whose picture and numbers are true."""

import re
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from irx_measures import evaluate
from irx_measures.measures.declaring.base import catalogue
from scripts import pictures
from scripts.measure_pictures import PICTURES
from scripts.pictures import OF_GALLERY

FOLDER = pictures.ROOT / "irx_measures" / "pt_docs" / "measures"

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.rst")}

INDEX = PAGES.pop("index")

DIFFERENCES = re.findall(r"^(``.*``) +(\.\d+)$", INDEX, re.MULTILINE)

# Their score is that of the query or a bound, so a difference of two runs says nothing.
WITHOUT_DIFFERENCE = {"Expected", "UpperBound", "nDCGBound"}


def test_there_is_a_page_for_each_paper():
    assert len(PAGES) == 5
    _, contents = INDEX.split(".. toctree::")
    for name, page in PAGES.items():
        assert f"\n    {name}\n" in contents
        title, _, answer = page.split("\n", 2)
        assert title.endswith("?"), "the reader's question"
        assert answer.strip()[0].isalpha() or answer.strip().startswith("``")


def test_every_measure_has_its_section_on_one_page():
    sections = [
        section
        for page in PAGES.values()
        for section in re.findall(r"^(\w+)\n-{55}\n\n\.\. autoclass:: (\S+)\n", page, re.MULTILINE)
    ]
    declared = {
        name: f"{type(measure).__module__}.{type(measure).__qualname__}"
        for name, measure in catalogue.items()
    }
    assert dict(sections) == declared
    assert len(sections) == len(declared)


def test_every_page_has_a_picture_of_its_own_and_no_other_picture_is_stored():
    stored = {path.stem for path in pictures.FOLDER.glob("*.svg")}
    shown = [
        re.findall(r"\.\. figure:: \.\./pictures/(\w+)\.svg\n    :alt: ", PAGES[p]) for p in PAGES
    ]
    assert {name for (name,) in shown} == set(PICTURES)
    assert stored == {*PICTURES, *OF_GALLERY}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*OF_GALLERY, *PICTURES])
def test_a_picture_shows_what_the_package_computes(name, tmp_path):
    from irx_measures.plots import save

    stored = pictures.FOLDER.joinpath(f"{name}.svg").read_bytes()
    assert len(stored) <= (90_000 if name in OF_GALLERY else 30_000)  # bytes: a page loads fast
    save(pictures.picture(name), tmp_path / "drawn.svg")
    drawn = (tmp_path / "drawn.svg").read_bytes()
    # Other versions of matplotlib may break the lines elsewhere, but the words stay.
    assert words(stored) == words(drawn), "run: python -m scripts.pictures"
    assert {*re.findall(r"font-family: '(.*?)'", stored.decode())} == {"DejaVu Sans"}, "the first"


def words(svg):
    return " ".join(re.findall(r"<text[^>]*>(.*?)</text>", svg.decode(), re.DOTALL)).split()


@pytest.mark.slow
def test_differences_of_dl19_are_as_large_as_the_index_says(data):
    claims = [
        (measure, size) for said, size in DIFFERENCES for measure in re.findall("``(.*?)``", said)
    ]
    named = {re.split(r"\W", measure)[0] for measure, _ in claims}
    assert {*catalogue} - named == WITHOUT_DIFFERENCE
    folder = data / "trec-dl-2019-passage"
    runs = {path.name: path for path in sorted(folder.joinpath("runs").iterdir())}
    matrix = evaluate(folder / "qrels.txt.gz", runs, [measure for measure, _ in claims])
    assert (len(matrix.systems), len(matrix.query_ids)) == (37, 43)
    measured = {
        measure: smallest_significant(scores)
        for (measure, _), scores in zip(claims, matrix.scores, strict=True)
    }
    assert measured == {measure: pytest.approx(float(size), abs=0.0006) for measure, size in claims}


def smallest_significant(scores):
    """The median over pairs of systems of half the width of the paired t interval."""
    pairs = np.array(list(combinations(range(len(scores)), 2)))
    differences = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    topics = differences.shape[1]
    error = differences.std(axis=1, ddof=1) / np.sqrt(topics)
    return float(np.median(error) * stats.t.ppf(0.975, topics - 1))
