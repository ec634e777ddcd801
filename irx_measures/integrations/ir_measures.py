"""The ir_measures provider: judges a run once, scores every measure and yields Metrics."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import Metric
from ir_measures.providers import Evaluator, Provider
from ir_measures.util import QrelsConverter, RunConverter

from ..doubts.facts import Facts, tell
from ..io.source import source_of_data
from ..io.trec import read_qrels
from ..judgments.judged_run import JudgedRun
from ..judgments.judgments import Judgments
from ..measures.declaring.base import Measure, catalogue, judgments_for
from ..measures.declaring.doubt import Doubt
from ..measures.naming.strings import parse_measure, parse_measures
from ..measures.standard import own_measure
from ..runsets.caches import index_qrels

BASE_SCORES = Doubt(
    "the values given in place of a score are those of the base measure, so p-values that compare "
    "it with other runs mean nothing; irx_measures.Experiment and evaluate have NaN"
)


class IrxProvider(Provider):
    """Scores the measures of this package."""

    NAME = "irx_measures"

    def supports(self, measure: Any) -> bool:
        """Whether this package scores a measure; ValueError if its parameters are invalid."""
        own = own_measure(measure)
        if own is None:
            return False
        own.validate_params()
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        if isinstance(qrels, QrelsConverter):
            qrels = qrels.qrels
        # ir_measures passes a set, whose order differs between processes.
        ordered = sorted(measures, key=str)
        own = {asked: measure for asked in ordered if (measure := own_measure(asked)) is not None}
        judgments = judgments_for(own.values(), read_qrels(qrels), index_qrels)
        return IrxEvaluator(own, judgments)


class IrxEvaluator(Evaluator):
    """Scores runs by the requested measures, each with the measure of this package for it."""

    def __init__(self, measures: dict[ir_measures.Measure, Measure], judgments: Judgments) -> None:
        super().__init__(list(measures), set(judgments.query_ids))
        self._own = measures
        self._judgments = judgments
        self._told: set[str] = set()

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        if isinstance(run, RunConverter):
            run = run.run
        judged = self._judged(run)
        self._tell_doubts(judged)
        for asked, own in self._own.items():
            scores = own.score(judged)
            for query_id, value in zip(self._judgments.query_ids, scores.tolist(), strict=True):
                yield Metric(query_id=query_id, measure=asked, value=value)

    def _judged(self, run: Any) -> JudgedRun:
        """The run with its judgments; its ranking says which run of a set it is."""
        depths = {depth for own in self._own.values() for depth in own.depths_of_set}
        return JudgedRun(self._judgments, source_of_data(run, None, borrowed=True), None, depths)

    def _tell_doubts(self, judged: JudgedRun) -> None:
        """Warn of reasons why the run's scores may not answer the question, of each once."""
        # Providers do not warn about ir_measures' own measures.
        ours = [measure for measure in self._own if isinstance(measure, Measure)]
        if not ours:
            return
        facts = Facts(ours)
        facts.add_qrels(self._judgments)
        facts.add(judged)
        for measure in ours:
            if measure.is_undefined(judged):
                facts.doubt(measure, [BASE_SCORES])
        new = [text for text in facts.warnings() if text not in self._told]
        self._told.update(new)
        tell(new)


def register_provider() -> None:
    """Register this package as a provider in ir_measures; a second call has no effect."""
    providers = ir_measures.DefaultPipeline.providers
    if not any(provider.NAME == IrxProvider.NAME for provider in providers):
        providers.append(ir_measures.providers.register(IrxProvider()))


def install() -> None:
    """Make ir_measures and PyTerrier parse measure strings with this package.

    A second call has no effect.
    """
    util = ir_measures.util
    if util.parse_measure is parse_measure:
        return
    parse_trec = _with_our_measures(util.parse_trec_measure)
    modules: tuple[Any, ...] = (ir_measures, util)
    for module in modules:
        module.parse_measure = parse_measure
        module.parse_trec_measure = parse_trec


def add_measures() -> None:
    """Add the measures to ``pt.measures``, which copied ir_measures' registry when it was imported.

    This does not import PyTerrier: PyTerrier imports this package if both are installed.
    """
    measures = sys.modules.get("pyterrier.measures")
    if measures is not None:
        vars(measures).update(catalogue)


def _with_our_measures(
    parse_trec: Callable[[str], list[ir_measures.Measure]],
) -> Callable[[str], list[ir_measures.Measure]]:
    def parse_trec_measure(measure: str) -> list[ir_measures.Measure]:
        """The measures that a trec_eval name or a measure string stands for."""
        if measure.split("(")[0].split("@")[0].strip() in catalogue:
            return [parse_measure(measure)]
        try:
            return parse_trec(measure)
        except ValueError:
            return parse_measures(measure)

    return parse_trec_measure
