"""The public names by module: the reference lists them, and tests go through them."""

from __future__ import annotations

from types import ModuleType

import irx_measures
from irx_measures import all_measures


def public_names() -> dict[str, list[str]]:
    """The names that each public module offers; the first one is the package."""
    offered = {name: getattr(irx_measures, name) for name in dir(irx_measures)}
    modules = {name: one for name, one in offered.items() if isinstance(one, ModuleType)}
    names = {"irx_measures": [name for name in offered if name not in {*modules, "__version__"}]}
    for name, module in modules.items():
        names[f"irx_measures.{name}"] = [*module.__all__]
    return names


def in_reference() -> dict[str, list[str]]:
    """The public names with a page in the reference; a measure stands on the page of its paper."""
    measures = {measure.NAME for measure in all_measures()}
    return {
        module: [name for name in names if name not in measures]
        for module, names in public_names().items()
    }
