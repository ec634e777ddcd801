"""Errors of nDCG@10 where a group was not pooled: python -m simulations.unjudged.

Each group is left out once: documents that only its runs have in their top 10 become unjudged. The
scores of its runs are estimated, and compared with those by all judgments. Rankings with a document
that is unjudged in all judgments have no known truth and do not count. Columns:

- rmse: the root mean squared error per run and topic.
- systems: the root mean squared error of the means over topics.
- bias: the mean error.
- covered: the share of runs and topics in whose central 90% of worlds the truth lies, where worlds
  differ.
- signs: the share of pairs of runs of one group whose means have the true order.

The row "shrunk" is a rule that was tried and not taken: if less of a run is judged than of those
that the model learned from, or half of its unjudged documents have a clipped feature, its scores
move towards the naive ones by the share of such documents.

Intervals: 90% intervals of the means of the systems that were left out. Columns: the share that
holds the true mean, by the worlds' tilts alone and calibrated on groups left out, and the mean
width of the calibrated ones in mean widths of the others.

DL19 has the teams of groups.csv. For TREC-8, runs whose names begin with the same three letters are
a team. The row "TREC-8, 11 teams" has only the teams of at least five runs.

Weak runs: 97% or half of the top 10 of one run of DL19 become unjudged, whoever else returned them,
and each run is that run once. TREC-COVID: the qrels are the original ones, and the truth is the
expanded ones. Campaigns: simulated ones, of which a third of the families was not pooled.
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
from irx_measures.measures.mean_intervals import left_out_errors
from irx_measures.unjudged.cross_validation import CrossValidation
from irx_measures.unjudged.examples import examples_of
from irx_measures.unjudged.features import Evidence
from irx_measures.unjudged.machine_labels import (
    MachineLike,
    distinct_labels,
    label_columns,
    read_labels,
)
from irx_measures.unjudged.model import JudgmentModel, fitted, pool
from irx_measures.unjudged.pooled_runs import PooledRuns
from irx_measures.unjudged.worlds import Worlds

from .material import ROOT, print_table

CUTOFF = 10

DATA = Path(os.environ.get("IRX_DATA") or ROOT.parent / "shared" / "data")

LEVEL = 0.9

SEED = 1

Estimate = Callable[[PooledRuns, np.ndarray], np.ndarray]


class Errors(NamedTuple):
    """The columns of the table."""

    rmse: float
    systems: float
    bias: float
    covered: float
    signs: float

    @classmethod
    def of(
        cls, scores: np.ndarray, truth: np.ndarray, known: np.ndarray, group: np.ndarray
    ) -> Errors:
        """From scores in worlds.

        Parameters
        ----------
        scores : (runs, queries, worlds)
        truth, known : (runs, queries)
            The true scores, and where they are known.
        group : (runs,)
        """
        mean = scores.mean(axis=2)
        error = np.where(known, mean - truth, np.nan)
        low, high = np.quantile(scores, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=2)
        held = (low - 1e-9 <= truth) & (truth <= high + 1e-9)
        varies = known & (np.ptp(scores, axis=2) > 1e-9)
        runs = np.flatnonzero(known.any(axis=1))
        return cls(
            float(np.sqrt(np.nanmean(error**2))),
            float(np.sqrt((np.nanmean(error[runs], axis=1) ** 2).mean())),
            float(np.nanmean(error)),
            float(held[varies].mean()) if varies.any() else np.nan,
            _signs(mean, truth, known, group),
        )


def _signs(mean: np.ndarray, truth: np.ndarray, known: np.ndarray, group: np.ndarray) -> float:
    """The share of pairs of runs of one group whose estimated means have the true order."""
    right = []
    for first, second in zip(*np.triu_indices(len(mean), 1), strict=True):
        both = known[first] & known[second]
        if group[first] == group[second] and both.any():
            true = (truth[first, both] - truth[second, both]).mean()
            if abs(true) > 1e-9:
                right.append((mean[first, both] - mean[second, both]).mean() * true > 0)
    return float(np.mean(right)) if right else np.nan


def learned_ndcg(worlds: int) -> object:
    """nDCG@10 in worlds of a learned prior."""
    return BootNDCG(prior="learned", b=worlds, seed=SEED) @ CUTOFF


def naive(pooled: PooledRuns, runs: np.ndarray) -> np.ndarray:
    """Unjudged documents are not relevant."""
    return np.array([learned_ndcg(1).as_judged(pooled, run) for run in runs])[:, :, np.newaxis]


def condensed(pooled: PooledRuns, runs: np.ndarray) -> np.ndarray:
    """Unjudged documents are left out of the ranking."""
    judged = pooled.level[pooled.doc] >= 0
    run, query, doc = pooled.run[judged], pooled.query[judged], pooled.doc[judged]
    start = np.flatnonzero(np.diff(run * len(pooled.query_ids) + query, prepend=-1))
    lengths = np.diff(start, append=len(run))
    rank = np.arange(len(run)) - np.repeat(start, lengths) + 1
    return naive(replace(pooled, run=run, query=query, doc=doc, rank=rank), runs)


def learned(machine: MachineLike, worlds: int, shrunk: bool = False) -> Estimate:
    """Worlds from a model that is fitted to the judgments that are left."""

    def estimate(pooled: PooledRuns, runs: np.ndarray) -> np.ndarray:
        model = fitted(examples_of(pooled, CUTOFF, machine))
        entries = pooled.unjudged_entries(CUTOFF)
        probability = model.probabilities(pooled, entries, machine)
        drawn = Worlds.of(pooled, entries, probability, CUTOFF, worlds, SEED)
        scores = np.array([learned_ndcg(worlds).scores_in(drawn, run) for run in runs])
        if not shrunk or model.thresholds is None:
            return scores
        share = _clipped(pooled, model, entries, machine)[runs, np.newaxis, np.newaxis]
        return scores * (1 - share) + naive(pooled, runs) * share

    return estimate


def _clipped(
    pooled: PooledRuns, model: JudgmentModel, entries: np.ndarray, machine: MachineLike
) -> np.ndarray:
    """The share by which the scores of outsiders would shrink: (runs,); 0 for other runs."""
    given = read_labels(machine)
    labels = label_columns(pooled.documents, given, distinct_labels(given))
    features = Evidence(pooled, CUTOFF).features(entries, labels)
    inside = np.clip(features, model.thresholds.low, model.thresholds.high)
    clipped = (features != inside).any(axis=1)
    runs = len(pooled.names)
    share = np.bincount(pooled.run[entries], clipped, runs) / np.maximum(
        np.bincount(pooled.run[entries], minlength=runs), 1
    )
    outside = np.isin(pooled.names, model.outside(pooled))
    return np.where(outside | (share >= 0.5), share, 0.0)


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
        return evaluate(qrels, named, [measure]).scores[0][:, :, np.newaxis]

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


def known_of(pooled: PooledRuns) -> np.ndarray:
    """Where the truth is known: (runs, queries)."""
    return np.array([pooled.fully_judged(run, CUTOFF) for run in range(len(pooled.names))])


def leave_one_group_out(pooled: PooledRuns, estimate: Estimate) -> Errors:
    """Estimate the scores of every group's runs without its unique documents."""
    truth, scores = truth_of(pooled), None
    for group in range(len(pooled.group_names)):
        runs = np.flatnonzero(pooled.group_of_run == group)
        of_group = estimate(pooled.without(found_only_by(pooled, group)), runs)
        if scores is None:
            scores = np.zeros((*truth.shape, of_group.shape[2]))
        scores[runs] = of_group
    return Errors.of(scores, truth, known_of(pooled), pooled.group_of_run)


class Coverage(NamedTuple):
    """The columns of the table of intervals."""

    systems: int
    tilts: float
    calibrated: float
    width: float

    @classmethod
    def of(cls, full: PooledRuns, machine: MachineLike, worlds: int) -> Coverage:
        """Leave each group out once, and compute the intervals of its runs as for new systems."""
        measure, known, truth = learned_ndcg(worlds), known_of(full), truth_of(full)
        rows = []
        for group in range(len(full.group_names)):
            pooled = full.without(found_only_by(full, group))
            validation = CrossValidation.of(pooled, CUTOFF, machine)
            errors = left_out_errors(measure, validation)
            model = fitted(examples_of(pooled, CUTOFF, machine))
            entries = pooled.unjudged_entries(CUTOFF)
            probability = model.probabilities(pooled, entries, machine)
            drawn = Worlds.of(pooled, entries, probability, CUTOFF, worlds, SEED, validation.tilt)
            for run in np.flatnonzero((full.group_of_run == group) & known.any(axis=1)):
                means = measure.scores_in(drawn, run)[known[run]].mean(axis=0)
                if np.ptp(means) > 1e-9:
                    true = truth[run, known[run]].mean()
                    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
                    half = errors.half_width(float(means.std()), LEVEL)
                    held = abs(means.mean() - true) <= half
                    rows.append((low <= true <= high, held, high - low, 2 * half))
        tilts, calibrated, by_tilts, width = np.mean(rows, axis=0).tolist()
        return cls(len(rows), tilts, calibrated, width / by_tilts)


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
        "learned, shrunk": learned(None, worlds, shrunk=True),
    }
    return made if machine is None else {**made, "learned + UMBRELA": learned(machine, worlds)}


def trec8(teams_of: int) -> PooledRuns:
    """TREC-8's runs of teams of at least some runs."""
    files = sorted((DATA / "trec8-adhoc" / "runs").glob("*.run.gz"))
    names = {file: file.name.removesuffix(".run.gz") for file in files}
    team = {name: re.match("[A-Za-z]*", name)[0][:3].lower() or name for name in names.values()}
    size = Counter(team.values())
    chosen = [file for file, name in names.items() if size[team[name]] >= teams_of]
    return pool(DATA / "trec8-adhoc" / "qrels.txt.gz", chosen, team)


def weak_runs(full: PooledRuns, kept: float, worlds: int) -> list[tuple]:
    """Errors of each run if most of its top is unjudged."""
    truth, known = truth_of(full), known_of(full)
    chosen = {name: methods(None, worlds)[name] for name in ("naive", "learned", "learned, shrunk")}
    scores = {name: [] for name in chosen}
    for run in range(len(full.names)):
        own = full.doc[(full.run == run) & (full.rank <= CUTOFF)]
        pooled = full.without(own[np.random.default_rng(0).random(len(own)) >= kept])
        for name, estimate in chosen.items():
            scores[name].append(estimate(pooled, np.array([run]))[0])
    group = np.arange(len(full.names))
    return [
        (f"DL19, {kept:.0%} judged", name, *Errors.of(np.array(of), truth, known, group))
        for name, of in scores.items()
    ]


def campaign(systems: int, seed: int, worlds: int) -> list[tuple]:
    """Errors on the families that were not pooled; the truth is a pool of depth 300."""
    made = simulate.simulate_campaign(systems, 50, 300, seed)
    with patch.object(simulate, "POOL_DEPTH", 300):
        complete = simulate.simulate_campaign(systems, 50, 300, seed)
    pooled = pool(made.qrels, made.runs, made.groups)
    runs = np.flatnonzero([group not in made.pooled for group in pooled.groups])
    full = pool(complete.qrels, made.runs, made.groups)
    truth, known = truth_of(full)[runs], known_of(full)[runs]
    group = full.group_of_run[runs]
    return [
        (
            f"{systems} systems, seed {seed}",
            name,
            *Errors.of(estimate(pooled, runs), truth, known, group),
        )
        for name, estimate in methods(None, worlds).items()
    ]


def trec_covid(worlds: int) -> list[tuple]:
    """Table 7 of the bootstrap paper with the transferred prior."""
    folder = DATA / "trec-covid"
    files = [folder / "runs" / f"{name}.run.gz" for name in ("ANCE", "ColBERT", "TAS-B")]
    pooled = pool(folder / "qrels.original.txt.gz", files)
    truth = truth_of(pool(folder / "qrels.expanded.txt.gz", files)).mean(axis=1)
    runs = np.arange(len(files))
    scores = learned(None, worlds)(pooled, runs).mean(axis=(1, 2))
    paper = bootstrapped("mode")(pooled, runs).mean(axis=(1, 2))
    columns = (pooled.names, scores, paper, truth)
    return [(name, *map(float, row)) for name, *row in zip(*columns, strict=True)]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=400)
    worlds = parser.parse_args(arguments).worlds
    if not DATA.is_dir():
        raise SystemExit(f"no runs at {DATA}; IRX_DATA names the folder of evaluation data")
    folder = DATA / "trec-dl-2019-passage"
    dl19 = pool(folder / "qrels.txt.gz", f"{folder}/runs/*.gz", folder / "groups.csv")
    labels = read_labels(folder / "machine-judgments" / "umbrela_gpt4.txt.gz")
    collections = {
        "DL19": dl19,
        "TREC-8, 11 teams": trec8(5),
        "TREC-8, all teams": trec8(1),
    }
    rows = [
        (name, method, *leave_one_group_out(pooled, estimate))
        for name, pooled in collections.items()
        for method, estimate in methods(labels if name == "DL19" else None, worlds).items()
    ]
    for kept in (0.03, 0.5):
        rows += weak_runs(dl19, kept, worlds)
    for systems in (12, 36, 60):
        rows += campaign(systems, 0, worlds)
    print_table(("runs", "method", *Errors._fields), rows)
    print()
    intervals = [(name, *Coverage.of(pooled, None, worlds)) for name, pooled in collections.items()]
    intervals.insert(1, ("DL19 with labels", *Coverage.of(dl19, labels, worlds)))
    print_table(("runs", *Coverage._fields), intervals)
    print()
    header = ("run", "transferred prior", "pool+run, mode", "expanded judgments")
    print_table(header, trec_covid(worlds))


if __name__ == "__main__":
    main()
