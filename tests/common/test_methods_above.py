"""Methods whose code stands above their class."""

import re
from pathlib import Path

import pytest

import irx_measures
from irx_measures.common.methods_above import HOMES, PACKAGE, method_above

FOLDER = Path(irx_measures.__file__).parent

SOURCES = {
    path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("*.py"))
}

ASKS = re.compile(r'(?:method_above|_with_pyterrier)\("([^"]+)"\)')

BY_NAME = re.compile(r"import_module|__import__|importlib\.reload")

# The public names, names that moved, the commands, the files of a folder, the papers' modules.
LATE_IMPORTS = {
    "common/methods_above.py",
    "common/moved.py",
    "__init__.py",
    "cli/parser.py",
    "measures/__init__.py",
    "reproductions/papers.py",
}


@pytest.mark.parametrize("method", HOMES)
def test_every_method_has_its_code(method):
    module, function = HOMES[method]
    code = method_above(method)
    assert (code.__module__, code.__name__) == (f"{PACKAGE}.{module}", function)


def test_every_method_asks_for_its_code_once():
    asked = [method for text in SOURCES.values() for method in ASKS.findall(text)]
    assert sorted(asked) == sorted(HOMES)


def test_nothing_else_imports_by_name():
    late = {path for path, text in SOURCES.items() if BY_NAME.search(text)}
    assert late == LATE_IMPORTS
