"""Explanation: the documents, factors and terms behind one score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..common.numeric import FloatArray
from ..common.short_paths import public
from ..measures.declaring.explained import with_numbers
from ..measures.naming.labels import short_labels
from ..results.base import StudyResult
from ..results.column import Column
from ..results.frames import DataFrame

PLACES = 4  # contributions are small: with 3, many differ from 0 and show .000


@public
@dataclass(frozen=True, eq=False, repr=False)
class Explanation(StudyResult):
    """Why a run has its score on a query.

    Attributes
    ----------
    measure : str
    system : str
        The name of the run; empty if it has no name.
    query_id : str
    score : float
        Of ERR, and of nDCG with ``dcg='exp-log2'``: before gdeval rounds it to five decimal places.
    doc_ids : tuple of str
        The run's top k by rank. With ``missing=True``, the documents that it lacks follow, those
        that are worth most first, then by rank; documents that the run does not return come last.
    top : int
        The number of documents in the top k.
    rank, grade : tuples of int or None
        Ranks in the whole run, None if the run does not return the document. Grades are None for
        unjudged documents.
    factors : dict from name to tuple
        The measure's factors, with one value per document.
    contribution : (documents,) floats, optional
        What each document adds to the score; the sum is the score. None if the score is not a sum
        over documents.
    terms : dict from name to float
        The numbers in the formula, and others that help to read it.
    formula : str
        The score as an expression of the terms' names.
    legend : dict from name to str
        The meaning of factors and terms.
    lacking : int
        The number of documents that could add to the score and are not in the top k.
    query_text : str
        Empty without ``texts=``.
    texts : tuple of str
        The documents' texts; empty without ``texts=``.

    See Also
    --------
    irx_measures.explain : Makes it.
    """

    measure: str
    system: str
    query_id: str
    score: float
    doc_ids: tuple[str, ...]
    top: int
    rank: tuple[int | None, ...]
    grade: tuple[int | None, ...]
    factors: dict[str, tuple[Any, ...]]
    contribution: FloatArray | None
    terms: dict[str, float]
    formula: str
    legend: dict[str, str]
    lacking: int
    query_text: str = ""
    texts: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        return self.sentence()

    def sentence(self, places: int = PLACES) -> str:
        """The score and its `calculation` in one line, with so many decimal places, -1 for all."""
        (label,) = short_labels([self.measure])
        of_run = f" of {self.system}" if self.system else ""
        return f"{label}{of_run} on query {self.query_id!r}: {self.calculation(places)}"

    def calculation(self, places: int = PLACES) -> str:
        """The formula, with the numbers in it: ``found / ideal = 1.2 / 3.4 = 0.3529``."""
        numbers = with_numbers(self.formula, self.terms, places)
        score = repr(self.score) if places == -1 else f"{self.score:.{places}f}"
        steps = dict.fromkeys([self.formula, numbers, score])
        return " = ".join(steps)

    @property
    def counts(self) -> str:
        """How many documents add to the score, do not, or could."""
        grades = self.grade[: self.top]
        counts = {"Documents that count": self.top}
        if self.contribution is not None:
            adds = (self.contribution[: self.top] > 0).tolist()
            idle = [grade or 0 for grade, add in zip(grades, adds, strict=True) if not add]
            relevant = sum(grade > 0 for grade in idle)
            counts |= {
                "add to the score": sum(adds),
                "above grade 0, but add nothing": relevant,
                "not relevant": len(idle) - relevant - grades.count(None),
            }
        counts |= {"unjudged": grades.count(None), "outside the top, could add": self.lacking}
        return "; ".join(f"{what}: {count}" for what, count in counts.items())

    @property
    def share(self) -> FloatArray:
        """Each document's share of the score; 0 if the score is 0 or no sum."""
        if self.contribution is None or not self.score:
            return np.zeros(len(self.doc_ids))
        return self.contribution / self.score

    def columns(self) -> list[Column]:
        """One row per document: its ranks and grade, the measure's factors, what it adds."""
        rank = "rank in the whole run; empty if the run does not return the document"
        queries = [self.query_id] * len(self.doc_ids)
        columns = [
            Column("query_id", queries, meaning="query of the score", key=True),
            Column("rank", self.rank, meaning=rank, key=True, left=False),
            Column("doc_id", self.doc_ids, meaning="document", key=True),
            Column("grade", self.grade, meaning="grade; empty if nobody judged it", left=False),
        ]
        for name, values in self.factors.items():
            columns.append(Column(name, values, meaning=self.legend.get(name, "")))
        if self.contribution is not None:
            adds = "what the document adds to the score; the sum is the score"
            columns.append(Column("contribution", self.contribution, meaning=adds, left=False))
        if self.texts:
            columns.append(Column("text", self.texts, meaning="text of the document"))
        return columns

    def to_frame(self) -> DataFrame:
        """One row per document: query_id, rank, doc_id, grade, the measure's factors by name,
        contribution if the score is a sum, and text with ``texts=``."""
        return super().to_frame().astype({"rank": "Int64", "grade": "Int64"})
