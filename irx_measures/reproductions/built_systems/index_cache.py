"""Indexes on disk, by joblib."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from joblib import Memory
from joblib import hash as digest_of

from .corpus import Corpus

# An index depends on what these packages compute.
LIBRARIES = ("bm25s", "joblib", "numpy", "PyStemmer", "scikit-learn", "scipy")

Index = TypeVar("Index")


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
        key = digest_of([corpus.dataset_id, corpus.language, corpus.digest, *versions])
        name = f"{corpus.dataset_id.replace('/', '-')}-{key}"
        self.folder = (home or home_folder()) / "indexes" / name
        # Compressed files have checksums, so a damaged one is built again.
        self._get = Memory(self.folder, verbose=0, compress=1).cache(_built, ignore=["build"])

    def get(self, name: str, build: Callable[[], Index]) -> Index:
        """The index with this name; built and saved if it is not in the cache or is damaged."""
        found: Index = self._get(name, build)
        return found


def _built(name: str, build: Callable[[], Index]) -> Index:
    return build()


def home_folder() -> Path:
    """The folder of caches: ``IRX_HOME``, else ``~/.irx_measures``."""
    return Path(os.environ.get("IRX_HOME") or Path.home() / ".irx_measures")
