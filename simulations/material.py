"""What the simulations share: scores of real runs, t tests of all pairs, options, and tables."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from scipy import stats

import irx_measures
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.planning import t_statistic

ROOT = Path(__file__).resolve().parents[1]
COLLECTIONS = {"DL19": "trec-dl-2019-passage", "TREC-8": "trec8-adhoc"}
ALPHA = 0.05

Draw: TypeAlias = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def collection(name: str) -> tuple[list[Path], Path]:
    """The official runs and the qrels."""
    data = Path(os.environ.get("IRX_DATA") or ROOT.parent / "shared" / "data")
    folder = data / COLLECTIONS[name]
    if not folder.is_dir():
        raise SystemExit(f"no runs at {folder}; IRX_DATA names the folder of evaluation data")
    return sorted(folder.glob("runs/*")), folder / "qrels.txt.gz"


def real_scores(name: str, measure: str) -> np.ndarray:
    """Scores of the official runs: (systems, topics)."""
    runs, qrels = collection(name)
    return irx_measures.evaluate(qrels, runs, [measure]).scores[0]


def t_tests(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """t and the raw p-value of every pair of systems, in the order of `Pairs.of`."""
    t = t_statistic(Pairs.of(len(scores)).differences(scores))
    return t, 2 * stats.t.sf(np.abs(t), scores.shape[1] - 1)


def square(decisions: np.ndarray, t: np.ndarray, systems: int) -> np.ndarray:
    """``better[i, j]``: i is significantly better than j, from decisions about pairs."""
    better = np.zeros((systems, systems), bool)
    first, second = Pairs.of(systems)
    better[first, second] = decisions & (t > 0)
    better[second, first] = decisions & (t < 0)
    return better


def centred(scores: np.ndarray) -> np.ndarray:
    """The scores with the mean over topics of every system moved to the mean of all systems."""
    return scores - scores.mean(axis=1, keepdims=True) + scores.mean()


def residuals(scores: np.ndarray) -> np.ndarray:
    """What neither the system nor the topic explains."""
    return centred(scores) - scores.mean(axis=0)


def resampled_topics(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """As many topics as there are, drawn with replacement."""
    topics = scores.shape[1]
    return scores[:, rng.integers(0, topics, topics)]


def options(
    description: str | None, simulations: int, collections: Sequence[str] = tuple(COLLECTIONS)
) -> argparse.ArgumentParser:
    """A parser of the options that all simulations have; the first collection is the default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--collection", choices=collections, default=collections[0])
    parser.add_argument("--measure", action="append", help="more than once for more measures")
    parser.add_argument("--simulations", type=int, default=simulations)
    parser.add_argument("--seed", type=int, default=42)
    return parser


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Rows in columns as wide as their widest cell; fractions with three decimals."""
    cells = [
        [f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row]
        for row in (header, *rows)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        print("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
