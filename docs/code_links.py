"""Links from code in prose: ``evaluate``, ``NRG@10``, ``pt.Experiment`` or ``irx meta power``.

Docstrings and pages write names as plain code, without roles of Sphinx. This extension links them
to the page of the object, measure or command, here or in the other projects' documentation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.ext.intersphinx import resolve_reference_any_inventory
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import find_pending_xref_condition, make_refnode

from docs.command_pages import FOLDER as COMMANDS
from docs.command_pages import page_name
from docs.type_names import NAMED
from irx_measures import measure_info

PACKAGE = "irx_measures"

# How other projects' names begin in our text, and their modules.
MODULES = {
    "ir_measures": "ir_measures",
    "matplotlib": "matplotlib",
    "np": "numpy",
    "numpy": "numpy",
    "pandas": "pandas",
    "pd": "pandas",
    "pt": "pyterrier",
    "pyterrier": "pyterrier",
}

TYPES = ("class", "data", "exception", "type")  # kinds of objects that annotations name

NAME = re.compile(r"[A-Za-z_][\w.]*(\(\))?")

MEASURE = re.compile(r"(\w+)(\(.*\))?(@\w+)?")

AFTER_CODEAUTOLINK = 495  # it reads a page at 490

WITHOUT_LINKS = (nodes.reference, nodes.title, addnodes.pending_xref, addnodes.desc_signature)


def setup(app: Any) -> dict[str, bool]:
    app.add_post_transform(CodeLinks)
    app.connect("builder-inited", _find_generated_pages)
    app.connect("doctree-read", _leave_out_the_gallery, priority=AFTER_CODEAUTOLINK)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _find_generated_pages(app: Any) -> None:
    """Let sphinx-codeautolink, which is loaded next, know the pages that autosummary wrote."""
    app.env.find_files(app.config, app.builder)


def _leave_out_the_gallery(app: Any, _: nodes.document) -> None:
    """Take the gallery from sphinx-codeautolink: sphinx-gallery links its code itself."""
    if app.env.docname.startswith("gallery/"):
        getattr(app.env, "sphinx_codeautolink_transforms", {}).pop(app.env.docname, None)


class CodeLinks(SphinxPostTransform):
    """Link code in prose to what it names."""

    default_priority = 9  # before Sphinx resolves its own references

    def run(self, **_: Any) -> None:
        self.objects = self.env.get_domain("py").objects
        self.by_last_name = _by_last_name(self.objects)
        for reference in list(self.document.findall(addnodes.pending_xref)):
            if reference.get("refdomain") == "py":
                self._complete(reference)
        for literal in list(self.document.findall(nodes.literal)):
            if not any(isinstance(above, WITHOUT_LINKS) for above in _ancestors(literal)):
                self._link(literal)

    def _complete(self, reference: addnodes.pending_xref) -> None:
        """Give a reference the full name of its object; a type in words becomes plain text."""
        name = reference["reftarget"]
        if name in NAMED:
            name = reference["reftarget"] = NAMED[name]
            reference["reftype"] = "obj"
        named = [full for full in self.by_last_name[name] if self.objects[full].objtype in TYPES]
        if name not in self.objects and len(named) == 1:
            reference["reftarget"] = named[0]
        elif any(isinstance(above, nodes.field_list) for above in _ancestors(reference)) and not (
            name in self.objects or self._elsewhere(name, nodes.literal())
        ):
            words = find_pending_xref_condition(reference, "*") or reference
            reference.replace_self(words.children)

    def _link(self, literal: nodes.literal) -> None:
        text = literal.astext()
        found = self._command(text, literal)
        if found is None and NAME.fullmatch(text):
            found = self._object(text.removesuffix("()"), literal)
        if found is None:
            found = self._measure(text, literal)
        if found is not None:
            literal.replace_self(found)

    def _command(self, text: str, literal: nodes.literal) -> nodes.Node | None:
        """The page of the longest command that the text begins with."""
        words = text.split() if text.startswith("irx ") else []
        for length in range(len(words), 1, -1):
            page = f"{COMMANDS}/{page_name(' '.join(words[:length]))}"
            if page in self.env.found_docs:
                return self._to(page, "", literal, " ".join(words[:length]))
        return None

    def _measure(self, text: str, literal: nodes.literal) -> nodes.Node | None:
        """The page of a measure that is written with parameters or a cutoff."""
        found = MEASURE.fullmatch(text)
        if found is None or found[1] not in MEASURES:
            return None
        page = f"measures/{found[1]}"
        if page not in self.env.found_docs:
            return self._to_object(f"{PACKAGE}.{found[1]}", literal)
        return self._to(page, "", literal, found[1])

    def _object(self, name: str, literal: nodes.literal) -> nodes.Node | None:
        if name in MEASURES:
            return None
        scopes = list(_scopes(literal))
        if any(name in parameters for _, parameters in scopes):
            return None
        first, _, rest = name.partition(".")
        if rest and first in MODULES:
            return self._elsewhere(f"{MODULES[first]}.{rest}", literal)
        within = [scope for scope, _ in scopes]
        for candidate in (*(f"{scope}.{name}" for scope in within), name, f"{PACKAGE}.{name}"):
            if candidate in self.objects:
                return None if candidate in within else self._to_object(candidate, literal)
        named = self.by_last_name[name]
        return self._to_object(named[0], literal) if len(named) == 1 else None

    def _elsewhere(self, name: str, literal: nodes.literal) -> nodes.Node | None:
        reference = addnodes.pending_xref("", refdomain="py", reftype="obj", reftarget=name)
        return resolve_reference_any_inventory(self.env, False, reference, literal.deepcopy())

    def _to_object(self, name: str, literal: nodes.literal) -> nodes.Node | None:
        entry = self.objects[name]
        return self._to(entry.docname, entry.node_id, literal, name)

    def _to(
        self, page: str, anchor: str, literal: nodes.literal, title: str
    ) -> nodes.reference | None:
        """A link to a page; None on the page itself, unless the link names a place there."""
        here = self.env.docname
        if page == here and not anchor:
            return None
        return make_refnode(self.app.builder, here, page, anchor, literal.deepcopy(), title)


MEASURES = frozenset(measure.NAME for measure in measure_info())


def _by_last_name(objects: dict[str, Any]) -> defaultdict[str, list[str]]:
    """Full names by the part after the last dot."""
    names = defaultdict(list)
    for name, entry in objects.items():
        if not entry.aliased:
            names[name.rpartition(".")[2]].append(name)
    return names


def _ancestors(node: nodes.Node) -> Iterator[nodes.Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _scopes(node: nodes.Node) -> Iterator[tuple[str, set[str]]]:
    """The documented objects around a node and their modules, with the parameters' names."""
    for above in _ancestors(node):
        if isinstance(above, addnodes.desc) and above["domain"] == "py":
            for signature in above.findall(addnodes.desc_signature):
                if signature.parent is not above:
                    continue
                parameters = {
                    name.astext()
                    for parameter in signature.findall(addnodes.desc_parameter)
                    for name in parameter.findall(addnodes.desc_sig_name)
                }
                module = signature.get("module") or ""
                yield f"{module}.{signature['fullname']}", parameters
                yield module, set()
