"""Texts of topics and documents by ir_datasets, from its local cache."""

import pytest

import irx_measures
from irx_measures.reporting.report import documents
from irx_measures.reporting.report.documents import read_topics
from tests.campaigns import trec_files
from tests.ir_datasets_home import irx
from tests.reproductions.small_corpus import small_documents, write_small_corpus


@pytest.fixture
def home(tmp_path):
    """A cache of ir_datasets, and two runs."""
    write_small_corpus(tmp_path)
    runs = {
        name: {
            topic: {1 + (start + rank * topic) % 180: 20 - rank for rank in range(10)}
            for topic in range(1, 13)
        }
        for name, start in (("one", 0), ("two", 5))
    }
    trec_files(tmp_path, runs)
    return tmp_path


REPORT = ["report", "irds:vaswani", "one.run", "two.run", "-m", "nDCG@10", "--texts"]


@pytest.mark.slow
def test_topics_and_documents_are_quoted(home):
    done = irx(home, *REPORT, "vaswani")
    assert done.returncode == 0, done.stderr
    text = (home / "report.html").read_text(encoding="utf-8")
    assert "subject0a Subject0b" in text
    texts = small_documents()[0]
    assert f'"1":"{texts["1"][:119]}' in text


@pytest.mark.slow
def test_a_dataset_that_does_not_exist_is_one_line(home):
    done = irx(home, *REPORT, "nowhere")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("irds:nowhere: no such ir_datasets id")


FILES = {
    "topics.csv": 'query_id,text\nq01,"dogs, and cats"\n\nq02,<b>birds</b>\n',
    "topics.tsv": "lang\tquery\tqid\nen\tdogs, and cats\tq01\nen\t<b>birds</b>\tq02\n",
}


@pytest.mark.parametrize("name", FILES)
def test_files_of_topics(tmp_path, name):
    (tmp_path / name).write_text(FILES[name])
    assert read_topics(tmp_path / name) == {"q01": "dogs, and cats", "q02": "<b>birds</b>"}


def test_given_texts_of_topics_replace_those_of_the_dataset(monkeypatch, tmp_path):
    of_dataset = {"q01": "of the dataset", "q03": "fish"}
    monkeypatch.setattr(documents, "topic_texts", {"irds": of_dataset}.__getitem__)
    (tmp_path / "t.csv").write_text(FILES["topics.csv"])
    expected = {"q01": "dogs, and cats", "q02": "<b>birds</b>", "q03": "fish"}
    assert documents.titles_of("irds", tmp_path / "t.csv") == expected
    assert documents.titles_of("irds", {"q01": "given"}) == of_dataset | {"q01": "given"}
    assert documents.titles_of("irds", None) == of_dataset


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query_id,text\nq1,a\nq1,b\n", "topic 'q1' must have one text; got two"),
        ("<top><num>1</top>", "query_id"),
    ],
)
def test_mistakes_in_files_of_topics(tmp_path, text, message):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(irx_measures.InputError, match=message):
        read_topics(path)
