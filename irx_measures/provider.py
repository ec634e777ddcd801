"""The ir_measures provider: judge a run once, score every measure, yield Metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import Metric
from ir_measures.providers import Evaluator, Provider
from ir_measures.util import QrelsConverter, RunConverter

from .judged_run import Judgments, judge
from .measures.base import Measure
from .trec_files import read_qrels, read_run


class IrxProvider(Provider):
    """Scores the measures of this package."""

    NAME = "irx_measures"

    def supports(self, measure: Any) -> bool:
        """Whether a measure is one of this package; ValueError where it cannot be used as it is."""
        if not isinstance(measure, Measure):
            return False
        measure.validate_params()
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        if isinstance(qrels, QrelsConverter):
            qrels = qrels.qrels
        return IrxEvaluator(list(measures), Judgments(read_qrels(qrels)))


class IrxEvaluator(Evaluator):
    """Scores runs against one set of judgments."""

    def __init__(self, measures: list[Measure], judgments: Judgments) -> None:
        super().__init__(measures, set(judgments.query_ids))
        self.judgments = judgments

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        if isinstance(run, RunConverter):
            run = run.run
        judged = judge(self.judgments, read_run(run))
        for measure in self.measures:
            scores = measure.score(judged).tolist()
            for query_id, value in zip(self.judgments.query_ids, scores, strict=True):
                yield Metric(query_id=query_id, measure=measure, value=value)


def register_provider() -> None:
    """Make ir_measures use this package for its measures; a second call changes nothing."""
    providers = ir_measures.DefaultPipeline.providers
    if not any(provider.NAME == IrxProvider.NAME for provider in providers):
        providers.append(ir_measures.providers.register(IrxProvider()))
