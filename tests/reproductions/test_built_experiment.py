"""The open reproduction from ir_datasets' files to the table of all measures, without a network."""

import json

import pytest

from irx_measures.measures.base import Measure
from irx_measures.reproductions.built_systems.experiment import MEASURES, _short
from irx_measures.scoring.evaluate import parse_all
from tests.ir_datasets_home import printed, ran

from .small_corpus import write_pyterrier_fixture, write_small_corpus

for package in ("bm25s", "Stemmer", "pyterrier", "sklearn"):
    pytest.importorskip(package)

pytestmark = pytest.mark.slow

# Prints, as JSON, what was built, and what a paper would be given.
RUN = """
import json, os, time
from irx_measures.reproductions.built_systems.experiment import run_open
from irx_measures import evaluate

def paper(request):
    material = request.material
    scores = evaluate(material.runs, material.qrels, ["nDCG@10"])
    return {"origin": material.origin, "groups": material.runs.groups,
            "names": scores.systems, "nDCG@10": scores.aggregates[0].tolist(),
            "description": material.description}

start = time.process_time()
found = run_open("vaswani", papers={"one": paper}, progress=False)
seconds = time.process_time() - start
import pyterrier
print(json.dumps({
    "paper": found.papers["one"], "families": found.families, "seconds": seconds,
    "table": found.table.to_frame()[["row", "column", "here"]].values.tolist(),
    "data": found.table.data, "remark": found.table.remark, "java": pyterrier.java.started(),
    "depths": {name: len(run) for name, run in found.results.items()},
    "indexes": sorted(os.listdir(os.environ["IRX_HOME"] + "/indexes")),
    "drawn": len(found.figures[0].draw().collections),
}))
"""


def outcome(home):
    """What the open reproduction finds in this cache of ir_datasets."""
    (line,) = printed(home, RUN, IRX_HOME=str(home / "irx"), MPLBACKEND="agg")
    return json.loads(line)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    write_small_corpus(home)
    return outcome(home)


def scores(found, measure):
    return {row: here for row, column, here in found["table"] if column == measure}


def test_the_table_has_every_system_and_every_family_of_measures(small):
    assert {row for row, _, _ in small["table"]} == set(small["families"])
    assert [column for row, column, _ in small["table"]][: len(MEASURES) - 1] == [
        _short(str(measure)) for measure in parse_all(MEASURES) if "Boot" not in str(measure)
    ]  # the qrels list relevant documents only
    assert len({_short(str(measure)) for measure in parse_all(MEASURES)}) == len(MEASURES)
    assert all(here == here for _, _, here in small["table"])
    measures = [measure for measure in parse_all(MEASURES) if isinstance(measure, Measure)]
    assert len({measure.PAPERS[0].key for measure in measures}) == 5


def test_the_scores_are_those_that_evaluate_gives_to_the_papers(small):
    found = dict(zip(small["paper"]["names"], small["paper"]["nDCG@10"], strict=True))
    assert scores(small, "nDCG@10") == pytest.approx(found)
    assert min(found.values()) > 0.5


def test_papers_get_the_systems_with_their_families_as_groups(small):
    paper = small["paper"]
    assert paper["origin"] == "user"
    assert dict(zip(paper["names"], paper["groups"], strict=True)) == small["families"]
    assert paper["description"] == (
        "ir_datasets vaswani: 180 documents, 12 topics, 180 judgments; 18 systems built here"
    )


def test_what_the_qrels_do_not_tell_is_said(small):
    assert "list relevant documents only" in small["remark"]


def test_nothing_needs_java_and_the_index_is_kept(small):
    assert not small["java"]
    (folder,) = small["indexes"]
    assert folder.startswith("vaswani-")
    assert small["drawn"] >= 7


def test_without_files_and_without_a_terminal_one_line_says_what_to_do(tmp_path):
    code = """
from irx_measures import InputError
from irx_measures.reproductions.built_systems.experiment import run_open
for dataset, yes in (("vaswani", False), ("vaswani", True), ("nosuch", False)):
    try:
        run_open(dataset, yes=yes)
    except InputError as error:
        print(f"{type(error).__name__}: {error}")
"""
    done = ran(tmp_path, code)
    first, second, third = done.stdout.splitlines()
    assert first == "InputError: vaswani: 1 file, 2.1 MB must be downloaded: pass --yes to start"
    assert second.startswith("DownloadError: irds:vaswani: ir_datasets: ")
    assert "no network in this test" in second
    assert third == "InputError: irds:nosuch: no such ir_datasets id"
    assert "npl.tar.gz (2.1 MB)" in done.stderr
    assert "Traceback" not in done.stderr


def test_vaswani_as_pyterrier_ships_it(tmp_path):
    write_pyterrier_fixture(tmp_path)
    found = outcome(tmp_path)
    ndcg = scores(found, "nDCG@10")
    assert len({round(score, 6) for score in ndcg.values()}) >= 10
    assert 0.15 < min(ndcg.values()) < max(ndcg.values()) < 0.5
    assert ndcg["BM25 stems .9 .4"] == pytest.approx(0.433, abs=0.005)
    assert ndcg["BM25 words .9 .4"] < ndcg["BM25 stems .9 .4"] < ndcg["BM25 + RM3"]
    assert ndcg["LSA 100"] == min(ndcg.values())
    assert max(found["depths"].values()) == 93 * 1000
    assert found["seconds"] < 300
