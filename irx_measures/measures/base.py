"""What all measures share: checked parameters, one canonical repr, one score per query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from inspect import Parameter, Signature
from itertools import chain
from typing import Any, ClassVar

import ir_measures

from ..common.arrays import FloatArray
from ..exceptions import InputError
from ..io.columns import QrelsColumns
from ..judgments.judged_run import JudgedRun
from ..judgments.judgments import Judgments
from .citations import Paper
from .docstrings import complete_docstring
from .doubts import Doubt
from .params import CUTOFF, Param
from .spelling import spell_value


class Measure(ir_measures.Measure):
    """A named, hashable declaration that turns a judged run into one score per query.

    Subclasses state `NAME`, `PARAMS`, `RANGE`, `PAPERS`, a numpydoc docstring, and `score`. The
    docstring's sections `Parameters` and `References` are made from `PARAMS` and `PAPERS`.

    Attributes
    ----------
    PARAMS
        Parameters beside the cutoff, in the order of the repr.
    CUTOFF
        The cutoff, ``@k``.
    NEEDS_CUTOFF
        Whether there is no score without ``@k``.
    RANGE
        Least and greatest score, infinite where there is no bound.
    PAPERS
        What to cite, the paper that defines the measure first.
    """

    PARAMS: ClassVar[dict[str, Param]] = {}
    CUTOFF: ClassVar[Param] = CUTOFF
    RANGE: ClassVar[tuple[float, float]] = (0.0, 1.0)
    NEEDS_CUTOFF: ClassVar[bool] = False
    PAPERS: ClassVar[tuple[Paper, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.SUPPORTED_PARAMS = {**cls.PARAMS, cls.AT_PARAM: cls.CUTOFF}
        # What help(), completion and the reference show; the measures are called as classes are.
        cls.__signature__ = Signature(
            [
                Parameter(name, Parameter.KEYWORD_ONLY, default=param.default)
                for name, param in cls.SUPPORTED_PARAMS.items()
            ]
        )
        if "NAME" in cls.__dict__ and cls.__doc__:  # there are no docstrings under python -OO
            required = cls.AT_PARAM if cls.NEEDS_CUTOFF else None
            cls.__doc__ = complete_docstring(
                cls.__doc__, cls.SUPPORTED_PARAMS, cls.PAPERS, required
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
            raise InputError(f"{self.NAME} has no parameter `{name}`; it has {known}")
        if value is None and param.default is None:
            return None
        try:
            return param.allowed.convert(value)
        except ValueError as error:
            got = error if not isinstance(value, (str, int, float)) and str(error) else repr(value)
            raise InputError(
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
            raise InputError(f"{self.NAME} needs a cutoff, as in {self.NAME}@10")

    def __getitem__(self, key: str) -> Any:
        return self.params.get(key, self.SUPPORTED_PARAMS[key].default)

    def __repr__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        """The repr, which ir_measures asks for with every score: it is what measures hash by."""
        given = [
            f"{name}={spell_value(self[name])}"
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
        (queries,) floats, in the order of the judgments' queries; never NaN. Where the measure
        `is_undefined`, they are those of its base measure, for hosts that cannot take NaN.
        """
        raise NotImplementedError

    def is_undefined(self, judged: JudgedRun) -> bool:
        """Whether the run has no score."""
        return False

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        """Why the scores of a run may not answer the question asked."""
        yield from ()


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
