"""RBPBound: rank-biased precision and its bounds where documents are unjudged."""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray
from ..judgments.judged_run import JudgedRun
from ..kernels import rank_biased as kernel
from ..kernels.user_models import truncate_ranks
from .base import Measure
from .catalogue import register
from .citations import paper
from .explained import Documents, Reasons
from .params import CUTOFF, REL, Param
from .rank_biased import BOUND, PHI, bounded_score

MEANINGS = {
    "weight": "(1 - phi) phi^(rank - 1)",
    "lower": "the weight of the relevant documents",
    "unjudged": "the weight of the unjudged documents",
}


class RankBiasedPrecisionBound(Measure):
    r"""Rank-biased precision, with an upper bound for unjudged documents and unseen ranks.

    ``RBP(B|R) = (1 - phi) / phi sum_i phi^i (B_i in R)``, as the paper of `RBR` writes it (Eq. 4).
    The residual is the weight of the unjudged documents plus the tail ``phi^depth``.

    Returns
    -------
    float
        In [0, 1] for each query.

    Notes
    -----
    - The lower bound equals ``RBP(p=phi, rel=rel)`` of ir_measures. This package also scores that
      measure, without cwl-eval, and uses ``rel=1`` if `rel` is not given.

    Examples
    --------
    >>> import irx_measures
    >>> run = {"q": {"A": 3.0, "B": 2.0, "C": 1.0}}
    >>> measure = irx_measures.RBPBound(phi=0.5)
    >>> measure.calc_aggregate({"q": {"A": 1, "B": 0}}, run)
    0.5
    >>> measure(bound="upper").calc_aggregate({"q": {"A": 1, "B": 0}}, run)
    0.75
    """

    NAME = "RBPBound"
    PAPERS = (paper("moffat2008"),)
    CUTOFF = Param(CUTOFF.allowed, None, "``@k``: the run is cut at k.")
    PARAMS = {
        "phi": PHI,
        "rel": REL,
        "bound": Param(
            BOUND.allowed,
            BOUND.default,
            "'lower': RBP. 'upper': the highest possible RBP if every document were judged and the "
            "ranking continued. 'residual': the difference between them.",
        ),
    }

    def score(self, judged: JudgedRun) -> FloatArray:
        rank = truncate_ranks(judged.rank, self["cutoff"])
        judgments, phi = judged.judgments, self["phi"]
        return bounded_score(
            self["bound"],
            lambda: kernel.precision(rank, judgments.grade >= self["rel"], phi),
            lambda: kernel.precision_residual(rank, judgments.is_judged, phi),
        )

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        judgments, phi, bound = judged.judgments, self["phi"], self["bound"]
        relevant = documents.of_columns(judgments.grade[documents.row] >= self["rel"])
        relevant &= documents.column >= 0
        weight = kernel.rank_weights(documents.rank, phi)
        lower = np.where(relevant, weight, 0.0)
        terms: dict[str, float] = {
            "lower": float(lower.sum()),
            "unjudged": float(weight[documents.unjudged].sum()),
            "tail": phi ** int(np.count_nonzero(documents.in_top)),
        }
        formula = {
            "lower": "lower",
            "upper": "lower + unjudged + tail",
            "residual": "unjudged + tail",
        }
        return Reasons(
            {"weight": weight} | ({} if bound == "lower" else {"in_lower": lower}),
            terms,
            formula[bound],
            relevant.astype(np.float64),
            lower if bound == "lower" else None,
            MEANINGS,
        )


RBPBound = register(RankBiasedPrecisionBound())
