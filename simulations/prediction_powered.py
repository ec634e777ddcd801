"""Coverage and width of prediction-powered intervals, by simulation.

Run: python -m simulations.prediction_powered

The topics of DL19 are the population, with the scores of every run by human judgments and by each
of four machines. Each simulation draws n topics with replacement for human and machine, and 10 n
topics for the machine alone. The table has a row per machine, n, and what is estimated (means of
runs, or differences of all pairs of runs):

- human, ppi++: the share of intervals at level .95 that hold the mean over all topics.
- width: the mean width of PPI++'s intervals, over that of the human ones.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import irx_measures
from irx_measures.stats.intervals import mean_interval
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.prediction_powered import prediction_powered

from .material import COLLECTIONS, ROOT, options, print_table

METHODS = ("human", "ppi++")
TOPICS = (20, 30, 50)
MACHINE_ONLY = 10


def scores_by_judge(collection: str, measure: str) -> dict[str, np.ndarray]:
    """Scores of the official runs by the human judgments, '', and by each machine's."""
    data = Path(os.environ.get("IRX_DATA") or ROOT.parent / "shared" / "data")
    folder = data / COLLECTIONS[collection]
    judges = {"": folder / "qrels.txt.gz"}
    for path in sorted(folder.glob("machine-judgments/*")):
        judges[path.name.removesuffix(".txt.gz")] = path
    if len(judges) == 1:
        raise SystemExit(f"no machine judgments at {folder}; IRX_DATA names the folder of data")
    runs = sorted(folder.glob("runs/*"))
    matrices = {name: irx_measures.evaluate(path, runs, measure) for name, path in judges.items()}
    topics = matrices[""].query_ids
    return {
        name: matrix.scores[0][:, [matrix.query_ids.index(topic) for topic in topics]]
        for name, matrix in matrices.items()
    }


def coverage(
    human: np.ndarray, machine: np.ndarray, topics: int, simulations: int, seed: int
) -> tuple[dict[str, float], float]:
    """Coverage by method, and the width of PPI++ over that of the human interval."""
    rng = np.random.default_rng(seed)
    truth = human.mean(axis=1)
    held = dict.fromkeys(METHODS, 0.0)
    width = dict.fromkeys(METHODS, 0.0)
    for _ in range(simulations):
        drawn = rng.integers(0, human.shape[1], topics)
        only = machine[:, rng.integers(0, human.shape[1], MACHINE_ONLY * topics)]
        powered = prediction_powered(human[:, drawn], machine[:, drawn], only)
        ends = mean_interval(human[:, drawn], 0.95), (powered.lower, powered.upper)
        for method, (lower, upper) in zip(METHODS, ends, strict=True):
            held[method] += ((lower <= truth) & (truth <= upper)).mean() / simulations
            width[method] += (upper - lower).mean() / simulations
    return held, width["ppi++"] / width["human"]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = options(__doc__, simulations=1000)
    given = parser.parse_args(arguments)
    rows = []
    for measure in given.measure or ["nDCG@10"]:
        scores = scores_by_judge(given.collection, measure)
        human = scores.pop("")
        pairs = Pairs.of(len(human))
        for name, machine in scores.items():
            for estimated, (one, other) in {
                "means": (human, machine),
                "pairs": (pairs.differences(human), pairs.differences(machine)),
            }.items():
                for topics in TOPICS:
                    held, width = coverage(one, other, topics, given.simulations, given.seed)
                    shares = (held[method] for method in METHODS)
                    rows.append((measure, name, estimated, topics, *shares, width))
    header = ("measure", "machine", "estimated", "n", *METHODS, "width")
    print_table(header, rows)


if __name__ == "__main__":
    main()
