"""How many topics would settle a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, safe_divide
from ..stats.pairs import Pairs
from ..stats.planning import hedges_g, topics_needed
from ..stats.results import Columns
from ..stats.tests import moderated_variance, t_p_values
from .hypotheses import TestedMeasure, joined_columns, names_of


class Plan(NamedTuple):
    """Arrays of one number per pair; see `Comparison.topics_needed`."""

    difference: FloatArray
    effect: FloatArray
    p: FloatArray
    topics: FloatArray
    topics_safe: FloatArray


def plan_of(part: TestedMeasure, pairs: Pairs | None = None) -> Plan:
    """The topics that pairs of systems need on a measure: by default, all that were compared.

    Variances are moderated as in the comparison, by those of its hypotheses.
    """
    differences = (pairs or part.pairs).differences(part.scores)
    own = differences.var(axis=1, ddof=1)
    topics, prior = differences.shape[1], part.method.prior_topics
    variance = moderated_variance(own, topics, prior, part.family_variance)
    mean, effect = differences.mean(axis=1), hedges_g(differences)
    planned = np.where(own > 0, effect * np.sqrt(safe_divide(own, variance)), effect)
    p = t_p_values(mean, variance, topics)
    return Plan(mean, effect, p, *topics_needed(planned, topics, part.method.level))


def planned_topics(tested: Sequence[TestedMeasure]) -> Columns:
    """One row per measure and hypothesis: the columns of `Comparison.topics_needed`."""
    return {**names_of(tested), **plan_columns(list(map(plan_of, tested)))}


def plan_columns(plans: Sequence[Plan]) -> Columns:
    """The numbers of `Comparison.topics_needed`."""
    return {**joined_columns(plans, **{name: name for name in Plan._fields})}
