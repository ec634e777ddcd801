"""Power on fresh topics: python -m simulations.planning.

The topics are split into random halves. For every pair of systems, the number of topics is planned
from one half. That many topics are drawn with replacement from the other half, and the pair is
tested by a paired t test at .05. The table has a row per plan and per range of planned topics:

- foreseen: the share of all pairs that are in the row.
- power: the share of these whose test finds a difference.
- agrees: the share whose test finds the difference that the first half shows, with its sign.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from irx_measures.stats.pairs import Pairs
from irx_measures.stats.planning import hedges_g, topics_needed

from .material import ALPHA, options, print_table, real_scores

ROWS = {"all": (2, np.inf), "2-10": (2, 11), "11-25": (11, 26), "26-50": (26, 51),
        "51-100": (51, 101), "101-1000": (101, 1001), "above 1000": (1001, np.inf)}  # fmt: skip


def fresh_t(differences: np.ndarray, topics: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """t of each pair on its own number of topics, drawn with replacement: (pairs,)."""
    population = differences.shape[1]
    counts = rng.multinomial(topics, np.full(population, 1 / population))
    mean = (counts * differences).sum(axis=1) / topics
    squares = (counts * (differences - mean[:, np.newaxis]) ** 2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean / np.sqrt(squares / (topics - 1) / topics)
    return np.where(mean == 0, 0.0, t)


def plans(scores: np.ndarray, splits: int, seed: int) -> dict[str, np.ndarray]:
    """Planned topics, whether the fresh test rejects, and whether with the same sign.

    Each array is (3, splits x pairs). The topics are inf where they are not foreseeable.
    """
    rng = np.random.default_rng(seed)
    differences = Pairs.of(len(scores)).differences(scores)
    half = scores.shape[1] // 2
    results: dict[str, list[np.ndarray]] = {"topics": [], "topics_safe": []}
    for _ in range(splits):
        order = rng.permutation(scores.shape[1])
        known, fresh = differences[:, order[:half]], differences[:, order[half:]]
        planned = dict(zip(results, topics_needed(hedges_g(known), half, 1 - ALPHA), strict=True))
        for plan, topics in planned.items():
            drawn = np.where(np.isfinite(topics), topics, 2).astype(np.int64)
            t = fresh_t(fresh, drawn, rng)
            rejects = 2 * stats.t.sf(np.abs(t), drawn - 1) <= ALPHA
            agrees = rejects & (np.sign(t) == np.sign(known.mean(axis=1)))
            results[plan].append(np.array([topics, rejects, agrees]))
    return {plan: np.concatenate(parts, axis=1) for plan, parts in results.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = options(__doc__, simulations=200)
    parser.set_defaults(collection="TREC-8")
    given = parser.parse_args(arguments)
    rows = []
    for measure in given.measure or ["nDCG@10", "AP"]:
        scores = real_scores(given.collection, measure)
        for plan, (topics, rejects, agrees) in plans(scores, given.simulations, given.seed).items():
            for name, (low, high) in ROWS.items():
                chosen = (topics >= low) & (topics < high)
                shares = (
                    float(chosen.mean()),
                    *(float(x[chosen].mean()) for x in (rejects, agrees)),
                )
                rows.append((given.collection, measure, plan, name, *shares))
    header = ("collection", "measure", "plan", "planned topics", "foreseen", "power", "agrees")
    print_table(header, rows)


if __name__ == "__main__":
    main()
