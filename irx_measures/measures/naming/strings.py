"""Measure strings: ``Name(parameter=value, ...)@cutoff``. A value is a literal or a name."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from math import isinf
from pathlib import Path
from typing import Any

import ir_measures

from ...common.short_paths import public
from ...common.writing import did_you_mean, shown
from ...exceptions import InputError, UnknownMeasureError
from ...io.irds import official_measures
from ...io.trec import is_dataset
from ...runsets.registry import BACKSLASHES, OTHERS, KnownName, is_known
from ...runsets.sources import RUN_SUFFIXES
from ...typing import MeasureLike, MeasuresLike
from ..declaring.params import FILE, HIGHEST, HIGHEST_GAIN, unknown_parameter
from ..declaring.relative import RUNS
from .other_names import measures_of_other_tools

OFFICIAL = "official"  # trec_eval's name of its most important measures

LONGEST = 4096  # characters: far beyond any measure, and short enough to parse at once

# How similar a name must be for a hint, and of about which length; both begin with the same letter.
# A hint that only looks similar leads to another number: GMAP is not MAP.
NEAR, LONGER = 0.65, 2

MEASURE = re.compile(r"\s*([^\W\d]\w*)\s*(?:\((.*)\))?\s*", re.DOTALL)

PARAMETER = re.compile(r"\s*([^\W\d]\w*)\s*=(.*)", re.DOTALL)

# What needs no quotes: best-per-group, pool + run, q97.5, runs/bm25.v2.run, C:\runs\bm25.run.
NAME = r"[^\s'\"()\[\]{},;=@#+-]+"
NAMES = re.compile(rf"{NAME}(?:\s*[+-]\s*{NAME})*")

QUOTED = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|.""", re.DOTALL)  # or one character

# A path of Windows in quotes, such as 'C:\runs\bm25.run': its backslashes are no escapes.
ON_DRIVE = re.compile(r"""['"][A-Za-z]:\\(?![\\'"])""")

ESCAPE = re.compile(r"\\(.)", re.DOTALL)

ESCAPED = frozenset("\\'\"abfnrtvxuUN01234567\n")
"""What follows a backslash in an escape of Python; before another character it is a backslash."""

FORM = (
    "a measure reads Name(parameter=value, ...)@cutoff, as in NRG(prior=others)@10, with each "
    "parameter once; a value is a number, a name, names joined by + or -, or quoted text; each "
    "measure is a text of its own"
)

SEPARATORS = frozenset(", ;\t\n")  # of several measures in one text

MEASURES_LAST = "measures come after qrels and runs"

MISSING = "a measure is missing: name at least one, such as nDCG@10"


class BareWord(str):
    """A name of measure strings as a Python object, so that ``pool + run`` joins names."""

    __slots__ = ()

    def __add__(self, other: str) -> BareWord:
        return BareWord(f"{self}+{other}")

    def __radd__(self, other: str) -> BareWord:
        return BareWord(f"{other}+{self}")


others = BareWord("others")
pool = BareWord("pool")
run = BareWord("run")


@public
def parse_measure(
    measure: MeasureLike, *, allow_files: bool = True, names: Iterable[str] = ()
) -> ir_measures.Measure:
    """Parse a measure string. No file is opened or downloaded before the measure is used.

    Parameters
    ----------
    measure
        ``Name(parameter=value, ...)@cutoff``. A value is a Python literal or names joined by ``+``
        or ``-``, as in ``prior=pool+run`` and ``prior=runs/bm25.run``. A path of Windows may have
        backslashes if it begins with the letter of a drive, or has no quotes. Every measure of this
        package and of ir_measures is known. A trec_eval name of one measure, such as
        ``ndcg_cut_10``, also works, and so do the names of ranx, mteb, sentence-transformers and
        BEIR, such as ``mrr``, ``ndcg@10``, ``hit_rate@5``, and ranx's ``precision@5-l2``. A Measure
        object is returned unchanged.
    allow_files
        Whether names of runs may be files, globs and ``irds:`` ids, which are read when the
        measure is used. Use False for untrusted strings. Then a name must be `others`, a run in
        scope, a registered set or one of `names`, and no file is read.
    names
        The names of the runs that will be compared, for ``allow_files=False``.

    Returns
    -------
    ir_measures.Measure
        A measure of this package or of ir_measures, which both accept.

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
    >>> irx_measures.parse_measure("precision@5-l2")
    P(rel=2)@5
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
    parsed = [
        measure
        for each in listed(measures)
        for text in _official(qrels, each) or [each]
        for measure in _read(text)
    ]
    if allow_files:
        return parsed
    allowed = frozenset(names)
    return [_without_files(measure, allowed) for measure in parsed]


def listed(measures: MeasuresLike) -> list[Any]:
    """One or several measures or measure strings as a list; TypeError if they are other things.

    Tables and dicts are iterable, but hold qrels or runs.
    """
    if isinstance(measures, (str, ir_measures.Measure)):
        return [measures]
    is_data = isinstance(measures, Mapping) or hasattr(measures, "columns")
    if is_data or not isinstance(measures, Iterable):
        raise TypeError(f"`measures` must be measures or measure strings; got {_kind(measures)}")
    return list(measures)


def _official(qrels: object, measure: object) -> list[Any]:
    """The dataset's own official measures, if they are asked for; empty if it names none."""
    is_asked = isinstance(measure, str) and measure.strip() == OFFICIAL
    return official_measures(qrels) if is_asked and is_dataset(qrels) else []


def _read(measure: object) -> list[ir_measures.Measure]:
    if isinstance(measure, ir_measures.Measure):
        return [measure]
    if not isinstance(measure, str):
        raise TypeError(f"a measure must be a string or a Measure; got {_kind(measure)}")
    text = measure.strip()
    if not text:
        raise InputError(MISSING)
    if len(text) > LONGEST:
        raise InputError(f"a measure string may have {LONGEST} characters; got {len(text)}")
    named = measures_of_other_tools(text)
    for each in named:
        check_params(each, each.params)
    return named or [_from_string(text)]


def _kind(value: object) -> str:
    """The type of what is no measure, and where to write what the value seems to be."""
    kind = type(value).__name__
    if value is None:
        return kind
    if isinstance(value, int):
        return f"{kind} (a cutoff belongs to a measure, as in 'nDCG@10')"
    return f"{kind} ({MEASURES_LAST})"


def _from_string(text: str) -> ir_measures.Measure:
    head, *at = _split(text, "@".__eq__)
    measure = MEASURE.fullmatch(head)
    if measure is None or len(at) > 1:
        raise InputError(f"cannot read measure {shown(text)}; {_form(text)}")
    name, arguments = measure.groups()
    params = _params(arguments or "", text)
    cutoff = [_value(value, text) for value in at]
    if not all(isinstance(value, (int, float)) for value in cutoff):
        raise _unread(at[0], text)
    known = ir_measures.measures.registry
    if name not in known:
        raise UnknownMeasureError(f"measure not found: {name}{_hint(name)}")
    template = known[name]
    if cutoff:
        params[template.AT_PARAM] = cutoff[0]
    check_params(template, params)
    for param, value in params.items():
        if takes_runs(template, param) and not isinstance(value, (str, type(None))):
            allowed = "be a name in a measure string, or names joined by +"
            raise InputError(f"{name}: `{param}` must {allowed}; got {shown(value)}")
    return template(**params)


def _form(text: str) -> str:
    """How to write what a text holds instead of a measure: a file, several measures, or others."""
    if Path(text).suffix.lower() in RUN_SUFFIXES:
        return f"it reads as the name of a file; {MEASURES_LAST}"
    parts = [part for part in _split(text, SEPARATORS.__contains__) if part]
    heads = [_split(part, "@".__eq__)[0] for part in parts]
    if parts == [text] or not all(map(MEASURE.fullmatch, heads)):
        return FORM
    return f"each measure is a text of its own: {', '.join(map(shown, parts))}"


def _params(arguments: str, text: str) -> dict[str, Any]:
    parts = _split(arguments, ",".__eq__)
    if not parts[-1].strip():  # no arguments, or a comma at the end
        del parts[-1]
    params: dict[str, Any] = {}
    for part in parts:
        parameter = PARAMETER.fullmatch(part)
        if parameter is None or parameter[1] in params:
            raise _unread(part, text)
        params[parameter[1]] = _value(parameter[2], text)
    return params


def _value(value: str, text: str) -> Any:
    """A Python literal, or else names as a string."""
    try:
        return _literal(_with_backslashes(value.strip()))
    except OverflowError:
        most = f"a number has more than {sys.float_info.max_10_exp} digits"
        raise InputError(f"cannot read measure {shown(text)}: {most}; {FORM}") from None
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        names = "".join(value.split())
        if NAMES.fullmatch(value.strip()) and names.isprintable():
            return names
    raise _unread(value, text)


def _unread(part: str, text: str) -> InputError:
    why = _form(text)
    if "\\" in part:
        why = f"{BACKSLASHES}; {why}"
    return InputError(f"cannot read {shown(part.strip())} in measure {shown(text)}; {why}")


def _with_backslashes(value: str) -> str:
    """A value in which backslashes that are not escapes are doubled, as a literal has them."""
    if "\\" not in value:
        return value
    if ON_DRIVE.match(value):
        return value.replace("\\\\", "\\").replace("\\", "\\\\")
    return ESCAPE.sub(lambda found: found[0] if found[1] in ESCAPED else f"\\{found[0]}", value)


def _literal(value: str) -> Any:
    """A literal without numbers that overflow as floats, or that Python cannot write."""
    literal = ast.parse(value, mode="eval")
    constants = [node.value for node in ast.walk(literal) if isinstance(node, ast.Constant)]
    if any(isinf(value) for value in constants if isinstance(value, int | float)):
        raise OverflowError  # as for an integer, of which `isinf` makes a float
    return ast.literal_eval(literal)


def _split(text: str, separates: Callable[[str], bool]) -> list[str]:
    """The parts of a text between characters outside of brackets and quotes."""
    parts = []
    start = depth = 0
    for found in QUOTED.finditer(text):
        sign = found[0]
        if depth <= 0 and separates(sign):
            parts.append(text[start : found.start()])
            start = found.end()
        depth += (sign in "([{") - (sign in ")]}")
    return [*parts, text[start:]]


def split_measures(texts: list[str]) -> list[str]:
    """Split each text into measure strings at the spaces outside of brackets and quotes.

    InputError if a text has none, as of a variable of the shell that is not set.
    """
    if not all(text.strip() for text in texts):
        raise InputError(MISSING)
    return [part for text in texts for part in _split(text, str.isspace) if part]


def _hint(name: str) -> str:
    """The nearest measure; with the number that ends a name such as ``ndcg_5``."""
    plain = name.rstrip("0123456789")
    number = name[len(plain) :]
    at = f"@{number}" if number else ""
    near = {
        lower: f"{known}{at}"
        for lower, known in _registered_names().items()
        if abs(len(lower) - len(plain)) <= LONGER and lower[0] == plain[0].lower()
    }
    return did_you_mean(plain.rstrip("_"), near, NEAR)


def _registered_names() -> dict[str, str]:
    """The names of all measures by their lower case. Aliases map to the first name."""
    return {name.lower(): name for name in reversed(ir_measures.measures.registry)}


def takes_runs(measure: ir_measures.Measure, param: str) -> bool:
    """Whether the measure has this parameter, and the parameter takes a set of runs."""
    return getattr(measure.SUPPORTED_PARAMS.get(param), "allowed", None) is RUNS


def _without_files(measure: ir_measures.Measure, names: frozenset[str]) -> ir_measures.Measure:
    """The measure with names that never refer to files. An unknown name raises InputError."""
    known = {}
    for param, info in measure.SUPPORTED_PARAMS.items():
        value, is_file = measure[param], getattr(info, "allowed", None) is FILE
        if not isinstance(value, str) or not (is_file or takes_runs(measure, param)):
            continue
        if is_file or not is_known(value, names):
            allowed = "None" if is_file else f"{OTHERS!r} or a registered set"
            hint = did_you_mean(value, {name.lower(): name for name in names})
            raise InputError(
                f"{measure.NAME}: `{param}` must be {allowed}, since files are not allowed here; "
                f"got {value!r}{hint}"
            )
        known[param] = KnownName(value)
    return measure(**known) if known else measure


def check_params(measure: ir_measures.Measure, params: dict[str, Any]) -> None:
    """Reject parameters for which ir_measures raises KeyError or crashes (nDCG@0)."""
    for param, value in params.items():
        if param not in measure.SUPPORTED_PARAMS:
            raise unknown_parameter(measure, param)
        if param == "gains" and isinstance(value, dict):
            _check_gains(measure, value)
        elif param in ("cutoff", "rel") and isinstance(value, int):
            _check_whole(measure, param, value)


def _check_gains(measure: ir_measures.Measure, gains: dict[Any, Any]) -> None:
    highest = max((gain for gain in gains.values() if isinstance(gain, int)), default=0)
    if highest > HIGHEST_GAIN:
        raise InputError(
            f"{measure.NAME}: `gains` must be at most {HIGHEST_GAIN}; got {shown(highest)}"
        )


def _check_whole(measure: ir_measures.Measure, param: str, value: int) -> None:
    if not isinstance(value, bool) and 1 <= value <= HIGHEST:
        return
    limit = f" and at most {HIGHEST}" if value > HIGHEST else ""
    raise InputError(
        f"{measure.NAME}: `{param}` must be a whole number of at least 1{limit}; got {shown(value)}"
    )
