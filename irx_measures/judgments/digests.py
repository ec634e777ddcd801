"""Digests: equal content has equal digests in every kind of container."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..io.columns import RunColumns
from ..io.identifiers import IdIndex, packed_names
from .ranking import rank_run


def digest(*parts: bytes) -> str:
    """A digest of some parts, in order; the boundaries of the parts count."""
    from hashlib import blake2b  # slow to import

    content = blake2b(digest_size=8)
    for part in parts:
        content.update(len(part).to_bytes(8, "little"))
        content.update(part)
    return content.hexdigest()


def set_digest(
    names: tuple[str, ...], groups: tuple[str, ...] | None, digests: Iterable[str]
) -> str:
    """A digest of a set of runs: their names, their groups, and the digest of each run."""
    return digest(repr((names, groups, list(digests))).encode())


def run_digest(run: RunColumns, name: str | None = None) -> str:
    """A digest of a run's content: its queries, rankings and scores."""
    index = IdIndex(sorted(set(run.query.all())))
    ranking = rank_run(run, index, name)
    return digest(
        packed_names(index.ids),
        ranking.returned.tobytes(),
        packed_names(run.doc.take(ranking.ordered_rows())),
        (ranking.score + np.float32(0)).tobytes(),  # -0.0 ties with 0.0
    )
