"""Every numeric constant of the package says where its value comes from, at the constant."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

import irx_measures

PACKAGE = Path(irx_measures.__file__).parent


def is_number(value):
    """Whether an expression is made of numbers alone: ``-1``, ``1 << 20`` or ``(1, 2.5)``."""
    if isinstance(value, ast.Constant):
        return type(value.value) in (int, float)
    if isinstance(value, ast.UnaryOp):
        return is_number(value.operand)
    if isinstance(value, ast.BinOp):
        return is_number(value.left) and is_number(value.right)
    return isinstance(value, ast.Tuple) and bool(value.elts) and all(map(is_number, value.elts))


def names_of(target):
    """The names that an assignment sets."""
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def is_docstring(statement):
    """Whether a statement is only a string."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def unexplained(source):
    """The constants of a module that have no comment on their lines or above, and no docstring."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.start[0]: token for token in tokens if token.type == tokenize.COMMENT}
    body = ast.parse(source).body
    for statement, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
            continue
        targets = getattr(statement, "targets", None) or [statement.target]
        names = [name for target in targets for name in names_of(target)]
        if not all(name.isupper() for name in names) or not is_number(statement.value):
            continue
        above = comments.get(statement.lineno - 1)
        explained = (
            any(line in comments for line in range(statement.lineno, statement.end_lineno + 1))
            or (above is not None and above.line.lstrip().startswith("#"))
            or is_docstring(following)
        )
        if not explained:
            yield ", ".join(names)


@pytest.mark.slow
def test_every_numeric_constant_is_explained():
    found = {
        str(path.relative_to(PACKAGE)): names
        for path in sorted(PACKAGE.rglob("*.py"))
        if (names := list(unexplained(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


def test_comments_beside_above_and_below_explain_a_constant():
    source = '''\
BESIDE = 1 << 20  # bytes
# Above.
ABOVE: int = -1
BELOW = 2.5
"""Below."""
SPREAD = (
    1,
    2,  # inches
)
LOWER, UPPER = 0.1, 0.9
PLAIN = 3
WORD = "text"
count = 3
'''
    assert list(unexplained(source)) == ["LOWER, UPPER", "PLAIN"]


def test_a_comment_of_the_constant_above_does_not_explain_the_next():
    assert list(unexplained("FIRST = 1  # bytes\nSECOND = 2\n")) == ["SECOND"]
