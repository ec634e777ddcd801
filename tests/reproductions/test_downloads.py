"""What would be downloaded is known, with its size, before anything is."""

import io
import json

import pytest

from irx_measures import InputError
from irx_measures.reproductions.downloads import (
    PendingDownload,
    confirm_downloads,
    describe_downloads,
)
from tests.ir_datasets_home import printed

LISTED = """
import json
from irx_measures.reproductions.downloads import pending_downloads
"""

ONE = PendingDownload("https://host/docs.gz", 2_125_168, "/cache/docs.gz")
UNKNOWN = PendingDownload("https://host/topics", None, "/cache/topics")
BY_HAND = PendingDownload(None, None, "/cache/corpus")


def listed(home, dataset_id, *parts):
    """Url, size and path of what an id would download."""
    arguments = ", ".join(map(repr, [dataset_id, *([parts] if parts else [])]))
    (line,) = printed(home, f"{LISTED}print(json.dumps(pending_downloads({arguments})))")
    return json.loads(line)


@pytest.mark.slow
def test_every_file_is_listed_with_its_size(tmp_path):
    docs, queries, qrels = listed(tmp_path, "irds:antique/test")
    assert docs == [
        "https://ciir.cs.umass.edu/downloads/Antique/antique-collection.txt",
        93608031,
        str(tmp_path / "antique" / "collection.tsv"),
    ]
    assert (queries[1], qrels[1]) == (11434, 149838)
    assert listed(tmp_path, "antique/test", "queries") == [queries]
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


@pytest.mark.slow
def test_files_in_the_cache_are_not_listed(tmp_path):
    (tmp_path / "antique" / "test").mkdir(parents=True)
    (tmp_path / "antique" / "collection.tsv").write_text("1\ta text\n")
    (tmp_path / "antique" / "test" / "qrels").write_text("1 U0 1 1\n")
    ((url, _, _),) = listed(tmp_path, "antique/test")
    assert url.endswith("antique-test-queries.txt")


@pytest.mark.slow
def test_an_archive_counts_once_and_not_after_its_parts_are_extracted(tmp_path):
    ((url, size, path),) = listed(tmp_path, "vaswani")
    assert (url.split("/")[-1], size, path) == (
        "npl.tar.gz",
        2125168,
        str(tmp_path / "vaswani" / "npl.tar.gz"),
    )
    (tmp_path / "vaswani").mkdir(exist_ok=True)
    for part in ("docs", "queries", "qrels"):
        (tmp_path / "vaswani" / f"{part}.txt").write_text("1\n")
    assert listed(tmp_path, "vaswani") == []


@pytest.mark.slow
def test_what_a_filter_reads_is_listed(tmp_path):
    """The queries of this id are those of another id without the queries of a list."""
    names = [url.split("/")[-1] for url, _, _ in listed(tmp_path, "antique/test/non-offensive")]
    assert "test-queries-blacklist.txt" in names
    assert len(names) == 4


@pytest.mark.slow
def test_documents_that_nobody_can_download_have_no_url(tmp_path):
    ((url, size, path),) = listed(tmp_path, "disks45/nocr/trec8", "docs")
    assert (url, size, path) == (None, None, str(tmp_path / "disks45" / "corpus"))


def test_the_description_says_how_large_each_file_is():
    assert describe_downloads("id", [ONE, UNKNOWN]).splitlines() == [
        "id: ir_datasets will download 1 file, 2.1 MB and 1 file of unknown size:",
        "  https://host/docs.gz (2.1 MB)",
        "  https://host/topics (size unknown)",
    ]
    assert describe_downloads("id", []) == "id: ir_datasets has all files in its cache"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("answer", ["y\n", "Yes\n"])
def test_a_user_who_agrees_is_asked_once(answer, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    confirm_downloads("id", [ONE])
    assert "(2.1 MB)\nStart? [y/N] " in capsys.readouterr().err


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_a_user_who_does_not_agree_gets_nothing(answer, monkeypatch):
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    with pytest.raises(InputError, match=r"^id: nothing was downloaded$"):
        confirm_downloads("id", [ONE])


def test_without_a_terminal_only_yes_starts(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with pytest.raises(InputError, match=r"^id: 1 file, 2.1 MB must be .*: pass --yes to start$"):
        confirm_downloads("id", [ONE])
    capsys.readouterr()
    confirm_downloads("id", [ONE], yes=True)
    assert capsys.readouterr().err.count("\n") == 2


def test_nothing_is_said_if_all_files_are_there(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    confirm_downloads("id", [])
    assert capsys.readouterr() == ("", "")


def test_yes_does_not_help_where_nobody_can_download():
    with pytest.raises(
        InputError, match=r"^a/b: ir_datasets cannot download /cache/corpus: .*/a says$"
    ):
        confirm_downloads("a/b", [BY_HAND, ONE], yes=True)
