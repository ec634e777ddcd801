"""Functions whose arguments once had another order or another name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from .warn import warn

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def formerly(
    *order: str, if_given: Callable[[Sequence[Any], Mapping[str, Any]], bool]
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Let a function accept its former order of arguments, with a DeprecationWarning.

    Parameters
    ----------
    *order
        The names of the first arguments in their former order.
    if_given
        Whether positional (at least one) and named arguments are in the former order, and cannot
        be in the new one.
    """

    def accept_both(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        new = list(signature(function).parameters)[: len(order)]

        @wraps(function)
        def call(*args: Any, **named: Any) -> Result:
            if args and if_given(args, named):
                warn(
                    f"{function.__name__} takes ({', '.join(new)}) in this order; the order "
                    f"({', '.join(order)}) is deprecated",
                    DeprecationWarning,
                )
                given = dict(zip(order, args, strict=False))
                if len(given) < len(order):
                    return function(**given, **named)  # type: ignore[call-arg]
                args = (*(given[name] for name in new), *args[len(order) :])
            return function(*args, **named)

        return call

    return accept_both


def formerly_called(
    **new: str,
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Let a function accept the former names of arguments, with a DeprecationWarning.

    Parameters
    ----------
    **new
        The names of arguments by their former names.
    """

    def accept_both(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @wraps(function)
        def call(*args: Any, **named: Any) -> Result:
            for old in new.keys() & named.keys():
                warn(f"{function.__name__}: `{old}` is now `{new[old]}`", DeprecationWarning)
                named[new[old]] = named.pop(old)
            return function(*args, **named)

        return call

    return accept_both
