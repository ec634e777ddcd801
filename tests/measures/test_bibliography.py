"""BibTeX of measures: every paper once, and what stands in for an unknown one."""

import re
from pathlib import Path

import ir_measures
import pytest

import irx_measures
from irx_measures import InputError, bibtex, measure_info
from irx_measures.measures.bibliography import papers_of
from irx_measures.measures.citations import Paper
from irx_measures.measures.host_papers import HOST_PAPERS, IR_MEASURES

CITATION = Path(__file__).resolve().parents[2] / "CITATION.cff"


def keys(text):
    return re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE)


def test_each_measure_has_the_papers_of_its_page():
    for info in measure_info():
        assert bibtex(info.name) == "\n".join(paper.bibtex() for paper in info.papers)


def test_papers_are_in_the_order_of_the_measures_and_never_twice():
    measures = ["RBP(p=0.8)", "nDCG@10", "RBPBound", "NRG(prior=others)@10", ir_measures.nDCG @ 5]
    assert keys(bibtex(*measures)) == ["moffat2008", "jarvelin2002", "nrg2024"]
    assert bibtex(*measures) == bibtex(measures)
    assert keys(bibtex("ndcg_cut_10,20", "map")) == ["jarvelin2002", "harman1992"]


def test_papers_with_the_same_key_are_the_same():
    papers = [paper for info in measure_info() for paper in info.papers]
    papers += [*HOST_PAPERS.values(), IR_MEASURES]
    assert len({paper.key for paper in papers}) == len(set(papers))


@pytest.mark.parametrize("name", HOST_PAPERS)
def test_the_names_with_papers_are_measures_of_ir_measures(name):
    measure = ir_measures.measures.registry[name]
    assert str(measure.NAME) == name
    assert papers_of(measure) == (HOST_PAPERS[name],)


def test_a_measure_without_a_known_paper_cites_ir_measures_and_says_so():
    with pytest.warns(UserWarning, match="no paper is known for Judged, Rprec; cited in") as told:
        text = bibtex("Judged@10", "Judged@20", "AP", "Rprec")
    assert len(told) == 1
    assert keys(text) == ["macavaney2022", "harman1992"]


def test_without_measures_the_software_is_cited_with_the_facts_of_the_citation_file():
    yaml = pytest.importorskip("yaml")
    facts = yaml.safe_load(CITATION.read_text(encoding="utf-8"))
    text = bibtex()
    assert keys(text) == ["irx_measures", "macavaney2022"]
    plain = text.replace("\\_", "_")
    assert f"title = {{{{{facts['title']}}}}}" in plain
    (author,) = facts["authors"]
    assert f"author = {{{{{author['name']}}}}}" in plain
    assert f"note = {{Version {irx_measures.__version__}}}" in plain


def test_the_paper_of_ir_measures_is_the_one_its_package_asks_for():
    from importlib.metadata import metadata

    about = metadata("ir_measures")
    asked = str(about.get_payload() or about["Description"]).replace("\\_", "_")
    assert f"{{{IR_MEASURES.title}}}" in asked
    assert IR_MEASURES.doi in asked
    assert IR_MEASURES.pages in asked


@pytest.mark.parametrize("text", [bibtex(), bibtex(*HOST_PAPERS)])
def test_entries_are_well_formed(text):
    for entry in re.split(r"\n(?=@)", text):
        assert entry.count("{") == entry.count("}")
        assert not re.search(r"(?<!\\)[&%#]", entry)
        fields = re.findall(r"^  (\w+) = \{.+\},?$", entry, re.MULTILINE)
        assert len(fields) == len(set(fields)) == len(entry.splitlines()) - 2
        assert {"title", "author"} <= set(fields)


def test_entries_are_ascii_also_with_accents():
    texts = [bibtex(), bibtex(*HOST_PAPERS), *(bibtex(info.name) for info in measure_info())]
    assert all(text.isascii() for text in texts)
    assert r"{J{\"a}rvelin, Kalervo and Kek{\"a}l{\"a}inen, Jaana}" in bibtex("nDCG")
    assert r"Urbano, Juli{\'a}n}" in bibtex("RBO")
    paper = Paper(key="x", title="R&D in A_B", venue="V", year=1, doi="10.1/a_b&c")
    assert r"title = {{R\&D in A\_B}}" in paper.bibtex()
    assert "doi = {10.1/a_b&c}" in paper.bibtex()


def test_a_book_names_its_publisher():
    assert bibtex("P@5").startswith("@book{vanrijsbergen1979,\n")
    assert "  publisher = {Butterworths},\n" in bibtex("P@5")


def test_an_unknown_measure_is_an_error():
    with pytest.raises(InputError, match="did you mean NRG"):
        bibtex("NRGG")
