"""ir_measures' own measures: by this package's kernels, or else by ir_measures' providers.

The scores equal those of ir_measures' providers to the last bit, with these exceptions: RBP equals
cwl-eval's, or without `rel` or with a cutoff this package's own, within rounding;
IPrec(judged_only=True) is 0, not NaN, where a query has no relevant documents and the run returns
only unjudged ones; and gdeval, which scores ERR and nDCG(dcg='exp-log2'), reads only a part of
query ids that are no numbers. Parameters that a provider rejects or that trec_eval cannot hold have
no kernel. Every measure is scored as if it were evaluated alone: pytrec_eval is called once for
several measures, and then nDCG may get the gains of another nDCG.

The providers in Python, of RR with a cutoff and of Judged, and gdeval rank by the score as float64,
and documents of equal scores by ascending id, gdeval by descending id. Both orders differ from
trec_eval's only among documents whose scores are equal as float32. So does that of RBP by cwl-eval,
which leaves documents of equal scores as they came.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

import ir_measures
import numpy as np
from ir_measures.providers.base import NOT_PROVIDED

from ..common.numeric import AnyArray, BoolArray, FloatArray, IntArray, safe_divide
from ..exceptions import InputError
from ..io.table import Table, nested
from ..judgments.judged_run import JudgedRun
from ..judgments.ranking import TieOrder
from ..kernels import standard as kernel
from ..kernels.standard import HIGHEST_GDEVAL_GRADE, RankedGrades
from .declaring.base import Measure
from .declaring.params import HIGHEST, HIGHEST_GAIN
from .rank_biased import RBPBound

# One score for each query of the qrels.
Kernel: TypeAlias = Callable[[JudgedRun], FloatArray]

# The parameters of a measure; None if not given.
Params: TypeAlias = dict[str, Any]

DECIMAL = re.compile(r"[0-9]+\.[0-9]+")

EXPONENTIAL = "exp-log2"


def own_measure(measure: Any) -> Measure | None:
    """The measure of this package that scores a measure; None if no measure does.

    The lower `RBPBound` scores ir_measures' RBP, which otherwise needs cwl-eval and has no cutoff.
    """
    if isinstance(measure, Measure):
        return measure
    if isinstance(measure, type(ir_measures.RBP)):
        params = measure.params
        return RBPBound(phi=measure["p"], rel=params.get("rel", 1), cutoff=params.get("cutoff"))
    return None


def kernel_of(measure: ir_measures.Measure) -> Kernel | None:
    """The function that scores a measure; None if only ir_measures' providers score it."""
    formula = _formula_of(measure)
    return None if formula is None else partial(formula.scores, params=params_of(measure))


def is_of_gdeval(measure: ir_measures.Measure) -> bool:
    """Whether gdeval defines a measure: it rounds scores, and has a highest grade."""
    formula = _formula_of(measure)
    return formula is not None and formula.of_gdeval


def _formula_of(measure: ir_measures.Measure) -> Formula | None:
    """How a measure is scored; None if ir_measures' providers score it, or none does."""
    formula = FORMULAS.get(type(measure))
    if formula is None or not _are_plain(measure):
        return None
    params = params_of(measure)
    if params.get("dcg") == EXPONENTIAL:
        formula = EXPONENTIAL_NDCG
    return formula if formula.has_provider(params) else None


def params_of(measure: ir_measures.Measure) -> Params:
    """The parameters that a measure supports; None if not given."""
    params: Params = {}
    for name in measure.SUPPORTED_PARAMS:
        value = measure[name]
        params[name] = None if value is NOT_PROVIDED else value
    return params


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


def _view(judged: JudgedRun, params: Params) -> TrecView:
    return trec_view(judged, params.get("judged_only", False), params.get("gains"))


def _in_order(judged: JudgedRun, order: TieOrder) -> RankedGrades:
    """The documents of positive grade in another order of ties."""
    grade = judged.judgments.grade
    return kernel.by_rank(judged.rank_in(order), grade, grade > 0)


def _ndcg(judged: JudgedRun, params: Params) -> FloatArray:
    view = _view(judged, params)
    return kernel.ndcg(view.positive, view.ideal, params["cutoff"])


def _exponential_ndcg(judged: JudgedRun, params: Params) -> FloatArray:
    ranked = _in_order(judged, TieOrder.DESCENDING)
    return kernel.gdeval_ndcg(ranked, _view(judged, params).ideal, params["cutoff"])


def _err(judged: JudgedRun, params: Params) -> FloatArray:
    return kernel.gdeval_err(_in_order(judged, TieOrder.DESCENDING), params["cutoff"])


def _average_precision(judged: JudgedRun, params: Params) -> FloatArray:
    view, rel = _view(judged, params), params["rel"]
    return kernel.average_precision(view.positive, view.relevant(rel), rel, params["cutoff"])


def _precision(judged: JudgedRun, params: Params) -> FloatArray:
    return _hits(judged, params) / params["cutoff"]


def _recall(judged: JudgedRun, params: Params) -> FloatArray:
    return safe_divide(_hits(judged, params), _relevant(judged, params))


def _reciprocal_rank(judged: JudgedRun, params: Params) -> FloatArray:
    cutoff = params["cutoff"]
    if cutoff is None:
        ranked = _view(judged, params).positive
    else:  # of another provider, in Python
        ranked = _in_order(judged, TieOrder.ASCENDING)
    return kernel.reciprocal_rank(ranked, params["rel"], cutoff)


def _rbp(judged: JudgedRun, params: Params) -> FloatArray:
    rel, cutoff = params["rel"], params["cutoff"]
    if rel is None or cutoff is not None:
        ranked = trec_view(judged).positive
    else:  # of cwl-eval
        ranked = _in_order(judged, TieOrder.GIVEN)
    return kernel.rbp(ranked, rel, params["p"], cutoff)


def _r_precision(judged: JudgedRun, params: Params) -> FloatArray:
    view, rel = _view(judged, params), params["rel"]
    return kernel.r_precision(view.positive, view.relevant(rel), rel)


def _bpref(judged: JudgedRun, params: Params) -> FloatArray:
    view, rel = _view(judged, params), params["rel"]
    return kernel.bpref(view.graded, view.relevant(rel), view.nonrelevant(rel), rel)


def _inferred_ap(judged: JudgedRun, params: Params) -> FloatArray:
    view, rel = _view(judged, params), params["rel"]
    return kernel.inferred_ap(view.in_pool, view.relevant(rel), rel)


def _interpolated_precision(judged: JudgedRun, params: Params) -> FloatArray:
    view, rel = _view(judged, params), params["rel"]
    recall = float(f"{params['recall']:.2f}")  # ir_measures passes two decimal places
    return kernel.interpolated_precision(view.positive, view.relevant(rel), rel, recall)


def _success(judged: JudgedRun, params: Params) -> BoolArray:
    return _hits(judged, params) > 0


def _set_precision(judged: JudgedRun, params: Params) -> FloatArray:
    size = _view(judged, params).returned
    if params["relative"]:
        size = np.minimum(size, _relevant(judged, params))
    return safe_divide(_hits(judged, params), size)


def _set_f(judged: JudgedRun, params: Params) -> FloatArray:
    returned = _view(judged, params).returned
    hits, relevant = _hits(judged, params), _relevant(judged, params)
    return kernel.set_f(hits, returned, relevant, params["beta"])


def _set_ap(judged: JudgedRun, params: Params) -> FloatArray:
    returned = _view(judged, params).returned
    return kernel.set_ap(_hits(judged, params), returned, _relevant(judged, params))


def _hits(judged: JudgedRun, params: Params) -> IntArray:
    return _view(judged, params).hits(params["rel"], params.get("cutoff"))


def _relevant(judged: JudgedRun, params: Params) -> IntArray:
    return _view(judged, params).relevant(params["rel"])


def _number_of_relevant(judged: JudgedRun, params: Params) -> IntArray:
    """Counted only for queries of the run, as in ir_measures."""
    return np.where(judged.returned > 0, _relevant(judged, params), 0)


def _is_returned(judged: JudgedRun, params: Params) -> BoolArray:
    return judged.returned > 0


def _judged_share(judged: JudgedRun, params: Params) -> FloatArray:
    rank = judged.rank_in(TieOrder.ASCENDING)
    return kernel.judged_share(rank, judged.returned, params["cutoff"])


class Formula(NamedTuple):
    """How a measure is scored."""

    score: Callable[[JudgedRun, Params], AnyArray]  # one number for each query
    has_provider: Callable[[Params], bool] = _always  # with these parameters, which are valid
    of_gdeval: bool = False  # whether gdeval defines it

    def scores(self, judged: JudgedRun, params: Params) -> FloatArray:
        """The scores of a run: (queries,)."""
        return self.score(judged, params).astype(np.float64, copy=False)


FORMULAS: dict[type, Formula] = {
    type(ir_measures.nDCG): Formula(_ndcg),
    type(ir_measures.ERR): Formula(
        _err, lambda params: params["cutoff"] is not None, of_gdeval=True
    ),
    type(ir_measures.AP): Formula(_average_precision),
    type(ir_measures.P): Formula(_precision),
    type(ir_measures.R): Formula(_recall),
    type(ir_measures.RR): Formula(
        _reciprocal_rank, lambda params: params["cutoff"] is None or not params["judged_only"]
    ),
    type(ir_measures.RBP): Formula(_rbp, lambda params: 0.0 < params["p"] < 1.0),
    type(ir_measures.Rprec): Formula(_r_precision),
    type(ir_measures.Bpref): Formula(_bpref),
    type(ir_measures.infAP): Formula(_inferred_ap),
    type(ir_measures.IPrec): Formula(_interpolated_precision),
    type(ir_measures.Success): Formula(_success),
    type(ir_measures.SetP): Formula(_set_precision),
    type(ir_measures.SetR): Formula(_recall),
    type(ir_measures.SetF): Formula(_set_f),
    type(ir_measures.SetAP): Formula(_set_ap),
    type(ir_measures.NumRet): Formula(_hits),
    type(ir_measures.NumRel): Formula(_number_of_relevant, lambda params: params["rel"] == 1),
    type(ir_measures.NumQ): Formula(_is_returned),
    type(ir_measures.Judged): Formula(_judged_share),
}

EXPONENTIAL_NDCG = Formula(
    _exponential_ndcg,
    lambda params: (
        params["cutoff"] is not None and params["gains"] is None and not params["judged_only"]
    ),
    of_gdeval=True,
)


def trec_view(
    judged: JudgedRun, judged_only: bool = False, gains: Mapping[Any, Any] | None = None
) -> TrecView:
    """A run with mapped grades, and without unjudged documents if asked; made only once."""
    gain_of = None
    if gains is not None:
        levels = np.unique(judged.judgments.grade[judged.judgments.is_judged]).tolist()
        gain_of = tuple((level, gains.get(level, level)) for level in levels)
    key: Hashable = ("trec_eval", judged_only, gain_of)
    return judged.derived(key, lambda: TrecView(judged, judged_only, gain_of))


class TrecView:
    """The ranks and grades of a run's judged documents, as in `JudgedRun` and `Judgments`.

    If `judged_only`, documents that are unjudged or of negative grade are dropped, and ranks are
    renumbered. `gain_of` has the gain of each grade, by ascending grade: a negative gain makes a
    document unjudged.
    """

    def __init__(
        self, judged: JudgedRun, judged_only: bool, gain_of: tuple[tuple[int, int], ...] | None
    ) -> None:
        judgments = judged.judgments
        self.grade: IntArray = judgments.grade
        self._judged = judgments.judged
        self._sorted_columns: int | None = judgments.positives
        if gain_of is not None:
            grades, gains = np.array(gain_of, np.int64).reshape(-1, 2).T
            level = np.searchsorted(grades, np.where(judgments.is_judged, self.grade, grades[0]))
            self.grade = np.where(judgments.is_judged, gains[level], 0)
            self._sorted_columns = None
        self.rank: IntArray = judged.rank
        self.returned: IntArray = judged.returned
        if judged_only:
            self.rank, self.returned = kernel.renumbered(judged.rank, self.grade >= 0)

    @cached_property
    def ideal(self) -> IntArray:
        """The positive grades of the qrels, descending: (queries, relevant), padded with 0."""
        grade = np.maximum(self.grade[:, : self._sorted_columns], 0)
        return grade if self._sorted_columns is not None else -np.sort(-grade, axis=1)

    @cached_property
    def positive(self) -> RankedGrades:
        """The documents of positive grade that the run returns."""
        columns = np.s_[:, : self._sorted_columns]
        grade = self.grade[columns]
        return kernel.by_rank(self.rank[columns], grade, grade > 0)

    @cached_property
    def graded(self) -> RankedGrades:
        """The documents of grade 0 or more that the run returns."""
        return kernel.by_rank(self.rank, self.grade, self.grade >= 0)

    @cached_property
    def in_pool(self) -> RankedGrades:
        """The documents in the qrels that the run returns, of any grade."""
        return kernel.by_rank(self.rank, self.grade, np.ones(self.grade.shape, bool))

    def relevant(self, rel: int) -> IntArray:
        """Number of documents of at least grade `rel` in the qrels: (queries,)."""
        return kernel.number_of_relevant(self.ideal, rel)

    def nonrelevant(self, rel: int) -> IntArray:
        """Number of documents of grade 0 to `rel` - 1 in the qrels: (queries,)."""
        judged: IntArray = self._judged - np.count_nonzero(self.grade < 0, axis=1)
        return judged - self.relevant(rel)

    def hits(self, rel: int | None, cutoff: int | None = None) -> IntArray:
        """Number of relevant documents returned, of all without `rel`: (queries,)."""
        if rel is None:
            return self.returned
        return kernel.number_of_hits(self.positive, rel, cutoff)


class StandardMeasures:
    """Measures of ir_measures, or none, against some qrels.

    InputError if there are measures, and the qrels contain values that trec_eval and the other
    providers cannot hold; or if a measure has neither a kernel nor a provider.
    """

    def __init__(self, measures: Sequence[ir_measures.Measure], qrels: Table) -> None:
        check_grades(measures, qrels)
        scorers = {measure: kernel_of(measure) for measure in measures}
        self._kernels = {measure: scorer for measure, scorer in scorers.items() if scorer}
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

        NaN if a provider has no score for a query. InputError if it fails with any exception.
        """
        for measure, scorer in self._kernels.items():
            yield measure, scorer(judged)
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
        yield from scores.items()

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
