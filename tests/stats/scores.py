"""Made-up scores of systems."""

import numpy as np


def campaign(systems=6, queries=20, seed=0, spread=0.1):
    """Scores of systems that differ, on topics that differ more."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0.3, 0.3 + spread, systems)[:, np.newaxis]
    return quality + rng.normal(0, 0.2, queries) + rng.normal(0, 0.1, (systems, queries))
