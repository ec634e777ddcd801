"""Short paths: a public object belongs to the module from which users import it.

`compare` is defined in ``comparison/compare.py``, but its ``__module__`` is ``irx_measures``, as
users write it in reprs, errors, pickles and pages.
"""

from __future__ import annotations

from inspect import get_annotations
from typing import Any, ForwardRef, TypeVar

DEFINED_IN: dict[str, str] = {}
"""By short path: the module that defines a public class or function, if it is loaded."""

Object = TypeVar("Object")


def public(one: Object, home: str = "irx_measures") -> Object:
    """Make `home` the module of a public class, function or measure; of a class, as the last step.

    It is a decorator where the package hands the object out. Modules such as `irx_measures.meta`
    call it for all that they hand out.
    """
    made: Any = one
    if isinstance(one, type):
        made.__annotations__ = {
            name: _of_module(hint, one.__module__) for name, hint in get_annotations(one).items()
        }
        if "__firstlineno__" in vars(one):  # inspect would show this line of another file
            del made.__firstlineno__
    DEFINED_IN[f"{home}.{made.__name__}"] = made.__module__
    made.__module__ = home
    return one


def _of_module(hint: Any, module: str) -> Any:
    """An annotation of a class for `typing.get_type_hints`, which would look in the new module."""
    if isinstance(hint, ForwardRef):  # of a NamedTuple
        hint = hint.__forward_arg__
    return ForwardRef(hint, module=module, is_class=True) if isinstance(hint, str) else hint
