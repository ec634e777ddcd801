"""P_Rareness and AP_Rareness reward relevant documents that other systems miss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import numpy as np

from ..common.numeric import FloatArray, IntArray, safe_divide, slices
from ..common.validators import choice, either, integer, number_in, optional
from ..judgments.judged_run import JudgedRun
from ..judgments.judgments import Judgments
from ..kernels import rareness as kernel
from ..kernels.user_models import DCGS, binary_gain, precision_at, truncate_ranks
from ..runsets.judged_set import JudgedSet
from .declaring.base import register
from .declaring.doubt import Doubt
from .declaring.explained import Documents, Reasons, quotient
from .declaring.paper import paper
from .declaring.params import REL, Param, gain_of
from .declaring.relative import RUNS, RelativeMeasure, position_in

IMPORTANCE = "importance"

NOTHING_RARE = Doubt("without other systems (`systems`) the rareness of every document is 0")

PARAMS = {
    "systems": Param(
        RUNS,
        None,
        "The systems that determine how rare a document is: a `RunSet`, runs or a name. The "
        "evaluated run is added unless the set already has it by name or content, so it counts "
        "once. None: only the evaluated run.",
    ),
    "alpha": Param(
        either(number_in(0, 1, closed=True), choice(IMPORTANCE)),
        1.0,
        "The weight of rareness. 'importance': ``1 / number of relevant documents`` of the query.",
    ),
    "rel": REL,
    "depth": Param(
        integer(1),
        None,
        "The depth to which each system is searched for a document. None: the cutoff. With "
        "form='mixture' and a depth below the cutoff, a document that the run found below `depth` "
        "counts as found by at least one system.",
    ),
    "form": Param(
        choice("additive", "mixture"),
        "additive",
        "The value of a relevant document. 'additive': ``1 + alpha R(d)`` (Eq. 1). 'mixture': "
        "``(1 - alpha) + alpha R'(d)`` (Eq. 4, the revision in section 5.2, within [0, 1]).",
    ),
    "dcg": Param(
        optional(choice(*DCGS)),
        None,
        "None: relevance is binary (the paper). Otherwise relevance is graded (not in the paper): "
        "Rel(d) is the gain divided by the largest gain of the query. The gain of a grade g is g "
        "('log2') or ``2^g - 1`` ('exp-log2').",
    ),
}


PRECISION = "the sum of relevance x worth down to this rank, divided by the rank"


class Worths(NamedTuple):
    """What the documents of positive grade count, by query."""

    relevance: FloatArray  # (queries, documents): Rel(d), in [0, 1]
    worth: FloatArray  # (queries, documents): how much a relevant document counts
    relevant: IntArray  # (queries,): the number of relevant documents


class _RarenessMeasure(RelativeMeasure):
    """A measure that gives more weight to relevant documents that fewer systems found."""

    DIVISOR: ClassVar[str]  # k, or N: the number of relevant documents
    RUNS_PARAM = "systems"
    # 2 is approached with alpha = 1, but never reached (section 2.1 of the paper).
    RANGE = (0.0, 2.0)
    PAPERS = (paper("turkmen2023"),)
    PARAMS = PARAMS

    def mean_worth(self, rank: IntArray, parts: Worths) -> FloatArray:
        """Scores from the ranks within the cutoff: (..., queries)."""
        raise NotImplementedError

    def shares(
        self, rank: IntArray, value: FloatArray, worth: FloatArray
    ) -> tuple[FloatArray, dict[str, FloatArray]]:
        """What the documents of a query add to `found`, and the measure's own factors.

        The documents are in the order of their ranks; others follow with rank 0.
        """
        raise NotImplementedError

    @property
    def depth(self) -> int | None:
        """The depth to which the systems are searched."""
        return self["cutoff"] if self["depth"] is None else self["depth"]

    def score(self, judged: JudgedRun) -> FloatArray:
        rank = truncate_ranks(judged.rank[:, : judged.judgments.positives], self["cutoff"])
        finders, systems = self._finders(judged)
        return self.mean_worth(rank, self._parts(judged.judgments, finders, systems))

    def _finders(self, judged: JudgedRun) -> tuple[IntArray, int]:
        """How many systems found each document, and the number of systems."""
        rank = judged.rank[:, : judged.judgments.positives]
        own: IntArray = (truncate_ranks(rank, self.depth) > 0).astype(np.int64)
        runset = self.runset
        if runset is None:
            return own, 1
        judged_set = self.judged_set(runset, judged)
        finders, systems = judged_set.finders(self.depth), len(runset)
        position = position_in(runset, judged, self["cutoff"])
        if position is None:  # a set that does not have the name may have the ranking
            position = judged_set.position_by_content(judged, runset, self["cutoff"])
        return (finders + own, systems + 1) if position is None else (finders, systems)

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        row, form = documents.row, self["form"]
        finders, systems = self._finders(judged)
        parts = self._parts(judged.judgments, finders, systems)
        value = documents.of_columns(parts.relevance[row])
        worth = documents.of_columns(parts.worth[row])
        found, factors = self.shares(documents.rank, value, worth)
        divisor = self["cutoff"] if self.DIVISOR == "k" else int(parts.relevant[row])
        rareness = kernel.worth(finders[row], systems, np.asarray(1.0), form)
        rareness = rareness - 1.0 if form == "additive" else rareness
        terms = {
            "found": float(found.sum()),
            self.DIVISOR: divisor,
            "systems": systems,
            "alpha": float(self._alpha(parts.relevant[row])),
        }
        return Reasons(
            {
                "relevance": value,
                "finders": documents.of_columns(finders[row]),
                "rareness": documents.of_columns(rareness),
                "worth": worth,
                **factors,
            },
            terms,
            quotient("found", self.DIVISOR, terms),
            value * worth,
            safe_divide(found, divisor),
            {"precision": PRECISION},
        )

    def score_set(self, judged_set: JudgedSet) -> FloatArray:
        parts = self._parts(judged_set.judgments, judged_set.finders(self.depth), len(judged_set))
        rank = truncate_ranks(judged_set.rank, self["cutoff"])
        scores = np.empty(rank.shape[:2])
        width = max(rank.shape[2], int(rank.max(initial=0)))
        for block in slices(rank.shape[1], rank.shape[0] * width):
            of_block = Worths(parts.relevance[block], parts.worth[block], parts.relevant[block])
            scores[:, block] = self.mean_worth(rank[:, block], of_block)
        return scores

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        yield from super().doubts(judged)
        if self["systems"] is None and self["alpha"] != 0:
            yield NOTHING_RARE._replace(of_run=False)

    def doubts_of_set(self, judged_set: JudgedSet) -> Iterator[tuple[int, Doubt]]:
        if len(judged_set) == 1 and self["alpha"] != 0:
            yield 0, NOTHING_RARE

    def _parts(self, judgments: Judgments, finders: IntArray, systems: int) -> Worths:
        grade = judgments.grade[:, : judgments.positives]
        relevance = binary_gain(grade, self["rel"])
        relevant = np.count_nonzero(relevance, axis=1)
        if self["dcg"] is not None:
            gain = gain_of(self, grade)
            relevance *= gain / np.maximum(gain.max(axis=1, initial=0, keepdims=True), 1.0)
        alpha = self._alpha(relevant[:, np.newaxis])
        return Worths(relevance, kernel.worth(finders, systems, alpha, self["form"]), relevant)

    def _alpha(self, relevant: IntArray) -> FloatArray:
        alpha = self["alpha"]
        return 1.0 / np.maximum(relevant, 1) if alpha == IMPORTANCE else np.asarray(alpha)


class RarenessPrecision(_RarenessMeasure):
    r"""Rareness-based precision: precision at k that rewards rarely found relevant documents.

    Eq. 1 and 2 of the paper: ``(1/k) sum_{i <= k} Rel(d_i) (1 + alpha R(d_i))`` with
    ``R(d) = 1 - S_d / S``, where S_d of the S systems have d in their top `depth`. With
    ``form='mixture'``, Eq. 4: ``(1/k) sum Rel(d_i) ((1 - alpha) + alpha R'(d_i))`` with
    ``R'(d) = 1 - (S_d - 1) / (S - 1)``.

    Returns
    -------
    float
        In [0, 2) for each query, [0, 1] with ``form='mixture'``.

    Notes
    -----
    - ``alpha=0`` is precision at k.
    - R'(d) is 0 if there is only one system. It is largest for a document that only one system
      found. The paper says "maximised when S_d = S", which is an error.

    Examples
    --------
    System `a` returns two relevant documents. `b` misses B, so B is worth more than A.

    >>> import irx_measures
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"A": 2.0, "X": 1.0}}}
    >>> measure = irx_measures.P_Rareness(systems=runs) @ 2
    >>> measure.calc_aggregate({"q": {"A": 1, "B": 1}}, runs["a"])
    1.25
    """

    NAME = "P_Rareness"
    DIVISOR = "k"
    NEEDS_CUTOFF = True

    def mean_worth(self, rank: IntArray, parts: Worths) -> FloatArray:
        return kernel.precision(rank, parts.relevance * parts.worth, self["cutoff"])

    def shares(
        self, rank: IntArray, value: FloatArray, worth: FloatArray
    ) -> tuple[FloatArray, dict[str, FloatArray]]:
        return np.where(rank > 0, value * worth, 0.0), {}


class RarenessAveragePrecision(_RarenessMeasure):
    r"""Rareness-based average precision.

    Eq. 3 of the paper: ``(1/N) sum_{i <= k} Rel(d_i) P@i_Rareness``, where N is the number of
    relevant documents and ``P@i_Rareness`` is `P_Rareness` at cutoff i.

    Returns
    -------
    float
        In [0, 2) for each query, [0, 1] with ``form='mixture'``; 0 without relevant documents.

    Notes
    -----
    - ``alpha=0`` is average precision.
    - With `dcg`, the sum and the precision are graded; N stays the number of relevant documents.
    - For every rank i, the systems that found a document are counted at `depth`, as in the
      authors' code.

    Examples
    --------
    >>> import irx_measures
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"A": 2.0, "X": 1.0}}}
    >>> measure = irx_measures.AP_Rareness(systems=runs) @ 2
    >>> measure.calc_aggregate({"q": {"A": 1, "B": 1}}, runs["a"])
    1.125
    """

    NAME = "AP_Rareness"
    DIVISOR = "N"

    def mean_worth(self, rank: IntArray, parts: Worths) -> FloatArray:
        value = parts.relevance * parts.worth
        return kernel.average_precision(rank, parts.relevance, value, parts.relevant)

    def shares(
        self, rank: IntArray, value: FloatArray, worth: FloatArray
    ) -> tuple[FloatArray, dict[str, FloatArray]]:
        precision = precision_at(rank, value * worth)
        return value * precision, {"precision": precision}


P_Rareness = register(RarenessPrecision())

AP_Rareness = register(RarenessAveragePrecision())
