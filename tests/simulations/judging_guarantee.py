"""How much the guaranteed stop judges: python -m tests.simulations.judging_guarantee.

Each campaign draws 18 systems and 30 topics of a judged collection, and two of the systems whose
binary DCG@10, over its largest value, differs by an amount in one of four strata. Relevant is a
grade of at least 2 in DL19, 1 in TREC-8. The documents in the top 10 of the two systems are judged
once more in batches, until it is decided which system is better. Columns:

- difference: the stratum.
- judged: the mean share of them that is judged at the stop; those at the same rank in both systems
  never are.
- wrong: decisions for the worse system, of all campaigns.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from irx_measures import RunSet
from irx_measures.io.trec import read_qrels
from irx_measures.judging.planning.fill import fill
from irx_measures.judging.planning.guarantee import GuaranteedStop
from irx_measures.judging.planning.pool import JudgingPool
from irx_measures.judging.planning.simulation import SYSTEMS, TOPICS, drawn_pool
from irx_measures.stats.pairs import Pairs

from .material import collection, print_table

CUTOFF = 10
BATCH = 15
RELEVANT = {"DL19": 2, "TREC-8": 1}
STRATA = ((0.0, 0.02), (0.02, 0.05), (0.05, 0.12), (0.12, 1.0))


class Campaign(NamedTuple):
    """A pool, and two of its systems.

    Attributes
    ----------
    pool
        Of binary grades.
    relevance : (documents,) ints
        0 or 1.
    difference : (documents,) floats
        What each relevant document adds to the difference of the scores.
    in_top : (documents,) bools
        Whether it is in the top 10 of one of the systems.
    """

    pool: JudgingPool
    relevance: np.ndarray
    difference: np.ndarray
    in_top: np.ndarray


class Outcome(NamedTuple):
    """Where judging stopped."""

    share: float
    wrong: bool


def scores(pool: JudgingPool) -> np.ndarray:
    """What each relevant document adds to a system's mean DCG, over the largest DCG."""
    discount = 1 / np.log2(np.arange(2, CUTOFF + 2))
    weight = np.where(pool.in_top, discount[np.clip(pool.rank, 1, CUTOFF) - 1], 0.0)
    return weight / discount.sum() / len(pool.query_ids)


def campaigns(
    pool: JudgingPool, truth: np.ndarray, relevant: int, stratum: tuple[float, float], seeds: int
) -> Iterator[tuple[int, Campaign]]:
    """Draws that have a pair of systems in the stratum."""
    for seed in range(seeds):
        drawn, level = drawn_pool(pool, truth, SYSTEMS, TOPICS, "best", seed)
        relevance = (drawn.grades[level] >= relevant).astype(np.int64)
        weight = scores(drawn)
        first, second = Pairs.of(len(weight))
        difference = np.abs(np.subtract(*(weight @ relevance)[[first, second]]))
        within = np.flatnonzero((difference >= stratum[0]) & (difference < stratum[1]))
        if len(within):
            chosen = np.random.default_rng(seed).choice(within)
            pair = np.array([first[chosen], second[chosen]])
            binary, in_top = replace(drawn, grades=np.arange(2)), drawn.in_top[pair].any(axis=0)
            yield seed, Campaign(binary, relevance, np.subtract(*weight[pair]), in_top)


def judge(campaign: Campaign, seed: int) -> Outcome:
    """Judge until it is decided which system is better."""
    pool, relevance, difference, _ = campaign
    stop = GuaranteedStop(difference, seed=seed)
    level = np.full(len(pool), -1)
    while stop.decided is None:
        predicted = fill(pool, level, np.zeros((len(pool), 0)))[:, 1]
        for document in stop.ask(predicted, BATCH).documents.tolist():
            level[document] = relevance[document]
            stop.update(np.array([document]), relevance[[document]])
            if stop.decided is not None:
                break
    size = np.count_nonzero(campaign.in_top)
    return Outcome(stop.judged / size, stop.decided != np.sign(difference @ relevance))


def rows(name: str, pool: JudgingPool, truth: np.ndarray, relevant: int, seeds: int) -> list[tuple]:
    """A row per stratum."""
    table = []
    for stratum in STRATA:
        drawn = campaigns(pool, truth, relevant, stratum, seeds)
        outcomes = [judge(campaign, seed) for seed, campaign in drawn]
        shares, wrong = zip(*outcomes, strict=True) if outcomes else ([], [])
        table.append(
            (
                name,
                f"{stratum[0]:.2f} to {stratum[1]:.2f}",
                float(np.mean(shares)) if outcomes else "-",
                f"{sum(wrong)} of {len(wrong)}",
            )
        )
    return table


def pooled(runs: Sequence[Path], qrels: Path) -> tuple[JudgingPool, np.ndarray]:
    """The pool of a collection, and the level of each document."""
    columns = read_qrels(qrels)
    grades = np.unique(np.append(columns.grade, 0))
    return JudgingPool.of(RunSet(runs), columns, CUTOFF, grades.tolist())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=40)
    options = parser.parse_args(arguments)
    table = []
    for name, relevant in RELEVANT.items():
        table += rows(name, *pooled(*collection(name)), relevant, options.seeds)
    print_table(("collection", "difference", "judged", "wrong"), table)


if __name__ == "__main__":
    main()
