"""Made-up scores of systems, p-values of their pairs, and coefficients of two rankings."""

import numpy as np

from irx_measures.stats.correlation import coefficient_of
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.tests import TESTS


def campaign(systems=6, queries=20, seed=0, spread=0.1):
    """Scores of systems that differ, on topics that differ more."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0.3, 0.3 + spread, systems)[:, np.newaxis]
    return quality + rng.normal(0, 0.2, queries) + rng.normal(0, 0.1, (systems, queries))


def against_zero(differences):
    """Scores and pairs with these differences: each system and one that always scores 0."""
    return np.vstack([differences, np.zeros_like(differences[:1])]), Pairs.against(
        len(differences) + 1, [len(differences)]
    )


def p_values(scores, test, resamples=200, seed=42, *, rng=None, pairs=None):
    """p-values of all pairs, or of these; `rng` stands in for the random generator."""
    draws = (resamples, rng or np.random.default_rng(seed)) if TESTS[test].resamples else ()
    return TESTS[test].p_values(scores, pairs or Pairs.of(len(scores)), *draws)


def correlation(coefficient, first, second, phi=0.5):
    """A coefficient of two rankings."""
    (value,) = coefficient_of(coefficient, np.array([first]), np.array([second]), phi)
    return value
