"""BibTeX of measures: every paper once, and what stands in for an unknown one."""

import re
from importlib.metadata import metadata
from pathlib import Path

import ir_measures
import pytest

import irx_measures
from irx_measures import bibtex
from irx_measures.measures.declaring.paper import PAPERS, known_papers, paper
from irx_measures.measures.naming.citations import HOST

CITATION = Path(__file__).resolve().parents[2] / "CITATION.cff"


def keys(text):
    return re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE)


def test_papers_are_in_the_order_of_the_measures_and_never_twice():
    measures = ["RBP(p=0.8)", "nDCG@10", "RBPBound", "NRG(prior=others)@10", ir_measures.nDCG @ 5]
    assert keys(bibtex(*measures)) == ["moffat2008", "jarvelin2002", "nrg2024"]
    assert bibtex(*measures) == bibtex(measures)


def test_measures_with_papers_are_measures_of_ir_measures():
    named = [name for known in known_papers().values() for name in known.measures]
    assert len(named) == len({*named}) > 10
    assert {*named} <= {*ir_measures.measures.registry}


def test_a_measure_without_a_known_paper_cites_ir_measures_and_says_so():
    with pytest.warns(UserWarning, match="no paper is known for Judged, Rprec; cited in") as told:
        text = bibtex("Judged@10", "Judged@20", "AP", "Rprec")
    assert len(told) == 1
    assert keys(text) == [HOST, "harman1992"]


def test_the_software_is_cited_with_the_facts_of_the_citation_file_and_of_ir_measures():
    yaml = pytest.importorskip("yaml")
    facts = yaml.safe_load(CITATION.read_text(encoding="utf-8"))
    text = bibtex()
    assert keys(text) == ["irx_measures", HOST]
    plain = text.replace("\\_", "_")
    (author,) = facts["authors"]
    for fact in (f"title = {{{{{facts['title']}}}}}", f"author = {{{{{author['name']}}}}}"):
        assert fact in plain
    assert f"note = {{Version {irx_measures.__version__}}}" in plain
    about = metadata("ir_measures")
    asked = str(about.get_payload() or about["Description"]).replace("\\_", "_")
    assert f"{{{paper(HOST).title}}}" in asked
    assert paper(HOST).doi in asked


def test_every_entry_of_the_file_is_read_whole_and_printed_well_formed():
    file = PAPERS.read_text(encoding="ascii")
    assert list(known_papers()) == keys(file)
    printed = "\n".join([bibtex(), *(known.bibtex for known in known_papers().values())])
    assert printed.count("{") == printed.count("}")
    assert not re.search(r"(?<!\\)[&%#]", printed)
    written = re.findall(r"^  (?!shortjournal|measures)(\w+ = \{.+\}),?$", file, re.MULTILINE)
    assert {*written} <= {*re.findall(r"^  (\w+ = \{.+?\}),?$", printed, re.MULTILINE)}


def test_letters_of_latex_are_letters_in_text():
    assert paper("jarvelin2002").authors == ("Järvelin, Kalervo", "Kekäläinen, Jaana")
    assert r"{J{\"a}rvelin, Kalervo and Kek{\"a}l{\"a}inen, Jaana}" in bibtex("nDCG")
    assert paper("corsi2024").authors[1] == "Urbano, Julián"
    title = "Rank-Biased Quality Measurement for Sets and Rankings"
    text = f"Moffat, Mackenzie, Mallia and Petri. {title}. SIGIR-AP 2024."
    assert paper("moffat2024").text == text
    assert paper("harman1992").published == "IP&M 1992"
    assert paper("vanrijsbergen1979").published == "Butterworths 1979"
    assert r"journal = {Information Processing \& Management}" in bibtex("AP")
