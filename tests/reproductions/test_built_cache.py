"""An index on disk is intact or built again, and belongs to one corpus."""

import pandas as pd
import pytest

from irx_measures.reproductions.built_systems import index_cache
from irx_measures.reproductions.built_systems.corpus import Corpus
from irx_measures.reproductions.built_systems.index_cache import IndexCache, home_folder

for package in ("bm25s", "joblib", "Stemmer", "sklearn"):
    pytest.importorskip(package)

EMPTY = pd.DataFrame()


def corpus(dataset_id="a/b", text="a text"):
    return Corpus(dataset_id, "en", ["d1", "d2"], [text, "another"], EMPTY, EMPTY)


INDEX = {"letters": [number**2 for number in range(1000)]}


class Letters:
    """Builds an index, and counts how often."""

    built = 0

    def build(self):
        self.built += 1
        return INDEX


@pytest.fixture
def letters():
    return Letters()


@pytest.fixture
def cache(tmp_path):
    return IndexCache(corpus(), tmp_path)


def test_an_index_is_built_once(cache, letters, tmp_path):
    caches = (cache, cache, IndexCache(corpus(), tmp_path))
    assert [one.get("letters", letters.build) for one in caches] == [INDEX] * 3
    assert letters.built == 1
    assert cache.get("others", letters.build) == INDEX
    assert letters.built == 2


def truncated(file):
    file.write_bytes(file.read_bytes()[:500])


def changed(file):
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def emptied(file):
    file.write_bytes(b"")


def removed(file):
    file.unlink()


@pytest.mark.parametrize("damage", [truncated, changed, emptied, removed])
def test_a_damaged_index_is_built_again(damage, cache, letters):
    cache.get("letters", letters.build)
    (file,) = cache.folder.rglob("output.pkl")
    damage(file)
    for _ in range(2):
        assert cache.get("letters", letters.build) == INDEX
        assert letters.built == 2


def test_an_index_that_could_not_be_built_is_not_in_the_cache(cache, letters):
    def fail():
        raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space left"):
        cache.get("letters", fail)
    assert cache.get("letters", letters.build) == INDEX


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
