"""Measure strings: ir_measures' own grammar, with bare words as values."""

from __future__ import annotations

import ast
import io
import keyword
import re
import sys
import tokenize
from collections.abc import Collection, Iterable
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import ir_measures

from ..common.nearest import did_you_mean
from ..common.writing import shown
from ..exceptions import InputError, UnknownMeasureError
from ..io.irds import IRDS, official_measures
from ..io.trec import is_dataset
from ..runsets.registry import OTHERS, KnownName, is_known
from ..runsets.sources import matching_files
from ..typing import MeasureLike, MeasuresLike
from .other_names import measure_of_other_tools
from .params import FILE, unknown_parameter
from .relative import RUNS
from .trec_names import (
    WITH_ARGUMENTS,
    is_trec_name,
    nearest_trec_names,
    trec_measures,
    with_arguments,
)

OFFICIAL = "official"  # trec_eval's name of its most important measures

LONGEST = 4096  # characters: far beyond any measure, and short enough to parse at once

HIGHEST = 2**31 - 1  # outside 1 to HIGHEST, ir_measures' providers fail or return 0

# trec_eval allocates a counter for every gain or grade up to the highest: here 128 MB.
HIGHEST_GAIN = 1 << 24

WORD = re.compile(r"[A-Za-z]+")

QUANTILE = re.compile(r"q[0-9]+")  # in stat=q97.5, which Python reads as a name and a number

# A value of letters and signs of paths, as in prior=runs/bm25.v2.run; longer ones are no names.
UNQUOTED = re.compile(r"\b(\w{1,40})\s*=\s*(?=[^,)]*[A-Za-z])([\w.*?/:~+-]{1,100})\s*(?=[,)])")

KEYWORDS = frozenset(keyword.kwlist) - {"None", "True", "False"}

# How similar a name must be for a hint: NGR and NRG are, map_cut_10 for mrr_cut.10 is not, since a
# hint that only looks similar leads to another number.
NEAR, NEAR_WITH_NUMBER = 0.65, 0.75

FORM = "a measure reads Name(parameter=value, ...)@cutoff, as in NRG(prior=others)@10"


class BareWord(str):
    """A bare word of measure strings as a Python object, so that ``pool + run`` joins names."""

    __slots__ = ()

    def __add__(self, other: str) -> BareWord:
        return BareWord(f"{self}+{other}")

    def __radd__(self, other: str) -> BareWord:
        return BareWord(f"{other}+{self}")


others = BareWord("others")

pool = BareWord("pool")

run = BareWord("run")


def parse_measure(
    measure: MeasureLike, *, allow_files: bool = True, names: Iterable[str] = ()
) -> ir_measures.Measure:
    """Parse a measure string. No file is opened or downloaded before the measure is used.

    Parameters
    ----------
    measure
        ``Name(parameter=value, ...)@cutoff``. A value is a Python literal or bare words joined by
        ``+`` or ``-``, as in ``prior=pool+run`` and ``select=best-per-group``. Every measure of
        this package and of ir_measures is known. A trec_eval name of one measure, such as
        ``ndcg_cut_10``, also works, and so do the names of ranx, mteb, sentence-transformers and
        BEIR, such as ``ndcg@10`` and ``hit_rate@5``. A Measure object is returned unchanged.
    allow_files
        Whether names of runs may be files, globs and ``irds:`` ids, which are read when the
        measure is used. Use False for untrusted strings. Then a name must be `others`, a run in
        scope, a registered set or one of `names`, and no file is read.
    names
        The names of the runs that will be compared, for ``allow_files=False``.

    Returns
    -------
    ir_measures.Measure

    Raises
    ------
    ValueError
        When the string is malformed, or a parameter is unknown or out of range.
    NameError
        When the measure is unknown, as in ir_measures. The message suggests the nearest name.

    Notes
    -----
    As in ir_measures, ``@cutoff`` overrides a ``cutoff`` in the parentheses.

    Examples
    --------
    >>> import irx_measures
    >>> irx_measures.parse_measure("NRG(prior=others, select=best-per-group)@10")
    NRG(prior=others,select=best-per-group)@10
    >>> irx_measures.parse_measure("ndcg_cut_10")
    nDCG@10
    """
    parsed = parse_measures([measure], allow_files=allow_files, names=names)
    if len(parsed) != 1:
        raise InputError(
            f"{measure!r} stands for {len(parsed)} measures, where one is expected; got "
            f"{shown(', '.join(map(str, parsed)))}"
        )
    return parsed[0]


def parse_measures(
    measures: MeasuresLike,
    *,
    allow_files: bool = True,
    names: Iterable[str] = (),
    qrels: object = None,
) -> list[ir_measures.Measure]:
    """Parse one or several measures or measure strings; see `parse_measure`.

    A trec_eval name may stand for several measures. An example is ``P_5,10``. If the qrels are an
    ir_datasets id that names official measures, ``official`` stands for these.
    """
    given: Iterable[Any]
    if isinstance(measures, (str, ir_measures.Measure)):
        given = [measures]
    elif isinstance(measures, Iterable):
        given = measures
    else:
        raise TypeError(
            f"`measures` must be measures or measure strings; got {type(measures).__name__}"
        )
    parsed = [
        measure
        for each in given
        for text in _official(qrels, each) or [each]
        for measure in _read(text)
    ]
    if allow_files:
        return parsed
    allowed = frozenset(names)
    return [_without_files(measure, allowed) for measure in parsed]


def _official(qrels: object, measure: object) -> list[Any]:
    """The dataset's own official measures, if they are asked for; empty if it names none."""
    is_asked = isinstance(measure, str) and measure.strip() == OFFICIAL
    return official_measures(qrels) if is_asked and is_dataset(qrels) else []


def _read(measure: object) -> list[ir_measures.Measure]:
    if isinstance(measure, ir_measures.Measure):
        return [measure]
    if not isinstance(measure, str):
        raise TypeError(f"a measure must be a string or a Measure; got {type(measure).__name__}")
    text = measure.strip()
    if len(text) > LONGEST:
        raise InputError(f"a measure string may have {LONGEST} characters; got {len(text)}")
    if text not in ir_measures.measures.registry and not {"@", "("}.intersection(text):
        of_trec = trec_measures(text)
        for each in of_trec:
            check_params(each, each.params)
        if of_trec:
            return of_trec
    of_others = measure_of_other_tools(text)
    if of_others is not None:
        check_params(of_others, of_others.params)
        return [of_others]
    return [_from_string(text)]


def _from_string(text: str) -> ir_measures.Measure:
    try:
        quoted = _quote_words(text)
        name, params, cutoff = _parts(_expression(quoted))
        named = {key: _value(node, quoted) for key, node in params.items()}
        at = [] if cutoff is None else [_value(cutoff, quoted)]
    except (SyntaxError, tokenize.TokenError, RecursionError, MemoryError) as error:
        nested = isinstance(error, (RecursionError, MemoryError))
        reason = "nested too deeply" if nested else str(error.args[0])
        raise InputError(
            f"cannot read measure {shown(text)}: {reason}; {FORM}{_trec_hint(text)}"
            f"{_quote_hint(text)}"
        ) from None
    known = ir_measures.measures.registry
    if name not in known:
        raise UnknownMeasureError(f"measure not found: {name}{_hint(name, text)}")
    template = known[name]
    if at:
        named[template.AT_PARAM] = at[0]
    check_params(template, named)
    for key, value in named.items():
        if takes_runs(template, key) and not isinstance(value, (str, type(None))):
            raise InputError(
                f"{name}: `{key}` must be a name in a measure string, or names joined by +; "
                f"got {shown(value)}"
            )
    return template(**named)


def _hint(name: str, text: str) -> str:
    """The nearest name of a measure, or also of trec_eval if the text is only a name."""
    if is_trec_name(name):  # as in gm_map or ndcg_cut@10: a similar name is another measure
        spelled = with_arguments(name, text.rpartition("@")[2])
        return f"; did you mean {spelled}?" if spelled else ""
    if name != text:
        return _mistyped(name, registered_names())
    if WITH_ARGUMENTS.fullmatch(text):  # a name without the number is another measure
        return _trec_hint(text)
    return _mistyped(name, registered_names() | nearest_trec_names())


def _mistyped(name: str, spelled: dict[str, str]) -> str:
    """The known name of about the same length that is near."""
    near = {lower: word for lower, word in spelled.items() if abs(len(lower) - len(name)) <= 2}
    return did_you_mean(name, near, NEAR)


def _trec_hint(text: str) -> str:
    """The nearest measure with the number in a text that reads like ``ndcg_5`` or ``P5``."""
    match = WITH_ARGUMENTS.fullmatch(text)
    if match is None or is_trec_name(text):
        return ""
    name, arguments = match["name"], match["arguments"]
    spelled = {}
    if arguments.isdigit():
        spelled = {lower: f"{word}@{arguments}" for lower, word in registered_names().items()}
    for lower, word in nearest_trec_names().items():
        with_them = with_arguments(word, arguments)
        if with_them is not None:
            spelled[lower] = with_them
    return did_you_mean(name, spelled, NEAR_WITH_NUMBER)


def registered_names() -> dict[str, str]:
    """The names of all measures by their lower case. Aliases map to the first name."""
    return {name.lower(): name for name in reversed(ir_measures.measures.registry)}


def takes_runs(measure: ir_measures.Measure, param: str) -> bool:
    """Whether the measure has this parameter, and the parameter takes a set of runs."""
    return getattr(measure.SUPPORTED_PARAMS.get(param), "allowed", None) is RUNS


def _without_files(measure: ir_measures.Measure, names: frozenset[str]) -> ir_measures.Measure:
    """The measure with names that never refer to files. An unknown name raises InputError."""
    known = {}
    for param, info in measure.SUPPORTED_PARAMS.items():
        if getattr(info, "allowed", None) is FILE and measure[param] is not None:
            raise InputError(
                f"{measure.NAME}: `{param}` is a file, and files are not allowed here; "
                f"got {measure[param]!r}"
            )
        value = measure[param] if takes_runs(measure, param) else None
        if not isinstance(value, str):
            continue
        if not is_known(value, names):
            hint = did_you_mean(value, {name.lower(): name for name in names})
            raise InputError(
                f"{measure.NAME}: `{param}` must be {OTHERS!r} or a registered set, since files "
                f"are not allowed here; got {value!r}{hint}"
            )
        known[param] = KnownName(value)
    return measure(**known) if known else measure


class NamedFiles(NamedTuple):
    """What a measure names outside of the registry.

    Attributes
    ----------
    runs
        Paths, globs and ``irds:`` ids of runs.
    qrels
        Paths of qrels of machines.
    """

    runs: list[str]
    qrels: list[str]


def files_named(measure: ir_measures.Measure, names: Collection[str]) -> NamedFiles:
    """The files and ids that a measure names; `names` are known names of runs."""
    named = NamedFiles([], [])
    for param, info in measure.SUPPORTED_PARAMS.items():
        if getattr(info, "allowed", None) is FILE and measure[param] is not None:
            named.qrels.append(str(measure[param]))
        value = measure[param] if takes_runs(measure, param) else None
        if isinstance(value, str) and not is_known(value, names):
            parts = [value] if _is_source(value) else value.split("+")
            named.runs.extend(part for part in parts if not is_known(part, names))
    return named


def _is_source(name: str) -> bool:
    return name.startswith(IRDS) or bool(matching_files(name))


def _expression(text: str) -> ast.expr:
    try:
        expression = ast.parse(text, mode="eval").body
    except ValueError:  # a null character, or a lone surrogate
        raise SyntaxError("not text") from None
    for node in ast.walk(expression):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            _check_digits(node.value)
    return expression


def _check_digits(number: int) -> None:
    """Reject integers that overflow as floats, or that Python cannot write."""
    try:
        float(number)
    except OverflowError:
        raise SyntaxError(f"a number has more than {sys.float_info.max_10_exp} digits") from None


def _quote_words(text: str) -> str:
    """Quote bare words that are not Python names, as in ``ties=break`` and ``stat=q97.5``."""
    if not (KEYWORDS.intersection(WORD.findall(text)) or QUANTILE.search(text)):
        return text
    line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    quoted = text
    for token, following in reversed(list(pairwise(tokens))):
        if token.type != tokenize.NAME:
            continue
        word = token.string
        if QUANTILE.fullmatch(word) and following.type == tokenize.NUMBER:
            word += following.string if token.end == following.start else ""
        if word in KEYWORDS or word != token.string:
            start = line_starts[token.start[0] - 1] + token.start[1]
            quoted = f"{quoted[:start]}{word!r}{quoted[start + len(word) :]}"
    return quoted


def _parts(
    expression: ast.expr,
) -> tuple[str, dict[str, ast.expr], ast.expr | None]:
    cutoff: ast.expr | None = None
    if isinstance(expression, ast.Tuple):
        raise SyntaxError("separate measures by spaces, and in Python give a list")
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
            f"cannot read {shown(source)} in measure {shown(text)}: a value is a number, a "
            f"quoted string, or words joined by + or -{_quote_hint(text)}"
        ) from None


def _quote_hint(text: str) -> str:
    """How to write the first value that needs quotes, such as the name of a file."""
    for param, value in UNQUOTED.findall(text):
        try:
            _value(_expression(_quote_words(value)), value)
        except (SyntaxError, tokenize.TokenError, InputError):
            return f"; write {param}={value!r}"
    return ""


def _is_bare(node: ast.expr) -> bool:
    """Names joined by + and -, with whole numbers after the first: ``dl-2019+mine``."""
    while isinstance(node, ast.BinOp):
        joined = isinstance(node.op, (ast.Add, ast.Sub))
        if not (joined and (isinstance(node.right, ast.Name) or _is_integer(node.right))):
            return False
        node = node.left
    return isinstance(node, ast.Name)


def _is_integer(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def check_params(measure: ir_measures.Measure, params: dict[str, Any]) -> None:
    """Reject parameters for which ir_measures raises KeyError or crashes (nDCG@0)."""
    for param, value in params.items():
        if param not in measure.SUPPORTED_PARAMS:
            raise unknown_parameter(measure, param)
        if param == "gains" and isinstance(value, dict):
            _check_gains(measure, value)
        if param not in ("cutoff", "rel") or not isinstance(value, int):
            continue
        if isinstance(value, bool) or not 1 <= value <= HIGHEST:
            limit = f" and at most {HIGHEST}" if value > HIGHEST else ""
            raise InputError(
                f"{measure.NAME}: `{param}` must be a whole number of at least 1{limit}; "
                f"got {shown(value)}"
            )


def _check_gains(measure: ir_measures.Measure, gains: dict[Any, Any]) -> None:
    for gain in gains.values():
        if isinstance(gain, int) and gain > HIGHEST_GAIN:
            raise InputError(
                f"{measure.NAME}: `gains` must be at most {HIGHEST_GAIN}; got {shown(gain)}"
            )


def split_measures(texts: list[str]) -> list[str]:
    """Split each text into measure strings at the spaces outside brackets."""
    parts: list[str] = []
    for text in texts:
        depth, start = 0, 0
        for place, character in enumerate(text):
            depth += (character in "([{") - (character in ")]}")
            if character.isspace() and depth <= 0:
                parts.append(text[start:place])
                start = place + 1
        parts.append(text[start:])
    return [text for text in parts if text]
