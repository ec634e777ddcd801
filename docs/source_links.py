"""Links to sources: to the module that defines a public object, which is not its ``__module__``."""

from __future__ import annotations

from typing import Any

from irx_measures.common.short_paths import DEFINED_IN


def setup(app: Any) -> dict[str, bool]:
    app.connect("viewcode-follow-imported", _defining_module)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _defining_module(app: Any, module: str, name: str) -> str | None:
    """The module of a public object or of its member; None: viewcode finds it by itself."""
    return DEFINED_IN.get(f"{module}.{name.partition('.')[0]}")
