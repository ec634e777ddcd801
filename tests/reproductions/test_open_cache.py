"""Indexes on disk are intact or not there, and belong to one corpus."""

import json
import logging
import os

import pandas as pd
import pytest

from irx_measures.reproductions.open import index_cache
from irx_measures.reproductions.open.corpus import Corpus
from irx_measures.reproductions.open.index_cache import MANIFEST, IndexCache, home_folder

for package in ("bm25s", "Stemmer", "sklearn"):
    pytest.importorskip(package)

EMPTY = pd.DataFrame()


def corpus(dataset_id="a/b", text="a text"):
    return Corpus(dataset_id, "en", ["d1", "d2"], [text, "another"], EMPTY, EMPTY)


class Letters:
    """An index that is one file."""

    built = 0

    def __init__(self, letters):
        self.letters = letters

    @classmethod
    def build(cls):
        cls.built += 1
        return cls("abc")

    def save(self, folder):
        (folder / "letters.txt").write_text(self.letters)

    @classmethod
    def load(cls, folder):
        return cls((folder / "letters.txt").read_text())


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(Letters, "built", 0)
    return IndexCache(corpus(), tmp_path)


def get(cache):
    return cache.get("letters", Letters.build, Letters.load).letters


def test_an_index_is_built_once(cache, tmp_path):
    assert [get(cache), get(cache), get(IndexCache(corpus(), tmp_path))] == ["abc"] * 3
    assert Letters.built == 1
    assert sorted(os.listdir(cache.folder)) == ["letters"]  # and nothing temporary


def truncated(place):
    (place / "letters.txt").write_text("ab")


def changed(place):
    (place / "letters.txt").write_text("abx")


def without_file(place):
    (place / "letters.txt").unlink()


def without_manifest(place):
    (place / MANIFEST).unlink()


def with_half_a_manifest(place):
    (place / MANIFEST).write_text((place / MANIFEST).read_text()[:-3])


def with_another_manifest(place):
    (place / MANIFEST).write_text(json.dumps(["letters.txt"]))


def with_empty_manifest(place):
    (place / MANIFEST).write_text("{}")


@pytest.mark.parametrize(
    "damage",
    [
        truncated,
        changed,
        without_file,
        without_manifest,
        with_half_a_manifest,
        with_another_manifest,
        with_empty_manifest,
    ],
)
def test_a_damaged_index_is_built_again(damage, cache, caplog):
    get(cache)
    damage(cache.folder / "letters")
    with caplog.at_level(logging.WARNING):
        assert get(cache) == "abc"
    assert "the index is damaged; it is built again" in caplog.text
    assert Letters.built == 2
    assert get(cache) == "abc"
    assert Letters.built == 2


def test_an_index_that_could_not_be_written_leaves_nothing(cache, monkeypatch):
    def fail(self, folder):
        (folder / "letters.txt").write_text("a")
        raise OSError("no space left on device")

    monkeypatch.setattr(Letters, "save", fail)
    with pytest.raises(OSError, match="no space left"):
        get(cache)
    assert list(cache.folder.iterdir()) == []


def test_a_folder_is_of_one_id_and_language_and_text_and_of_library_versions(tmp_path, monkeypatch):
    def folder(**changes):
        return IndexCache(corpus(**changes), tmp_path).folder

    folders = [folder(), folder(dataset_id="a/c"), folder(text="a  text")]
    other = Corpus("a/b", "de", ["d1", "d2"], ["a text", "another"], EMPTY, EMPTY)
    folders.append(IndexCache(other, tmp_path).folder)
    monkeypatch.setattr(index_cache, "version", lambda name: "0.0")
    folders.append(folder())
    assert len(set(folders)) == 5
    assert folders[0].parent == tmp_path / "indexes"
    assert folders[0].name.startswith("a-b-")


def test_documents_with_the_same_text_in_other_places_are_another_corpus():
    first = Corpus("a", "en", ["d1", "d2"], ["ab", "c"], EMPTY, EMPTY)
    second = Corpus("a", "en", ["d1", "d2"], ["a", "bc"], EMPTY, EMPTY)
    assert first.digest != second.digest


def test_irx_home_names_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("IRX_HOME", str(tmp_path / "here"))
    assert home_folder() == tmp_path / "here"
    monkeypatch.delenv("IRX_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home_folder() == tmp_path / ".irx_measures"
