"""The names of ir_measures and PyTerrier that the package uses exist in the installed versions.

This file does not import the package, so a name that is gone is told where the import fails too::

    pytest --noconftest tests/integrations/test_host_names.py
"""

import ast
import re
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "irx_measures"
HOSTS = {"ir_measures": "ir_measures", "pyterrier": "pyterrier", "pt": "pyterrier"}
DOTTED = re.compile(rf"({'|'.join(HOSTS)})((?:\.\w+)+)")
LIKELIEST = {  # to be moved by the hosts: they are not in what the hosts document
    "ir_measures.providers.base.NOT_PROVIDED",
    "ir_measures.util.QrelsConverter",
    "ir_measures.util.RunConverter",
    "ir_measures.util.parse_trec_measure",
    "pyterrier._evaluation",
}


def names_in(node):
    """The dotted names of the hosts that a node of a module imports, reads or writes as text."""
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.Attribute):
        return [ast.unparse(node)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def used():
    """Each name of a host, with the first file that uses it."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for dotted in filter(None, map(DOTTED.fullmatch, names_in(node))):
                found.setdefault(HOSTS[dotted[1]] + dotted[2], path.relative_to(PACKAGE.parent))
    return found


USED = used()


def value_of(name):
    """The module, or what it has; ImportError or AttributeError if there is none."""
    try:
        return import_module(name)
    except ImportError:
        parent, _, attribute = name.rpartition(".")
        if not parent:
            raise
        return getattr(value_of(parent), attribute)


def test_the_names_likeliest_to_move_are_looked_for():
    assert set(USED) >= LIKELIEST


@pytest.mark.parametrize("name", sorted(USED))
def test_the_host_has_the_name(name):
    host = name.partition(".")[0]
    if find_spec(host) is None:
        pytest.skip(f"{host} is not installed")
    try:
        value_of(name)
    except (ImportError, AttributeError) as error:
        version = metadata.version(host.replace("_", "-"))
        pytest.fail(f"{host} {version} lacks {name} ({error}); used by {USED[name]}", pytrace=False)
