"""Dicts of dicts as columns, by the native core, which is optional and declines irregular dicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from . import _native
except ImportError:  # it was not built for this machine
    BUILT = False
else:
    BUILT = True


def read_regular(nested: Any, rows: int) -> tuple[Sequence[str], NDArray[np.float64]] | None:
    """The documents and the numbers of a dict of dicts, in its order; None if the core declines it.

    Parameters
    ----------
    nested
        A dict from queries to dicts from documents to numbers.
    rows
        How many documents it has.
    """
    if not BUILT:
        return None
    docs: Any = np.empty(rows, object)
    values = np.empty(rows)
    return (docs, values) if _native.read_dict(nested, docs, values) is True else None
