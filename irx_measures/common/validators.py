"""What every part of meta-evaluation asks of its input: score arrays, names, numbers."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..exceptions import InputError
from .arrays import FloatArray


def numbers(name: str, values: ArrayLike) -> FloatArray:
    """An array of numbers; ValueError where values are none, or masked."""
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "biufO" or np.ma.is_masked(values):
            raise TypeError
        return given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):  # rows of different lengths, too
        raise InputError(
            f"`{name}` must hold numbers, as many in every row; got {reprlib.repr(values)}"
        ) from None


def finite_array(name: str, values: ArrayLike, at_least: int) -> NDArray[np.float64]:
    """An array of finite numbers with at least so many dimensions.

    Raises
    ------
    ValueError
        When it is no array of numbers, has fewer dimensions, or holds NaN or infinity.
    """
    array = numbers(name, values)
    if array.ndim < at_least:
        raise InputError(
            f"`{name}` must hold numbers in at least {at_least} dimensions; got shape {array.shape}"
        )
    if not np.isfinite(array).all():
        raise InputError(
            f"`{name}` must hold finite numbers; got {array[~np.isfinite(array)].flat[0]}"
        )
    return array


def score_array(scores: ArrayLike, name: str = "scores", queries: int = 2) -> FloatArray:
    """Scores as floats of the shape (systems, queries), checked.

    Parameters
    ----------
    scores
        At least two systems.
    name
        What an error calls them.
    queries
        The smallest number of queries.
    """
    array = finite_array(name, scores, 1)
    if array.ndim != 2:
        raise InputError(f"`{name}` must have the shape (systems, queries); got {array.shape}")
    if array.shape[0] < 2:
        raise InputError(f"`{name}` must hold at least 2 systems; got {array.shape[0]}")
    if array.shape[1] < queries:
        raise InputError(f"`{name}` must hold at least {queries} queries; got {array.shape[1]}")
    return array


def two_arrays(
    first: ArrayLike, second: ArrayLike, queries: int = 2, same_queries: bool = True
) -> tuple[FloatArray, FloatArray]:
    """Two score arrays of the same systems, and of the same queries where asked."""
    one, other = (
        score_array(scores, name, queries)
        for scores, name in ((first, "first"), (second, "second"))
    )
    axes = 2 if same_queries else 1
    if one.shape[:axes] != other.shape[:axes]:
        shared = "systems and queries" if same_queries else "systems"
        raise InputError(
            f"`first` and `second` must be of the same {shared}; "
            f"got shapes {one.shape} and {other.shape}"
        )
    return one, other


def system_names(systems: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """The names of so many systems; their positions where none are given."""
    return names_of("systems", systems, count, "system")


def names_of(parameter: str, given: Sequence[str] | None, count: int, each: str) -> tuple[str, ...]:
    """The names given of so many things; their positions where none are."""
    if given is None:
        return tuple(map(str, range(count)))
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"`{parameter}` must be a list of names; got {given!r}")
    names = tuple(map(str, given))
    if len(names) != count:
        raise InputError(f"`{parameter}` must have one name per {each} ({count}); got {len(names)}")
    return names


def choice(name: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise InputError(f"`{name}` must be one of {', '.join(map(repr, allowed))}; got {value!r}")
    return value


def integer(name: str, value: object, least: int, most: int | None = None) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be an integer; got {value!r}")
    if value < least:
        raise InputError(f"`{name}` must be at least {least}; got {value}")
    if most is not None and value > most:
        raise InputError(f"`{name}` must be at most {most}; got {value}")
    return int(value)


def number(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise TypeError(f"`{name}` must be a number; got {value!r}")
    return float(value)


def within(name: str, value: float) -> float:
    """A number between 0 and 1, neither of them."""
    number(name, value)
    if not 0 < value < 1:
        raise InputError(f"`{name}` must lie in (0, 1); got {value}")
    return float(value)


def at_least_zero(name: str, value: float) -> float:
    number(name, value)
    if not 0 <= value < np.inf:
        raise InputError(f"`{name}` must be finite and at least 0; got {value}")
    return float(value)
