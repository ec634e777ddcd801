"""A pytest plugin: our kernels score ir_measures' own measures.

Most tests of ir_measures name a provider. Here the names stand for the default pipeline, in which
our provider is first. What our readers refuse is left to the other providers.
"""

import ir_measures
from ir_measures.providers import Evaluator, FallbackProvider, Provider
from ir_measures.util import Metric, QrelsConverter, RunConverter

from irx_measures.exceptions import InputError
from irx_measures.io.source import source_of_data
from irx_measures.io.trec import read_qrels
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.measures.standard import check_grades, kernel_of
from irx_measures.runsets.caches import index_qrels

STOCK = FallbackProvider(list(ir_measures.DefaultPipeline.providers))


def held(given):
    """What may be read twice, of what ir_measures hands on."""
    if isinstance(given, QrelsConverter):
        given = given.qrels
    elif isinstance(given, RunConverter):
        given = given.run
    return given if isinstance(given, dict) or hasattr(given, "columns") else list(given)


class Kernels(Provider):
    """Scores the measures that have a kernel, RBP among them."""

    NAME = "kernels"

    def supports(self, measure):
        measure.validate_params()
        return kernel_of(measure) is not None

    def _evaluator(self, measures, qrels):
        qrels = held(qrels)
        try:
            table = read_qrels(qrels)
            check_grades(measures, table)
            judgments = index_qrels(table)
        except (InputError, TypeError):
            return STOCK.evaluator(measures, qrels)
        return Scored(sorted(measures, key=str), qrels, judgments)


class Scored(Evaluator):
    """Scores of runs against some qrels."""

    def __init__(self, measures, qrels, judgments):
        super().__init__(measures, set(judgments.query_ids))
        self.qrels, self.judgments = qrels, judgments

    def _iter_calc(self, run):
        run = held(run)
        try:
            judged = JudgedRun(self.judgments, source_of_data(run, None, borrowed=True))
        except (InputError, TypeError):
            yield from STOCK.evaluator(self.measures, self.qrels).iter_calc(run)
            return
        for measure in self.measures:
            scores = kernel_of(measure)(judged).tolist()
            for query_id, value in zip(self.judgments.query_ids, scores, strict=True):
                yield Metric(query_id=query_id, measure=measure, value=value)


def pytest_configure():
    ir_measures.DefaultPipeline.providers = [Kernels(), *STOCK.providers]
    for name in ("pytrec_eval", "judged", "msmarco", "cwl_eval"):
        setattr(ir_measures, name, ir_measures.DefaultPipeline)
