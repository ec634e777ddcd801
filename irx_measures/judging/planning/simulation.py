"""A judged collection, judged once more as if nothing were known: how often is a claim wrong?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...common.arrays import FloatArray, Int64Array
from ...common.progress import with_bar
from ...common.validators import integer, number_in
from ...common.writing import counted
from ...exceptions import InputError
from ...io.columns import QrelsColumns
from ...io.trec import read_qrels
from ...runsets.runset import RunSet
from ...stats.results import Columns, StudyResult
from ...typing import QrelsLike, RunsLike
from ...unjudged.machine_labels import MachineLike
from .campaign import Campaign, Forecasts
from .machine import machine_features
from .offered import scorer_of
from .pool import JudgingPool
from .questions import RANKING, Question, question_of
from .scorers import Scorer

SYSTEMS, TOPICS = 18, 30  # of each draw: those of the study

BATCHES = 20  # a batch is a twentieth of the pool


class Stop(NamedTuple):
    """Where a campaign stopped.

    Attributes
    ----------
    judged, pool : int
        Number of documents.
    wrong : bool
        Whether the claim is false on all judgments.
    """

    judged: int
    pool: int
    wrong: bool


@dataclass(frozen=True, eq=False, repr=False)
class JudgingSimulation(StudyResult):
    """How much of a pool was judged where campaigns stopped, and how often they were wrong.

    Attributes
    ----------
    measure, question : str
    systems, topics : int
        Number of systems and topics of each campaign.
    seeds : tuple of int
    judged, pool : (campaigns,) ints
        Number of judged documents at the stop, and of all that could be judged.
    wrong : (campaigns,) bools
        Whether the claim is false on all judgments.
    """

    measure: str
    question: str
    systems: int
    topics: int
    seeds: tuple[int, ...]
    judged: Int64Array
    pool: Int64Array
    wrong: Int64Array

    @property
    def share(self) -> float:
        """The mean share of the pool that was judged."""
        return float((self.judged / self.pool).mean())

    def to_columns(self) -> Columns:
        """One row per campaign: seed, judged, pool, share, wrong."""
        return {
            "seed": np.array(self.seeds),
            "judged": self.judged,
            "pool": self.pool,
            "share": self.judged / self.pool,
            "wrong": self.wrong,
        }

    @property
    def summary(self) -> str:
        """The result in one line."""
        return (
            f"{self.measure}, {self.question}: {self.share:.2f} of the pool judged, "
            f"{self.wrong.sum()} of {counted(len(self.seeds), 'claim')} wrong "
            f"({self.systems} systems x {self.topics} topics)"
        )


def simulate_judging(
    runs: RunsLike,
    qrels: QrelsLike | QrelsColumns,
    measure: Any = "nDCG@10",
    question: str | Sequence[str] = RANKING,
    *,
    seeds: int = 20,
    systems: int = SYSTEMS,
    topics: int = TOPICS,
    level: float = 0.95,
    tolerance: float | None = None,
    machine: MachineLike = None,
    progress: bool | None = None,
) -> JudgingSimulation:
    """Judge a judged collection once more, and see where a `JudgingPlan` would have stopped.

    Each campaign draws systems and topics, and judges in batches of a twentieth of the pool. Only
    judged documents are in the pool.

    Parameters
    ----------
    runs, qrels
        In any form that `evaluate` accepts.
    measure, question, level, tolerance, machine
        As for `JudgingPlan`. Two systems are in every draw.
    seeds
        The number of campaigns.
    systems, topics
        The number of systems and topics of a campaign; all if there are fewer.
    progress
        Whether to show progress bars on stderr; None shows them on a terminal after half a second.

    Raises
    ------
    ValueError
        As for `JudgingPlan`, and if no returned document is judged.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.judging import simulate_judging
    >>> campaign = irx_measures.simulate_campaign(systems=12, queries=10, seed=1)
    >>> result = simulate_judging(
    ...     campaign.runs, campaign.qrels, question="best", seeds=2, systems=6, topics=8
    ... )
    >>> len(result.judged), bool((result.judged <= result.pool).all())
    (2, True)
    """
    seeds = integer(1).check("seeds", seeds)
    systems, topics = integer(2).check("systems", systems), integer(1).check("topics", topics)
    level = number_in(0, 1, closed=False).check("level", level)
    runset = runs if isinstance(runs, RunSet) else RunSet(runs)
    columns = read_qrels(qrels)
    grades = np.unique(np.append(columns.grade.clip(0), 0))
    scorer = scorer_of(measure, tuple(grades.tolist()))
    pool, truth = JudgingPool.of(runset, columns, scorer.cutoff, grades.tolist(), progress)
    if not (truth >= 0).any():
        raise InputError(
            f"`qrels` must judge documents in the top {scorer.cutoff} of the runs; got none"
        )
    asked = question if isinstance(question, str) else tuple(question)
    question_of(asked, runset.names, tolerance)
    stops = []
    for seed in with_bar(range(seeds), "campaign", progress):
        drawn, level_of = drawn_pool(pool, truth, systems, topics, asked, seed)
        about = question_of(asked, drawn.names, tolerance)
        features = machine_features(drawn, machine)
        stops.append(replayed(drawn, level_of, scorer, about, level, seed, features))
    judged, size, wrong = np.array(stops).T
    return JudgingSimulation(
        str(measure),
        asked if isinstance(asked, str) else ",".join(asked),
        min(systems, len(pool.names)),
        min(topics, len(pool.query_ids)),
        tuple(range(seeds)),
        judged,
        size,
        wrong.astype(bool),
    )


def replayed(
    pool: JudgingPool,
    truth: Int64Array,
    scorer: Scorer,
    question: Question,
    level: float,
    seed: int,
    machine: FloatArray,
) -> Stop:
    """Judge a pool whose levels are known until the claim is probable enough, or nothing is left.

    Parameters
    ----------
    pool
    truth : (documents,) ints
        The level of every document.
    scorer, question
    level
        The claim is settled where its probability is at least this.
    seed
    machine : (documents, features) floats
        See `machine.machine_features`.
    """
    campaign = Campaign(pool, np.full(len(pool), -1), scorer, question, machine, seed)
    size = campaign.size
    batch_size = max(5, size // BATCHES)
    while campaign.judged == 0 or (campaign.judged < size and campaign.probability < level):
        batch = campaign.next(batch_size)
        if batch.probability is not None:
            campaign.expect(Forecasts(batch.documents, batch.probability))
        campaign.take(batch.documents, truth[batch.documents])
    true = scorer.means(pool, truth[:, np.newaxis])[:, 0]
    return Stop(min(campaign.judged, size), size, not question.holds(campaign.means, true))


def drawn_pool(
    pool: JudgingPool,
    truth: Int64Array,
    systems: int,
    topics: int,
    question: str | tuple[str, ...],
    seed: int,
) -> tuple[JudgingPool, Int64Array]:
    """Some systems and topics, and the judged documents in their top k."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(pool.names)).tolist()
    if not isinstance(question, str):  # both systems are in every draw
        order.sort(key=lambda system: pool.names[system] not in question)
    chosen = np.sort(order[:systems])
    queries = np.sort(rng.permutation(len(pool.query_ids))[:topics])
    kept = (truth >= 0) & pool.in_top[chosen].any(axis=0) & np.isin(pool.doc_query, queries)
    documents = np.flatnonzero(kept)
    drawn = replace(
        pool,
        names=tuple(pool.names[system] for system in chosen.tolist()),
        query_ids=tuple(pool.query_ids[query] for query in queries.tolist()),
        doc_query=np.searchsorted(queries, pool.doc_query[documents]),
        doc_ids=[pool.doc_ids[document] for document in documents.tolist()],
        rank=pool.rank[np.ix_(chosen, documents)],
        other_levels=[np.zeros(0, np.int64)] * len(queries),
    )
    return drawn, truth[documents]
