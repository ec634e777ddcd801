"""Work split into chunks whose intermediate arrays stay small."""

from __future__ import annotations

from collections.abc import Iterator

BLOCK_ELEMENTS = 1 << 19


def query_blocks(queries: int, elements_per_query: int) -> Iterator[slice]:
    """Slices of queries small enough that intermediate arrays stay a few MB."""
    step = max(1, BLOCK_ELEMENTS // max(1, elements_per_query))
    for start in range(0, queries, step):
        yield slice(start, min(start + step, queries))
