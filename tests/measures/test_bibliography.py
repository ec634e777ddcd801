"""BibTeX of measures: every paper once, and what stands in for an unknown one."""

import re
from importlib.metadata import metadata
from pathlib import Path

import ir_measures
import pytest

import irx_measures
from irx_measures import InputError, bibtex
from irx_measures.measures import citations
from irx_measures.measures.bibliography import HOST_PAPERS, IR_MEASURES, papers_of
from irx_measures.measures.citations import known_papers, paper

CITATION = Path(__file__).resolve().parents[2] / "CITATION.cff"


def keys(text):
    return re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE)


def test_papers_are_in_the_order_of_the_measures_and_never_twice():
    measures = ["RBP(p=0.8)", "nDCG@10", "RBPBound", "NRG(prior=others)@10", ir_measures.nDCG @ 5]
    assert keys(bibtex(*measures)) == ["moffat2008", "jarvelin2002", "nrg2024"]
    assert bibtex(*measures) == bibtex(measures)
    assert keys(bibtex("ndcg_cut_10,20", "map")) == ["jarvelin2002", "harman1992"]
    with pytest.raises(InputError, match="did you mean NRG"):
        bibtex("NRGG")


def test_the_names_with_papers_are_measures_of_ir_measures():
    for name, known in HOST_PAPERS.items():
        assert papers_of(ir_measures.measures.registry[name]) == (known,)


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
    (author,) = facts["authors"]
    for fact in (f"title = {{{{{facts['title']}}}}}", f"author = {{{{{author['name']}}}}}"):
        assert fact in plain
    assert f"note = {{Version {irx_measures.__version__}}}" in plain


def test_the_paper_of_ir_measures_is_the_one_its_package_asks_for():
    about = metadata("ir_measures")
    asked = str(about.get_payload() or about["Description"]).replace("\\_", "_")
    assert f"{{{IR_MEASURES.title}}}" in asked
    assert IR_MEASURES.doi in asked


def test_every_entry_of_the_file_is_read_whole_and_printed_well_formed():
    file = Path(citations.__file__).with_name("papers.bib").read_text(encoding="ascii")
    assert list(known_papers()) == re.findall(r"^@\w+\{(\w+),$", file, re.MULTILINE)
    for entry in [bibtex(), *(known.bibtex() for known in known_papers().values())]:
        assert entry.count("{") == entry.count("}")
        assert not re.search(r"(?<!\\)[&%#]", entry)
    written = re.findall(r"^  (?!shortjournal|measures)(\w+ = \{.+\}),?$", file, re.MULTILINE)
    printed = "\n".join(known.bibtex() for known in known_papers().values())
    assert re.findall(r"^  (\w+ = \{.+?\}),?$", printed, re.MULTILINE) == written


def test_letters_of_latex_are_letters_in_text():
    assert paper("jarvelin2002").authors == ("Järvelin, Kalervo", "Kekäläinen, Jaana")
    assert r"{J{\"a}rvelin, Kalervo and Kek{\"a}l{\"a}inen, Jaana}" in bibtex("nDCG")
    assert paper("corsi2024").authors[1] == "Urbano, Julián"
    assert paper("harman1992").published == "IP&M 1992"
    assert paper("vanrijsbergen1979").published == "Butterworths 1979"
    assert r"journal = {Information Processing \& Management}" in bibtex("AP")
