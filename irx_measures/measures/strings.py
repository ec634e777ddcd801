"""Measure strings: ir_measures' own grammar, with bare words as values."""

from __future__ import annotations

import ast
import difflib
import io
import keyword
import re
import tokenize
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

import ir_measures

from ..exceptions import InputError, UnknownMeasureError
from ..runsets.registry import OTHERS, is_known
from ..typing import MeasureLike, MeasuresLike
from .relative import RUNS

LONGEST = 4096

HIGHEST = 2**31 - 1  # beyond it, or below 1, ir_measures' providers fail or answer with 0

WORD = re.compile(r"[A-Za-z]+")

KEYWORDS = frozenset(keyword.kwlist) - {"None", "True", "False"}

FORM = "a measure reads Name(parameter=value, ...)@cutoff, as in NRG(prior=others)@10"


class Name(str):
    """A bare word of measure strings as a Python object, so that ``pool + run`` joins names."""

    __slots__ = ()

    def __add__(self, other: str) -> Name:
        return Name(f"{self}+{other}")

    def __radd__(self, other: str) -> Name:
        return Name(f"{other}+{self}")


others = Name("others")

pool = Name("pool")

run = Name("run")


def parse_measure(measure: MeasureLike, *, allow_files: bool = True) -> ir_measures.Measure:
    """A measure from a string.

    Parameters
    ----------
    measure
        ``Name(parameter=value, ...)@cutoff``. A value is a Python literal or bare words joined by
        ``+`` or ``-``, as in ``prior=pool+run`` and ``select=best-per-group``. Every measure of
        this package and of ir_measures is known. A measure is returned as it is.
    allow_files
        Whether names of runs may be files, globs and ``irds:`` ids, which are read when the
        measure is used. Where false, as for strings from strangers, a name must be `others` or a
        registered set.

    Returns
    -------
    ir_measures.Measure

    Raises
    ------
    ValueError
        When the string is malformed, or a parameter is unknown or out of range.
    NameError
        When there is no such measure (as in ir_measures), with the nearest name.

    Examples
    --------
    >>> import irx_measures
    >>> irx_measures.parse_measure("NRG(prior=others, select=best-per-group)@10")
    NRG(prior=others,select=best-per-group)@10
    """
    if isinstance(measure, ir_measures.Measure):
        return measure
    if not isinstance(measure, str):
        raise TypeError(f"a measure must be a string or a Measure; got {type(measure).__name__}")
    text = measure.strip()
    if len(text) > LONGEST:
        raise InputError(f"a measure string may have {LONGEST} characters; got {len(text)}")
    try:
        text = _quote_keywords(text)
        name, params, cutoff = _parts(_expression(text))
        named = {key: _value(node, text) for key, node in params.items()}
        at = [] if cutoff is None else [_value(cutoff, text)]
    except (SyntaxError, tokenize.TokenError, RecursionError, MemoryError) as error:
        nested = isinstance(error, (RecursionError, MemoryError))
        reason = "nested too deeply" if nested else str(error.args[0])
        raise InputError(f"cannot read measure {_short(text)}: {reason}; {FORM}") from None
    known = ir_measures.measures.registry
    if name not in known:
        spelled = {word.lower(): word for word in reversed(known)}
        near = difflib.get_close_matches(name.lower(), spelled, n=1, cutoff=0.5)
        hint = f"; did you mean {spelled[near[0]]}?" if near else ""
        raise UnknownMeasureError(f"measure not found: {name}{hint}")
    template = known[name]
    if at and template.AT_PARAM in named:
        raise InputError(f"{name}: `{template.AT_PARAM}` is given twice in {_short(text)}")
    if at:
        named[template.AT_PARAM] = at[0]
    check_params(template, named)
    made = template(**named)
    if not allow_files:
        _refuse_files(made)
    return made


def parse_measures(measures: MeasuresLike) -> list[ir_measures.Measure]:
    """Measures from one or several measures or measure strings; see `parse_measure`."""
    if isinstance(measures, (str, ir_measures.Measure)):
        return [parse_measure(measures)]
    if not isinstance(measures, Iterable):
        raise TypeError(
            f"`measures` must be measures or measure strings; got {type(measures).__name__}"
        )
    return [parse_measure(measure) for measure in measures]


def _refuse_files(measure: ir_measures.Measure) -> None:
    for name, param in measure.SUPPORTED_PARAMS.items():
        value = measure[name] if getattr(param, "allowed", None) is RUNS else None
        if isinstance(value, str) and not is_known(value):
            raise InputError(
                f"{measure.NAME}: `{name}` must be {OTHERS!r} or a registered set, since files are "
                f"not allowed here; got {value!r}"
            )


def _expression(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except ValueError:  # a null character, or half a surrogate pair
        raise SyntaxError("not text") from None


def _quote_keywords(text: str) -> str:
    """Bare words that mean something to Python, as in ``ties=break``, as quoted strings."""
    if not KEYWORDS.intersection(WORD.findall(text)):
        return text
    line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    quoted = text
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(text).readline))):
        if token.type == tokenize.NAME and token.string in KEYWORDS:
            start = line_starts[token.start[0] - 1] + token.start[1]
            end = start + len(token.string)
            quoted = f"{quoted[:start]}{token.string!r}{quoted[end:]}"
    return quoted


def _parts(
    expression: ast.expr,
) -> tuple[str, dict[str, ast.expr], ast.expr | None]:
    cutoff: ast.expr | None = None
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.MatMult):
        cutoff = expression.right
        expression = expression.left
    params: dict[str, ast.expr] = {}
    if isinstance(expression, ast.Call):
        if expression.args:
            raise SyntaxError("parameters must be named")
        for keyword in expression.keywords:
            if keyword.arg is None:
                raise SyntaxError("'**' has no meaning here")
            if keyword.arg in params:
                raise SyntaxError(f"parameter {keyword.arg} is given twice")
            params[keyword.arg] = keyword.value
        expression = expression.func
    if not isinstance(expression, ast.Name):
        raise SyntaxError("not a measure")
    return expression.id, params, cutoff


def _value(node: ast.expr, text: str) -> Any:
    if _is_bare(node):
        source = ast.get_source_segment(text, node) or ""
        return "".join(source.split())
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        source = ast.get_source_segment(text, node) or ""
        raise InputError(
            f"cannot read {_short(source)} in measure {_short(text)}: a value is a number, a "
            "quoted string, or words joined by + or -"
        ) from None


def _is_bare(node: ast.expr) -> bool:
    """Names joined by + and -, with whole numbers after the first: ``dl-2019+mine``."""
    while isinstance(node, ast.BinOp):
        joined = isinstance(node.op, (ast.Add, ast.Sub))
        if not (joined and (isinstance(node.right, ast.Name) or _is_whole(node.right))):
            return False
        node = node.left
    return isinstance(node, ast.Name)


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def check_params(measure: ir_measures.Measure, params: dict[str, Any]) -> None:
    """Say what is wrong where ir_measures answers with a KeyError, or crashes (nDCG@0)."""
    for param, value in params.items():
        if param not in measure.SUPPORTED_PARAMS:
            known = ", ".join(f"`{known}`" for known in measure.SUPPORTED_PARAMS) or "none"
            raise InputError(f"{measure.NAME} has no parameter `{param}`; it has {known}")
        if param not in ("cutoff", "rel") or not isinstance(value, int):
            continue
        if isinstance(value, bool) or not 1 <= value <= HIGHEST:
            limit = f" and at most {HIGHEST}" if value > HIGHEST else ""
            raise InputError(
                f"{measure.NAME}: `{param}` must be a whole number of at least 1{limit}; "
                f"got {value!r}"
            )


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def split_measures(texts: list[str]) -> list[str]:
    """Measure strings, several to a text where they are set apart by spaces outside brackets."""
    found: list[str] = []
    for text in texts:
        depth, start = 0, 0
        for place, character in enumerate(text):
            depth += (character in "([{") - (character in ")]}")
            if character.isspace() and depth <= 0:
                found.append(text[start:place])
                start = place + 1
        found.append(text[start:])
    return [text for text in found if text]
