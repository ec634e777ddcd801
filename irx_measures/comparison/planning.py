"""How many topics would settle a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, safe_divide
from ..stats.moderated import moderated_variance
from ..stats.planning import hedges_g, topics_needed
from ..stats.results import Columns
from ..stats.tests import t_p_values
from .hypotheses import Tested, joined_columns, names_of
from .method import Method


class Plan(NamedTuple):
    """Arrays of one number per pair; see `Comparison.topics_needed`."""

    effect: FloatArray
    p: FloatArray
    topics: FloatArray
    topics_safe: FloatArray


def plan_of(part: Tested) -> Plan:
    """The topics that each comparison of a measure needs."""
    hypotheses = part.hypotheses
    differences = hypotheses.pairs.differences(hypotheses.scores)
    return plan(differences, part.method, part.family_variance)


def plan(differences: FloatArray, method: Method, family: FloatArray | None) -> Plan:
    """The topics that pairs of systems need, with variances moderated as in the comparison.

    Parameters
    ----------
    differences : (pairs, topics)
    method
    family : (hypotheses,), optional
        The variances of the hypotheses of the measure; by default, those of `differences`.
    """
    topics = differences.shape[1]
    own = differences.var(axis=1, ddof=1)
    variance = moderated_variance(own, topics, method.prior_topics, family)
    effect = hedges_g(differences)
    planned = np.where(own > 0, effect * np.sqrt(safe_divide(own, variance)), effect)
    return Plan(
        effect,
        t_p_values(differences.mean(axis=1), variance, topics),
        *topics_needed(planned, topics, method.level),
    )


def planned_topics(tested: Sequence[Tested]) -> Columns:
    """One row per measure and hypothesis: the columns of `Comparison.topics_needed`."""
    plans = [plan_of(part) for part in tested]
    return {
        **names_of(tested),
        **joined_columns(tested, difference="mean", effect="effect"),
        **joined_columns(plans, p="p", topics="topics", topics_safe="topics_safe"),
    }
