"""Functions stay short and plain, and public names are documented whole.

The lists name today's exceptions. They may only shrink: a new exception fails, and so does an entry
that is an exception no longer.
"""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

import irx_measures
from docs.public_names import public_names
from irx_measures import persistence
from irx_measures.measures.declaring.base import Measure

PACKAGE = Path(irx_measures.__file__).parent

MOST_WAYS = 10
MOST_LINES = 50

WITH_MORE_WAYS = ""

WITH_MORE_LINES = """
"""

WITHOUT_PARAMETERS = ""

WITHOUT_RETURNS = ""

WITHOUT_RAISES = ""

WITHOUT_EXAMPLE = ""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case, ast.Assert)


def inside(function):
    """The nodes of a function, but not those of functions that are defined in it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def ways(function):
    """How many ways lead through a function: one, and one more for each branch.

    A comprehension counts by its filters only, and ``a and b`` by its operators.
    """
    count = 1
    for node in inside(function):
        if isinstance(node, BRANCHES):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += len(node.ifs)
    return count


def lines(function):
    """How many lines a function has from its `def` on, without those of its docstring."""
    count = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        count -= docstring.end_lineno - docstring.lineno + 1
    return count


def functions_of(tree, prefix=""):
    """(qualified name, function) of every function under a node, however deep it is defined."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):  # holds no definition
            continue
        named = isinstance(node, (*FUNCTIONS, ast.ClassDef))
        name = f"{prefix}{node.name}" if named else prefix
        if isinstance(node, FUNCTIONS):
            yield name, node
        yield from functions_of(node, f"{name}." if named else prefix)


@pytest.fixture(scope="module")
def functions():
    """(``module:function``, function) of every function of the package."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for name, function in functions_of(ast.parse(path.read_text(encoding="utf-8"))):
            found.append((f"{module}:{name}", function))
    return found


def assert_only(exceptions, listed):
    """These exceptions are those of a list; what the message calls extra must leave the code."""
    assert sorted(exceptions) == sorted(listed.split())


FUNCTION = """
def function(values, flag=None or 0):
    '''Two lines
    of docstring.'''
    if flag and values or None:
        return [value for value in values if value if value > 1]
    elif flag:
        pass
    for value in values:
        assert value
    while (value := 1 if flag else 2):
        try:
            pass
        except ValueError:
            pass
    match flag:
        case 1:
            pass
        case _:
            pass

    def inner():
        return 1 if flag else 2

    return lambda: 1 if flag else 2
"""


def test_ways_and_lines_are_counted():
    (name, function), (inner_name, inner) = functions_of(ast.parse(FUNCTION))
    assert (name, inner_name) == ("function", "function.inner")
    operators, filters, branches = (
        3,
        2,
        9,
    )  # two ifs, for, assert, while, ternary, except, two cases
    assert ways(function) == 1 + operators + filters + branches
    assert ways(inner) == 2
    assert lines(function) == len(FUNCTION.strip().splitlines()) - 2
    assert lines(inner) == 2


@pytest.mark.slow
def test_functions_have_few_branches(functions):
    found = {name for name, function in functions if ways(function) > MOST_WAYS}
    assert_only(found, WITH_MORE_WAYS)


@pytest.mark.slow
def test_functions_are_short(functions):
    found = {name for name, function in functions if lines(function) > MOST_LINES}
    assert_only(found, WITH_MORE_LINES)


def public_callables():
    """(name, function or class) of everything public that is called. A measure is its class."""
    for module, names in public_names().items():
        if module == "irx_measures.typing":
            continue
        for name in names:
            called = getattr(import_module(module), name)
            if callable(called):
                path = f"{module}.{name}".removeprefix("irx_measures.")
                yield path, type(called) if isinstance(called, Measure) else called


def sections(called):
    """The text of each section of a docstring, by its title."""
    doc = inspect.getdoc(called) or ""
    _, *parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}$", doc, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def described(section):
    """The names that a section describes: of ``a, *b : float``, a and b."""
    heads = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", section, re.MULTILINE)
    return {name.strip(" *`") for head in heads for name in head.split(",")}


def parameters(called):
    """The names of a callable's parameters. Exceptions take messages, as Python's own do."""
    if isinstance(called, type) and issubclass(called, Exception):
        return set()
    return set(inspect.signature(called).parameters)


def lacks_parameters(called):
    """Whether `Parameters` leaves a parameter out. A class may have it among its `Attributes`."""
    found = sections(called)
    names = described(found.get("Parameters", ""))
    if isinstance(called, type):
        names |= described(found.get("Attributes", ""))
    return not parameters(called) <= names


def lacks_returns(called):
    """Whether `Returns` or `Yields` is missing, or says no shape of an array that is returned.

    Classes and functions that return None need neither, but measures do: they are called for
    scores.
    """
    found = sections(called)
    text = found.get("Returns") or found.get("Yields")
    if isinstance(called, type):
        return issubclass(called, Measure) and text is None
    returned = str(inspect.signature(called).return_annotation)
    if returned == "None":
        return False
    is_array = re.search(r"\b(Float|Int|Bool|ND)Array\b", returned)
    shape = r"\((\w+, ?)+(\w+)?\)"
    return text is None or bool(is_array and not re.search(shape, text))


def bodies(called):
    """The functions that run when this is called: of a class, those that construct."""
    if isinstance(called, type):
        names = ("__new__", "__init__", "__post_init__")
        found = [getattr(called, name, None) for name in names]
    else:
        found = [inspect.unwrap(called)]
    for function in found:
        module = getattr(function, "__module__", None) or ""
        if inspect.isfunction(function) and module.startswith("irx_measures"):
            yield function


def raises(called, calls=1):
    """Whether the source raises, or checks a value with ``Allowed.check``.

    So does the source of what it calls by name, ``f(...)`` or ``module.f(...)``, if this belongs to
    the package: one step further, because a function's checks often stand in another one.
    """
    for function in bodies(called):
        if "<" in inspect.getfile(function):  # written by dataclass
            continue
        for node in ast.walk(ast.parse(dedent(inspect.getsource(function)))):
            if isinstance(node, ast.Raise):
                return True
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Attribute) and node.func.attr == "check":
                return True
            inner = named_by(node.func, function.__globals__)
            if calls and callable(inner) and raises(inner, calls - 1):
                return True
    return False


def named_by(expression, names):
    """What a name, or the name of something in a module, stands for; None for other expressions."""
    if isinstance(expression, ast.Name):
        return names.get(expression.id)
    if isinstance(expression, ast.Attribute) and isinstance(expression.value, ast.Name):
        module = names.get(expression.value.id)
        return getattr(module, expression.attr, None) if inspect.ismodule(module) else None
    return None


def lacks_raises(called):
    """Whether `Raises` is missing from what raises."""
    return raises(called) and "Raises" not in sections(called)


def lacks_example(called):
    """Whether there is neither an example nor `See Also`."""
    return ">>> " not in (inspect.getdoc(called) or "") and "See Also" not in sections(called)


def test_docstrings_are_read_by_section():
    found = sections(persistence.phi_for_weight)
    assert "Raises" in found
    assert described("a, *b : float\n    Text: of both.\nc\n    d\n") == {"a", "b", "c"}
    assert raises(persistence.phi_for_weight)
    assert not raises(persistence._weight)
    assert raises(irx_measures.prediction_powered)


@pytest.mark.parametrize(
    ("is_missing", "listed"),
    [
        pytest.param(lacks_parameters, WITHOUT_PARAMETERS, id="parameters"),
        pytest.param(lacks_returns, WITHOUT_RETURNS, id="returns"),
        pytest.param(lacks_raises, WITHOUT_RAISES, id="raises"),
        pytest.param(lacks_example, WITHOUT_EXAMPLE, id="example"),
    ],
)
def test_public_names_are_documented(is_missing, listed):
    assert_only({name for name, called in public_callables() if is_missing(called)}, listed)


def test_every_public_callable_is_read():
    names = {name for name, _ in public_callables()}
    assert {"evaluate", "ScoreMatrix", "NRG", "meta.stability", "plots.save"} <= names
    assert len(names) >= 80
