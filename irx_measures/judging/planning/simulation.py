"""A judged collection, judged once more as if nothing were known: how often is a claim wrong?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...common.progress import with_bar
from ...common.validators import LEVEL, integer
from ...exceptions import InputError
from ...io.table import Table
from ...results.frames import DataFrame, frame
from ...runsets.given import read_given
from ...typing import QrelsLike, RunsLike
from ...unjudged.machine_labels import MachineLike
from ...unjudged.pooled_runs import UNJUDGED
from .campaign import JudgingCampaign
from .forecasts import machine_features
from .pool import JudgingPool, read_pooled
from .questions import RANKING, question_of, systems_of
from .scorers import scorer_of

BATCHES = 20  # a batch is a twentieth of the pool


def simulate_judging(
    qrels: QrelsLike | Table,
    runs: RunsLike,
    measure: Any = "nDCG@10",
    question: str | Sequence[str] = RANKING,
    *,
    seeds: int = 20,
    systems: int = 18,
    topics: int = 30,
    level: float = 0.95,
    tolerance: float | None = None,
    machine: MachineLike = None,
    progress: bool | None = None,
) -> DataFrame:
    """Judge a judged collection once more, and see where a `JudgingPlan` would have stopped.

    Each campaign draws systems and topics, and judges in batches of a twentieth of the pool. An
    unjudged document that is asked for gets grade 0.

    Parameters
    ----------
    qrels, runs
        In any form that `evaluate` accepts.
    measure, question, level, tolerance, machine
        As for `JudgingPlan`.
    seeds
        The number of campaigns.
    systems, topics
        The number of systems and topics of a campaign; all if there are fewer.
    progress
        Whether to show progress bars on stderr; None shows them on a terminal after half a second.

    Returns
    -------
    DataFrame
        A row per campaign with the columns

        - judged, pool: the number of documents that were judged, and that could be;
        - claimed: whether the campaign ended with a claim; otherwise all of the pool was judged;
        - wrong: whether the claim is false by the measure on the judgments of the pool;
        - wrong_on_all: whether it is false on all judgments of the qrels, which also change the
          ideal rankings of nDCG.

    Raises
    ------
    ValueError
        When a system that `question` names is unknown, there are fewer than 2 systems, no document
        that could be asked for is judged, or an option is out of range; and as for `JudgingPlan`.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.judging import simulate_judging
    >>> campaign = irx_measures.simulate_campaign(systems=12, queries=10, seed=1)
    >>> table = simulate_judging(
    ...     campaign.qrels, campaign.runs, question="best", seeds=2, systems=6, topics=8
    ... )
    >>> len(table), bool((table["judged"] <= table["pool"]).all())
    (2, True)
    """
    seeds, level = integer(1).check("seeds", seeds), LEVEL.check("level", level)
    systems, topics = integer(2).check("systems", systems), integer(1).check("topics", topics)
    columns, given = read_given(qrels, runs)
    runset = systems_of(question, given)
    grades = np.unique(np.append(columns.value.clip(0), 0)).tolist()
    systems = min(systems, len(runset))
    scorer = scorer_of(measure, grades, systems)
    asked = question_of(question, scorer.name, systems, tolerance)
    whole = read_pooled(columns, runset, grades, progress)
    if not (JudgingPool.of(whole, scorer.cutoff, grades)[1] >= 0).any():
        raise InputError(
            f"`qrels` must judge documents in the top {scorer.cutoff} of the runs; got none"
        )
    rows = []
    for seed in with_bar(range(seeds), "campaign", progress):
        rng = np.random.default_rng(seed)
        chosen = np.sort(rng.permutation(len(whole.names))[:systems])
        queries = np.sort(rng.permutation(len(whole.query_ids))[:topics])
        pool, known = JudgingPool.of(whole, scorer.cutoff, grades, chosen, queries)
        grade, alone = known.clip(0), replace(pool, others=[known[:0]] * len(queries))
        features, unjudged = machine_features(pool, machine), np.full(len(pool), UNJUDGED)
        campaign = JudgingCampaign(alone, unjudged, scorer, asked, level, features, seed)
        while pairs := campaign.next(max(5, campaign.size // BATCHES))[0].documents:
            documents = np.array([pool.position[pair] for pair in pairs])
            campaign.take(documents, grade[documents])
        true = [scorer.means(of, grade[:, np.newaxis])[:, 0] for of in (alone, pool)]
        estimate, _, claimed = campaign.outcome
        wrong = [claimed and not asked.holds(estimate, mean) for mean in true]
        rows.append((campaign.judged, campaign.size, claimed, *wrong))
    names = ("judged", "pool", "claimed", "wrong", "wrong_on_all")
    return frame({name: [row[place] for row in rows] for place, name in enumerate(names)})
