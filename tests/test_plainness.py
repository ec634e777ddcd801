"""Functions stay short and plain, rooms light, and public names are documented whole.

The numbers of `ROOMS` and `FORMS` may only fall: a commit that raises one says in its message what
it took away for it.
"""

import ast
import inspect
import io
import re
import tokenize
from collections import Counter
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

import irx_measures
from docs.public_names import public_names
from irx_measures import persistence
from irx_measures.measures.declaring.base import Measure

PACKAGE = Path(irx_measures.__file__).parent
REPOSITORY = Path(__file__).parents[1]

# By folder of the package: how many tokens of code it may have. `files` are those in no folder. At
# the end what stands beside the package; C++ and the page (templates, style, script) are in lines.
ROOMS = {
    "cli": 20_357,
    "common": 5_527,
    "comparison": 18_796,
    "doubts": 3_268,
    "explaining": 3_484,
    "files": 4_711,
    "integrations": 5_092,
    "io": 23_998,
    "judging": 20_104,
    "judgments": 4_247,
    "kernels": 11_641,
    "measures": 31_014,
    "meta": 9_231,
    "plots": 14_735,
    "reporting": 18_607,
    "reproductions": 23_432,
    "results": 6_100,
    "runsets": 6_280,
    "scoring": 11_196,
    "stats": 9_813,
    "unjudged": 8_604,
    "native/, lines": 1_642,
    "the page, lines": 963,
    "tests/": 314_470,
}

CONDITIONALS = "conditionals inside another expression"
PARALLEL = "parallel assignments of three or more values"
UNPACKING = "assignments that unpack a generator or map"
STARS = "stars in calls"

# By form that makes a reader stop: how often it may occur in the package.
FORMS = {CONDITIONALS: 80, PARALLEL: 15, UNPACKING: 25, STARS: 120}

LAYOUT = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"}

MOST_WAYS = 10
MOST_LINES = 50

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


def tokens(text, tree):
    """How many tokens of code a file has: without comments, line ends and docstrings.

    An f-string is one token, as before Python 3.12.
    """
    count = depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_END":
            depth -= 1
        elif depth == 0 and kind not in LAYOUT:
            count += 1
        if kind == "FSTRING_START":
            depth += 1
    documented = (ast.Module, ast.ClassDef, *FUNCTIONS)
    return count - sum(
        isinstance(node, documented) and ast.get_docstring(node) is not None
        for node in ast.walk(tree)
    )


def forms(tree):
    """The name of each form that makes a reader stop, as often as it occurs."""
    plain = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.NamedExpr)
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, ast.IfExp) and not isinstance(parent, plain):
                yield CONDITIONALS
            elif isinstance(node, ast.Starred) and isinstance(parent, ast.Call):
                yield STARS
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                value = node.value
                is_map = isinstance(value, ast.Call) and ast.unparse(value.func) == "map"
                if isinstance(value, ast.Tuple) and len(value.elts) >= 3:
                    yield PARALLEL
                elif is_map or isinstance(value, ast.GeneratorExp):
                    yield UNPACKING


def parsed(folder):
    """(path in the folder, text, tree) of each of its Python files."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        yield path.relative_to(folder), text, ast.parse(text)


def lines_in(folder, *suffixes):
    """How many lines the files with these suffixes have."""
    files = [path for path in folder.rglob("*") if path.suffix in suffixes]
    return sum(path.read_text(encoding="utf-8").count("\n") for path in files)


def functions_in(tree):
    """Every function of a file, however deep it is defined."""
    return [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]


@pytest.fixture(scope="module")
def package():
    """What `parsed` gives of the package."""
    return list(parsed(PACKAGE))


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
    function, inner = functions_in(ast.parse(FUNCTION))
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
def test_functions_are_short_and_have_few_branches(package):
    assert [
        f"{path}:{function.lineno}: {ways(function)} ways, {lines(function)} lines"
        for path, _, tree in package
        for function in functions_in(tree)
        if ways(function) > MOST_WAYS or lines(function) > MOST_LINES
    ] == []


CODE = """
'''Docstring.'''
a, b, c = 1, f"{a + f'{b}'}", f(*c, d if e else 0)  # comment
d, e = map(f, c)
"""


def test_tokens_and_forms_are_counted():
    tree = ast.parse(CODE)
    assert tokens(CODE, tree) == 31
    assert Counter(forms(tree)) == Counter(FORMS.keys())


@pytest.mark.slow
def test_rooms_are_light_and_forms_that_make_a_reader_stop_are_few(package):
    found = Counter(form for _, _, tree in package for form in forms(tree))
    for path, text, tree in package:
        found[path.parts[0] if len(path.parts) > 1 else "files"] += tokens(text, tree)
    found["native/, lines"] = lines_in(REPOSITORY / "native", ".py", ".cpp")
    found["the page, lines"] = lines_in(PACKAGE / "reporting" / "report", ".html", ".css", ".js")
    of_tests = parsed(REPOSITORY / "tests")
    found["tests/"] = sum(tokens(text, tree) for _, text, tree in of_tests)
    beyond = found - Counter(ROOMS | FORMS)
    told = [f"{name}: {found[name]:,}, {more:,} too many" for name, more in beyond.items()]
    assert not told, "; ".join(told)


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
    "is_missing", [lacks_parameters, lacks_returns, lacks_raises, lacks_example]
)
def test_public_names_are_documented(is_missing):
    assert [name for name, called in public_callables() if is_missing(called)] == []


def test_every_public_callable_is_read():
    names = {name for name, _ in public_callables()}
    assert {"evaluate", "ScoreMatrix", "NRG", "meta.stability", "plots.save"} <= names
    assert len(names) >= 80
