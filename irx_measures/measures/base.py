"""What all measures share: checked parameters, one canonical repr, one score per query."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter, Signature, getdoc
from itertools import chain
from typing import Any, ClassVar

import ir_measures
import numpy as np
from ir_measures.measures import ParamInfo

from ..columns import QrelsColumns
from ..judged_run import JudgedRun, Judgments
from ..kernels.user_models import FloatArray, IntArray, graded_gain

HIGHEST_EXPONENT = 1000
WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]*")


@dataclass(frozen=True)
class Allowed:
    """What a parameter may be: `normal` gives the value as kept, or raises ValueError.

    Attributes
    ----------
    text
        Completes "must ...".
    """

    text: str
    normal: Callable[[Any], Any]


class Param(ParamInfo):
    """A parameter of a measure: what it may be, its default, and what it means."""

    def __init__(self, allowed: Allowed, default: Any, desc: str) -> None:
        super().__init__(default=default, desc=desc)
        self.allowed = allowed

    def validate(self, value: Any) -> bool:
        """Values were checked when the measure was made."""
        return True


def _refuse(value: Any) -> Any:
    raise ValueError(value)


def one_of(*choices: str) -> Allowed:
    """One of some words."""
    return Allowed(
        f"be one of {', '.join(map(repr, choices))}",
        lambda value: str(value) if isinstance(value, str) and value in choices else _refuse(value),
    )


def whole(low: int, high: int | None = None) -> Allowed:
    """A whole number of at least `low`, and of at most `high` where given."""

    def normal(value: Any) -> int:
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
            return _refuse(value)
        return int(value) if low <= value and (high is None or value <= high) else _refuse(value)

    limits = f"of at least {low}" if high is None else f"from {low} to {high}"
    return Allowed(f"be a whole number {limits}", normal)


def real(low: float, high: float, *, closed: bool) -> Allowed:
    """A number between `low` and `high`, with them or without."""

    def normal(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            return _refuse(value)
        number = float(value)
        inside = low <= number <= high if closed else low < number < high
        return number if inside and math.isfinite(number) else _refuse(value)

    interval = f"[{low:g}, {high:g}]" if closed else f"({low:g}, {high:g})"
    return Allowed(f"lie in {interval}", normal)


def flag() -> Allowed:
    """True or False."""
    return Allowed("be True or False", lambda v: v if isinstance(v, bool) else _refuse(v))


def either(*kinds: Allowed) -> Allowed:
    """Any of several kinds of value."""

    def normal(value: Any) -> Any:
        for kind in kinds:
            try:
                return kind.normal(value)
            except ValueError:
                continue
        return _refuse(value)

    return Allowed(" or ".join(kind.text for kind in kinds), normal)


def optional(kind: Allowed) -> Allowed:
    """A kind of value, or None."""
    none = Allowed("be None", lambda value: None if value is None else _refuse(value))
    return either(none, kind)


CUTOFF = Param(whole(1), None, "Only the first `cutoff` documents of a ranking count: `@k`.")


class Measure(ir_measures.Measure):
    """A named, hashable declaration that turns a judged run into one score per query.

    Subclasses state `NAME`, `PARAMS`, `RANGE`, `CITATION`, a numpydoc docstring, and `score`.

    Attributes
    ----------
    PARAMS
        Parameters beside the cutoff, in the order of the repr.
    RANGE
        Least and greatest score, infinite where there is no bound.
    NEEDS_CUTOFF
        Whether there is no score without ``@k``.
    CITATION
        The paper.
    """

    PARAMS: ClassVar[dict[str, Param]] = {}
    RANGE: ClassVar[tuple[float, float]] = (0.0, 1.0)
    NEEDS_CUTOFF: ClassVar[bool] = False
    CITATION: ClassVar[str] = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.SUPPORTED_PARAMS = {**cls.PARAMS, cls.AT_PARAM: CUTOFF}
        # What help(), completion and the reference show; the measures are called as classes are.
        cls.__signature__ = Signature(
            [
                Parameter(name, Parameter.KEYWORD_ONLY, default=param.default)
                for name, param in cls.SUPPORTED_PARAMS.items()
            ]
        )

    def __init__(self, **params: Any) -> None:
        super().__init__(**{name: self._checked(name, value) for name, value in params.items()})

    @property
    def __name__(self) -> str:
        """The name in measure strings; ir_measures asks instances for it."""
        return str(self.NAME)

    def _checked(self, name: str, value: Any) -> Any:
        param = self.SUPPORTED_PARAMS.get(name)
        if param is None:
            known = ", ".join(f"`{known}`" for known in self.SUPPORTED_PARAMS)
            raise ValueError(f"{self.NAME} has no parameter `{name}`; it has {known}")
        if value is None and param.default is None:
            return None
        try:
            return param.allowed.normal(value)
        except ValueError as error:
            got = error if not isinstance(value, (str, int, float)) and str(error) else repr(value)
            raise ValueError(
                f"{self.NAME}: `{name}` must {param.allowed.text}; got {got}"
            ) from None

    def validate_params(self) -> None:
        """Check what can only be checked when the measure is used.

        Raises
        ------
        ValueError
            When the measure needs a cutoff and has none, or parameters contradict each other.
        """
        if self.NEEDS_CUTOFF and self["cutoff"] is None:
            raise ValueError(f"{self.NAME} needs a cutoff, as in {self.NAME}@10")

    def __getitem__(self, key: str) -> Any:
        return self.params.get(key, self.SUPPORTED_PARAMS[key].default)

    def __repr__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        """The repr, which ir_measures asks for with every score: it is what measures hash by."""
        given = [
            f"{name}={_spelled(self[name])}"
            for name, param in self.PARAMS.items()
            if self[name] != param.default
        ]
        arguments = f"({','.join(given)})" if given else ""
        at = "" if self["cutoff"] is None else f"@{self['cutoff']}"
        return f"{self.NAME}{arguments}{at}"

    @property
    def of_all_queries(self) -> bool:
        """Whether the score of a query depends on the queries evaluated with it."""
        return False

    def reference_query_ids(self) -> tuple[str, ...]:
        """Queries that the measure can score where there are no qrels at all."""
        return ()

    def score(self, judged: JudgedRun) -> FloatArray:
        """Scores of one run.

        Returns
        -------
        (queries,) floats, in the order of the judgments' queries; never NaN.
        """
        raise NotImplementedError


def gain_of(measure: Measure, grade: IntArray) -> FloatArray:
    """Graded gain by a measure's `dcg`.

    Raises
    ------
    ValueError
        When a grade is so high that 2^g leaves the range of a float.
    """
    highest = int(grade.max(initial=0))
    if measure["dcg"] == "exp-log2" and highest > HIGHEST_EXPONENT:
        raise ValueError(
            f"{measure.NAME}: dcg='exp-log2' takes grades to {HIGHEST_EXPONENT}; got {highest}"
        )
    return graded_gain(grade, measure["dcg"])


def _spelled(value: Any) -> str:
    if isinstance(value, str):
        return value if _is_bare(value) else repr(str(value))
    label = getattr(value, "label", None)
    return repr(value if label is None else label)


def judgments_for(
    measures: Iterable[Measure],
    qrels: QrelsColumns,
    index: Callable[[QrelsColumns], Judgments] = Judgments,
) -> Judgments:
    """The qrels as judgments; where they are empty, of the queries of the measures' references."""
    if len(qrels.grade):
        return index(qrels)
    referred = chain.from_iterable(measure.reference_query_ids() for measure in measures)
    return Judgments(qrels, tuple(dict.fromkeys(referred)))


def _is_bare(value: str) -> bool:
    """Whether a value needs no quotes: words, and numbers after the first, joined by + and -."""
    first, *rest = re.split(r"[+-]", value)
    return _is_word(first) and all(_is_word(part) or WHOLE_NUMBER.fullmatch(part) for part in rest)


def _is_word(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)


catalogue: dict[str, Measure] = {}


def register(measure: Measure) -> None:
    """Add a measure to this package's catalogue and to ir_measures' registry, once."""
    name = str(measure.NAME)
    if name not in catalogue:
        catalogue[name] = measure
        ir_measures.measures.register(measure)


@dataclass(frozen=True)
class MeasureInfo:
    """A measure's page.

    Attributes
    ----------
    name : str
        As in measure strings.
    summary : str
        The first line of the docstring.
    params : dict from name to parameter
        Each has a `default` and a `desc`.
    range : (least, greatest)
        Infinite where there is no bound.
    needs_cutoff : bool
    citation : str
    doc : str
    """

    name: str
    summary: str
    params: dict[str, Param]
    range: tuple[float, float]
    needs_cutoff: bool
    citation: str
    doc: str


def measure_info() -> list[MeasureInfo]:
    """Name, parameters and documentation of every measure of this package.

    Returns
    -------
    list of MeasureInfo

    Examples
    --------
    >>> import irx_measures
    >>> [info.name for info in irx_measures.measure_info()][:3]
    ['NRG', 'UniqueRel', 'TaSC']
    """
    return [_info(measure) for measure in catalogue.values()]


def _info(measure: Measure) -> MeasureInfo:
    doc = getdoc(type(measure)) or ""
    return MeasureInfo(
        name=str(measure.NAME),
        summary=doc.split("\n", 1)[0].rstrip("."),
        params=dict(measure.SUPPORTED_PARAMS),
        range=measure.RANGE,
        needs_cutoff=measure.NEEDS_CUTOFF,
        citation=measure.CITATION,
        doc=doc,
    )
