"""Comparisons of random scores, for tests of tables."""

from dataclasses import replace

import numpy as np
from ir_measures import AP, P, nDCG

from irx_measures import ScoreMatrix
from irx_measures.measures.naming.strings import parse_measures

MEASURES = (nDCG @ 10, AP, P @ 5)


def score_matrix(systems=5, topics=30, measures=2, seed=0, names=None, spread=0.15):
    """Scores in [0, 1]; each system is better than the next one."""
    rng = np.random.default_rng(seed)
    level = np.linspace(0.8, 0.2, systems)[:, np.newaxis]
    noise = rng.normal(0, spread, (measures, systems, topics))
    return ScoreMatrix(
        MEASURES[:measures],
        tuple(names or (f"system{number}" for number in range(systems))),
        tuple(f"q{number}" for number in range(topics)),
        np.clip(level + rng.normal(0, 0.1, topics) + noise, 0, 1),
    )


def matrix_of(scores, measures=("AP",)):
    """The scores (measures, systems, topics) of systems s0, s1, ..., of one measure or several."""
    scores = np.asarray(scores, dtype=float)
    systems, queries = scores.shape[-2:]
    return ScoreMatrix(
        tuple(parse_measures(measures)),
        tuple(f"s{number}" for number in range(systems)),
        tuple(f"q{number}" for number in range(queries)),
        scores.reshape(len(measures), systems, queries),
    )


def without(matrix, measure, *systems):
    """The matrix with undefined scores."""
    return changed(matrix, np.s_[measure, list(systems)], np.nan)


def changed(matrix, place, scores):
    """The matrix with other scores in some place."""
    values = matrix.scores.copy()
    values[place] = scores
    return replace(matrix, scores=values)
