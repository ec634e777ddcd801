"""A small LRU cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class LRUCache(Generic[Value]):
    """The most recently used values, by key.

    Parameters
    ----------
    size
        The maximum number of values.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def clear(self) -> None:
        """Remove all values."""
        self._values.clear()

    def values(self) -> list[Value]:
        """All values, the most recently used first."""
        return list(self._values.values())[::-1]

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key. `make` creates it if the cache does not have it."""
        value = self._values.get(key)
        return self.put(key, make() if value is None else value)

    def put(self, key: Hashable, value: Value) -> Value:
        """Store a value as the most recently used one."""
        self._values.pop(key, None)
        self._values[key] = value
        while len(self._values) > self._size:
            self._values.popitem(last=False)
        return value
