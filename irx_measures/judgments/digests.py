"""Digests: equal content has equal digests in every kind of container."""

from __future__ import annotations

from collections.abc import Iterable

from ..io.identifiers import Names, packed_names
from ..io.table import Table
from .ranking import Ranking


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


def run_digest(run: Table) -> str:
    """A digest of a run's content: its queries, rankings and scores."""
    queries = Names(sorted(run.query_ids))
    ranking = Ranking.of(run, queries)
    return digest(
        packed_names(queries.ids),
        ranking.returned.tobytes(),
        packed_names(run.doc.take(ranking.row)),
        ranking.score.tobytes(),
    )
