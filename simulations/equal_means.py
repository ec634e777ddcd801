"""Topics drawn so that systems have equal means, with every score as it is.

Owen's empirical likelihood: among the weights of topics with which the systems have the same mean,
those with the largest product, which are nearest to equal weights.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

MOST_DRAWS = 1000  # of systems; nearly all neighbours of one collection can be made equal


def equalising_weights(scores: np.ndarray) -> np.ndarray | None:
    """The weights of the topics, or None if no weights give the systems the same mean.

    Parameters
    ----------
    scores : (systems, topics)

    Notes
    -----
    The weights are ``1 / (n (1 + l.g))`` with g the differences of a topic to the first system, and
    l the minimum of ``-sum log(1 + l.g)``, where log has a quadratic tail below 1/n (Owen 2001).
    """
    differences = (scores[1:] - scores[0]).T
    topics = len(differences)
    least = 1.0 / topics

    def negative(multiplier: np.ndarray) -> tuple[float, np.ndarray]:
        value = 1.0 + differences @ multiplier
        low = value < least
        safe = np.where(low, least, value)
        tail = np.log(least) - 1.5 + 2.0 * value / least - 0.5 * (value / least) ** 2
        slope = np.where(low, 2.0 / least - value / least**2, 1.0 / safe)
        return -float(np.where(low, tail, np.log(safe)).sum()), -(slope @ differences)

    # Where there are no such weights, the multiplier goes to infinity.
    with np.errstate(over="ignore", invalid="ignore"):
        found = minimize(negative, np.zeros(differences.shape[1]), jac=True, method="BFGS")
    weights = 1.0 / (topics * np.maximum(1.0 + differences @ found.x, 1e-12))
    reached = np.abs(weights @ differences).max() < 1e-4 and abs(weights.sum() - 1.0) < 1e-3
    return weights / weights.sum() if reached else None


def draw_equal_systems(scores: np.ndarray, rng: np.random.Generator, count: int) -> np.ndarray:
    """Scores of neighbours in the ranking, on topics drawn with the weights that make them equal.

    Weights that make systems of very different means equal leave hardly any topics.
    """
    topics = scores.shape[1]
    ranked = scores[np.argsort(-scores.mean(axis=1), kind="stable")]
    for _ in range(MOST_DRAWS):
        start = rng.integers(len(ranked) - count + 1)
        chosen = ranked[start : start + count]
        weights = equalising_weights(chosen)
        if weights is not None:
            return chosen[:, rng.choice(topics, topics, p=weights)]
    raise ValueError(f"no {count} systems can be made equal")
