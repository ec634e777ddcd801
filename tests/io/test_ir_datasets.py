"""ir_datasets ids, read by its own loader from files in its cache, without a network."""

import sys

import pytest

from irx_measures import RunSet
from irx_measures.io.trec import read_qrels, read_run
from tests import ir_datasets_home
from tests.doubts import MISSED_QUERIES, NO_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR]

QRELS = "10 0 d1 2\n10 0 d2 0\n20 0 d1 1\n"
RUN = "10 Q0 d2 1 2.0 tag\n10 Q0 d1 2 1.0 tag\n30 Q0 d1 1 1.0 tag\n"
ID = "msmarco-passage/trec-dl-2020"

PROGRAM = """
import ir_measures, irx_measures
from irx_measures.io.trec import read_qrels, read_run

def rows(columns):
    number = list(vars(columns).values())[2]
    return list(zip(columns.query.all(), columns.doc.all(), number.tolist()))

def error(read, *args):
    try:
        read(*args)
    except Exception as caught:
        return f"{type(caught).__name__}: {' '.join(str(caught).split())}"
"""


@pytest.fixture
def home(tmp_path):
    """A cache of ir_datasets with the qrels and the baseline run of one dataset."""
    folder = tmp_path / "home" / ID
    folder.mkdir(parents=True)
    (folder / "qrels").write_text(QRELS)
    (folder / "ms.run").write_text(RUN)
    return tmp_path / "home"


def printed(home, code):
    """Lines that a program prints; the program uses this cache."""
    return ir_datasets_home.printed(home, PROGRAM + code)


@pytest.mark.slow
def test_qrels_and_runs_come_from_the_cache(home):
    code = f"""
print(rows(read_qrels("irds:{ID}/judged")))
print(rows(read_qrels("{ID}")))
print(rows(read_run("irds:{ID}/judged")))
"""
    qrels = "[('10', 'd1', 2), ('10', 'd2', 0), ('20', 'd1', 1)]"
    assert printed(home, code) == [qrels, qrels, "[('10', 'd2', 2.0), ('10', 'd1', 1.0)]"]


@pytest.mark.slow
def test_measures_take_ids(home):
    code = f"""
run = {{"10": {{"d1": 2.0, "d2": 1.0}}, "20": {{"d1": 1.0}}}}
print(irx_measures.evaluate({{"a": run}}, "{ID}/judged", "P@1").scores.tolist())
print(irx_measures.evaluate({{"a": run}}, "irds:{ID}", "P@1").scores.tolist())
baseline = irx_measures.RunSet("irds:{ID}/judged")
print(baseline.names, baseline.name)
unique = irx_measures.parse_measure("UniqueRel(prior='irds:{ID}/judged')@1")
print(unique.calc_aggregate(read_qrels("irds:{ID}/judged"), run))
"""
    assert printed(home, code) == [
        "[[[1.0, 1.0]]]",
        "[[[1.0, 1.0]]]",
        f"('{ID}/judged',) runs",
        "1.0",
    ]


@pytest.mark.slow
def test_a_file_wins_unless_the_id_is_forced_and_a_folder_does_not(home):
    (home / "vaswani").write_text("1 0 own 1\n")
    (home / "nosuch").mkdir()
    code = """
print(rows(read_qrels("vaswani")))
print(error(read_qrels, "irds:vaswani").split(":")[:3])
print(error(read_qrels, "nosuch"))
"""
    assert printed(home, code) == [
        "[('1', 'own', 1)]",
        "['InputError', ' irds', 'vaswani']",
        "InputError: nosuch: neither a file nor an ir_datasets id",
    ]


@pytest.mark.slow
def test_errors_name_the_id(home):
    (home / ID / "qrels").write_text("10 0 d1 2\n10 0 d2\n")
    (home / ID / "ms.run").write_text("10 Q0 d1 1 high tag\n")
    code = f"""
print(error(read_qrels, "nosuch"))
print(error(read_qrels, "irds:nosuch"))
print(error(read_run, "irds:nosuch"))
print(error(read_qrels, "irds:cranfeild"))
print(error(read_qrels, "beir/scifcat/test"))
print(error(read_qrels, "irds:beir/scifact"))
print(error(read_qrels, "irds:msmarco-passage"))
print(error(read_run, "irds:antique/test"))
print(error(read_run, "irds:vaswani"))
print(error(read_qrels, "{ID}"))
print(error(read_run, "irds:{ID}"))
print(error(read_qrels, "irds:trec-tot/2023/train"))
print(error(irx_measures.parse_measure("NRG(prior='irds:vaswani')@5").calc_aggregate, {{}}, {{}}))
"""
    expected = [
        "InputError: nosuch: neither a file nor an ir_datasets id",
        "InputError: irds:nosuch: no such ir_datasets id",
        "InputError: irds:nosuch: no such ir_datasets id",
        "InputError: irds:cranfeild: no such ir_datasets id; did you mean cranfield?",
        "InputError: beir/scifcat/test: neither a file nor an ir_datasets id; did you mean beir/",
        "InputError: irds:beir/scifact: this ir_datasets id has no qrels; beir/scifact/test, ",
        "InputError: irds:msmarco-passage: this ir_datasets id has no qrels; msmarco-passage/dev, ",
        "InputError: irds:antique/test: this ir_datasets id has no scoreddocs",
        "InputError: irds:vaswani: this ir_datasets id has no scoreddocs",
        f"InputError: {ID}: ir_datasets: expected 4 columns, got 3",
        f"InputError: irds:{ID}: ir_datasets: could not convert string to float: 'high'",
        "InputError: irds:trec-tot/2023/train: ir_datasets: ",
        "InputError: NRG: `prior`: irds:vaswani: this ir_datasets id has no scoreddocs",
    ]
    found = printed(home, code)
    assert len(found) == len(expected)
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(start)
    assert "no network in this test" in found[11]
    assert found[5].endswith("beir/scifact/test, beir/scifact/train have them")
    assert found[6].endswith(" more have them")


def test_without_ir_datasets_the_error_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    monkeypatch.chdir(tmp_path)
    how = r"ir_datasets is not installed \(pip install 'irx-measures\[datasets\]'\)"
    with pytest.raises(ValueError, match=f"^vaswani: no such file, and {how}$"):
        read_qrels("vaswani")
    with pytest.raises(ValueError, match=f"^irds:vaswani: {how}$"):
        read_qrels("irds:vaswani")
    with pytest.raises(ValueError, match=f"^irds:vaswani: {how}$"):
        read_run("irds:vaswani")
    with pytest.raises(ValueError, match=f"^irds:vaswani: {how}$"):
        RunSet("irds:vaswani").run(0)
