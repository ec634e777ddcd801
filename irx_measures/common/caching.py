"""Results that are made once: the most recently used ones are kept in a plain dict."""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping
from typing import Any, TypeVar

Value = TypeVar("Value")


def kept(
    cache: MutableMapping[Hashable, Any], key: Hashable, make: Callable[[], Value], most: int
) -> Value:
    """The value of a key, made if the cache does not have it.

    Parameters
    ----------
    cache
        The values, the most recently used last.
    key
        It names everything on which the value depends.
    make
        Makes the value, which is not None.
    most
        How many values stay in the cache.
    """
    value: Value | None = cache.pop(key, None)
    if value is None:
        value = make()
    cache[key] = value
    while len(cache) > most:
        cache.pop(next(iter(cache)), None)
    return value
