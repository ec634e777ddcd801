"""accelerate(): stock ir_measures and PyTerrier score with the kernels of this package."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from threading import Lock
from typing import Any, ClassVar

import ir_measures
from ir_measures import Metric
from ir_measures.providers import Evaluator, FallbackProvider, Provider
from ir_measures.util import QrelsConverter, RunConverter

from ..common.short_paths import public
from ..exceptions import InputError
from ..io.source import source_of_data
from ..io.trec import read_qrels
from ..judgments.judged_run import JudgedRun
from ..judgments.judgments import Judgments
from ..kernels.standard import HIGHEST_GDEVAL_GRADE
from ..measures.standard import is_of_gdeval, kernel_of
from ..runsets.caches import index_qrels

# The order in which trec_eval lists the measures of a query; those of others come after them.
TREC_ORDER = (
    "NumQ", "NumRet", "NumRel", "AP", "Rprec", "Bpref", "RR", "IPrec", "P", "R", "infAP", "nDCG",
    "Success", "SetP", "SetR", "SetAP", "SetF", "Judged", "ERR",
)  # fmt: skip


@public
class accelerate:  # noqa: N801 - a context manager, named like contextlib.suppress
    """Make ir_measures and PyTerrier score ir_measures' own measures with this package's kernels.

    ``pt.Experiment``, ``ir_measures.calc_aggregate``, ``ir_measures.iter_calc`` and
    ``ir_measures.evaluator`` get faster; the scores stay the same to the last bit. The effect
    starts with the call and holds for all threads. It ends with the ``with`` block or with
    ``accelerate.restore()``; after several calls, it ends when each of them is undone.

    Notes
    -----
    - Accelerated are nDCG, AP, P, R, RR, Rprec, Bpref, infAP, IPrec, Success, SetP, SetR, SetF,
      SetAP, NumRet, NumRel, NumQ, Judged and ERR, with the parameters that ir_measures can score.
    - ERR and nDCG with ``dcg='exp-log2'`` are right for all query ids. The provider of ir_measures
      reads only the number after the last hyphen: other ids get wrong scores, or fail.
    - Input that this package rejects, such as duplicate documents, goes to the provider that scored
      it before, with the same result or error.
    - IPrec(judged_only=True) is 0 instead of NaN where a query has no relevant documents and the
      run returns only unjudged ones.
    - Every measure is scored as if it were evaluated alone. Without `accelerate`, nDCG may get the
      gains of another nDCG that is evaluated with it, and of two IPrec whose recalls agree to two
      decimal places, one is 0.
    - A provider that is asked by name, as in ``ir_measures.pytrec_eval.calc_aggregate``, is not
      replaced. An evaluator that already exists does not change.

    Examples
    --------
    >>> import ir_measures, irx_measures
    >>> run, qrels = {"q": {"A": 2.0, "B": 1.0}}, {"q": {"B": 1}}
    >>> with irx_measures.accelerate():
    ...     ir_measures.calc_aggregate([ir_measures.RR], qrels, run)
    {RR: 0.5}

    As a switch:

    >>> switch = irx_measures.accelerate()
    >>> ir_measures.calc_aggregate([ir_measures.RR], qrels, run)
    {RR: 0.5}
    >>> irx_measures.accelerate.restore()
    """

    _lock: ClassVar[Lock] = Lock()
    _uses: ClassVar[int] = 0

    def __init__(self) -> None:
        with self._lock:
            accelerate._uses += 1
            if accelerate._uses == 1:
                _set_providers([PROVIDER, *_other_providers()])

    def __enter__(self) -> accelerate:
        return self

    def __exit__(self, *_: object) -> None:
        self.restore()

    @classmethod
    def restore(cls) -> None:
        """Undo one call of `accelerate`; no effect if every call has been undone."""
        with cls._lock:
            if accelerate._uses:
                accelerate._uses -= 1
                if not accelerate._uses:
                    _set_providers(_other_providers())


def _set_providers(providers: list[Provider]) -> None:
    """Replace the list: a thread that is going through the old list finishes with it."""
    ir_measures.DefaultPipeline.providers = providers


def _other_providers() -> list[Provider]:
    return [p for p in ir_measures.DefaultPipeline.providers if p is not PROVIDER]


class KernelProvider(Provider):
    """Scores ir_measures' own measures with this package's kernels."""

    NAME = "irx_measures.accelerate"

    def supports(self, measure: Any) -> bool:
        """Whether a measure has a kernel; AssertionError, as in ir_measures, if it is invalid."""
        measure.validate_params()
        return kernel_of(measure) is not None

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        if not isinstance(qrels, QrelsConverter):
            qrels = QrelsConverter(qrels)
        form, _ = qrels.predict_type()
        held = list(qrels.qrels) if form == "namedtuple_iter" else qrels.qrels
        judgments = _judgments(held, form)
        if judgments is None or (
            judgments.grade.max() > HIGHEST_GDEVAL_GRADE and any(map(is_of_gdeval, measures))
        ):
            return _stock_evaluator(measures, held)
        return KernelEvaluator(measures, held, judgments)


PROVIDER = KernelProvider()


def _stock_evaluator(measures: Iterable[Any], qrels: Any) -> Evaluator:
    return FallbackProvider(_other_providers()).evaluator(measures, qrels)


def _judgments(qrels: Any, form: str) -> Judgments | None:
    """The qrels; None if ir_measures or this package rejects them."""
    if not _is_accepted(qrels, form):
        return None
    try:
        columns = read_qrels(qrels)
        return index_qrels(columns) if len(columns.value) else None
    except (InputError, TypeError):
        return None


def _is_accepted(source: Any, form: str) -> bool:
    """Whether ir_measures accepts a form of input; queries without documents are left to it."""
    if form == "dict_of_dict":
        return all(isinstance(documents, dict) and documents for documents in source.values())
    return form != "UNKNOWN"


class KernelEvaluator(Evaluator):
    """Scores runs by measures that have kernels; the qrels come as given, and indexed."""

    def __init__(self, measures: Iterable[Any], qrels: Any, judgments: Judgments) -> None:
        ordered = sorted(measures, key=_listed)
        super().__init__(ordered, set(judgments.query_ids))
        self._qrels = qrels
        self._judgments = judgments
        self._kernels = [kernel for measure in ordered if (kernel := kernel_of(measure))]

    @cached_property
    def _stock(self) -> Evaluator:
        return _stock_evaluator(self.measures, self._qrels)

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        if not isinstance(run, RunConverter):
            run = RunConverter(run)
        form, _ = run.predict_type()
        held = list(run.run) if form == "namedtuple_iter" else run.run
        judged = self._judged(held, form)
        if judged is None:
            yield from self._stock.iter_calc(held)
            return
        scores = [kernel(judged).tolist() for kernel in self._kernels]
        scored = list(zip(self.measures, scores, strict=True))
        number = self._judgments.query_index.number
        known = [query_id for query_id in judged.query_ids if query_id in number]
        # Means depend on the order of the sum: that of the run, and that of numbers in gdeval.
        for of_gdeval, query_ids in ((False, known), (True, sorted(known, key=_as_number))):
            alike = [pair for pair in scored if is_of_gdeval(pair[0]) is of_gdeval]
            for query_id in query_ids:
                for measure, values in alike:
                    value = values[number[query_id]]
                    yield Metric(query_id=query_id, measure=measure, value=value)

    def _judged(self, run: Any, form: str) -> JudgedRun | None:
        """The run, also joined with the qrels; None if ir_measures or this package rejects it."""
        if not _is_accepted(run, form):
            return None
        try:
            return JudgedRun(self._judgments, source_of_data(run, None, borrowed=True))
        except (InputError, TypeError):
            return None


def _as_number(query_id: str) -> float:
    """A query id as a number; all other ids come after the numbers."""
    return float(query_id) if query_id.isascii() and query_id.isdigit() else math.inf


def _listed(measure: Any) -> tuple[int, bool, int, str]:
    """The place of a measure in trec_eval's list."""
    cutoff = measure.params.get("cutoff", 0)
    return TREC_ORDER.index(measure.NAME), bool(cutoff), cutoff, str(measure)
