"""The ir_measures provider: judge a run once, score every measure, yield Metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import Metric
from ir_measures.providers import Evaluator, Provider
from ir_measures.util import QrelsConverter, RunConverter

from .judged_run import Judgments, judge, judgments_of
from .measures.base import Measure, judgments_for
from .measures.rank_biased import RBPBound
from .trec_files import read_qrels, read_run


class IrxProvider(Provider):
    """Scores the measures of this package."""

    NAME = "irx_measures"

    def supports(self, measure: Any) -> bool:
        """Whether a measure is scored here; ValueError where it cannot be used as it is."""
        own = own_measure(measure)
        if own is None:
            return False
        own.validate_params()
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        if isinstance(qrels, QrelsConverter):
            qrels = qrels.qrels
        own = {asked: measure for asked in measures if (measure := own_measure(asked)) is not None}
        judgments = judgments_for(own.values(), read_qrels(qrels), judgments_of)
        return IrxEvaluator(own, judgments)


class IrxEvaluator(Evaluator):
    """Scores runs against one set of judgments.

    Parameters
    ----------
    measures
        The measures asked for, and those of this package that score them.
    judgments
        The qrels.
    """

    def __init__(self, measures: dict[ir_measures.Measure, Measure], judgments: Judgments) -> None:
        super().__init__(list(measures), set(judgments.query_ids))
        self._own = measures
        self._judgments = judgments

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        if isinstance(run, RunConverter):
            run = run.run
        judged = judge(self._judgments, read_run(run))
        for asked, own in self._own.items():
            scores = own.score(judged).tolist()
            for query_id, value in zip(self._judgments.query_ids, scores, strict=True):
                yield Metric(query_id=query_id, measure=asked, value=value)


def own_measure(measure: Any) -> Measure | None:
    """The measure of this package that scores a measure; None where there is none.

    ir_measures' RBP, which otherwise needs cwl-eval and takes no cutoff, is the lower `RBPBound`.
    """
    if isinstance(measure, Measure):
        return measure
    if isinstance(measure, type(ir_measures.RBP)):
        params = measure.params
        return RBPBound(phi=measure["p"], rel=params.get("rel", 1), cutoff=params.get("cutoff"))
    return None


def register_provider() -> None:
    """Make ir_measures use this package for its measures; a second call changes nothing."""
    providers = ir_measures.DefaultPipeline.providers
    if not any(provider.NAME == IrxProvider.NAME for provider in providers):
        providers.append(ir_measures.providers.register(IrxProvider()))
