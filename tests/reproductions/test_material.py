"""Where the data of a reproduction comes from: ir_datasets, local files, or a simulation."""

import gzip

import pytest

from irx_measures import RunSet, simulate_campaign
from irx_measures.reproductions import load_data
from irx_measures.reproductions.material import DLT20, TREC5, paper_material, place_of
from tests import ir_datasets_home

QRELS = "10 0 d1 2\n10 0 d2 0\n20 0 d1 1\n"
RUN = "10 Q0 d1 2 1.0 tag\n10 Q0 d2 1 2.0 tag\n20 Q0 d1 1 1.0 tag\n"
ID, FOLDER = "msmarco-document/trec-dl-2020/judged", "trec-dl-2020-document"

PROGRAM = f"""
from irx_measures.reproductions import load_data
found = load_data({ID!r})
print(found.collection is not None, found.simulated, len(found.runs), len(found.qrels))
print(found.description)
"""


@pytest.fixture
def local(tmp_path):
    """A folder IRX_DATA with two runs of two collections, and their qrels."""
    for folder in (FOLDER, "trec5-adhoc"):
        for name in ("a", "b"):
            ir_datasets_home.lay(tmp_path, f"data/{folder}/runs/{name}.run", RUN.encode())
        packed = gzip.compress(QRELS.encode())
        ir_datasets_home.lay(tmp_path, f"data/{folder}/qrels.txt.gz", packed)
    return tmp_path / "data"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("downloaded", "folder", "kind", "said"),
    [
        (True, "data", "True False 2 1", f"qrels from ir_datasets {ID}, 2 runs from IRX_DATA/"),
        (False, "data", "True False 2 3", f"qrels.txt.gz (ir_datasets {ID}: no answer), 2"),
        (False, "none", "False True 24 ", f"(IRX_DATA/{FOLDER}): all numbers are of a SIMULATED"),
    ],
    ids=["ir_datasets first", "then the local file", "then a simulation"],
)
def test_the_first_place_that_has_the_qrels(downloaded, folder, kind, said, tmp_path, local):
    home = tmp_path / "home"
    home.mkdir()
    if downloaded:
        ir_datasets_home.lay(home, "msmarco-document/trec-dl-2020/qrels", b"10 0 d1 2\n")
    data = str(tmp_path / folder)
    first, description = ir_datasets_home.printed(home, PROGRAM, IRX_DATA=data)
    assert first.startswith(kind)
    assert said in description
    assert str(tmp_path) not in description


def test_the_runs_of_a_papers_collection(local, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(local))
    found = load_data("trec5-adhoc")
    assert (found.collection, found.runs.names) == (TREC5, ("a", "b"))
    assert found.file("qrels.txt.gz") == local / "trec5-adhoc" / "qrels.txt.gz"
    assert found.file("nothing") is None
    assert all(len(line) <= 80 for line in str(found).split("\n"))
    (local / "trec5-adhoc" / "groups.csv").write_text("run,group\na,x\nb,y\n")
    assert paper_material(TREC5._replace(groups="groups.csv")).runs.groups == ("x", "y")
    (local / "trec5-adhoc" / "qrels.txt.gz").unlink()
    assert paper_material(TREC5) is None


def test_your_runs_in_any_form():
    campaign = simulate_campaign(systems=3, queries=2, depth=10)
    found = load_data(campaign.qrels, campaign.runs, campaign.groups)
    assert (found.label, str(found)) == ("your data", "Your data: 3 runs, 2 topics")
    assert found.runs.groups == tuple(campaign.groups[name] for name in found.runs.names)
    runs = RunSet(campaign.runs)
    assert load_data(campaign.qrels, runs).runs is runs
    assert found.file("qrels.txt.gz") is None
    assert load_data().simulated


def test_places_are_named_without_a_path_of_the_machine(monkeypatch):
    monkeypatch.delenv("IRX_DATA", raising=False)
    assert place_of(DLT20.folder) == f"~/.irx_measures/data/{FOLDER}"
    monkeypatch.setenv("IRX_DATA", "/somewhere")
    assert place_of(DLT20.folder) == f"IRX_DATA/{FOLDER}"
