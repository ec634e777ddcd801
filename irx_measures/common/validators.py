"""Checks of values: parameters of measures, options of functions, arrays of numbers, names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..exceptions import InputError
from .numeric import FloatArray
from .writing import shown


@dataclass(frozen=True)
class Allowed:
    """A kind of value."""

    text: str  # the whole rule; it completes "must ..."
    convert: Callable[[Any], Any]  # returns the converted value, or raises ValueError
    kind: str  # what documentation calls such a value, other than None
    hint: str  # what a type annotation calls it, with the names of `irx_measures.typing`
    or_none: bool = False  # whether None is allowed, too

    def check(self, name: str, value: Any) -> Any:
        """Convert a parameter of this name; InputError with the whole rule if it is not allowed."""
        try:
            return self.convert(value)
        except ValueError:
            got = value.item() if isinstance(value, np.generic) else value
            raise InputError(f"`{name}` must {self.text}; got {shown(got)}") from None


def check_kind(name: str, given: object, kind: type, maker: str) -> None:
    """TypeError if a parameter is no result of this kind; it names the function that makes one."""
    if not isinstance(given, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise TypeError(
            f"`{name}` must be {article} {kind.__name__}, which {maker} gives; got "
            f"{type(given).__name__}"
        )


def choice(*choices: str) -> Allowed:
    """One of some words."""

    def convert(value: Any) -> str:
        if isinstance(value, str) and value in choices:
            return str(value)
        raise ValueError(value)

    listed = ", ".join(map(repr, choices))
    return Allowed(f"be one of {listed}", convert, f"{{{listed}}}", f"Literal[{listed}]")


def integer(low: int, high: int | None = None) -> Allowed:
    """A whole number of at least `low`, and of at most `high` if it is given."""

    most = inf if high is None else high

    def convert(value: Any) -> int:
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if whole and low <= value <= most:
            return int(value)
        raise ValueError(value)

    limits = f"of at least {low}" if high is None else f"from {low} to {high}"
    kind = f"a whole number {limits}"
    return Allowed(f"be {kind}", convert, kind, "int")


def number_in(low: float, high: float, *, closed: bool) -> Allowed:
    """A number between `low` and `high`, which are included if `closed` is True."""
    interval = f"[{low:g}, {high:g}]" if closed else f"({low:g}, {high:g})"
    return _number(f"lie in {interval}", f"a number in {interval}", low, high, closed)


def number_from(low: float, *, closed: bool) -> Allowed:
    """A finite number above `low`. `low` is included if `closed` is True."""
    kind = f"finite and at least {low:g}" if closed else f"finite and above {low:g}"
    return _number(f"be {kind}", kind, low, inf, closed)


def _number(text: str, kind: str, low: float, high: float, closed: bool) -> Allowed:
    def convert(value: Any) -> float:
        number = _finite(value)
        inside = low <= number <= high if closed else low < number < high
        if not inside:
            raise ValueError(value)
        return number

    return Allowed(text, convert, kind, "float")


def _finite(value: Any) -> float:
    """A finite number as a float; ValueError if the value is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ValueError(value)
    try:
        number = float(value)
    except OverflowError:  # an integer of more than 308 digits
        number = inf
    if not isfinite(number):
        raise ValueError(value)
    return number


FRACTION = number_in(0, 1, closed=False)

DECIMALS = 12  # of a level, as of p-values: 99.9 / 100 is not exactly 0.999

HIGHEST_LEVEL = round(1 - 10**-DECIMALS, DECIMALS)  # the error rate of a higher one is rounded to 0


def _level(value: Any) -> float:
    share = _finite(value)
    if 50 <= share < 100:  # below, a percentage could be a share of errors: 5 for a level of 95
        share = round(share / 100, DECIMALS)
    if not 0 < share <= HIGHEST_LEVEL:
        raise ValueError(value)
    return share


LEVEL = Allowed(
    f"be a confidence level, of at most {HIGHEST_LEVEL}: 0.95, or 95 for percent",
    _level,
    "a confidence level",
    "float",
)
"""A confidence level: a share in (0, 1), or percent in [50, 100), up to `HIGHEST_LEVEL`."""


def flag() -> Allowed:
    """True or False."""

    def convert(value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError(value)
        return value

    return Allowed("be True or False", convert, "True or False", "bool")


def either(*kinds: Allowed) -> Allowed:
    """Any of several kinds of value."""

    def convert(value: Any) -> Any:
        for kind in kinds:
            try:
                return kind.convert(value)
            except ValueError:
                continue
        raise ValueError(value)

    text = " or ".join(each.text for each in kinds)
    kind = " or ".join(each.kind for each in kinds)
    return Allowed(text, convert, kind, " | ".join(each.hint for each in kinds))


def optional(kind: Allowed) -> Allowed:
    """A kind of value, or None."""

    def convert(value: Any) -> Any:
        return None if value is None else kind.convert(value)

    return Allowed(f"be None or {kind.text}", convert, kind.kind, kind.hint, or_none=True)


def generator(seed: int) -> np.random.Generator:
    """A random number generator from the option `seed`."""
    return np.random.default_rng(integer(0).check("seed", seed))


LARGEST = 1e100  # sums, squares and differences of smaller numbers do not overflow


def finite_array(
    name: str, values: ArrayLike, at_least: int, rows: Sequence[str] | None = None
) -> FloatArray:
    """An array of finite numbers with at least `at_least` dimensions; errors name one of the rows.

    InputError if it is not an array of numbers, or a masked one, has fewer dimensions, or holds
    NaN, infinity or a number beyond `LARGEST`.
    """
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "biufO" or np.ma.is_masked(values):
            raise TypeError
        array = given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):  # includes rows of different lengths
        raise InputError(
            f"`{name}` must hold numbers, as many in every row; got {shown(values)}"
        ) from None
    if array.ndim < at_least:
        raise InputError(
            f"`{name}` must hold numbers in at least {at_least} dimensions; got shape {array.shape}"
        )
    is_bad = ~(np.abs(array) <= LARGEST)
    if is_bad.any():
        row = int(np.argwhere(is_bad)[0][0])
        of = f"of {rows[row]!r}" if rows is not None and row < len(rows) else f"in row {row}"
        got = f"{array[is_bad][0]:g} {of} (at most {LARGEST:g})"
        raise InputError(f"`{name}` must hold finite numbers; got {got}")
    return array


def names_of(parameter: str, given: Sequence[str] | None, count: int, each: str) -> tuple[str, ...]:
    """The names of `count` items. Without names, the positions are the names."""
    if given is None:
        return tuple(map(str, range(count)))
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"`{parameter}` must be a list of names; got {shown(given)}")
    names = tuple(map(str, given))
    if len(names) != count:
        raise InputError(f"`{parameter}` must have one name per {each} ({count}); got {len(names)}")
    return names
