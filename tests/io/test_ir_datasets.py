"""ir_datasets ids, read by its own loader from files in its cache, without a network."""

import sys
from types import SimpleNamespace

import pytest

from irx_measures import RunSet
from irx_measures.exceptions import InputError
from irx_measures.io import irds
from irx_measures.io.trec import read_qrels
from tests import ir_datasets_home
from tests.doubts import MISSED_QUERIES, NO_PRIOR

requests = pytest.importorskip("requests")

pytestmark = [MISSED_QUERIES, NO_PRIOR]

QRELS = "10 0 d1 2\n10 0 d2 0\n20 0 d1 1\n"
RUN = "10 Q0 d2 1 2.0 tag\n10 Q0 d1 2 1.0 tag\n30 Q0 d1 1 1.0 tag\n"
ID = "msmarco-passage/trec-dl-2020"

PROGRAM = """
import ir_measures, irx_measures
from irx_measures.io.irds import document_texts, topic_texts
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
def test_qrels_and_runs_come_from_the_cache_and_measures_take_ids(home):
    (home / "vaswani").write_text("1 0 own 1\n")
    code = f"""
print(rows(read_qrels("irds:{ID}/judged")))
print(rows(read_qrels("{ID}")))
print(rows(read_run("irds:{ID}/judged")))
print(rows(read_qrels("vaswani")))
run = {{"10": {{"d1": 2.0, "d2": 1.0}}, "20": {{"d1": 1.0}}}}
print(irx_measures.evaluate("irds:{ID}", {{"a": run}}, "P@1").scores.tolist())
print(irx_measures.RunSet("irds:{ID}/judged").names)
unique = irx_measures.parse_measure("UniqueRel(prior='irds:{ID}/judged')@1")
print(unique.calc_aggregate(read_qrels("irds:{ID}/judged"), run))
"""
    qrels = "[('10', 'd1', 2), ('10', 'd2', 0), ('20', 'd1', 1)]"
    assert printed(home, code) == [
        qrels,
        qrels,
        "[('10', 'd2', 2.0), ('10', 'd1', 1.0)]",
        "[('1', 'own', 1)]",  # a file comes before an id
        "[[[1.0, 1.0]]]",
        f"('{ID}/judged',)",
        "1.0",
    ]


# By call: the error.
MISTAKES = {
    "read_qrels, 'nosuch'": "nosuch: a folder, and no ir_datasets id",
    "read_run, 'irds:nosuch'": "irds:nosuch: no such ir_datasets id",
    "read_qrels, 'irds:cranfeild'": "no such ir_datasets id; did you mean cranfield?",
    "read_qrels, 'beir/scifcat/test'": "neither a file nor an ir_datasets id; did you mean beir/",
    "read_qrels, 'irds:beir/scifact'": "no qrels; beir/scifact/test, beir/scifact/train have them",
    "read_qrels, 'irds:msmarco-passage'": "this ir_datasets id has no qrels; msmarco-passage/dev, ",
    "read_run, 'irds:vaswani'": "irds:vaswani: this ir_datasets id has no scoreddocs",
    f"read_qrels, '{ID}'": f"{ID}: ir_datasets: expected 4 columns, got 3",
    f"read_run, 'irds:{ID}'": "ir_datasets: could not convert string to float: 'high'",
    "read_qrels, 'irds:trec-tot/2023/train'": (
        "train: no answer from surfdrive.surf.nl; put the qrels in a file, or name a folder that "
        "has this id in IR_DATASETS_HOME"
    ),
    "read_qrels, 'irds:cord19/trec-covid'": "covid: no answer from mirror.ir-datasets.com; put ",
    "read_run, 'irds:msmarco-passage/trec-dl-2019'": "; put the run in a file, or name a folder ",
    "topic_texts, 'vaswani'": "irds:vaswani: no answer from ",
    "document_texts, 'vaswani', ['1']": ".com; name a folder that has this id in IR_",
    "irx_measures.parse_measure(\"NRG(prior='irds:vaswani')@5\").calc_aggregate, {}, {}": (
        "NRG: `prior`: irds:vaswani: this ir_datasets id has no scoreddocs"
    ),
}  # fmt: skip


def asked(error, host):
    """An error of requests, as it has it of a request to a host."""
    return error(f"no answer from {host}", request=requests.Request("GET", f"https://{host}/qrels"))


def attempts(*errors):
    """The error of ir_datasets after a file of the user's and all mirrors failed."""
    failed = [(None, error) for error in (FileNotFoundError("downloads/12ab"), *errors)]
    return RuntimeError("All download sources failed", failed)


ONE, OTHER = "one.org", "two.org"
TIMEOUT = asked(requests.ReadTimeout, ONE)
CHECKSUM = ValueError("Expected hash 12ab, got 34cd")
GONE = requests.HTTPError("404 Client Error: Not Found for url: https://two.org/qrels")
PUT = "; put the qrels in a file, or name a folder that has this id in IR_DATASETS_HOME"

# An error of a download, and who did not answer.
DOWNLOADS = [
    (asked(requests.ConnectionError, ONE), ONE),
    (asked(requests.exceptions.ProxyError, ONE), ONE),
    (attempts(CHECKSUM, TIMEOUT), ONE),
    (attempts(TIMEOUT, asked(requests.ConnectTimeout, OTHER)), OTHER),
    (requests.exceptions.ChunkedEncodingError("broken"), "the server"),
]

# An error that has another reason, which is kept.
OTHER_REASONS = [
    (CHECKSUM, str(CHECKSUM)),
    (attempts(TIMEOUT, GONE), str(GONE)),
    (asked(requests.exceptions.SSLError, ONE), "no answer from one.org"),
    (RuntimeError("no", "list"), "('no', 'list')"),
    (KeyError(), "KeyError"),
]


def failing(monkeypatch, error):
    """The error of reading qrels, if ir_datasets raises this one."""

    def qrels_iter():
        raise error

    monkeypatch.setattr(irds, "_loaded", lambda *given: SimpleNamespace(qrels_iter=qrels_iter))
    with pytest.raises(InputError) as told:
        read_qrels("irds:vaswani")
    return told.value


@pytest.mark.parametrize(("error", "host"), DOWNLOADS)
def test_a_download_without_an_answer_is_one_sentence(error, host, monkeypatch):
    told = failing(monkeypatch, error)
    assert isinstance(told, irds.NotReachedError)
    assert str(told) == f"irds:vaswani: no answer from {host}{PUT}"
    assert told._render_traceback_() == [f"NotReachedError: {told}"]


@pytest.mark.parametrize(("error", "said"), OTHER_REASONS)
def test_a_download_that_failed_otherwise_keeps_its_reason(error, said, monkeypatch):
    told = failing(monkeypatch, error)
    assert not isinstance(told, irds.NotReachedError)
    assert str(told).startswith(f"irds:vaswani: ir_datasets: {said}")


@pytest.mark.slow
def test_errors_name_the_id(home):
    (home / ID / "qrels").write_text("10 0 d1 2\n10 0 d2\n")
    (home / ID / "ms.run").write_text("10 Q0 d1 1 high tag\n")
    (home / "nosuch").mkdir()
    found = printed(home, "\n".join(f"print(error({call}))" for call in MISTAKES))
    for line, fact in zip(found, MISTAKES.values(), strict=True):
        kind, _ = line.split(": ", 1)
        assert kind in ("InputError", "NoFileError", "NotReachedError")
        assert fact in line


@pytest.mark.slow
def test_without_a_home_the_error_says_what_to_set(home):
    code = f"{ir_datasets_home.NO_HOME}{PROGRAM}print(error(read_qrels, 'irds:vaswani'))"
    (told,) = ir_datasets_home.printed(home, code)
    assert told.startswith("InputError: irds:vaswani: ir_datasets: ")
    assert told.endswith(" Set HOME, where its cache is")


def test_without_ir_datasets_the_error_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    monkeypatch.chdir(tmp_path)
    how = r"ir_datasets is not installed \(pip install 'irx-measures\[datasets\]'\)"
    with pytest.raises(FileNotFoundError, match=f"^vaswani: no such file, and {how}$"):
        read_qrels("vaswani")
    with pytest.raises(ValueError, match=f"^irds:vaswani: {how}$"):
        read_qrels("irds:vaswani")
    with pytest.raises(ValueError, match=f"^irds:vaswani: {how}$"):
        RunSet("irds:vaswani").run(0)
