"""Where the reasons of a score come from: what every kind of measure answers in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import ir_measures

from ..exceptions import InputError
from ..judgments.judged_run import JudgedRun
from ..measures.declaring.base import Measure
from ..measures.declaring.explained import Documents, Reasons


class ExplainedScore(NamedTuple):
    """The score of a run on a query, the documents of this query, and the reasons."""

    score: float
    documents: Documents
    reasons: Reasons


class Source(Protocol):
    """A measure that can say why a run has its score on a query."""

    @property
    def measure(self) -> ir_measures.Measure:
        """The measure that scores the run."""

    @property
    def own(self) -> Sequence[Measure]:
        """This measure if it is one of this package; else nothing."""

    def explained(self, judged: JudgedRun, row: int) -> ExplainedScore:
        """The score on the query in this row of the judgments; InputError if there is none."""


class OwnReasons:
    """The reasons of a measure of this package: the measure knows them."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.own = [measure]

    def explained(self, judged: JudgedRun, row: int) -> ExplainedScore:
        """As `Source`; there is no score if the run is its own only prior."""
        measure = self.measure
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
