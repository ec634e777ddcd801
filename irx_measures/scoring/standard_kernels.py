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
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import ir_measures
import numpy as np
from ir_measures.providers.base import NOT_PROVIDED

from ..common.numeric import AnyArray, FloatArray, safe_divide
from ..judgments.judged_run import JudgedRun
from ..kernels import standard as kernel
from ..kernels.standard import RankedGrades
from ..measures.strings import HIGHEST, HIGHEST_GAIN
from .score_order import ranks_by_score
from .trec_view import TrecView, trec_view

# One score for each query of the qrels.
Kernel: TypeAlias = Callable[[JudgedRun], FloatArray]

# The parameters of a measure; None if not given.
Params: TypeAlias = dict[str, Any]

DECIMAL = re.compile(r"[0-9]+\.[0-9]+")

EXPONENTIAL = "exp-log2"


def kernel_of(measure: ir_measures.Measure) -> Kernel | None:
    """The function that scores a measure; None if only ir_measures' providers score it."""
    kind: type = type(measure)
    scores = SCORES.get(kind)
    if scores is None or not _are_plain(measure):
        return None
    given: Params = {name: measure[name] for name in measure.SUPPORTED_PARAMS}
    params: Params = {
        name: None if value is NOT_PROVIDED else value for name, value in given.items()
    }
    has_provider: Callable[[Params], bool] = HAS_PROVIDER.get(kind, _always)
    if not has_provider(params):
        return None
    return lambda judged: scores(judged, params).astype(np.float64, copy=False)


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


def _is_count(value: int) -> bool:
    return 1 <= value <= HIGHEST


def _are_gains(gains: Mapping[Any, Any]) -> bool:
    return all(type(gain) is int and abs(gain) <= HIGHEST_GAIN for gain in gains.values())


IN_RANGE: dict[str, Callable[[Any], bool]] = {
    "cutoff": _is_count,
    "rel": _is_count,
    "gains": _are_gains,
    "dcg": lambda dcg: dcg in ("log2", EXPONENTIAL),
    "recall": lambda recall: 0.0 <= recall <= 1.0,
    "beta": lambda beta: DECIMAL.fullmatch(repr(beta)) is not None,
}

# Other combinations of valid parameters have no provider.
HAS_PROVIDER: dict[type, Callable[[Params], bool]] = {
    type(ir_measures.nDCG): lambda params: params["dcg"] != EXPONENTIAL or _is_for_gdeval(params),
    type(ir_measures.ERR): lambda params: params["cutoff"] is not None,
    type(ir_measures.RR): lambda params: params["cutoff"] is None or not params["judged_only"],
    type(ir_measures.NumRel): lambda params: params["rel"] == 1,
}


def _is_for_gdeval(params: Params) -> bool:
    return params["cutoff"] is not None and params["gains"] is None and not params["judged_only"]


def needs_rows(measure: ir_measures.Measure) -> bool:
    """Whether the scores of all documents decide: their order as float64, or a provider's."""
    if isinstance(measure, type(ir_measures.RR)):
        return measure["cutoff"] is not NOT_PROVIDED
    of_rows = isinstance(measure, type(ir_measures.Judged)) or kernel_of(measure) is None
    return of_rows or is_of_gdeval(measure)


def is_of_gdeval(measure: ir_measures.Measure) -> bool:
    """Whether gdeval defines a measure: it rounds scores, and has a highest grade."""
    if kernel_of(measure) is None:
        return False
    return isinstance(measure, type(ir_measures.ERR)) or (
        isinstance(measure, type(ir_measures.nDCG)) and measure["dcg"] == EXPONENTIAL
    )


def _trec(judged: JudgedRun, params: Params) -> TrecView:
    return trec_view(judged, params.get("judged_only", False), params.get("gains"))


def _by_gdeval(judged: JudgedRun) -> RankedGrades:
    """The documents of positive grade that the run returns, in gdeval's order."""
    grade = judged.judgments.grade
    rank = ranks_by_score(judged, descending_ids=True)
    return kernel.by_rank(rank, grade, grade > 0)


def _err(judged: JudgedRun, params: Params) -> FloatArray:
    return kernel.gdeval_err(_by_gdeval(judged), params["cutoff"])


def _ndcg(judged: JudgedRun, params: Params) -> FloatArray:
    trec = _trec(judged, params)
    if params["dcg"] == EXPONENTIAL:
        return kernel.gdeval_ndcg(_by_gdeval(judged), trec.ideal, params["cutoff"])
    return kernel.ndcg(trec.positive, trec.ideal, params["cutoff"])


def _ap(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    return kernel.average_precision(trec.positive, trec.relevant(rel), rel, params["cutoff"])


def _p(judged: JudgedRun, params: Params) -> FloatArray:
    return _trec(judged, params).hits(params["rel"], params["cutoff"]) / params["cutoff"]


def _r(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    return safe_divide(trec.hits(rel, params.get("cutoff")), trec.relevant(rel))


def _rr(judged: JudgedRun, params: Params) -> FloatArray:
    rel, cutoff = params["rel"], params["cutoff"]
    if cutoff is None:
        return kernel.reciprocal_rank(_trec(judged, params).positive, rel)
    grade = judged.judgments.grade
    ranked = kernel.by_rank(ranks_by_score(judged), grade, grade >= rel)
    return kernel.reciprocal_rank(ranked, rel, cutoff)


def _rprec(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    return kernel.r_precision(trec.positive, trec.relevant(rel), rel)


def _bpref(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    return kernel.bpref(trec.graded, trec.relevant(rel), trec.nonrelevant(rel), rel)


def _infap(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    return kernel.inferred_ap(trec.in_pool, trec.relevant(rel), rel)


def _iprec(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    recall = float(f"{params['recall']:.2f}")  # ir_measures passes two decimal places
    return kernel.interpolated_precision(trec.positive, trec.relevant(rel), rel, recall)


def _success(judged: JudgedRun, params: Params) -> AnyArray:
    return _trec(judged, params).hits(params["rel"], params["cutoff"]) > 0


def _set_p(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    if params["relative"]:
        return kernel.relative_precision(trec.hits(rel), trec.returned, trec.relevant(rel))
    return safe_divide(trec.hits(rel), trec.returned)


def _set_f(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    return kernel.set_f(trec.hits(rel), trec.returned, trec.relevant(rel), params["beta"])


def _set_ap(judged: JudgedRun, params: Params) -> FloatArray:
    trec, rel = _trec(judged, params), params["rel"]
    return kernel.set_ap(trec.hits(rel), trec.returned, trec.relevant(rel))


def _num_ret(judged: JudgedRun, params: Params) -> AnyArray:
    rel = params["rel"]
    return judged.returned if rel is None else _trec(judged, params).hits(rel)


def _num_rel(judged: JudgedRun, params: Params) -> AnyArray:
    """Counted only for queries of the run, as in ir_measures."""
    return np.where(judged.returned > 0, _trec(judged, params).relevant(params["rel"]), 0)


def _num_q(judged: JudgedRun, params: Params) -> AnyArray:
    return judged.returned > 0


def _judged(judged: JudgedRun, params: Params) -> FloatArray:
    rank = ranks_by_score(judged)
    return kernel.judged_share(rank, judged.returned, params["cutoff"])


SCORES: dict[type, Callable[[JudgedRun, Params], AnyArray]] = {
    type(ir_measures.ERR): _err,
    type(ir_measures.nDCG): _ndcg,
    type(ir_measures.AP): _ap,
    type(ir_measures.P): _p,
    type(ir_measures.R): _r,
    type(ir_measures.RR): _rr,
    type(ir_measures.Rprec): _rprec,
    type(ir_measures.Bpref): _bpref,
    type(ir_measures.infAP): _infap,
    type(ir_measures.IPrec): _iprec,
    type(ir_measures.Success): _success,
    type(ir_measures.SetP): _set_p,
    type(ir_measures.SetR): _r,
    type(ir_measures.SetF): _set_f,
    type(ir_measures.SetAP): _set_ap,
    type(ir_measures.NumRet): _num_ret,
    type(ir_measures.NumRel): _num_rel,
    type(ir_measures.NumQ): _num_q,
    type(ir_measures.Judged): _judged,
}
