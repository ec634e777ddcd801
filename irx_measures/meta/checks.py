"""The border of the meta-evaluation: arrays of finite numbers, or an error that says what came."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def finite_array(name: str, values: ArrayLike, at_least: int) -> NDArray[np.float64]:
    """An array of finite numbers with at least so many dimensions.

    Raises
    ------
    ValueError
        When it has fewer dimensions, or holds NaN or infinity.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim < at_least:
        raise ValueError(
            f"`{name}` must hold numbers in at least {at_least} dimensions; got shape {array.shape}"
        )
    if not np.isfinite(array).all():
        raise ValueError(
            f"`{name}` must hold finite numbers; got {array[~np.isfinite(array)].flat[0]}"
        )
    return array
