"""A small LRU cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class LRUCache(Generic[Value]):
    """The few values used last, by key.

    Parameters
    ----------
    size
        How many.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def clear(self) -> None:
        """Forget all values."""
        self._values.clear()

    def values(self) -> list[Value]:
        """All of them, the last used first."""
        return list(self._values.values())[::-1]

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key; made where it is not known."""
        value = self._values.get(key)
        return self.put(key, make() if value is None else value)

    def put(self, key: Hashable, value: Value) -> Value:
        """Keep a value, as the last used."""
        self._values.pop(key, None)
        self._values[key] = value
        while len(self._values) > self._size:
            self._values.popitem(last=False)
        return value
