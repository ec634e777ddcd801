"""Errors of nDCG@10 where a group was not pooled: python -m tests.simulations.unjudged.

Each group is left out once: documents that only its runs have in their top 10 become unjudged. The
scores of its runs are estimated, and compared with those by all judgments. Columns:

- rmse: the root mean squared error per run and topic.
- systems: the root mean squared error of the means over topics.
- bias: the mean error.
- covered: the share of runs and topics in whose central 90% of worlds the truth lies, where worlds
  differ.

DL19 has the teams of groups.csv. For TREC-8, runs whose names begin with the same three letters are
a team. The row "TREC-8, 11 teams" has only the teams of at least five runs.

A weak run unlike all others: 97% of the top 10 of DL19's UNH_exDL_bm25 become unjudged, whoever
else returned them. TREC-COVID: the qrels are the original ones, and the truth is the expanded ones.
Campaigns: simulated ones, of which a third of the families was not pooled.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from irx_measures import BootNDCG, evaluate, simulate
from irx_measures.kernels.ndcg_bounds import ideal_dcg
from irx_measures.kernels.user_models import discount_sums
from irx_measures.unjudged.machine_labels import MachineLike, read_machines
from irx_measures.unjudged.model import JudgmentModel, pool
from irx_measures.unjudged.pooled_runs import PooledRuns
from irx_measures.unjudged.transferred import pool_counts

from .material import ROOT, print_table

CUTOFF = 10

DATA = Path(os.environ.get("IRX_DATA") or ROOT.parent / "shared" / "data")

DISCOUNT = 1 / np.log2(np.arange(2, 102))

Estimate = Callable[[PooledRuns, np.ndarray], np.ndarray]


class Errors(NamedTuple):
    """The columns of the table."""

    rmse: float
    systems: float
    bias: float
    covered: float

    @classmethod
    def of(cls, scores: np.ndarray, truth: np.ndarray) -> Errors:
        """From scores in worlds: (runs, queries, worlds)."""
        error = scores.mean(axis=2) - truth
        low, high = np.quantile(scores, [0.05, 0.95], axis=2)
        held = (low - 1e-9 <= truth) & (truth <= high + 1e-9)
        varies = np.ptp(scores, axis=2) > 1e-9
        return cls(
            float(np.sqrt((error**2).mean())),
            float(np.sqrt((error.mean(axis=1) ** 2).mean())),
            float(error.mean()),
            float(held[varies].mean()) if varies.any() else np.nan,
        )


def in_worlds(
    pooled: PooledRuns, runs: np.ndarray, probabilities: tuple, worlds: int, seed: int = 1
) -> np.ndarray:
    """nDCG@10 of some runs in sampled worlds, with the ideal of each: (runs, queries, worlds)."""
    entries, probability = probabilities
    docs, place = np.unique(pooled.doc[entries], return_inverse=True)
    total = np.zeros((len(docs), len(pooled.grades)))
    np.add.at(total, place, probability)
    reached = (total / total.sum(axis=1, keepdims=True)).cumsum(axis=1)[:, :-1]
    rng, counts = np.random.default_rng(seed), pool_counts(pooled)
    gain, ideal = pooled.grades.astype(np.float64), discount_sums(CUTOFF)
    scores = np.zeros((len(runs), len(pooled.query_ids), worlds))
    in_top = (pooled.rank <= CUTOFF) & np.isin(pooled.run, runs)
    for query in range(len(pooled.query_ids)):
        mine = np.flatnonzero(pooled.doc_query[docs] == query)
        draw = rng.random((len(mine), 1, worlds))
        level = (draw > reached[mine, :, np.newaxis]).sum(axis=1)
        drawn = np.stack([(level == grade).sum(axis=0) for grade in range(len(gain))], axis=1)
        of_query = np.flatnonzero(in_top & (pooled.query == query))
        for row, run in enumerate(runs):
            returned = of_query[pooled.run[of_query] == run]
            known = pooled.level[pooled.doc[returned]] >= 0
            judged, unjudged = returned[known], returned[~known]
            of_judged = DISCOUNT[pooled.rank[judged] - 1] @ gain[pooled.level[pooled.doc[judged]]]
            where = np.searchsorted(docs[mine], pooled.doc[unjudged])
            scores[row, query] = (
                of_judged + DISCOUNT[pooled.rank[unjudged] - 1] @ gain[level[where]]
            )
        best = ideal_dcg((counts[query] + drawn).astype(np.int64), gain, ideal)
        scores[:, query] /= np.where(best > 0, best, 1)
    return scores


def naive(pooled: PooledRuns, runs: np.ndarray) -> np.ndarray:
    """Unjudged documents are not relevant."""
    entries = pooled.unjudged_entries(CUTOFF)
    never = np.eye(len(pooled.grades))[np.zeros(len(entries), np.int64)]
    return in_worlds(pooled, runs, (entries, never), 1)


def condensed(pooled: PooledRuns, runs: np.ndarray) -> np.ndarray:
    """Unjudged documents are left out of the ranking."""
    judged = pooled.level[pooled.doc] >= 0
    run, query, doc = pooled.run[judged], pooled.query[judged], pooled.doc[judged]
    start = np.flatnonzero(np.diff(run * len(pooled.query_ids) + query, prepend=-1))
    lengths = np.diff(start, append=len(run))
    rank = np.arange(len(run)) - np.repeat(start, lengths) + 1
    return naive(replace(pooled, run=run, query=query, doc=doc, rank=rank), runs)


def learned(machine: MachineLike, worlds: int) -> Estimate:
    """Worlds from a model that is fitted to the judgments that are left."""

    def estimate(pooled: PooledRuns, runs: np.ndarray) -> np.ndarray:
        model = JudgmentModel.fit_pooled(pooled, CUTOFF, machine)
        return in_worlds(pooled, runs, model.probabilities(pooled, CUTOFF, machine), worlds)

    return estimate


def bootstrapped(stat: str) -> Estimate:
    """The bootstrap paper's prior."""

    def estimate(pooled: PooledRuns, runs: np.ndarray) -> np.ndarray:
        named = {pooled.names[run]: _as_dict(pooled, run) for run in runs.tolist()}
        judged = np.flatnonzero(pooled.grade >= 0)
        qrels: dict = {query: {} for query in pooled.query_ids}
        for doc in judged.tolist():
            query = pooled.query_ids[pooled.doc_query[doc]]
            qrels[query][pooled.doc_ids[doc]] = int(pooled.grade[doc])
        measure = BootNDCG(stat=stat) @ CUTOFF
        return evaluate(named, qrels, [measure]).scores[0][:, :, np.newaxis]

    return estimate


def _as_dict(pooled: PooledRuns, run: int) -> dict:
    nested: dict = {}
    part = pooled.entries_of(run)
    for query, doc, rank in zip(
        pooled.query[part], pooled.doc[part], pooled.rank[part], strict=True
    ):
        nested.setdefault(pooled.query_ids[query], {})[pooled.doc_ids[doc]] = -float(rank)
    return nested


def truth_of(pooled: PooledRuns) -> np.ndarray:
    """nDCG@10 by all judgments: (runs, queries)."""
    return naive(pooled, np.arange(len(pooled.names)))[:, :, 0]


def leave_one_group_out(pooled: PooledRuns, estimate: Estimate) -> Errors:
    """Estimate the scores of every group's runs without its unique documents."""
    truth, scores = truth_of(pooled), None
    for group in range(len(pooled.group_names)):
        runs = np.flatnonzero(pooled.group_of_run == group)
        of_group = estimate(pooled.without(found_only_by(pooled, group)), runs)
        if scores is None:
            scores = np.zeros((*truth.shape, of_group.shape[2]))
        scores[runs] = of_group
    return Errors.of(scores, truth)


def found_only_by(pooled: PooledRuns, group: int) -> np.ndarray:
    """The judged documents that only one group has in its top 10."""
    top = pooled.rank <= CUTOFF
    by_group = pooled.group_of_run[pooled.run[top]] == group
    mine, others = pooled.doc[top][by_group], pooled.doc[top][~by_group]
    alone = np.setdiff1d(mine, others)
    return alone[pooled.grade[alone] >= 0]


def methods(machine: MachineLike, worlds: int) -> dict[str, Estimate]:
    """The methods by name."""
    made = {
        "naive": naive,
        "condensed": condensed,
        "pool+run, mode": bootstrapped("mode"),
        "pool+run, mean": bootstrapped("mean"),
        "learned": learned(None, worlds),
    }
    return made if machine is None else {**made, "learned + UMBRELA": learned(machine, worlds)}


def trec8(teams_of: int) -> PooledRuns:
    """TREC-8's runs of teams of at least some runs."""
    files = sorted((DATA / "trec8-adhoc" / "runs").glob("*.run.gz"))
    names = {file: file.name.removesuffix(".run.gz") for file in files}
    team = {name: re.match("[A-Za-z]*", name)[0][:3].lower() or name for name in names.values()}
    size = Counter(team.values())
    chosen = [file for file, name in names.items() if size[team[name]] >= teams_of]
    return pool(chosen, DATA / "trec8-adhoc" / "qrels.txt.gz", team)


def weak_run(pooled: PooledRuns, name: str, worlds: int) -> list[tuple]:
    """Errors of the systems' means, and the run's own score, where its top is unjudged."""
    run = pooled.names.index(name)
    own = pooled.doc[(pooled.run == run) & (pooled.rank <= CUTOFF)]
    hidden = own[np.random.default_rng(0).random(len(own)) >= 0.03]
    reduced, truth = pooled.without(hidden), truth_of(pooled)
    rows = []
    for method in ("naive", "learned"):
        scores = methods(None, worlds)[method](reduced, np.arange(len(pooled.names)))
        rows.append((f"DL19, {name}", method, *Errors.of(scores, truth)))
    return rows


def campaign(systems: int, seed: int, worlds: int) -> list[tuple]:
    """Errors on the families that were not pooled; the truth is a pool of depth 300."""
    made = simulate.simulate_campaign(systems, 50, 300, seed)
    with patch.object(simulate, "POOL_DEPTH", 300):
        complete = simulate.simulate_campaign(systems, 50, 300, seed)
    pooled = pool(made.runs, made.qrels, made.groups)
    runs = np.flatnonzero([group not in made.pooled for group in pooled.groups])
    truth = truth_of(pool(made.runs, complete.qrels))[runs]
    return [
        (f"{systems} systems, seed {seed}", name, *Errors.of(estimate(pooled, runs), truth))
        for name, estimate in methods(None, worlds).items()
    ]


def trec_covid(worlds: int) -> list[tuple]:
    """Table 7 of the bootstrap paper with the transferred prior."""
    folder = DATA / "trec-covid"
    files = [folder / "runs" / f"{name}.run.gz" for name in ("ANCE", "ColBERT", "TAS-B")]
    pooled = pool(files, folder / "qrels.original.txt.gz")
    truth = truth_of(pool(files, folder / "qrels.expanded.txt.gz")).mean(axis=1)
    runs = np.arange(len(files))
    scores = learned(None, worlds)(pooled, runs).mean(axis=(1, 2))
    paper = bootstrapped("mode")(pooled, runs).mean(axis=(1, 2))
    columns = (pooled.names, scores, paper, truth)
    return [(name, *map(float, row)) for name, *row in zip(*columns, strict=True)]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=1000)
    worlds = parser.parse_args(arguments).worlds
    if not DATA.is_dir():
        raise SystemExit(f"no runs at {DATA}; IRX_DATA names the folder of evaluation data")
    folder = DATA / "trec-dl-2019-passage"
    dl19 = pool(f"{folder}/runs/*.gz", folder / "qrels.txt.gz", folder / "groups.csv")
    labels = read_machines(folder / "machine-judgments" / "umbrela_gpt4.txt.gz")
    rows = [
        (collection, name, *leave_one_group_out(pooled, estimate))
        for collection, pooled, machine in (
            ("DL19", dl19, labels),
            ("TREC-8, 11 teams", trec8(5), None),
            ("TREC-8, all teams", trec8(1), None),
        )
        for name, estimate in methods(machine, worlds).items()
    ]
    rows += weak_run(dl19, "UNH_exDL_bm25", worlds)
    for systems in (12, 36, 60):
        rows += campaign(systems, 0, worlds)
    print_table(("runs", "method", *Errors._fields), rows)
    print()
    header = ("run", "transferred prior", "pool+run, mode", "expanded judgments")
    print_table(header, trec_covid(worlds))


if __name__ == "__main__":
    main()
