"""The base class of measures: checked parameters, one repr, one score per query; the catalogue."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from inspect import Parameter, Signature
from itertools import chain
from typing import Any, ClassVar, TypeVar

import ir_measures

from ...common.numeric import FloatArray
from ...common.short_paths import public
from ...common.writing import shown
from ...exceptions import InputError
from ...io.table import Table
from ...judgments.judged_run import JudgedRun
from ...judgments.judgments import Judgments
from .doubt import Doubt
from .explained import Documents, Reasons
from .paper import Paper
from .params import CUTOFF, Param, complete_docstring, unknown_parameter

GRADED = ("nDCG", "ERR")  # base measures that do not look at `rel`

DIGITS = re.compile(r"0|[1-9][0-9]*")


class Measure(ir_measures.Measure):
    """A named, hashable declaration that turns a judged run into one score per query.

    Subclasses declare `NAME`, `PARAMS`, `RANGE`, `PAPERS`, a numpydoc docstring, and `score`. The
    docstring's sections `Parameters`, `Returns` and `References` are generated from them.
    """

    PARAMS: ClassVar[dict[str, Param]] = {}  # other than the cutoff, in the order of the repr
    CUTOFF: ClassVar[Param] = CUTOFF  # ``@k``
    NEEDS_CUTOFF: ClassVar[bool] = False
    # The lowest and the highest score, infinite without a bound; what the docstring says after it.
    RANGE: ClassVar[tuple[float, float]] = (0.0, 1.0)
    RANGE_NOTE: ClassVar[str] = ""
    PAPERS: ClassVar[tuple[Paper, ...]] = ()  # to cite; the first one defines the measure
    COUNTS_UNJUDGED: ClassVar[bool] = True  # whether unjudged documents count as not relevant
    ADDS: ClassVar[bool] = False  # whether the score says what a run adds to other runs
    SUPPORTED_PARAMS: dict[str, Any]  # of `Param`; ir_measures declares its own ParamInfo
    __signature__: ClassVar[Signature]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.SUPPORTED_PARAMS = {**cls.PARAMS, cls.AT_PARAM: cls.CUTOFF}
        # help(), completion and the reference show this signature. Users call measures in the same
        # way as classes.
        cls.__signature__ = Signature(
            [
                Parameter(name, Parameter.KEYWORD_ONLY, default=param.default)
                for name, param in cls.SUPPORTED_PARAMS.items()
            ]
        )
        if "NAME" in cls.__dict__ and cls.__doc__:  # python -OO removes docstrings
            cls.__doc__ = complete_docstring(cls)

    def __init__(self, **params: Any) -> None:
        super().__init__(**{name: self._checked(name, value) for name, value in params.items()})

    @property
    def __name__(self) -> str:
        """The name in measure strings; ir_measures asks instances for it."""
        return str(self.NAME)

    def _checked(self, name: str, value: Any) -> Any:
        param = self.SUPPORTED_PARAMS.get(name)
        if param is None:
            raise unknown_parameter(self, name)
        if value is None and param.default is None:
            return None
        try:
            return param.allowed.convert(value)
        except ValueError as error:
            got = error if not isinstance(value, (str, int, float)) and str(error) else shown(value)
            raise InputError(
                f"{self.NAME}: `{name}` must {param.allowed.text}; got {got}"
            ) from None

    def validate_params(self) -> None:
        """InputError if a required cutoff is missing, or parameters contradict each other."""
        is_precision = "base" in self.SUPPORTED_PARAMS and self["base"] == "P"
        if self["cutoff"] is None and (self.NEEDS_CUTOFF or is_precision):
            of_base = ": base='P'" if is_precision else ""
            raise InputError(f"{self.NAME}{of_base} needs a cutoff, as in {self.NAME}@10")

    def __getitem__(self, key: str) -> Any:
        return self.params.get(key, self.SUPPORTED_PARAMS[key].default)

    def __repr__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        """The repr, cached because ir_measures hashes measures by it for every score."""
        given = [
            f"{name}={_spelled(self[name])}"
            for name, param in self.PARAMS.items()
            if self[name] != param.default
        ]
        arguments = f"({','.join(given)})" if given else ""
        at = "" if self["cutoff"] is None else f"@{self['cutoff']}"
        return f"{self.NAME}{arguments}{at}"

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return (type(self).__doc__ or "").split("\n", 1)[0].rstrip(".")

    @property
    def of_all_queries(self) -> bool:
        """Whether the score of a query depends on the queries evaluated with it."""
        return False

    @property
    def of_qrels(self) -> bool:
        """Whether the scores depend on the judged documents."""
        return True

    @property
    def counts_unjudged(self) -> bool:
        """Whether unjudged documents of a run count as not relevant, with these parameters."""
        return self.COUNTS_UNJUDGED and self.of_qrels

    @property
    def orders_ties(self) -> bool:
        """Whether scores depend on the order of documents of equal score in a run."""
        return True

    @property
    def has_rel(self) -> bool:
        """Whether `rel` is the smallest relevant grade; if not, all grades above 0 are gains."""
        graded = "base" in self.SUPPORTED_PARAMS and self["base"] in GRADED
        return "rel" in self.SUPPORTED_PARAMS and not graded

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest score with these parameters; infinite without a bound."""
        return self.RANGE

    def reference_query_ids(self) -> tuple[str, ...]:
        """The queries that the measure can score if the qrels are empty."""
        return ()

    def score(self, judged: JudgedRun) -> FloatArray:
        """Scores of one run, in the order of the judgments' queries: (queries,); never NaN.

        If the measure `is_undefined`, they are the base measure's: hosts do not accept NaN.
        """
        raise NotImplementedError

    @property
    def depths_of_set(self) -> tuple[int | None, ...]:
        """The depths at which a run without a name is looked for in the measure's set of runs."""
        return ()

    def explained(self, judged: JudgedRun) -> JudgedRun:
        """The run joined with the documents that explain its scores: judged or reference ones."""
        return judged

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        """Why a run has its score on one query, of which these are the documents.

        The documents have the columns of `explained`.
        """
        raise NotImplementedError

    def is_undefined(self, judged: JudgedRun) -> bool:
        """Whether the measure is undefined for the run."""
        return False

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        """The reasons why the scores of a run may not answer the user's question."""
        yield from ()


def _spelled(value: Any) -> str:
    """A value as written in measure strings: a bare word if possible, else a Python literal."""
    if not isinstance(value, str):
        return repr(getattr(value, "label", value))
    # Words, or a word and then words and numbers, with + or - between them.
    first, *rest = re.split(r"[+-]", value)
    is_bare = _is_word(first) and all(_is_word(part) or DIGITS.fullmatch(part) for part in rest)
    return value if is_bare else repr(str(value))


def _is_word(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)


def judgments_for(
    measures: Iterable[Measure],
    qrels: Table,
    index: Callable[[Table], Judgments] = Judgments,
) -> Judgments:
    """The qrels as judgments. Empty qrels get the queries of the measures' reference runs."""
    if len(qrels.value):
        return index(qrels)
    referred = chain.from_iterable(measure.reference_query_ids() for measure in measures)
    return Judgments(qrels, tuple(dict.fromkeys(referred)))


catalogue: dict[str, Measure] = {}

AnyMeasure = TypeVar("AnyMeasure", bound=Measure)


def register(measure: AnyMeasure) -> AnyMeasure:
    """Add a measure to this package's catalogue and to ir_measures' registry, and return it.

    Raises
    ------
    ValueError
        When this package or ir_measures already has a measure with this name.
    """
    name = str(measure.NAME)
    if name in ir_measures.measures.registry:
        raise InputError(f"there is already a measure with the name {name!r}")
    ir_measures.measures.register(measure)
    catalogue[name] = measure
    return public(measure)


@public
def all_measures() -> list[Measure]:
    """Every measure of this package.

    Returns
    -------
    list of measures
        Each has its `NAME` in measure strings, a `summary`, its `PARAMS` by name (a `default` and a
        `desc` each), its `RANGE`, whether it `NEEDS_CUTOFF`, and its `PAPERS`, of which the first
        defines it; ``help(measure)`` is its documentation.

    Examples
    --------
    >>> import irx_measures
    >>> [measure.NAME for measure in irx_measures.all_measures()][:3]
    ['NRG', 'UniqueRel', 'TaSC']
    """
    return list(catalogue.values())
