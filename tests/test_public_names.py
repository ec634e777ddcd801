"""What is public: its names, its short paths, its types, and what it hands out."""

import ast
import copy
import inspect
import pickle
import re
import typing
from importlib import import_module
from pathlib import Path

import pytest

import irx_measures
from docs.public_names import in_reference, public_names
from irx_measures import Comparison, GroupedScores, meta
from irx_measures.common.short_paths import DEFINED_IN
from irx_measures.measures.declaring.base import Measure
from tests.console import python

PACKAGE = Path(irx_measures.__file__).parent
REFERENCE = PACKAGE.parent / "docs" / "pages" / "reference.rst"


def is_called(offered):
    """Whether this is a function, a class or a measure, and no constant and no type alias."""
    return inspect.isroutine(offered) or issubclass(type(offered), (type, Measure))


OFFERED = [
    pytest.param(module, getattr(import_module(module), name), id=f"{module}.{name}")
    for module, names in public_names().items()
    for name in names
]
CALLED = [each for each in OFFERED if is_called(each.values[1])]

# Parts of what is handed out, without pages of their own: the page of the whole says what they are.
PARTS = {
    "comparison.board.Rows", "doubts.facts.Facts", "io.source.Source", "io.table.Table",
    "reproductions.material.Collection", "results.column.Column", "stats.pairs.Pairs",
    "unjudged.thresholds.Thresholds",
}  # fmt: skip


def test_the_stub_and_the_reference_have_the_same_names():
    stub = ast.parse(PACKAGE.joinpath("__init__.pyi").read_text(encoding="utf-8"))
    imported = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    modules = [
        f"irx_measures.{each.name}" for node in imported if not node.module for each in node.names
    ]
    names = [each.asname for node in imported if node.module for each in node.names]
    assert sorted(names) == sorted(public_names()["irx_measures"])
    assert {*modules, "irx_measures"} == {*public_names()}
    listed = re.findall(r"^    \{(irx_measures[.\w]*)\}$", REFERENCE.read_text(), re.MULTILINE)
    assert sorted([*listed, "irx_measures.typing"]) == sorted(in_reference())


@pytest.mark.parametrize(("module", "offered"), CALLED)
def test_its_module_is_where_users_import_it_from(module, offered):
    homes = [module]
    if isinstance(offered, Measure):  # PyTerrier, once imported, says so of all measures
        homes.append("pyterrier.measures")
    assert offered.__module__ in homes
    assert getattr(import_module(module), offered.__name__) is offered


@pytest.mark.parametrize(("module", "offered"), CALLED)
def test_type_hints_can_be_evaluated(module, offered):
    called = type(offered) if isinstance(offered, Measure) else offered
    typing.get_type_hints(called)
    if isinstance(called, type):
        typing.get_type_hints(called.__init__)


SAVED = """
import pickle, sys
with open(sys.argv[1], "rb") as file:
    print(*(type(one).__module__ for one in pickle.load(file)))
"""


def test_pickles_name_short_paths_and_are_read_by_another_process(tmp_path):
    campaign = irx_measures.simulate_campaign(systems=3, queries=9, depth=10)
    result = irx_measures.compare(campaign.qrels, campaign.runs, "nDCG@10")
    study = meta.stability(result.matrix, trials=3, fuzziness=0)
    saved = [result, result.matrix, result.boards[0], result.method, study, irx_measures.NRG @ 5]
    pickled = pickle.dumps(saved)
    for path in ("irx_measures.comparison.result", "irx_measures.meta.topic_sets"):
        assert path.encode() not in pickled
    assert pickle.loads(pickled)[:2] == [result, result.matrix]
    assert copy.deepcopy(study) == study
    assert copy.copy(irx_measures.NRG) == irx_measures.NRG
    path = tmp_path / "saved"
    path.write_bytes(pickled)
    home = ["irx_measures"] * 4
    of_measure = "irx_measures.measures.residual_gain"  # its type, which is not public
    assert python("-c", SAVED, path).stdout.split() == [*home, "irx_measures.meta", of_measure]


def written_examples(node, name):
    """The names under a module or class whose docstrings have examples."""
    if ">>> " in (ast.get_docstring(node) or ""):
        yield name
    if not isinstance(node, ast.FunctionDef):
        for inner in node.body:
            if isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                yield from written_examples(inner, f"{name}.{inner.name}")


@pytest.mark.whole
def test_pytest_collects_every_example_where_it_is_written():
    """doctest looks for a public object's examples in its ``__module__``: see conftest.py."""
    written = set()
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE.parent)
        parts = [part for part in place.with_suffix("").parts if part != "__init__"]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = written_examples(tree, ".".join(parts))
        written |= {f"{place.as_posix()}::{name}" for name in names}
    options = ("--collect-only", "-q", "-p", "no:cacheprovider", "--ignore-glob=*.rst")
    done = python("-m", "pytest", *options, PACKAGE, cwd=PACKAGE.parent)
    collected = [line for line in done.stdout.splitlines() if "::" in line]
    assert sorted(collected) == sorted(written)
    assert len(written) > 70


@pytest.mark.slow
def test_sources_are_found():
    """Those of functions; Python looks for the source of a class in its ``__module__`` only."""
    for path, module in DEFINED_IN.items():
        home, _, name = path.rpartition(".")
        offered = inspect.unwrap(getattr(import_module(home), name))
        if inspect.isfunction(offered):
            assert f"def {name}(" in inspect.getsource(offered)
            assert inspect.getsourcefile(offered) == import_module(module).__file__


# What is handed out


def classes_in(hint):
    """The classes of the package that a type names."""
    if isinstance(hint, type) and hint.__module__.startswith("irx_measures"):
        yield hint
    for part in typing.get_args(hint):
        yield from classes_in(part)


def handed_out_by(offered):
    """The classes that a public function returns, or the fields and methods of a class."""
    known = {
        "Comparison": Comparison,
        "GroupedScores": GroupedScores,
        "Unpack": typing.Optional,
    }
    if not isinstance(offered, type):
        hints = [typing.get_type_hints(inspect.unwrap(offered), localns=known).get("return")]
    else:
        fields = typing.get_type_hints(offered, localns=known)
        hints = [hint for name, hint in fields.items() if not name.startswith("_")]
        for name, member in inspect.getmembers(offered):
            function = getattr(member, "fget", getattr(member, "func", member))
            if not name.startswith("_") and inspect.isroutine(function) and function.__doc__:
                hints.append(typing.get_type_hints(function, localns=known).get("return"))
    for hint in hints:
        yield from classes_in(hint)


def test_what_is_handed_out_is_public():
    public = {each.values[1] for each in CALLED}
    private = {
        one
        for each in CALLED
        if not isinstance(each.values[1], Measure) and each.values[0] != "irx_measures.typing"
        for one in handed_out_by(each.values[1])
        if not issubclass(one, Measure) and one not in public
    }
    names = {f"{one.__module__}.{one.__name__}".removeprefix("irx_measures.") for one in private}
    assert names == PARTS
