"""Splits work into chunks, so that intermediate arrays stay small."""

from __future__ import annotations

from collections.abc import Iterator

# 4 MB of float64, as much as caches of processors hold. Larger blocks need more memory, smaller
# ones more calls of numpy.
BLOCK_ELEMENTS = 1 << 19


def slices(items: int, elements_per_item: int, elements: int | None = None) -> Iterator[slice]:
    """Slices of queries, pairs or samples whose intermediate arrays take only a few MB.

    Parameters
    ----------
    elements
        The maximum number of elements in the arrays of a slice; `BLOCK_ELEMENTS` if None.
    """
    step = max(1, (elements or BLOCK_ELEMENTS) // max(1, elements_per_item))
    for start in range(0, items, step):
        yield slice(start, min(start + step, items))
