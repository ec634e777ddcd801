"""Documents, topics and qrels come from ir_datasets' own loader; what is wrong is one line."""

import json

import pytest

from tests.ir_datasets_home import printed

from .small_corpus import small_documents, write_small_corpus

READ = """
import json
from pathlib import Path
from irx_measures.reproductions.built_systems.corpus import read_corpus

def error(read, *args, **kwargs):
    try:
        read(*args, **kwargs)
    except Exception as caught:
        return f"{type(caught).__name__}: {' '.join(str(caught).split())}"
"""


@pytest.fixture
def home(tmp_path):
    """A cache of ir_datasets with a small corpus."""
    write_small_corpus(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_corpus_is_read_from_the_cache(home):
    (line,) = printed(
        home,
        f"""{READ}
corpus = read_corpus("irds:vaswani")
print(json.dumps([
    corpus.dataset_id, corpus.language, corpus.doc_ids[:2], corpus.texts[0],
    corpus.topics.values.tolist()[:1], len(corpus.qrels), corpus.qrels.values.tolist()[0],
    corpus.description,
]))
""",
    )
    assert json.loads(line) == [
        "vaswani",
        "en",
        ["1", "2"],
        small_documents()[0]["1"],
        [["1", "subject0a Subject0b"]],
        180,
        ["1", "1", 1],
        "ir_datasets vaswani: 180 documents, 12 topics, 180 judgments",
    ]


@pytest.mark.slow
def test_topics_without_judgments_are_left_out_and_the_digest_is_of_the_documents(home):
    found = printed(
        home,
        f"""{READ}
qrels, docs = Path("vaswani/qrels.txt"), Path("vaswani/docs.txt")
whole = read_corpus("vaswani")
qrels.write_text("3\\n 3 15\\n   /\\n")
part = read_corpus("vaswani")
print(part.topics["qid"].tolist(), len(part.qrels), part.digest == whole.digest)
docs.write_text(docs.read_text().replace("word1 ", "word2 ", 1))
print(read_corpus("vaswani").digest == whole.digest)
""",
    )
    assert found == ["['3'] 2 True", "False"]


@pytest.mark.slow
def test_each_thing_that_is_missing_or_damaged_is_one_line(home):
    found = printed(
        home,
        f"""{READ}
for dataset in ("nosuch", "trec-robust04/fold9", "wikir/en1k", "antique", "msmarco-passage/dev"):
    print(error(read_corpus, dataset))
folder = Path("vaswani")
kept = {{name: (folder / name).read_text() for name in ("docs.txt", "queries.txt", "qrels.txt")}}
for name, text in (
    ("docs.txt", ""), ("queries.txt", ""), ("qrels.txt", ""), ("docs.txt", "1\\n ? !\\n   /\\n"),
    ("qrels.txt", "999\\n 1\\n   /\\n"),
):
    (folder / name).write_text(text)
    print(error(read_corpus, "vaswani"))
    (folder / name).write_text(kept[name])
(folder / "docs.txt").write_bytes(b"1\\n\\xff\\xfe\\n   /\\n")
print(error(read_corpus, "vaswani"))
(folder / "docs.txt").unlink()
print(error(read_corpus, "vaswani"))
(folder / "npl.tar.gz").write_bytes(b"not an archive")
print(error(read_corpus, "vaswani"))
""",
    )
    folder = home / "vaswani"
    where = f"in {folder}: a file there is damaged"
    expected = [
        "InputError: irds:nosuch: no such ir_datasets id",
        "InputError: irds:trec-robust04/fold9: no such ir_datasets id",
        "InputError: irds:wikir/en1k: this ir_datasets id has no topics",
        "InputError: irds:antique: this ir_datasets id has no topics",
        "InputError: irds:msmarco-passage/dev: systems are built for at most 1,000,000 documents; ",
        f"InputError: irds:vaswani: no documents {where}",
        f"InputError: irds:vaswani: no topics {where}",
        f"InputError: irds:vaswani: no qrels {where}",
        "InputError: irds:vaswani: its documents have no words",
        "InputError: irds:vaswani: no topic has judgments",
        "InputError: irds:vaswani: ir_datasets: 'utf-8' codec can't decode byte 0xff",
        "DownloadError: irds:vaswani: ir_datasets: ",
        "InputError: irds:vaswani: ir_datasets: not a gzip file",
    ]
    assert len(found) == len(expected)
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(start)
        assert len(line) < 400
    for line in (found[10], found[12]):
        assert line.endswith(f" (its files are in {folder})")
    assert "no network in this test" in found[11]


@pytest.mark.slow
def test_an_id_without_topics_or_qrels_is_refused(tmp_path):
    found = printed(
        tmp_path,
        f"""{READ}
for dataset in ("aquaint", "msmarco-passage/eval"):
    print(error(read_corpus, dataset))
""",
    )
    assert found == [
        "InputError: irds:aquaint: this ir_datasets id has no topics",
        "InputError: irds:msmarco-passage/eval: this ir_datasets id has no qrels",
    ]
