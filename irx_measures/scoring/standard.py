"""ir_measures' own measures; rejects input that its native providers mishandle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import ir_measures

from ..exceptions import InputError
from ..io.columns import QrelsColumns, RunColumns, nested
from .gdeval import check_for_gdeval, check_grades_for_gdeval, scored_by_gdeval

HIGHEST_GRADE = 1 << 24


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
        When there are measures, and the qrels contain values for which the providers, written in
        C, crash or return wrong scores. Also when no provider supports a measure.
    """

    def __init__(self, measures: Sequence[ir_measures.Measure], qrels: QrelsColumns) -> None:
        self._evaluator = None
        self._named = ", ".join(map(str, measures))
        self._of_gdeval = ", ".join(map(str, scored_by_gdeval(measures)))
        if measures:
            highest = int(qrels.grade.max(initial=0))
            if highest > HIGHEST_GRADE:  # trec_eval has a counter for every grade up to it
                raise InputError(
                    f"qrels: grades must be at most {HIGHEST_GRADE} for {self._named}; "
                    f"got {highest}"
                )
            judged = nested(qrels.query, qrels.doc, qrels.grade)
            self._check_ids("qrels", judged)
            if self._of_gdeval:
                check_grades_for_gdeval(highest, self._of_gdeval)
            for documents in judged.values():
                # trec_eval would write outside its memory. The scores are 0, as for grades of 0.
                if max(documents.values()) < 0:
                    documents.update(dict.fromkeys(documents, 0))
            try:
                self._evaluator = ir_measures.evaluator(measures, judged)
            except Exception as error:  # providers raise exceptions of any type
                raise InputError(f"ir_measures cannot score {self._named}: {error}") from error

    def score(
        self, run: RunColumns, run_label: str
    ) -> Iterator[tuple[ir_measures.Measure, str, float]]:
        """Measure, query and score, for every query of the qrels; a provider may give more queries.

        Parameters
        ----------
        run
            The run.
        run_label
            The label of the run in error messages.

        Raises
        ------
        ValueError
            When a provider fails with any exception.
        """
        if self._evaluator is None:
            return
        returned = nested(run.query, run.doc, run.score)
        self._check_ids(run_label, returned)
        try:
            for metric in self._evaluator.iter_calc(returned):
                yield metric.measure, metric.query_id, metric.value
        except Exception as error:
            raise InputError(
                f"{run_label}: ir_measures failed at {self._named}: {type(error).__name__}: {error}"
            ) from error

    def _check_ids(self, what: str, documents_of: dict[str, dict[str, float]]) -> None:
        """InputError for an id with a null byte: C code would truncate the id there."""
        for query_id, documents in documents_of.items():
            if not _are_c_strings((query_id, *documents)):
                worst = next(name for name in (query_id, *documents) if not _are_c_strings([name]))
                raise InputError(
                    f"{what}: ids must be text without null characters for {self._named}; "
                    f"got {worst!r} in query {query_id!r}"
                )
        if self._of_gdeval:
            check_for_gdeval(what, documents_of, self._of_gdeval)


def _are_c_strings(names: Iterable[str]) -> bool:
    try:
        return b"\0" not in "".join(names).encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
