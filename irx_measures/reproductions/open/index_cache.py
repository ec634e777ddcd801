"""Indexes on disk: each is a folder that appears at once, with a digest of every file."""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
from collections.abc import Callable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Protocol, TypeVar

from .corpus import Corpus

MANIFEST = "manifest.json"

# An index depends on what these packages compute.
LIBRARIES = ("bm25s", "numpy", "PyStemmer", "scikit-learn", "scipy")

FORM = 1  # of the files; a change makes new folders

READ_BYTES = 1 << 20

logger = logging.getLogger("irx_measures")


class Index(Protocol):
    """An index that can be written to a folder."""

    def save(self, folder: Path) -> None:
        """Write the files of the index."""


AnyIndex = TypeVar("AnyIndex", bound=Index)


class IndexCache:
    """The indexes of a corpus on disk.

    Parameters
    ----------
    corpus
        The folder is named after its id, the digest of its documents, and library versions.
    home
        The folder of all caches: by default ``IRX_HOME``, else ``~/.irx_measures``.
    """

    def __init__(self, corpus: Corpus, home: Path | None = None) -> None:
        versions = [f"{name} {version(name)}" for name in LIBRARIES]
        key = json.dumps([FORM, corpus.dataset_id, corpus.language, corpus.digest, *versions])
        words = corpus.dataset_id.replace("/", "-")
        name = f"{words}-{blake2b(key.encode(), digest_size=8).hexdigest()}"
        self.folder = (home or home_folder()) / "indexes" / name

    def get(
        self, name: str, build: Callable[[], AnyIndex], load: Callable[[Path], AnyIndex]
    ) -> AnyIndex:
        """The index with this name; built and saved if it is not in the cache or is damaged."""
        place = self.folder / name
        if _is_intact(place):
            return load(place)
        if place.exists():
            logger.warning("%s: the index is damaged; it is built again", place)
        index = build()
        _save(index, place)
        return index


def home_folder() -> Path:
    """The folder of caches: ``IRX_HOME``, else ``~/.irx_measures``."""
    return Path(os.environ.get("IRX_HOME") or Path.home() / ".irx_measures")


def _save(index: Index, place: Path) -> None:
    """Write an index to a new folder, which then takes its place."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=place.parent) as new:
        filled = Path(new) / place.name
        filled.mkdir()
        index.save(filled)
        digests = {path.name: _digest(path) for path in sorted(filled.iterdir())}
        (filled / MANIFEST).write_text(json.dumps(digests))
        shutil.rmtree(place, ignore_errors=True)
        try:
            filled.rename(place)
        except OSError:
            if not _is_intact(place):  # another process may have put the same index there
                raise


def _is_intact(place: Path) -> bool:
    """Whether a folder has all files of an index, as they were written."""
    try:
        digests = json.loads((place / MANIFEST).read_text())
        return bool(digests) and all(
            _digest(place / name) == digest for name, digest in digests.items()
        )
    except (OSError, ValueError, AttributeError):
        return False


def _digest(path: Path) -> str:
    found = blake2b(digest_size=16)
    with path.open("rb") as file:
        while part := file.read(READ_BYTES):
            found.update(part)
    return found.hexdigest()
