"""Why the measures of this package give a score: the measure itself knows its reasons."""

from __future__ import annotations

from typing import NamedTuple

from ..exceptions import InputError
from ..judgments.judged_run import JudgedRun
from ..measures.declaring.base import Measure
from ..measures.declaring.explained import Documents, Reasons


class ExplainedScore(NamedTuple):
    """The score of a run on a query, the documents of this query, and the reasons."""

    score: float
    documents: Documents
    reasons: Reasons


def own_score(measure: Measure, judged: JudgedRun, row: int) -> ExplainedScore:
    """The score on the query in this row of the judgments, with its reasons.

    InputError if there is no score: the run is its own only prior.
    """
    if measure.is_undefined(judged):
        raise InputError(
            "explain: the run is its own only prior, or neither of them returns anything, so "
            f"it has no score of {measure}: no other run remains to compare it with"
        )
    seen = measure.explained(judged)
    returned = judged.returned_documents(row)
    documents = Documents.of(seen, row, returned, measure["cutoff"])
    reasons = measure.reasons(judged, documents)
    return ExplainedScore(float(measure.score(judged)[row]), documents, reasons)
