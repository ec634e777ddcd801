"""Public names that moved: the old place works for a release, with a DeprecationWarning.

A module whose names moved has a `__getattr__` that asks `moved_name`. To end a line's release,
delete the line.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .warn import warn

MOVED = {
    "irx_measures": {
        "expected_depth": "irx_measures.persistence",
        "phi_for": "irx_measures.persistence",
        "phi_for_weight": "irx_measures.persistence",
        "rank_weight": "irx_measures.persistence",
        "rba_range": "irx_measures.persistence",
    },
    "irx_measures.meta": {
        "Agreement": "irx_measures.judging",
        "Favour": "irx_measures.judging",
        "JudgeAudit": "irx_measures.judging",
        "SystemRanking": "irx_measures.judging",
        "audit_judges": "irx_measures.judging",
    },
}
"""Old module -> name -> new module."""


def moved_name(module: str, name: str) -> Any:
    """A name of a module from its new place; AttributeError if it did not move."""
    if name not in MOVED.get(module, {}):
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    place = MOVED[module][name]
    warn(f"{module}.{name} is now {place}.{name}", DeprecationWarning)
    return getattr(import_module(place), name)
