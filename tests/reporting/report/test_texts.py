"""Texts of topics and documents by ir_datasets, from its local cache."""

import pytest

from irx_measures.reporting.report import words
from tests.ir_datasets_home import irx
from tests.reproductions.small_corpus import small_documents, write_small_corpus

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path):
    """A cache of ir_datasets, and two runs."""
    write_small_corpus(tmp_path)
    for name, start in (("one", 0), ("two", 5)):
        lines = [
            f"{topic} Q0 {1 + (start + rank * topic) % 180} 0 {20 - rank} tag\n"
            for topic in range(1, 13)
            for rank in range(10)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def report(home, texts):
    """``irx report`` with texts."""
    runs = [str(home / "one.run"), str(home / "two.run")]
    target = str(home / "report.html")
    return irx(
        home, "report", "irds:vaswani", *runs, "-m", "nDCG@10", "--texts", texts, "-o", target
    )


def test_topics_and_documents_are_quoted(home):
    done = report(home, "vaswani")
    assert done.returncode == 0, done.stderr
    text = (home / "report.html").read_text(encoding="utf-8")
    assert "subject0a Subject0b" in text
    documents = small_documents()[0]
    assert f'<span class="doc">{documents["1"][:120].rstrip()}' in text


def test_a_dataset_that_does_not_exist_is_one_line(home):
    done = report(home, "nowhere")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("irds:nowhere: no such ir_datasets id")


def test_names_in_sentences():
    assert words.named("bm25") == "bm25"
    assert words.named("x" * 61) == f"{'x' * 30}…{'x' * 29}"
    assert words.named("a\u202eb") == "\u2068a\u202eb\u2069"
