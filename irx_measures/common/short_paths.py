"""Short paths: a public object belongs to the module from which users import it.

`compare` is defined in ``comparison/compare.py``, but its ``__module__`` is ``irx_measures``, as
users write it in reprs, errors, pickles and pages. An object gets its short path when its module is
loaded, whoever loads it: nothing depends on the order of imports. The package imports this module
before any that defines a public object.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from inspect import get_annotations
from pathlib import Path
from types import ModuleType
from typing import Any, ForwardRef

DEFINED_IN: dict[str, str] = {}
"""By short path: the module that defines a public class or function, if it is loaded."""

PACKAGE = __name__.partition(".")[0]

STUB = Path(__file__).parents[1] / "__init__.pyi"  # the package's public names


def hand_out(home: str, objects: Iterable[Any]) -> None:
    """Make `home` the module of public classes, functions and measures."""
    for one in objects:
        if not callable(one) or one.__module__ == home:
            continue
        if isinstance(one, type):
            one.__annotations__ = {
                name: _of_module(hint, one.__module__)
                for name, hint in get_annotations(one).items()
            }
            if "__firstlineno__" in vars(one):  # inspect would show this line of another file
                del one.__firstlineno__  # type: ignore[attr-defined]
        DEFINED_IN[f"{home}.{one.__name__}"] = one.__module__
        one.__module__ = home


def _of_module(hint: Any, module: str) -> Any:
    """An annotation of a class for `typing.get_type_hints`, which would look in the new module."""
    if isinstance(hint, ForwardRef):  # of a NamedTuple
        hint = hint.__forward_arg__
    return ForwardRef(hint, module=module, is_class=True) if isinstance(hint, str) else hint


class _Finder(MetaPathFinder):
    """Finds the modules whose objects the stub makes public, as Python does."""

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self.names = names  # the public ones, by module

    @classmethod
    def of_stub(cls) -> _Finder:
        names: dict[str, list[str]] = {}
        for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                public = names.setdefault(f"{PACKAGE}.{node.module}", [])
                public.extend(imported.name for imported in node.names)
        return cls(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self.names[fullname])
        return spec


class _Loader(Loader):
    """Loads a module by its own loader, and hands out its public objects."""

    def __init__(self, own: Loader, names: Sequence[str]) -> None:
        self.own = own
        self.names = names

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        spec: Any = module.__spec__
        spec.loader = module.__loader__ = self.own  # what reads sources and data files later
        self.own.exec_module(module)
        hand_out(PACKAGE, [getattr(module, name) for name in self.names])


sys.meta_path.insert(0, _Finder.of_stub())
