"""Random streams that depend on names only, not on the order in which they are made."""

from __future__ import annotations

import numpy as np


def random_stream(seed: int, *names: str) -> np.random.Generator:
    """A separate random stream for each seed and names."""
    from hashlib import blake2b  # slow to import

    content = "\0".join((str(seed), *names)).encode("utf-8", "surrogatepass")
    key = int.from_bytes(blake2b(content, digest_size=16).digest(), "little")
    return np.random.Generator(np.random.SFC64(key))
