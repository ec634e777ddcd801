"""The parameters of each measure as type checkers see them: python -m scripts.measure_types."""
# ruff: noqa: E501, N816 - summaries and names are those of the measures

from typing import Literal

from typing_extensions import Self

from ..typing import PathOrName, RunsLike
from . import bootstrap, ndcg_bound, rank_biased, rareness, residual_gain, upper_expected
from .naming.strings import BareWord

class _NormalizedResidualGain(residual_gain.NormalizedResidualGain):
    """Normalized Residual Gain: the gain of a run beyond the documents that prior runs found."""

    def __call__(  # type: ignore[override]
        self,
        *,
        prior: RunsLike | None = ...,
        base: Literal["nDCG", "P", "RBP", "RR"] = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        rel: int = ...,
        phi: float = ...,
        ideal: Literal["cutoff", "all"] = ...,
        select: Literal["all", "other-groups", "best-per-group", "earlier"] = ...,
        exclude_self: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

NRG: _NormalizedResidualGain

class _UniqueRelevant(residual_gain.UniqueRelevant):
    """Number of relevant documents in a run's top k that no prior run has in its top k."""

    def __call__(  # type: ignore[override]
        self,
        *,
        prior: RunsLike | None = ...,
        rel: int = ...,
        select: Literal["all", "other-groups", "best-per-group", "earlier"] = ...,
        exclude_self: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

UniqueRel: _UniqueRelevant

class _TaskSubspaceCoverage(residual_gain.TaskSubspaceCoverage):
    """Task subspace coverage: base score x (1 - best prior's score on that query)."""

    def __call__(  # type: ignore[override]
        self,
        *,
        prior: RunsLike | None = ...,
        base: Literal["nDCG", "P", "RBP", "RR"] = ...,
        agg: Literal["max", "mean"] = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        rel: int = ...,
        phi: float = ...,
        select: Literal["all", "other-groups", "best-per-group", "earlier"] = ...,
        exclude_self: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

TaSC: _TaskSubspaceCoverage

class _RarenessPrecision(rareness.RarenessPrecision):
    """Rareness-based precision: precision at k that rewards rarely found relevant documents."""

    def __call__(  # type: ignore[override]
        self,
        *,
        systems: RunsLike | None = ...,
        alpha: float | Literal["importance"] = ...,
        rel: int = ...,
        depth: int | None = ...,
        form: Literal["additive", "mixture"] = ...,
        dcg: Literal["log2", "exp-log2"] | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

P_Rareness: _RarenessPrecision

class _RarenessAveragePrecision(rareness.RarenessAveragePrecision):
    """Rareness-based average precision."""

    def __call__(  # type: ignore[override]
        self,
        *,
        systems: RunsLike | None = ...,
        alpha: float | Literal["importance"] = ...,
        rel: int = ...,
        depth: int | None = ...,
        form: Literal["additive", "mixture"] = ...,
        dcg: Literal["log2", "exp-log2"] | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

AP_Rareness: _RarenessAveragePrecision

class _RankBiasedRecall(rank_biased.RankBiasedRecall):
    """Rank-biased recall: the share of a reference ranking's weight that an observed set contains."""

    def __call__(  # type: ignore[override]
        self,
        *,
        phi: float = ...,
        reference: RunsLike | None = ...,
        ties: Literal["share", "break", "least", "greatest"] = ...,
        bound: Literal["lower", "upper", "residual"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

RBR: _RankBiasedRecall

class _RankBiasedAlignment(rank_biased.RankBiasedAlignment):
    """Rank-biased alignment: overlap, weighted by a document's rank in both lists."""

    def __call__(  # type: ignore[override]
        self,
        *,
        phi: float = ...,
        reference: RunsLike | None = ...,
        ties: Literal["share", "break", "least", "greatest"] = ...,
        bound: Literal["lower", "upper", "residual"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

RBA: _RankBiasedAlignment

class _RankBiasedOverlap(rank_biased.RankBiasedOverlap):
    """Rank-biased overlap: expected overlap of two rankings' prefixes."""

    def __call__(  # type: ignore[override]
        self,
        *,
        phi: float = ...,
        reference: RunsLike | None = ...,
        ties: Literal["share", "a", "w", "b", "break", "least", "greatest"] = ...,
        bound: Literal["lower", "upper", "residual", "ext"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

RBO: _RankBiasedOverlap

class _RankBiasedPrecisionBound(rank_biased.RankBiasedPrecisionBound):
    """Rank-biased precision, with an upper bound for unjudged documents and unseen ranks."""

    def __call__(  # type: ignore[override]
        self,
        *,
        phi: float = ...,
        rel: int = ...,
        bound: Literal["lower", "upper", "residual"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

RBPBound: _RankBiasedPrecisionBound

class _UpperExpectedNDCG(upper_expected.UpperExpectedNDCG):
    """nDCG corrected for chance: rescaled so that a random order scores 0 and the ideal order 1."""

    def __call__(  # type: ignore[override]
        self,
        *,
        version: int = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        candidates: Literal["judged", "run", "union"] | BareWord = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

nDCG_UE: _UpperExpectedNDCG

class _UpperExpectedAP(upper_expected.UpperExpectedAP):
    """AP corrected for chance: rescaled so that a random order scores 0 and the ideal order 1."""

    def __call__(  # type: ignore[override]
        self,
        *,
        version: int = ...,
        rel: int = ...,
        candidates: Literal["judged", "run", "union"] | BareWord = ...,
        expectation: Literal["independent", "exact"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

AP_UE: _UpperExpectedAP

class _UpperExpected(upper_expected.UpperExpected):
    """Any base measure corrected for chance: a random order scores 0 and the ideal order 1."""

    def __call__(  # type: ignore[override]
        self,
        *,
        base: Literal["nDCG", "AP", "P", "RBP", "ERR", "RR"] = ...,
        version: int = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        rel: int = ...,
        phi: float = ...,
        candidates: Literal["judged", "run", "union"] | BareWord = ...,
        expectation: Literal["independent", "exact"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

UE: _UpperExpected

class _ExpectedValue(upper_expected.ExpectedValue):
    """Mean score of all orders of the candidates (REB)."""

    def __call__(  # type: ignore[override]
        self,
        *,
        base: Literal["nDCG", "AP", "P", "RBP", "ERR", "RR"] = ...,
        normalized: bool = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        rel: int = ...,
        phi: float = ...,
        candidates: Literal["judged", "run", "union"] | BareWord = ...,
        expectation: Literal["independent", "exact"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

Expected: _ExpectedValue

class _IdealUpperBound(upper_expected.IdealUpperBound):
    """Score of the ideal order of the candidates (IUB)."""

    def __call__(  # type: ignore[override]
        self,
        *,
        base: Literal["nDCG", "AP", "P", "RBP", "ERR", "RR"] = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        rel: int = ...,
        phi: float = ...,
        candidates: Literal["judged", "run", "union"] | BareWord = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

UpperBound: _IdealUpperBound

class _BootstrappedNDCG(bootstrap.BootstrappedNDCG):
    """Bootstrapped nDCG: the distribution of nDCG over possible grades of unjudged documents."""

    def __call__(  # type: ignore[override]
        self,
        *,
        prior: Literal["pool+run", "pool", "run", "learned"] | BareWord = ...,
        b: int | Literal["exact"] = ...,
        seed: int = ...,
        stat: str = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        pool: Literal["query", "all"] = ...,
        runs: RunsLike | None = ...,
        depth: int = ...,
        machine: PathOrName | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

BootNDCG: _BootstrappedNDCG

class _Bootstrapped(bootstrap.Bootstrapped):
    """Bootstrapped nDCG, AP, P or RBP: distribution over possible grades of unjudged documents."""

    def __call__(  # type: ignore[override]
        self,
        *,
        base: Literal["nDCG", "AP", "P", "RBP"] = ...,
        prior: Literal["pool+run", "pool", "run", "learned"] | BareWord = ...,
        b: int | Literal["exact"] = ...,
        seed: int = ...,
        stat: str = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        rel: int = ...,
        phi: float = ...,
        pool: Literal["query", "all"] = ...,
        runs: RunsLike | None = ...,
        depth: int = ...,
        machine: PathOrName | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

Boot: _Bootstrapped

class _NDCGBound(ndcg_bound.NDCGBound):
    """Lower or upper bound of nDCG for a top k with unjudged documents."""

    def __call__(  # type: ignore[override]
        self,
        *,
        bound: Literal["lower", "upper"] = ...,
        kind: Literal["naive", "rbp", "guaranteed"] = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        max_grade: int | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, at_param: int) -> Self: ...

nDCGBound: _NDCGBound
