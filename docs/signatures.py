"""Signatures with the types as they are written in the source: ``RunsLike | None``.

Sphinx would write out every union, or give up on types that are imported for type checkers only.
"""

from __future__ import annotations

import inspect
from typing import Annotated, Any, get_origin

from sphinx.addnodes import pending_xref
from sphinx.util.inspect import stringify_signature

from irx_measures import typing as types


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-signature", _as_written)
    app.connect("doctree-read", _shapes_as_words)
    for name in types.__all__:
        if get_origin(getattr(types, name)) is Annotated:
            setattr(types, name, getattr(types, name).__origin__.__forward_arg__)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _as_written(
    app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str
) -> tuple[str, str] | None:
    """The signature of a callable, with annotations that are not evaluated."""
    if signature is None or not callable(obj):
        return None
    try:
        found = inspect.signature(obj)
    except ValueError:  # a callable in C
        return None
    parameters = list(found.parameters.values())
    if what == "method" and parameters and parameters[0].name == "self":
        found = found.replace(parameters=parameters[1:])
    if what in ("class", "exception"):
        found = found.replace(return_annotation=inspect.Signature.empty)
    written, _, returned = stringify_signature(found, unqualified_typehints=True).partition(" -> ")
    return written, returned


def _shapes_as_words(app: Any, doctree: Any) -> None:
    """Words of shapes, such as topics, are no links to attributes of that name in other classes."""
    for link in doctree.findall(pending_xref):
        if link.get("refspecific") and link["reftarget"].islower():
            del link["refspecific"]  # Sphinx looks whether it is there
