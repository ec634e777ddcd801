"""Why ir_measures' own measures give a score: nDCG, AP, P, R, RR and ERR."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import ir_measures
import numpy as np

from ..common.numeric import FloatArray, IntArray, safe_divide
from ..exceptions import InputError
from ..io.table import Table
from ..judgments.judged_run import JudgedRun
from ..judgments.ranking import TieOrder
from ..kernels.standard import HIGHEST_GDEVAL_GRADE
from ..kernels.user_models import (
    binary_gain,
    browsing_weights,
    discount,
    graded_gain,
    inverse,
    precision_at,
    reaches,
)
from ..measures.declaring.explained import Documents, Reasons, quotient
from ..measures.standard import (
    Params,
    check_grades,
    is_of_gdeval,
    kernel_of,
    params_of,
    trec_view,
)
from .own import ExplainedScore


class Graded(NamedTuple):
    """The documents of a query with the grades that the measure sees."""

    documents: Documents
    grade: IntArray  # (documents,); 0 for unjudged documents
    all_grades: IntArray  # (judged,): of all judged documents of the query

    def relevant(self, params: Params) -> FloatArray:
        return binary_gain(self.grade, params["rel"])

    def number_of_relevant(self, params: Params) -> int:
        return int(np.count_nonzero(self.all_grades >= params["rel"]))


def standard_score(
    measure: ir_measures.Measure, qrels: Table, judged: JudgedRun, row: int
) -> ExplainedScore:
    """The score on the query in this row of the judgments, with its reasons.

    InputError if the measure, or one of its parameters, cannot be explained; or as for `evaluate`.
    """
    params = params_of(measure)
    explain, kernel = EXPLAINED.get(type(measure)), kernel_of(measure)
    if explain is None or kernel is None:
        raise InputError(
            "explain: `measure` must be one of this package, or nDCG, AP, P, R, RR, ERR or "
            f"RBP with parameters that trec_eval knows; got {measure}"
        )
    check_grades([measure], qrels)
    trec = trec_view(judged, params.get("judged_only") or False, params.get("gains"))
    ids, grades = judged.judgments.ids_of(row), trec.grade[row]
    returned = _returned(measure, judged, row)
    if params.get("judged_only"):  # documents of negative grade count as unjudged
        kept = {doc for doc, grade in zip(ids, grades.tolist(), strict=False) if grade >= 0}
        returned = [doc for doc in returned if doc in kept]
    documents = Documents.of(judged, row, returned, params["cutoff"])
    graded = Graded(documents, documents.of_columns(grades), grades[: len(ids)])
    reasons = explain(graded, params)
    if is_of_gdeval(measure):  # before it is rounded
        score = float(np.sum(np.asarray(reasons.contribution)))
    else:
        score = float(kernel(judged)[row])
    return ExplainedScore(score, documents, reasons)


def _returned(measure: ir_measures.Measure, judged: JudgedRun, row: int) -> list[str]:
    """The documents that the run returns for the query, in the order of the measure.

    Documents whose scores are equal as float32 but not as float64 are tied in trec_eval only.
    """
    returned = judged.returned_documents(row)
    if is_of_gdeval(measure):
        ties = TieOrder.DESCENDING
    elif isinstance(measure, type(ir_measures.RR)) and params_of(measure)["cutoff"] is not None:
        ties = TieOrder.ASCENDING
    else:
        return returned
    start = judged.ranking.start[row]
    places = judged.ranking.places_in(ties)[start : start + len(returned)]
    return judged.ranking.doc_ids(places)


def _ndcg(graded: Graded, params: Params) -> Reasons:
    rank, dcg = graded.documents.rank, params["dcg"]
    gain = graded_gain(graded.grade, dcg)
    weight = browsing_weights("nDCG", int(rank.max(initial=0)), 0.0)[rank]
    found = gain * weight
    best = np.sort(graded_gain(graded.all_grades, dcg))[::-1][: params["cutoff"]]
    ideal = float(best @ discount(len(best)))
    terms = {"DCG": float(found.sum()), "ideal": ideal}
    return Reasons(
        {"gain": gain, "discount": weight},
        terms,
        quotient("DCG", "ideal", terms),
        gain,
        safe_divide(found, ideal),
    )


def _ap(graded: Graded, params: Params) -> Reasons:
    relevant, number = graded.relevant(params), graded.number_of_relevant(params)
    precision = precision_at(graded.documents.rank, relevant)
    found = relevant * precision
    terms = {"found": float(found.sum()), "N": float(number)}
    return Reasons(
        {"relevant": relevant, "precision": precision},
        terms,
        quotient("found", "N", terms),
        relevant,
        safe_divide(found, number),
        {"found": "the sum of the precision at the relevant documents"},
    )


def _share(graded: Graded, params: Params, name: str, whole: int) -> Reasons:
    relevant = graded.relevant(params)
    hits = np.where(graded.documents.in_top, relevant, 0.0)
    terms = {"hits": float(hits.sum()), name: float(whole)}
    return Reasons(
        {"relevant": relevant},
        terms,
        quotient("hits", name, terms),
        relevant,
        safe_divide(hits, whole),
    )


def _rr(graded: Graded, params: Params) -> Reasons:
    relevant, rank = graded.relevant(params), graded.documents.rank
    hits = np.flatnonzero((relevant > 0) & (rank > 0))[:1]
    contribution = np.where(np.isin(np.arange(len(rank)), hits), inverse(rank), 0.0)
    terms = {"first": float(rank[hits].sum())}
    formula = "1 / first" if len(hits) else "0"
    return Reasons({"relevant": relevant}, terms, formula, relevant, contribution)


def _err(graded: Graded, params: Params) -> Reasons:
    rank = graded.documents.rank
    stop = graded_gain(graded.grade, "exp-log2") / 2.0**HIGHEST_GDEVAL_GRADE
    reached = reaches(rank, stop)
    contribution = stop * reached * inverse(rank)
    return Reasons(
        {"stop": stop, "reached": reached},
        {"ERR": float(contribution.sum())},
        "ERR",
        stop,
        contribution,
    )


EXPLAINED: dict[type, Callable[[Graded, Params], Reasons]] = {
    type(ir_measures.nDCG): _ndcg,
    type(ir_measures.AP): _ap,
    type(ir_measures.P): lambda graded, params: _share(graded, params, "k", params["cutoff"]),
    type(ir_measures.R): lambda graded, params: _share(
        graded, params, "N", graded.number_of_relevant(params)
    ),
    type(ir_measures.RR): _rr,
    type(ir_measures.ERR): _err,
}
