"""Where the data of a reproduction comes from: ir_datasets, local files, or a simulation."""

import gzip

import pytest

from irx_measures import RunSet, simulate_campaign
from irx_measures.reproductions import load_data
from irx_measures.reproductions.material import Collection, Request, paper_material, place_of
from tests import ir_datasets_home

DL20 = Collection(
    "DL 2020", "msmarco-passage/trec-dl-2020/judged", "dl20", "qrels.txt", groups="groups.csv"
)
QRELS = "10 0 d1 2\n10 0 d2 0\n20 0 d1 1\n"
RUN = "10 Q0 d1 2 1.0 tag\n10 Q0 d2 1 2.0 tag\n20 Q0 d1 1 1.0 tag\n"

PROGRAM = f"""
from irx_measures.reproductions.material import *
from irx_measures import evaluate
found = Request().material_of({DL20!r})
print(found.origin)
print(found.description)
print(len(found.runs), evaluate(found.runs, found.qrels, "P@1").scores.shape[2])
"""


@pytest.fixture
def local(tmp_path):
    """A folder IRX_DATA with two runs of a collection, its groups and its qrels."""
    for name in ("a", "b"):
        ir_datasets_home.lay(tmp_path, f"data/dl20/runs/{name}.run", RUN.encode())
    ir_datasets_home.lay(tmp_path, "data/dl20/groups.csv", b"run,group\na,x\nb,y\n")
    ir_datasets_home.lay(tmp_path, "data/dl20/qrels.txt", QRELS.encode())
    return tmp_path / "data"


@pytest.mark.slow
def test_qrels_come_from_ir_datasets_first(tmp_path, local):
    home = tmp_path / "home"
    ir_datasets_home.lay(home, "msmarco-passage/trec-dl-2020/qrels", QRELS.encode())
    (local / "dl20" / "qrels.txt").write_text("never 0 read\n")
    origin, description, shape = ir_datasets_home.printed(home, PROGRAM, IRX_DATA=str(local))
    assert (origin, shape) == ("paper", "2 2")
    assert description == (
        f"DL 2020: qrels from ir_datasets {DL20.dataset}, 2 runs from IRX_DATA/dl20"
    )


@pytest.mark.slow
def test_local_qrels_come_second_and_the_description_says_why(tmp_path, local):
    (tmp_path / "home").mkdir()
    origin, description, shape = ir_datasets_home.printed(
        tmp_path / "home", PROGRAM, IRX_DATA=str(local)
    )
    assert (origin, shape) == ("paper", "2 2")
    assert f"qrels.txt (ir_datasets {DL20.dataset}: download failed), 2 runs" in description


@pytest.mark.slow
def test_a_simulation_comes_last_and_says_so(tmp_path):
    origin, description, shape = ir_datasets_home.printed(
        tmp_path, PROGRAM, IRX_DATA=str(tmp_path / "nothing")
    )
    assert (origin, shape) == ("simulated", "24 40")
    assert "SIMULATED" in description
    assert "(IRX_DATA/dl20)" in description
    assert str(tmp_path) not in description


def test_runs_without_qrels_are_not_material(tmp_path, local, monkeypatch):
    (local / "dl20" / "qrels.txt").unlink()
    monkeypatch.setenv("IRX_DATA", str(local))
    assert paper_material(Collection("DL 2020", None, "dl20", "qrels.txt")) is None


def test_groups_come_with_the_runs(local, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(local))
    found = paper_material(Collection("DL 2020", None, "dl20", "qrels.txt", groups="groups.csv"))
    assert found.runs.groups == ("x", "y")


def test_the_user_names_the_data(local):
    request = Request(str(local / "dl20" / "qrels.txt"), [str(local / "dl20" / "runs" / "*.run")])
    found = request.material_of(DL20)
    assert (found.origin, found.runs.names) == ("user", ("a", "b"))
    assert found.runs.groups is None
    grouped = Request(request.dataset, request.runs, local / "dl20" / "groups.csv")
    assert grouped.material_of(DL20).runs.groups == ("x", "y")


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (Request(dataset="qrels.txt"), "^--runs must be given too"),
        (Request(runs=["a.run"]), "^--dataset must be given too"),
        (Request(dataset="q", runs=["nothing/*.run"]), "^--runs: no file matches 'nothing/"),
    ],
)
def test_half_a_request_is_refused(request_, message):
    with pytest.raises(ValueError, match=message):
        request_.material_of(DL20)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": "groups.csv"}, "^--groups is for the runs of --runs"),
        ({"groups": "groups.csv", "dataset": "qrels.txt"}, "^--groups is for the runs of --runs"),
        ({"letor": "folder", "dataset": "qrels.txt"}, "^--letor brings its own queries"),
        ({"letor": "folder", "runs": ["a.run"]}, "^--letor brings its own queries"),
    ],
)
def test_what_would_be_ignored_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Request(**given)


def test_material_in_memory_is_taken_as_it_is(local, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(local))
    campaign = simulate_campaign(systems=2, queries=2, depth=10)
    assert campaign.groups
    found = paper_material(Collection("DL 2020", None, "dl20", "qrels.txt"))
    assert Request(material=found).material_of(DL20) is found


def test_load_data_finds_the_runs_of_a_papers_collection(tmp_path, monkeypatch):
    for name in ("a", "b"):
        ir_datasets_home.lay(tmp_path, f"trec5-adhoc/runs/{name}.run", RUN.encode())
    ir_datasets_home.lay(tmp_path, "trec5-adhoc/qrels.txt.gz", gzip.compress(QRELS.encode()))
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    found = load_data("trec5-adhoc")
    assert (found.origin, found.runs.names) == ("paper", ("a", "b"))
    assert found.file("qrels.txt.gz") == tmp_path / "trec5-adhoc" / "qrels.txt.gz"
    assert found.file("nothing") is None
    assert str(tmp_path) not in str(found)
    assert all(len(line) <= 80 for line in str(found).split("\n"))


def test_load_data_takes_your_runs_in_any_form():
    campaign = simulate_campaign(systems=3, queries=2, depth=10)
    found = load_data(campaign.qrels, campaign.runs, campaign.groups)
    assert (found.origin, str(found)) == ("user", "Your data: 3 runs, 2 topics")
    assert found.runs.groups == tuple(campaign.groups[name] for name in found.runs.names)
    runs = RunSet(campaign.runs)
    assert load_data(campaign.qrels, runs).runs is runs
    assert found.file("qrels.txt.gz") is None


def test_load_data_without_names_is_simulated():
    found = load_data()
    assert found.origin == "simulated"
    assert "SIMULATED" in str(found)


def test_places_are_named_without_a_path_of_the_machine(monkeypatch):
    monkeypatch.delenv("IRX_DATA", raising=False)
    assert place_of(DL20) == "~/.irx_measures/data/dl20"
    monkeypatch.setenv("IRX_DATA", "/somewhere")
    assert place_of(DL20) == "IRX_DATA/dl20"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"runs": "runs/*"}, "^`qrels` must be given with `runs`; got None"),
        ({"groups": {"a": "x"}}, "^`runs` must be given with `groups`; got None"),
        ({"qrels": {"q": {"d": 1}}}, "^`runs` must be given with your own qrels; got None"),
        ({"qrels": "vaswani"}, "^`runs` must be given, except .*disks45/nocr/trec8.*got 'vaswani'"),
    ],
)
def test_load_data_refuses_half_of_the_data(given, message):
    with pytest.raises(ValueError, match=message):
        load_data(**given)
