"""How many topics would settle a comparison."""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, safe_divide
from ..stats.pairs import Pairs
from ..stats.planning import hedges_g, topics_needed
from ..stats.tests import moderated_variance, t_p_values
from .hypotheses import TestedMeasure


def plan_of(part: TestedMeasure, pairs: Pairs) -> dict[str, FloatArray]:
    """The topics that pairs of systems need on a measure: see `Comparison.topics_needed`.

    Variances are moderated as in the comparison, by those of its hypotheses.
    """
    differences = pairs.differences(part.scores)
    own = differences.var(axis=1, ddof=1)
    topics, prior = differences.shape[1], part.method.prior_topics
    variance = moderated_variance(own, topics, prior, part.family_variance)
    mean, effect = differences.mean(axis=1), hedges_g(differences)
    planned = np.where(own > 0, effect * np.sqrt(safe_divide(own, variance)), effect)
    needed, safe = topics_needed(planned, topics, part.method.level)
    p = t_p_values(mean, variance, topics)
    return {"difference": mean, "effect": effect, "p": p, "topics": needed, "topics_safe": safe}
