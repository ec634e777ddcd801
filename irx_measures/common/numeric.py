"""What all array code shares: names of types, division by 0, work in blocks, random streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

AnyArray: TypeAlias = NDArray[np.generic]
FloatArray: TypeAlias = NDArray[np.float64]
Float32Array: TypeAlias = NDArray[np.float32]
IntArray: TypeAlias = NDArray[np.integer]
Int32Array: TypeAlias = NDArray[np.int32]
Int64Array: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

# 4 MB of float64, as much as caches of processors hold. Larger blocks need more memory, smaller
# ones more calls of numpy.
BLOCK_ELEMENTS = 1 << 19


def safe_divide(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole``, or 0 if the whole is not above 0. The arrays are broadcast."""
    quotient = np.zeros(np.broadcast(part, whole).shape)
    return np.divide(part, whole, out=quotient, where=np.greater(whole, 0))


def ratio_or_nan(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole``, or NaN if the whole is not above 0, where the ratio is undefined."""
    return np.where(np.greater(whole, 0), safe_divide(part, whole), np.nan)


def slices(items: int, elements_per_item: int, elements: int | None = None) -> Iterator[slice]:
    """Slices of queries, pairs or samples whose intermediate arrays take only a few MB.

    The arrays of a slice have at most `elements` elements; `BLOCK_ELEMENTS` if None.
    """
    step = max(1, (elements or BLOCK_ELEMENTS) // max(1, elements_per_item))
    for start in range(0, items, step):
        yield slice(start, min(start + step, items))


def random_stream(seed: int, *names: str) -> np.random.Generator:
    """A stream of its own for each seed and names, in whatever order streams are made."""
    from hashlib import blake2b  # slow to import

    content = "\0".join((str(seed), *names)).encode("utf-8", "surrogatepass")
    key = int.from_bytes(blake2b(content, digest_size=16).digest(), "little")
    return np.random.Generator(np.random.SFC64(key))
