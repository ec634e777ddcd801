"""Parameters of measures: what they may be, their defaults, what they mean."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from ir_measures.measures import ParamInfo


@dataclass(frozen=True)
class Allowed:
    """What a parameter may be: `convert` gives the value as kept, or raises ValueError.

    Attributes
    ----------
    text
        Completes "must ...".
    """

    text: str
    convert: Callable[[Any], Any]


class Param(ParamInfo):
    """A parameter of a measure: what it may be, its default, and what it means."""

    def __init__(self, allowed: Allowed, default: Any, desc: str) -> None:
        super().__init__(default=default, desc=desc)
        self.allowed = allowed

    def validate(self, value: Any) -> bool:
        """Values were checked when the measure was made."""
        return True


def _refuse(value: Any) -> Any:
    raise ValueError(value)


def choice(*choices: str) -> Allowed:
    """One of some words."""
    return Allowed(
        f"be one of {', '.join(map(repr, choices))}",
        lambda value: str(value) if isinstance(value, str) and value in choices else _refuse(value),
    )


def integer(low: int, high: int | None = None) -> Allowed:
    """A whole number of at least `low`, and of at most `high` where given."""

    def convert(value: Any) -> int:
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
            return _refuse(value)
        return int(value) if low <= value and (high is None or value <= high) else _refuse(value)

    limits = f"of at least {low}" if high is None else f"from {low} to {high}"
    return Allowed(f"be a whole number {limits}", convert)


def number_in(low: float, high: float, *, closed: bool) -> Allowed:
    """A number between `low` and `high`, with them or without."""

    def convert(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            return _refuse(value)
        number = float(value)
        inside = low <= number <= high if closed else low < number < high
        return number if inside and math.isfinite(number) else _refuse(value)

    interval = f"[{low:g}, {high:g}]" if closed else f"({low:g}, {high:g})"
    return Allowed(f"lie in {interval}", convert)


def flag() -> Allowed:
    """True or False."""
    return Allowed("be True or False", lambda v: v if isinstance(v, bool) else _refuse(v))


def either(*kinds: Allowed) -> Allowed:
    """Any of several kinds of value."""

    def convert(value: Any) -> Any:
        for kind in kinds:
            try:
                return kind.convert(value)
            except ValueError:
                continue
        return _refuse(value)

    return Allowed(" or ".join(kind.text for kind in kinds), convert)


def optional(kind: Allowed) -> Allowed:
    """A kind of value, or None."""
    none = Allowed("be None", lambda value: None if value is None else _refuse(value))
    return either(none, kind)


CUTOFF = Param(integer(1), None, "Only the first `cutoff` documents of a ranking count: `@k`.")
