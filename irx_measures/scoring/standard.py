"""ir_measures' own measures: by this package's kernels, or else by ir_measures' providers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import ir_measures
import numpy as np

from ..common.numeric import FloatArray
from ..exceptions import InputError
from ..io.table import Table, nested
from ..judgments.judged_run import JudgedRun
from ..kernels.standard import HIGHEST_GDEVAL_GRADE
from ..measures.strings import HIGHEST_GAIN
from .standard_kernels import is_of_gdeval, kernel_of


class StandardMeasures:
    """The measures of ir_measures against some qrels.

    Parameters
    ----------
    measures
        The measures; there may be no measures.
    qrels
        The judgments.

    Raises
    ------
    ValueError
        When there are measures, and the qrels contain values that trec_eval and the other providers
        cannot hold. Also when a measure has neither a kernel nor a provider.
    """

    def __init__(self, measures: Sequence[ir_measures.Measure], qrels: Table) -> None:
        check_grades(measures, qrels)
        kernels = {measure: kernel_of(measure) for measure in measures}
        self._kernels = {measure: kernel for measure, kernel in kernels.items() if kernel}
        self._provided = [measure for measure in measures if measure not in self._kernels]
        self._named = _list(self._provided)
        if self._provided:
            self._evaluator = self._evaluator_for(qrels)

    def _evaluator_for(self, qrels: Table) -> ir_measures.providers.Evaluator:
        self._check_ids("qrels", qrels)
        judged = nested(qrels)
        for documents in judged.values():
            # trec_eval would write outside its memory. The scores are 0, as for grades of 0.
            if max(documents.values()) < 0:
                documents.update(dict.fromkeys(documents, 0))
        try:
            return ir_measures.evaluator(self._provided, judged)
        except Exception as error:  # providers raise exceptions of any type
            raise InputError(f"ir_measures cannot score {self._named}: {error}") from error

    def score(self, judged: JudgedRun) -> Iterator[tuple[ir_measures.Measure, FloatArray]]:
        """Measure and scores of the queries of the qrels, for a run that is joined with them.

        Raises
        ------
        ValueError
            When a provider fails with any exception, or has no score for a query.
        """
        for measure, kernel in self._kernels.items():
            yield measure, kernel(judged)
        if self._provided:
            yield from self._scores_of_providers(judged)

    def _scores_of_providers(
        self, judged: JudgedRun
    ) -> Iterator[tuple[ir_measures.Measure, FloatArray]]:
        self._check_ids(judged.label, judged.table)
        returned = nested(judged.table)
        index = judged.judgments.query_index
        scores = {measure: np.full(len(index), np.nan) for measure in self._provided}
        try:
            for metric in self._evaluator.iter_calc(returned):
                row = index.number.get(metric.query_id)
                if row is not None:  # a provider may score queries outside the qrels
                    scores[metric.measure][row] = metric.value
        except Exception as error:
            raise InputError(
                f"{judged.label}: ir_measures failed at {self._named}: {type(error).__name__}: "
                f"{error}"
            ) from error
        for measure, values in scores.items():
            for row in np.flatnonzero(np.isnan(values))[:1].tolist():
                raise InputError(
                    f"{judged.label}: {measure} has no score for query {index.ids[row]!r}"
                )
            yield measure, values

    def _check_ids(self, what: str, columns: Table) -> None:
        """InputError for an id that ends early, or does not exist, as a string in C."""
        for name in (*columns.query.names.ids, *columns.doc.names.ids):
            if not _is_c_string(name):
                raise InputError(
                    f"{what}: ids must be text without null characters for {self._named}; "
                    f"got {name!r}"
                )


def _is_c_string(name: str) -> bool:
    try:
        return b"\0" not in name.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False


def check_grades(measures: Sequence[ir_measures.Measure], qrels: Table) -> None:
    """InputError if a grade of the qrels is too high for a measure."""
    highest = int(qrels.value.max(initial=0))
    of_gdeval = list(filter(is_of_gdeval, measures))
    for limit, limited in ((HIGHEST_GAIN, measures), (HIGHEST_GDEVAL_GRADE, of_gdeval)):
        if limited and highest > limit:
            raise InputError(
                f"qrels: grades must be at most {limit} for {_list(limited)}; got {highest}"
            )


def _list(measures: Sequence[ir_measures.Measure]) -> str:
    return ", ".join(map(str, measures))
