"""BootNDCG and Boot: the distribution of scores of rankings with unjudged documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from ..common.memory import require_memory
from ..common.numeric import BoolArray, FloatArray, IntArray, random_stream, slices
from ..common.short_paths import public
from ..common.validators import Allowed, choice, either, integer
from ..exceptions import InputError
from ..io.table import Table
from ..io.trec import read_qrels, read_run
from ..judgments.judged_run import JudgedRun
from ..judgments.judgments import Judgments
from ..kernels import bootstrap as kernel
from ..kernels.ndcg_bounds import ideal_dcg
from ..kernels.user_models import discount_sums, truncate_ranks
from ..runsets.judged_set import judge_each
from ..runsets.registry import scope
from ..runsets.runset import RunSet
from ..typing import QrelsLike, RunLike
from ..unjudged.pooled_runs import UNJUDGED, PooledRuns
from ..unjudged.transferred import pool_counts
from .declaring.base import Measure, register
from .declaring.doubt import COUNT, Doubt
from .declaring.explained import Documents, Reasons
from .declaring.judged_relevance import doubt_only_relevant, require_non_relevant
from .declaring.paper import paper
from .declaring.params import DCG, RBP_PHI, REL, Param, gain_of, rank_weights
from .learned import LEARNED, LEARNING, Learned, check_learning

if TYPE_CHECKING:
    from ..unjudged.worlds import Worlds

EXACT = "exact"

MOST_ASSIGNMENTS = 1 << 20  # about a million: 10 unjudged documents and 4 grades

MOST_SAMPLES = 1_000_000  # a measure string may come from a stranger: its work is bounded

SHARED_BYTES = 1 << 26  # 64 MB, a choice; larger distributions are recomputed for every statistic

QUANTILE = re.compile(r"q(\d{1,2}(\.\d+)?|100)")

Statistic = Callable[[FloatArray, FloatArray | None], FloatArray]

STATISTICS: dict[str, Statistic] = {
    "mode": kernel.mode,
    "mean": kernel.mean,
    "median": partial(kernel.quantile, share=0.5),
    "std": kernel.deviation,
}


def _stat(value: Any) -> str:
    if isinstance(value, str) and (value in STATISTICS or QUANTILE.fullmatch(value)):
        return str(value)
    raise ValueError(value)


PRIORS = ("pool+run", "pool", "run", LEARNED)

PRIOR = Param(
    choice(*PRIORS),
    PRIORS[0],
    "The distribution from which grades are drawn. 'pool': the grades of the query's judged "
    "documents. 'run': the grades of the judged documents in the run's top k. 'pool+run': the mean "
    "of both distributions. 'learned': a model of how documents were judged that one group alone "
    "found; each sample is then a complete set of grades, the same for all systems.",
)

# A choice: the mean of 1000 samples errs by 3% of their standard deviation.
B = Param(
    either(integer(1, MOST_SAMPLES), choice(EXACT)),
    1000,
    "The number of samples, at most a million. 'exact' enumerates the whole distribution instead.",
)

# 42 by convention: any number does, and the same one everywhere makes scores comparable.
SEED = Param(integer(0), 42, "The random seed. Samples depend only on the seed and the query id.")

NAMED_STATISTICS, A_QUANTILE = ", ".join(map(repr, STATISTICS)), "or a quantile such as 'q05'"

STAT = Param(
    Allowed(
        f"be one of {NAMED_STATISTICS}, {A_QUANTILE}",
        _stat,
        f"{{{NAMED_STATISTICS}}}, {A_QUANTILE}",
        "str",
    ),
    "mode",
    "The statistic of the distribution to report. 'mode' follows the authors' code: histogram the "
    "samples in 20 bins, split the fullest bin into 20, take the largest sample of its fullest "
    "bin. 'q05' is the 5% quantile and 'q97.5' is the 97.5% quantile.",
)

POOL = Param(
    choice("query", "all"),
    "query",
    "The judged documents that the prior of the pool counts. 'query': the documents of the query "
    "(the paper). 'all': the documents of all queries (the authors' code).",
)

DISTRIBUTION = {"prior": PRIOR, "b": B, "seed": SEED, "stat": STAT}


class Distribution(NamedTuple):
    """The scores that some queries may have."""

    queries: IntArray  # (queries,), their rows in the judgments
    scores: FloatArray  # (queries, scores)
    probability: FloatArray | None  # (queries, scores); None if all are equally probable


class Drawn(NamedTuple):
    """Grades of the unjudged documents of some queries, as levels, and the counts of `_scores`."""

    levels: IntArray  # (queries or 1, unjudged, assignments)
    probability: FloatArray | None  # (queries, assignments); None if all are equally probable
    counts: IntArray


class Draws(Protocol):
    """What the grades of unjudged documents are drawn from."""

    def of(self, queries: IntArray, unjudged: int) -> Drawn:
        """The assignments of queries which all have so many unjudged documents."""


class Sampling(NamedTuple):
    """From what Algorithm 1 draws the grades of unjudged documents: (queries, levels) each."""

    pool: IntArray  # numbers of judged documents
    left: IntArray  # numbers of judged documents outside the top k
    prior: FloatArray  # the probability of each level


class PriorDraws(NamedTuple):
    """Grades that Algorithm 1 draws, for each query by itself."""

    sampling: Sampling
    query_ids: Sequence[str]
    samples: int | str  # `EXACT` enumerates all assignments
    seed: int

    def of(self, queries: IntArray, unjudged: int) -> Drawn:
        prior, left = self.sampling.prior[queries], self.sampling.left[queries]
        counts = self.sampling.pool[queries]
        if not unjudged:
            return Drawn(np.zeros((1, 0, 1), np.int16), None, counts)
        if not isinstance(self.samples, int):
            levels = kernel.all_assignments(prior.shape[1], unjudged)[np.newaxis]
            return Drawn(levels, kernel.assignment_probability(prior, left, unjudged), counts)
        # float32 halves the memory; 24 random bits distinguish probabilities finely enough.
        draws = np.empty((len(queries), unjudged, self.samples), np.float32)
        for row, query in zip(draws, queries.tolist(), strict=True):
            random_stream(self.seed, self.query_ids[query]).random(dtype=np.float32, out=row)
        return Drawn(kernel.sample_levels(prior, left, draws), None, counts)


class WorldDraws:
    """The grades that the documents of one of the worlds' runs have in each world."""

    def __init__(self, worlds: Worlds, position: int) -> None:
        self.worlds = worlds
        self.start, self.row = worlds.unjudged_of_run(position)

    def of(self, queries: IntArray, unjudged: int) -> Drawn:
        own = self.row[self.start[queries, np.newaxis] + np.arange(unjudged)]
        return Drawn(self.worlds.level[own], None, self.worlds.ideal_counts(queries, own))


class Top(NamedTuple):
    """The judged and unjudged documents in the top k of some queries."""

    rank: IntArray  # (queries, documents), of the judged documents, padded with 0
    level: IntArray  # (queries, documents)
    unjudged_rank: IntArray  # (queries, most unjudged), ascending, padded with 0

    def of(self, queries: IntArray) -> Top:
        """A selection of the queries, without the columns that these queries do not need."""
        unjudged = self.unjudged_rank[queries]
        most = int(np.count_nonzero(unjudged, axis=1).max(initial=0))
        return Top(self.rank[queries], self.level[queries], unjudged[:, :most])

    @property
    def unjudged(self) -> IntArray:
        """The number of unjudged documents of each query."""
        return np.count_nonzero(self.unjudged_rank, axis=1)

    @property
    def depth(self) -> int:
        return max(int(self.rank.max(initial=0)), int(self.unjudged_rank.max(initial=0)))


def _statistic(name: str) -> Statistic:
    return STATISTICS.get(name) or partial(
        kernel.quantile, share=float(name.removeprefix("q")) / 100
    )


class _Bootstrap(Measure):
    """The distribution of a base measure over the possible grades of unjudged documents."""

    NEEDS_CUTOFF = True
    COUNTS_UNJUDGED = False
    PAPERS = (paper("froebe2023"),)

    def validate_params(self) -> None:
        super().validate_params()
        check_learning(self)

    @property
    def base(self) -> str:
        """The base measure."""
        return self["base"]

    @property
    def of_all_queries(self) -> bool:
        return self["pool"] == "all" or self["prior"] == LEARNED

    def score(self, judged: JudgedRun) -> FloatArray:
        statistic = _statistic(self["stat"])
        scores = np.empty(len(judged.rank))
        for part in self.distributions(judged):
            scores[part.queries] = statistic(part.scores, part.probability)
        return scores

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        require_non_relevant(self, judged.judgments)
        yield from doubt_only_relevant(self, judged.judgments)
        if self["prior"] == LEARNED:
            yield from Learned(self, judged).doubts()
        if self["prior"] in ("pool", LEARNED):
            return
        top = self._top(judged)
        judged_ones = np.count_nonzero(top.rank, axis=1)
        count = int(np.count_nonzero((top.unjudged > 0) & (judged_ones == 0)))
        yield Doubt(
            f"{COUNT} have no judged document in the top "
            f"{self['cutoff']}, so all of it is taken as not relevant; prior='pool' draws "
            "grades there too",
            count,
            len(judged_ones),
        )

    def distributions(self, judged: JudgedRun) -> Iterable[Distribution]:
        """The distributions of all queries, cached for other statistics unless too large."""
        top, levels = self._top(judged), len(judged.judgments.levels.grades)
        assignments = self._assignments(judged, top.unjudged)
        by_rank = 4 * top.depth if self.base == "AP" else 0
        cells = top.unjudged + 3 * levels + by_rank + 5  # of arrays, for each assignment
        require_memory(self, 8 * float((assignments * cells).max(initial=0)))
        if assignments.sum() * 16 > SHARED_BYTES:
            return self._made(judged, top)
        of_any_statistic = str(self(stat=STAT.default))
        return judged.derived(of_any_statistic, lambda: list(self._made(judged, top)))

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        row, stat = documents.row, self["stat"]
        grades, level = judged.judgments.levels
        of_grade = self._grade_probabilities(judged, documents)
        part = next(part for part in self.distributions(judged) if row in part.queries)
        at = np.flatnonzero(part.queries == row)
        scores = part.scores[at]
        probability = None if part.probability is None else part.probability[at]
        terms = {
            name: float(_statistic(name)(scores, probability)[0])
            for name in dict.fromkeys(("mean", "std", "q05", "median", "q95", stat))
        }
        terms["unjudged"] = int(np.count_nonzero(documents.unjudged))
        meanings = {f"p_{grade}": f"the probability of grade {grade}" for grade in grades.tolist()}
        for name in filter(QUANTILE.fullmatch, terms):
            meanings[name] = f"{float(name.removeprefix('q')):g}% of the scores are lower"
        worth = documents.of_columns(gain_of(self, grades, self.base)[level[row]])
        return Reasons(of_grade, terms, stat, worth, meanings=meanings)

    def _grade_probabilities(
        self, judged: JudgedRun, documents: Documents
    ) -> dict[str, FloatArray]:
        """The probability of each grade that is drawn for a document; 1 for a judged one's."""
        row, (grades, level) = documents.row, judged.judgments.levels
        probability = np.zeros((len(documents.ids), len(grades)))
        known = np.flatnonzero(documents.column >= 0)
        probability[known, level[row, documents.column[known]]] = 1.0
        if self["prior"] == LEARNED:
            prior = Learned(self, judged)
            worlds = prior.worlds()
            start, of_run = worlds.unjudged_of_run(prior.position)
            drawn = worlds.level[of_run[start[row] : start[row + 1]]]
            unjudged = (drawn[..., np.newaxis] == np.arange(len(grades))).mean(axis=1)
        else:
            unjudged = self._sampling(judged, self._top(judged)).prior[row]
        probability[documents.unjudged] = unjudged
        return {f"p_{grade}": of for grade, of in zip(grades.tolist(), probability.T, strict=True)}

    def _assignments(self, judged: JudgedRun, unjudged: IntArray) -> FloatArray:
        """The number of assignments of grades to the unjudged documents: (queries,)."""
        if self["b"] != EXACT:
            return np.where(unjudged > 0, float(self["b"]), 1.0)
        levels = len(judged.judgments.levels.grades)
        worst = int(unjudged.max(initial=0))
        if levels**worst > MOST_ASSIGNMENTS:
            query_id = judged.judgments.query_ids[int(unjudged.argmax())]
            raise InputError(
                f"{self.NAME}: b='exact' enumerates at most {MOST_ASSIGNMENTS} assignments of "
                f"grades; query {query_id!r} has {levels} grades to the power of {worst} unjudged "
                "documents"
            )
        return np.asarray(float(levels) ** unjudged, np.float64)

    def _made(self, judged: JudgedRun, top: Top) -> Iterator[Distribution]:
        if self["prior"] == LEARNED:
            learned = Learned(self, judged)
            yield from self.in_worlds(learned.worlds(), learned.position)
            return
        grades = judged.judgments.levels.grades
        sampling = self._sampling(judged, top)
        draws = PriorDraws(sampling, judged.judgments.query_ids, self["b"], self["seed"])
        assignments = self._assignments(judged, top.unjudged)
        elements = np.maximum(top.unjudged, len(grades)) * assignments
        yield from self._drawn(grades, top, elements, draws)

    def _drawn(
        self,
        grades: IntArray,
        top: Top,
        elements: FloatArray,
        draws: Draws,
    ) -> Iterator[Distribution]:
        """The scores of blocks of queries with equally many unjudged documents.

        A query needs arrays of so many `elements`: (queries,).
        """
        unjudged = top.unjudged
        by_number = np.argsort(unjudged, kind="stable")
        ends = np.flatnonzero(np.diff(unjudged[by_number])) + 1
        for alike in filter(len, np.split(by_number, ends)):  # they need no padding
            for block in slices(len(alike), int(elements[alike[0]])):
                queries = alike[block]
                drawn = draws.of(queries, int(unjudged[alike[0]]))
                scores = self._scores(grades, top.of(queries), drawn.levels, drawn.counts)
                yield Distribution(queries, scores, drawn.probability)

    def in_worlds(self, worlds: Worlds, position: int) -> Iterator[Distribution]:
        """The scores of one of the worlds' runs in each world."""
        top = _top_of_pooled(worlds.pooled, position, worlds.cutoff)
        elements = np.maximum(top.unjudged, 1.0) * worlds.level.shape[1]
        draws = WorldDraws(worlds, position)
        yield from self._drawn(worlds.pooled.grades, top, elements, draws)

    def scores_in(self, worlds: Worlds, position: int) -> FloatArray:
        """The scores of one of the worlds' runs: (queries, worlds)."""
        scores = np.empty((len(worlds.pooled.query_ids), worlds.level.shape[1]))
        for part in self.in_worlds(worlds, position):
            scores[part.queries] = part.scores
        return scores

    def as_judged(self, pooled: PooledRuns, position: int) -> FloatArray:
        """The scores of one run if unjudged documents are not relevant: (queries,)."""
        top = _top_of_pooled(pooled, position, self["cutoff"])
        lowest = np.zeros((*top.unjudged_rank.shape, 1), np.int16)
        pool = pool_counts(pooled).astype(np.int64)
        scores: FloatArray = self._scores(pooled.grades, top, lowest, pool)[:, 0]
        return scores

    def _top(self, judged: JudgedRun) -> Top:
        cutoff = self["cutoff"]

        def make() -> Top:
            rank = truncate_ranks(judged.rank, cutoff)
            unjudged_rank = kernel.unjudged_ranks(rank, judged.returned, cutoff)
            return Top(rank, judged.judgments.levels.of, unjudged_rank)

        return judged.derived(("judged and unjudged documents", cutoff), make)

    def _sampling(self, judged: JudgedRun, top: Top) -> Sampling:
        """From what Algorithm 1 draws the grades of unjudged documents."""
        judgments = judged.judgments
        require_non_relevant(self, judgments)
        grades, level = judgments.levels
        pool = kernel.counts_by_level(level, judgments.is_judged, len(grades))
        returned = kernel.counts_by_level(level, top.rank > 0, len(grades))
        counted = pool
        if self["pool"] == "all":
            counted = np.broadcast_to(pool.sum(axis=0), pool.shape)
        of_pool, of_run = kernel.shares(counted), kernel.shares(returned)
        prior = {"pool": of_pool, "run": of_run}.get(self["prior"])
        if prior is None:
            none_judged = returned.sum(axis=1, keepdims=True) == 0
            prior = np.where(none_judged, of_run, (of_pool + of_run) / 2)
        return Sampling(pool, pool - returned, prior)

    def _scores(self, grades: IntArray, top: Top, levels: IntArray, counts: IntArray) -> FloatArray:
        """Scores of each assignment of levels to the unjudged documents: (queries, assignments).

        The ideal ranking and the number of relevant documents are those of `counts`: (queries,
        assignments, levels), or (queries, levels) if they are the same for all assignments.
        """
        gain = gain_of(self, grades, self.base)
        if counts.ndim == 2:
            counts = counts[:, np.newaxis]
        if self.base == "AP":
            return self._precisions(top, levels, gain > 0, counts)
        weights = rank_weights(self, self.base, top.depth)
        of_judged = kernel.score_of_judged(top.rank, gain[top.level], weights)
        scores = kernel.additive_scores(levels, weights[top.unjudged_rank], gain, of_judged)
        if self.base == "nDCG":
            longest = min(self["cutoff"], int(counts.sum(axis=2).max(initial=0)))
            every = counts.reshape(-1, counts.shape[2])
            ideal = ideal_dcg(every, gain, discount_sums(longest)).reshape(counts.shape[:2])
            scores /= np.where(ideal > 0, ideal, 1.0)
        return scores

    def _precisions(
        self, top: Top, levels: IntArray, relevant: BoolArray, counts: IntArray
    ) -> FloatArray:
        relevant_at = np.zeros((len(top.rank), top.depth + 1), bool)
        query, document = np.nonzero((top.rank > 0) & relevant[top.level])
        relevant_at[query, top.rank[query, document]] = True
        sums = kernel.precision_sums(levels, top.unjudged_rank, relevant, relevant_at)
        return sums / np.maximum(counts[:, :, relevant].sum(axis=2), 1)


def _top_of_pooled(pooled: PooledRuns, position: int, cutoff: int) -> Top:
    """The top k of one of several runs, for all queries of the judgments."""
    part = pooled.entries_of(position)
    in_top = pooled.rank[part] <= cutoff
    query, rank = pooled.query[part][in_top], pooled.rank[part][in_top]
    level = pooled.level[pooled.doc[part][in_top]]
    rank_at, level_at = np.zeros((2, len(pooled.query_ids), cutoff), np.int64)
    judged = level != UNJUDGED
    rank_at[query[judged], rank[judged] - 1] = rank[judged]
    level_at[query[judged], rank[judged] - 1] = level[judged]
    returned = np.bincount(query, minlength=len(rank_at))
    return Top(rank_at, level_at, kernel.unjudged_ranks(rank_at, returned, cutoff))


class BootstrappedNDCG(_Bootstrap):
    r"""Bootstrapped nDCG: the distribution of nDCG over possible grades of unjudged documents.

    Algorithm 1 of the paper. The algorithm goes down the top k and draws a grade from the prior for
    each unjudged document. The document takes that grade if the pool (the judged documents outside
    the top k) has one left, else the highest lower grade that is left, else 0. One sample is the
    ``DCG@k`` with these grades, divided by the ``DCG@k`` of the ideal ranking of the original
    qrels. The score is a statistic of b samples.

    Notes
    -----
    - If the whole top k of a query is judged, all samples equal its nDCG.
    - If the top k has no judged document, 'run' and 'pool+run' treat all unjudged documents as not
      relevant, as the authors' code does.
    - ``prior='learned'`` is not in the paper. Documents that many systems return are relevant more
      often than documents that one returns, so the paper's priors overestimate. Here each document
      has its own probabilities, from a model that learns how the documents were judged that one
      group of `runs` alone found. A sample is a world: a complete set of grades for the top k of
      all systems. A document has one grade in a world, in all systems. The ideal ranking of a run
      has the judged documents, its own, and those that runs of two groups return. The cutoff is at
      most 100, and the score of a run depends on `runs`.
    - Negative grades count as 0.
    - Quantiles interpolate between samples. With ``b='exact'``, a quantile is the lowest score
      whose cumulative probability reaches it.
    - ``b='exact'`` raises an error above 2^20 assignments of grades. 10 unjudged documents with 4
      grades reach this limit.

    Examples
    --------
    The unjudged X may be relevant, because B is relevant and the run did not return B.

    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 1, "C": 0}}
    >>> run = {"q": {"A": 3.0, "X": 2.0, "C": 1.0}}
    >>> measure = irx_measures.BootNDCG(b="exact", stat="mean") @ 3
    >>> round(measure.calc_aggregate(qrels, run), 3)
    0.839
    >>> round(measure(b=1000).calc_aggregate(qrels, run), 2)
    0.84
    >>> for stat in ("q05", "q95"):
    ...     print(round(measure(stat=stat).calc_aggregate(qrels, run), 3))
    0.613
    1.0
    """

    NAME = "BootNDCG"
    RANGE_NOTE = "; 0 if the query has no relevant document"
    PARAMS = {**DISTRIBUTION, "dcg": DCG, "pool": POOL, **LEARNING}
    base = "nDCG"


class Bootstrapped(_Bootstrap):
    r"""Bootstrapped nDCG, AP, P or RBP: distribution over possible grades of unjudged documents.

    The algorithm is that of `BootNDCG` (Algorithm 1 of the paper), and each sample is the base
    measure of the sampled grades. Algorithm 1 moves judgments and adds no new ones, so AP still
    divides by the original number of relevant documents.

    Notes
    -----
    - All base measures use the same sampled grades. ``base='nDCG'`` gives `BootNDCG`.
    - If the whole top k of a query is judged, all samples equal the base measure.
    - With ``prior='learned'``, AP divides by the number of relevant documents in each world.

    Examples
    --------
    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 1, "C": 0}}
    >>> run = {"q": {"A": 3.0, "X": 2.0, "C": 1.0}}
    >>> measure = irx_measures.Boot(base="P", b="exact", stat="mean") @ 3
    >>> round(measure.calc_aggregate(qrels, run), 3)
    0.528
    """

    NAME = "Boot"
    PARAMS = {
        "base": Param(
            choice("nDCG", "AP", "P", "RBP"),
            "nDCG",
            "The base measure. The paper defines nDCG and names AP and RBP as future work.",
        ),
        **DISTRIBUTION,
        "dcg": DCG,
        "rel": REL,
        "phi": RBP_PHI,
        "pool": POOL,
        **LEARNING,
    }


@public
def bootstrap_ndcg(
    qrels: QrelsLike | Table, run: RunLike | Table, cutoff: int, **params: Any
) -> dict[str, FloatArray]:
    """The samples behind `BootNDCG`, for plots and intervals.

    Parameters
    ----------
    qrels, run
        In any form that `evaluate` accepts.
    cutoff
        k, at least 1.
    **params
        The parameters of `BootNDCG`, but b must be a number.

    Returns
    -------
    dict from query id to (b,) floats
        In the order of the qrels. The samples are all equal if the whole top k is judged.

    Raises
    ------
    ValueError
        As for `BootNDCG`, and for ``b='exact'``, which draws no samples.

    Examples
    --------
    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 1, "C": 0}}
    >>> run = {"q": {"A": 3.0, "X": 2.0, "C": 1.0}}
    >>> samples = irx_measures.bootstrap_ndcg(qrels, run, 3, b=500)
    >>> sorted(set(samples["q"].round(3).tolist())), len(samples["q"])
    ([0.613, 1.0], 500)
    """
    measure = BootNDCG(cutoff=cutoff, **params)
    measure.validate_params()
    if measure["b"] == EXACT:
        raise InputError("`b` must be a whole number of at least 1; got 'exact', without samples")
    judged = JudgedRun(Judgments(read_qrels(qrels)), read_run(run))
    samples = np.empty((len(judged.rank), measure["b"]))
    for part in measure.distributions(judged):
        samples[part.queries] = part.scores
    return dict(zip(judged.judgments.query_ids, samples, strict=True))


def tilted_scores(
    measure: _Bootstrap, qrels: Table, runset: RunSet, progress: bool | None = False
) -> Iterator[FloatArray]:
    """The scores of each run, (queries, b), in worlds in which its errors have a common direction.

    The systems under comparison are the runs. Errors of documents of one run are not independent,
    so their mean over queries varies more than in the worlds of single queries.
    """
    with scope(runset):
        for judged in judge_each(runset, Judgments(qrels), progress):
            prior = Learned(measure, judged)
            yield measure.scores_in(prior.worlds(tilted=True), prior.position)


BootNDCG = register(BootstrappedNDCG())

Boot = register(Bootstrapped())
