"""Arrays of results are read-only: what follows from them is kept, and would no longer be true."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np

Value = TypeVar("Value")


def read_only(value: Any) -> Any:
    """An array as a view that cannot be written to; of a dict or a named tuple, its arrays.

    Nothing is copied, and an array of the caller stays as it is.
    """
    if isinstance(value, np.ndarray):
        view = value.view()
        view.flags.writeable = False
        return view
    if isinstance(value, dict):
        return {name: read_only(each) for name, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(map(read_only, value))
    return value


class ReadOnlyArrays:
    """A frozen dataclass whose arrays are read-only, also after it was copied or unpickled."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, read_only(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(read_only(state))


class cached_array(cached_property[Value]):  # noqa: N801 - as the name of its base
    """A `cached_property` whose arrays are read-only."""

    def __init__(self, func: Callable[[Any], Value]) -> None:
        @wraps(func)
        def computed(result: Any) -> Value:
            return read_only(func(result))

        super().__init__(computed)
