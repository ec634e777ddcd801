"""Which of ir_measures' measures this package scores itself, and how.

The scores equal those of ir_measures' providers to the last bit, with two exceptions:
IPrec(judged_only=True) is 0, not NaN, where a query has no relevant documents and the run returns
only unjudged ones; and gdeval, which scores ERR and nDCG(dcg='exp-log2'), reads only a part of
query ids that are no numbers. Parameters that a provider rejects or that trec_eval cannot hold have
no kernel. Every measure is scored as if it were evaluated alone: pytrec_eval is called once for
several measures, and then nDCG may get the gains of another nDCG.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import ir_measures
import numpy as np
from ir_measures.providers.base import NOT_PROVIDED

from ..common.numeric import AnyArray, FloatArray, IntArray, safe_divide
from ..judgments.judged_run import JudgedRun
from ..kernels import standard as kernel
from ..kernels.standard import RankedGrades
from ..measures.strings import HIGHEST, HIGHEST_GAIN
from .trec_view import TrecView, ranks_by_score, trec_view

# One score for each query of the qrels.
Kernel: TypeAlias = Callable[[JudgedRun], FloatArray]

# The parameters of a measure; None if not given.
Params: TypeAlias = dict[str, Any]

DECIMAL = re.compile(r"[0-9]+\.[0-9]+")

EXPONENTIAL = "exp-log2"


def kernel_of(measure: ir_measures.Measure) -> Kernel | None:
    """The function that scores a measure; None if only ir_measures' providers score it."""
    formula = _formula_of(measure)
    return None if formula is None else partial(formula.scores, params=_params_of(measure))


def is_of_gdeval(measure: ir_measures.Measure) -> bool:
    """Whether gdeval defines a measure: it rounds scores, and has a highest grade."""
    formula = _formula_of(measure)
    return formula is not None and "by_gdeval" in formula.arguments


def needs_rows(measure: ir_measures.Measure) -> bool:
    """Whether the scores of all documents decide: their order as float64, or a provider's."""
    formula = _formula_of(measure)
    if formula is None or "up_to" in formula.arguments:  # RR
        return formula is None or measure["cutoff"] is not NOT_PROVIDED
    return "by_gdeval" in formula.arguments or "rank_by_score" in formula.arguments


def _formula_of(measure: ir_measures.Measure) -> Formula | None:
    """How a measure is scored; None if ir_measures' providers score it, or none does."""
    formula = FORMULAS.get(type(measure))
    if formula is None or not _are_plain(measure):
        return None
    params = _params_of(measure)
    if params.get("dcg") == EXPONENTIAL:
        formula = EXPONENTIAL_NDCG
    return formula if formula.has_provider(params) else None


def _params_of(measure: ir_measures.Measure) -> Params:
    given: Params = {name: measure[name] for name in measure.SUPPORTED_PARAMS}
    return {name: None if value is NOT_PROVIDED else value for name, value in given.items()}


def _are_plain(measure: ir_measures.Measure) -> bool:
    """Whether all parameters exist, have exactly the declared types, and are in range."""
    if not measure.params.keys() <= measure.SUPPORTED_PARAMS.keys():
        return False
    for name, info in measure.SUPPORTED_PARAMS.items():
        value = measure[name]
        if value is NOT_PROVIDED:
            if info.required:
                return False
        elif type(value) is not info.dtype or not IN_RANGE.get(name, _always)(value):
            return False
    return True


def _always(_: Any) -> bool:
    return True


IN_RANGE: dict[str, Callable[[Any], bool]] = {
    "cutoff": lambda cutoff: 1 <= cutoff <= HIGHEST,
    "rel": lambda rel: 1 <= rel <= HIGHEST,
    "gains": lambda gains: all(
        type(gain) is int and abs(gain) <= HIGHEST_GAIN for gain in gains.values()
    ),
    "dcg": lambda dcg: dcg in ("log2", EXPONENTIAL),
    "recall": lambda recall: 0.0 <= recall <= 1.0,
    "beta": lambda beta: DECIMAL.fullmatch(repr(beta)) is not None,
}


def _set_precision(
    hits: IntArray, returned: IntArray, relevant: IntArray, relative: bool
) -> FloatArray:
    return safe_divide(hits, np.minimum(returned, relevant) if relative else returned)


def _interpolated_precision(
    positive: RankedGrades, relevant: IntArray, rel: int, recall: float
) -> FloatArray:
    given = float(f"{recall:.2f}")  # ir_measures passes two decimal places
    return kernel.interpolated_precision(positive, relevant, rel, given)


def _view(judged: JudgedRun, params: Params) -> TrecView:
    return trec_view(judged, params.get("judged_only", False), params.get("gains"))


def _up_to(judged: JudgedRun, params: Params) -> RankedGrades:
    """The documents of positive grade in the order of RR, which a cutoff changes."""
    if params["cutoff"] is None:
        return _view(judged, params).positive
    return _in_order(judged, ranks_by_score(judged))


def _in_order(judged: JudgedRun, rank: IntArray) -> RankedGrades:
    grade = judged.judgments.grade
    return kernel.by_rank(rank, grade, grade > 0)


# What kernels take beside the parameters of a measure.
ARGUMENTS: dict[str, Callable[[JudgedRun, Params], Any]] = {
    "positive": lambda judged, params: _view(judged, params).positive,
    "graded": lambda judged, params: _view(judged, params).graded,
    "in_pool": lambda judged, params: _view(judged, params).in_pool,
    "ideal": lambda judged, params: _view(judged, params).ideal,
    "returned": lambda judged, params: _view(judged, params).returned,
    "relevant": lambda judged, params: _view(judged, params).relevant(params["rel"]),
    "nonrelevant": lambda judged, params: _view(judged, params).nonrelevant(params["rel"]),
    "hits": lambda judged, params: _view(judged, params).hits(params["rel"], params.get("cutoff")),
    "up_to": _up_to,
    "rank_by_score": lambda judged, params: ranks_by_score(judged),
    "by_gdeval": lambda judged, params: _in_order(judged, ranks_by_score(judged, True)),
}


class Formula(NamedTuple):
    """How a measure is scored: a kernel, and its arguments by name.

    Attributes
    ----------
    kernel
        Returns the scores of the queries of the qrels.
    arguments
        Parameters of the measure, and keys of `ARGUMENTS`.
    has_provider
        Whether a provider scores the measure with these valid parameters.
    """

    kernel: Callable[..., AnyArray]
    arguments: str
    has_provider: Callable[[Params], bool] = _always

    def scores(self, judged: JudgedRun, params: Params) -> FloatArray:
        """The scores of a run: (queries,)."""
        values = [
            params[name] if name in params else ARGUMENTS[name](judged, params)
            for name in self.arguments.split()
        ]
        return self.kernel(*values).astype(np.float64, copy=False)


FORMULAS: dict[type, Formula] = {
    type(ir_measures.nDCG): Formula(kernel.ndcg, "positive ideal cutoff"),
    type(ir_measures.ERR): Formula(
        kernel.gdeval_err, "by_gdeval cutoff", lambda params: params["cutoff"] is not None
    ),
    type(ir_measures.AP): Formula(kernel.average_precision, "positive relevant rel cutoff"),
    type(ir_measures.P): Formula(np.true_divide, "hits cutoff"),
    type(ir_measures.R): Formula(safe_divide, "hits relevant"),
    type(ir_measures.RR): Formula(
        kernel.reciprocal_rank,
        "up_to rel cutoff",
        lambda params: params["cutoff"] is None or not params["judged_only"],
    ),
    type(ir_measures.Rprec): Formula(kernel.r_precision, "positive relevant rel"),
    type(ir_measures.Bpref): Formula(kernel.bpref, "graded relevant nonrelevant rel"),
    type(ir_measures.infAP): Formula(kernel.inferred_ap, "in_pool relevant rel"),
    type(ir_measures.IPrec): Formula(_interpolated_precision, "positive relevant rel recall"),
    type(ir_measures.Success): Formula(lambda hits: hits > 0, "hits"),
    type(ir_measures.SetP): Formula(_set_precision, "hits returned relevant relative"),
    type(ir_measures.SetR): Formula(safe_divide, "hits relevant"),
    type(ir_measures.SetF): Formula(kernel.set_f, "hits returned relevant beta"),
    type(ir_measures.SetAP): Formula(kernel.set_ap, "hits returned relevant"),
    type(ir_measures.NumRet): Formula(np.asarray, "hits"),
    # Counted only for queries of the run, as in ir_measures.
    type(ir_measures.NumRel): Formula(
        lambda relevant, returned: np.where(returned > 0, relevant, 0),
        "relevant returned",
        lambda params: params["rel"] == 1,
    ),
    type(ir_measures.NumQ): Formula(lambda returned: returned > 0, "returned"),
    type(ir_measures.Judged): Formula(kernel.judged_share, "rank_by_score returned cutoff"),
}

EXPONENTIAL_NDCG = Formula(
    kernel.gdeval_ndcg,
    "by_gdeval ideal cutoff",
    lambda params: (
        params["cutoff"] is not None and params["gains"] is None and not params["judged_only"]
    ),
)
