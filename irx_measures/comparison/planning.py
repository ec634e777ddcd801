"""How many topics would settle a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..common.arrays import FloatArray
from ..stats.planning import topics_needed
from ..stats.results import Columns
from ..stats.tests import paired_t
from .hypotheses import Tested, joined_columns, names_of


class Plan(NamedTuple):
    """Arrays of one number per hypothesis; see `Comparison.topics_needed`."""

    p: FloatArray
    topics: FloatArray
    topics_safe: FloatArray


def plan_of(part: Tested) -> Plan:
    """The topics that each comparison of a measure needs."""
    scores, pairs = part.hypotheses.scores, part.hypotheses.pairs
    return Plan(
        paired_t(scores, pairs), *topics_needed(pairs.differences(scores), part.method.level)
    )


def planned_topics(tested: Sequence[Tested]) -> Columns:
    """One row per measure and hypothesis: the columns of `Comparison.topics_needed`."""
    plans = [plan_of(part) for part in tested]
    return {
        **names_of(tested),
        **joined_columns(tested, difference="mean", effect="effect"),
        **joined_columns(plans, p="p", topics="topics", topics_safe="topics_safe"),
    }
